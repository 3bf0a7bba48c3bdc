/* Documents. Captures encoded parts of a document, and inserts them into others: what caches
 * need. */
#ifndef TJ_CAPTURE_H
#define TJ_CAPTURE_H

#include "../writer/writer.h"

/* Which reads of a context a part may contain and still be kept: none, because its key says nothing
 * of the context; reads of an empty context; or any, because the key has all that counts. */
enum tj_allowed_reads { TJ_READS_NONE, TJ_READS_EMPTY, TJ_READS_ANY };

/* Yields to the block of the running method, in which the serializer `part` writes one value or one
 * whole element. Returns its text as a frozen String, without the comma before it. Returns nil if
 * nothing was written, or if user code read a context in a way that `allowed` excludes, or from
 * outside of the part (tj_capture_ends): then the text is valid only here. The text is held in
 * memory until it is complete, whatever the Sink. Not for documents with a layout. Runs Ruby, may
 * raise. */
VALUE tj_capture(tj_writer *w, VALUE part, enum tj_allowed_reads allowed);

/* Writes captured text as a value or an element. It is not checked: any String is accepted. May run
 * Ruby (flush), may raise. */
void tj_write_captured(tj_writer *w, VALUE text);

#endif
