/* Delivery. Sinks that take a document in pieces: which objects are, and passing bytes to them.
 *
 * This room has all that happens to bytes which are written: chunks, flushing, the options of a
 * delivery, Sinks, and reusable Buffers. Values do not belong here, nor does the decision when a
 * document ends. */
#ifndef TJ_SINK_H
#define TJ_SINK_H

#include "../writer/writer.h"

void tj_sink_init(void);

/* Raises unless `sink` can take a document: a String that takes UTF-8, or an object with `write` or
 * `<<`. */
void tj_check_sink(VALUE sink);

typedef struct {
    VALUE sink;
    tj_writer *w;      /* the Writer of the document, or NULL */
    const uint8_t *start;
    size_t size;       /* bytes to deliver now */
    size_t delivered;  /* how many of them were delivered */
    size_t piece;      /* at most so many bytes in one write */
    bool through;      /* the Sink should flush too */
    tj_carrying *carrying;
    /* What counts the deliveries of these bytes' owner, and the number of this one. When a
     * Continuation comes back to it, it has ended, and the bytes may be elsewhere. */
    const unsigned *turns;
    unsigned turn;
} tj_handing;

/* Delivers all of a tj_handing and returns nil; for rb_protect. If it is left early, `delivered` is
 * right. Runs Ruby, may raise. */
VALUE tj_hand_over(VALUE handing);

/* Writes the bytes of a Buffer to an IO, in chunks. `turns` changes when they may change. Runs
 * Ruby, may raise. */
void tj_deliver_buffer(VALUE sink, const uint8_t *bytes, size_t size, const unsigned *turns);

#endif
