/* Delivery. Bytes leave for the Sink, or move to where there is room. */
#ifndef TJ_FLUSH_H
#define TJ_FLUSH_H

#include "delivery_options.h"
#include "../writer/writer.h"
#include "reusable.h"

void tj_flush_init(void);

/* Whether the document leaves in chunks; else it grows in memory and no Ruby runs for that. */
TJ_INLINE bool tj_delivers(const tj_writer *w)
{
    return RTEST(w->sink) && !RB_TYPE_P(w->sink, T_STRING) && !tj_is_reusable(w->sink);
}

/* The Writer's Sink is told, and how to deliver to it. Raises for a Buffer that is taken meanwhile, and NoMemoryError. */
void tj_begin_sink(tj_writer *w, const tj_delivery_options *options);
/* However it began and the document ended; `error` learns how many bytes have left, nil does not. A Buffer is as it was unless it ended well. */
void tj_end_sink(tj_writer *w, bool well, VALUE error);

/* With flush: one of many records has ended. May run Ruby. */
void tj_record_ended_cold(tj_writer *w);

/* Delivers all that was written so far, to what takes it piece by piece. May run Ruby. */
void tj_deliver_all(tj_writer *w);

/* The document is whole: delivers the rest. Returns the Sink, or a new String without one. May run Ruby. */
VALUE tj_finish(tj_writer *w);

#endif
