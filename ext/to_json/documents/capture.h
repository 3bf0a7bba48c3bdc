/* Documents. Captures encoded parts of a document, and inserts them into others: what caches
 * need. */
#ifndef TJ_CAPTURE_H
#define TJ_CAPTURE_H

#include "../writer/writer.h"

/* What the key of a part says about the context: nothing; that the context is empty; or all that
 * matters of it. */
enum tj_told { TJ_TOLD_NOTHING, TJ_TOLD_EMPTY, TJ_TOLD };

/* Yields to the block of the running method, which writes one value or one whole element. Returns
 * its text as a frozen String, without the comma before it. Returns nil if nothing was written, or
 * if user code read a context about which the key says less: then the text is valid only here. The
 * text is held in memory until it is complete, whatever the Sink. Not for documents with a layout.
 * Runs Ruby, may raise. */
VALUE tj_capture(tj_writer *w, enum tj_told told);

/* Writes captured text as a value or an element. It is not checked: any String is accepted. May run
 * Ruby (flush), may raise. */
void tj_write_captured(tj_writer *w, VALUE text);

#endif
