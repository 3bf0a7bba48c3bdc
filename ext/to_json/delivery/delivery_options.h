/* Delivery. The options `chunk:` and `flush:` of a document; flush.c obeys them. */
#ifndef TJ_DELIVERY_OPTIONS_H
#define TJ_DELIVERY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ruby.h>

#define TJ_FLUSH_RECORDS (-1)

/* If all is zero, chunks have the usual size and are delivered when they are full. */
typedef struct {
    size_t chunk;  /* bytes of one delivery; 0: as in the pool */
    /* when to deliver besides: TJ_FLUSH_RECORDS, after each record; or nanoseconds between two
     * deliveries; 0: never */
    int64_t flush;
} tj_delivery_options;

void tj_delivery_options_init(void);

/* Convert the options as given. May run Ruby (to_f); raise ArgumentError. */
size_t tj_chunk_option(VALUE chunk);
int64_t tj_flush_option(VALUE flush);

/* Raises ArgumentError if they were given for a document that is not delivered. */
void tj_refuse_delivery_options(const tj_delivery_options *options);

#endif
