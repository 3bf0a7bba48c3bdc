/* Delivery. Sinks that take a document piece by piece: which objects are, and handing bytes to them. */
#ifndef TJ_SINK_H
#define TJ_SINK_H

#include "../writer/writer.h"

void tj_sink_init(void);

/* Raises unless `sink` is something to deliver to: a String that takes UTF-8, or an object with
 * `write` or `<<`. */
void tj_check_sink(VALUE sink);

typedef struct {
    VALUE sink;
    tj_writer *w;      /* whose document it is, or NULL */
    const uint8_t *start;
    size_t size;       /* bytes to deliver now */
    size_t delivered;  /* of them */
    size_t piece;      /* at most so many in one write */
    bool through;      /* the Sink is to pass them on too */
    tj_carrying *carrying;
} tj_handing;

/* Hands over all of a tj_handing, and gives nil; for rb_protect. Whatever leaves it, `delivered` is right. Runs Ruby, may raise. */
VALUE tj_hand_over(VALUE handing);

/* Hands the bytes of a Buffer to an IO, in pieces of a chunk. Runs Ruby, may raise. */
void tj_deliver_buffer(VALUE sink, const uint8_t *bytes, size_t size);

#endif
