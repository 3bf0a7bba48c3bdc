/* Glue. Bytes leave for the Sink, or move to where there is room. */
#ifndef TJ_FLUSH_H
#define TJ_FLUSH_H

#include "delivering.h"
#include "writer.h"

void tj_flush_init(void);

/* The Writer's Sink is told, and how to deliver to it. Raises for a Buffer that is taken meanwhile, and NoMemoryError. */
void tj_begin_sink(tj_writer *w, const tj_pace *pace);
/* However it began and the document ended; `error` learns how many bytes have left, nil does not. A Buffer is as it was unless it ended well. */
void tj_end_sink(tj_writer *w, bool well, VALUE error);

/* With flush: one of many records has ended. May run Ruby. */
void tj_record_ended_cold(tj_writer *w);

/* Delivers all that was written so far, to what takes it piece by piece. May run Ruby. */
void tj_deliver_all(tj_writer *w);

/* The document is whole: delivers the rest. Returns the Sink, or a new String without one. May run Ruby. */
VALUE tj_finish(tj_writer *w);

#endif
