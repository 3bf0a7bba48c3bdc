/* Writer. The captures at work, and the reads of contexts that their parts must not contain. */
#ifndef TJ_CAPTURES_H
#define TJ_CAPTURES_H

#include "binding.h"

/* Begins the capture of a part that the serializer `part` writes. Returns an object that the caller
 * keeps alive and gives to tj_capture_ends, in the same Fiber. May raise. */
VALUE tj_capture_begins(tj_writer *w, VALUE part);

/* Returns whether the part depends on a context that none of its keys contains: code that ran
 * meanwhile read the context of a document or of a serializer around the part. A read in another
 * Fiber than that of the document, or from a serializer that is writing no document, counts for all
 * captures at work, because nothing tells which of them it belongs to. */
bool tj_capture_ends(tj_writer *w, VALUE capture);

/* Notes that a serializer which may have kept a context or state begins to write, or that its kept
 * document is written or read: no key tells what that depends on. `w` is the Writer that gets the
 * text, or NULL. */
void tj_note_unknown(const tj_writer *w);

/* The same for the innermost frame, if its serializer may have kept something. */
TJ_INLINE void tj_note_frame(const tj_writer *w)
{
    if (TJ_LIKELY(w->pool->captures == 0)) return;
    const tj_frame *frame = &w->frames[w->frame_count - 1];
    if (TJ_UNLIKELY(frame->reader || frame->state)) tj_note_unknown(w);
}

/* Notes that code has read the context of `self` in the document of `w`; NULL: `self` is idle.
 * `found`: the context was not empty. */
void tj_note_for_captures(const tj_writer *w, VALUE self, VALUE context, bool found);

#endif
