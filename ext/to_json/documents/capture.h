/* Documents. Parts of a document that are kept encoded, and put into others: what caches need of a Writer. */
#ifndef TJ_CAPTURE_H
#define TJ_CAPTURE_H

#include "../writer/writer.h"

/* What is told of the contexts that a part may be spliced in: nothing, that they are empty, or what of them matters. */
enum tj_told { TJ_TOLD_NOTHING, TJ_TOLD_EMPTY, TJ_TOLD };

/* Yields to the running method's block, which writes one value or one whole element at the level at hand; the answer is its
 * text as a frozen String, without the comma before it. Nil where nothing was written, or user code looked
 * at a context of which less is told: what it wrote is for this document alone. No byte of it leaves before it is whole, so
 * it is held in memory, whatever the Sink. Not for documents that are laid out. Runs Ruby, may raise. */
VALUE tj_capture(tj_writer *w, enum tj_told told);

/* Writes text that was captured as a value, or as an element, at the level at hand: not checked, a String is enough. May run Ruby
 * (flush), may raise. */
void tj_write_captured(tj_writer *w, VALUE text);

#endif
