/* Glue. Bytes leave for the Sink, or move to where there is room. */
#ifndef TJ_FLUSH_H
#define TJ_FLUSH_H

#include "writer.h"

void tj_flush_init(void);

/* Raises unless `sink` is something to deliver to: a String that takes UTF-8, or an object with
 * `write` or `<<`. */
void tj_check_sink(VALUE sink);

/* The document is whole: delivers the rest. Returns the Sink, or a new String without one. May run Ruby. */
VALUE tj_finish(tj_writer *w);

#endif
