/* Delivery. Delivers bytes to the Sink, and makes room. */
#ifndef TJ_FLUSH_H
#define TJ_FLUSH_H

#include "delivery_options.h"
#include "../writer/writer.h"
#include "reusable.h"

void tj_flush_init(void);

/* Whether the document leaves in chunks. Otherwise it grows in memory, and no Ruby runs for
 * that. */
TJ_INLINE bool tj_delivers(const tj_writer *w)
{
    return RTEST(w->sink) && !RB_TYPE_P(w->sink, T_STRING) && !tj_is_reusable(w->sink);
}

/* Prepares delivery to the Sink of the Writer. Raises if a Buffer is in use, and NoMemoryError. */
void tj_begin_sink(tj_writer *w, const tj_delivery_options *options);
/* Ends delivery, however the document ended. `error` (or nil) learns how many bytes were delivered.
 * A Buffer is restored unless the document ended `well`. */
void tj_end_sink(tj_writer *w, bool well, VALUE error);

/* Called after each of many records, if `flush:` is given or the buffer has more than a chunk. May
 * run Ruby. */
void tj_record_ended_cold(tj_writer *w);

/* Delivers all that was written, to a Sink that takes chunks. May run Ruby. */
void tj_deliver_all(tj_writer *w);

/* The document is complete: delivers the rest. Returns the Sink, or a new String. May run Ruby. */
VALUE tj_finish(tj_writer *w);

#endif
