/* Delivery. What `chunk:` and `flush:` ask of a document's delivery. Delivery itself is in flush.c. */
#ifndef TJ_DELIVERY_OPTIONS_H
#define TJ_DELIVERY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ruby.h>

#define TJ_FLUSH_RECORDS (-1)

/* All zero: chunks of the usual size, delivered when they are full. */
typedef struct {
    size_t chunk;  /* bytes a delivery; 0: as the pool has it */
    int64_t flush; /* besides: TJ_FLUSH_RECORDS, behind each record; or nanoseconds that may pass between two; 0: never */
} tj_delivery_options;

void tj_delivery_options_init(void);

/* The options as they were given. May run Ruby (to_f); raise ArgumentError. */
size_t tj_chunk_option(VALUE chunk);
int64_t tj_flush_option(VALUE flush);

/* Raises ArgumentError where they were given for a document that is not delivered anywhere. */
void tj_refuse_delivery_options(const tj_delivery_options *options);

#endif
