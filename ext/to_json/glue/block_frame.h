/* Glue. How the running C method was called: whether plainly, and what its block is, without making a Proc of it. */
#ifndef TJ_BLOCK_FRAME_H
#define TJ_BLOCK_FRAME_H

#include "writer.h"

/* Finds out whether this Ruby's frames are as we know them. Until then, and where not, Procs are made. */
void tj_block_frame_init(void);

/* The frame of the running C method, which lives as long as its caller's call, or NULL where frames are unknown. Frames
 * of one Fiber lie below those that called them. */
const void *tj_running_frame(void);

/* Whether the running C method was called by the same call as the one whose frame was `frame`: rescue and ensure put at
 * most one frame between, and what is called by another call lies at least two below. */
#define TJ_MOST_FRAME_BYTES 64
TJ_INLINE bool tj_called_beside(const void *frame)
{
    uintptr_t running = (uintptr_t)tj_running_frame();
    return frame && running && running <= (uintptr_t)frame && (uintptr_t)frame - running <= TJ_MOST_FRAME_BYTES;
}

/* The same where a method that was handed on what it opened lies between, and its rescue or ensure. */
TJ_INLINE bool tj_called_near(const void *frame)
{
    uintptr_t running = (uintptr_t)tj_running_frame();
    return frame && running && running <= (uintptr_t)frame && (uintptr_t)frame - running <= 3 * TJ_MOST_FRAME_BYTES;
}

/* Remembers the stack of the VM that the document begins on, for tj_called. Returns tj_running_frame. */
const void *tj_note_stack(tj_writer *w);

/* After a C method's arguments the VM pushes three words: the method's entry, its block, its frame's type. */
enum { TJ_PUSHED_METHOD, TJ_PUSHED_BLOCK, TJ_PUSHED_TYPE, TJ_PUSHED_WORDS };
enum { TJ_METHOD_CALLED_ID = 3 }; /* a word of rb_callable_method_entry_t */
extern VALUE tj_plain_frame;      /* the type without keywords, learnt at load; 0 where frames are unknown */

/* How the running C method `name` was called, in so far as that can be seen at a glance: rb_block_given_p and
 * rb_keyword_given_p look through more frames than that (5 ns of the 11 that a `put` took, 3.4, YJIT). */
enum tj_calling {
    TJ_CALLED_SOMEHOW, /* ask Ruby: another stack, from C, by an alias, with keywords, or odd */
    TJ_CALLED_PLAINLY, /* neither block nor keywords */
    TJ_CALLED_WITH_BLOCK /* and no keywords */
};
TJ_INLINE enum tj_calling tj_called(const tj_writer *w, int argc, const VALUE *argv, ID name)
{
    const VALUE *pushed = argv + argc;
    if (TJ_UNLIKELY(pushed < w->vm_stack || pushed + TJ_PUSHED_WORDS > w->vm_stack_end)) return TJ_CALLED_SOMEHOW;
    if (TJ_UNLIKELY(pushed[TJ_PUSHED_TYPE] != tj_plain_frame)) return TJ_CALLED_SOMEHOW;
    VALUE method = pushed[TJ_PUSHED_METHOD];
    if (TJ_UNLIKELY(RB_SPECIAL_CONST_P(method) || ((const VALUE *)method)[TJ_METHOD_CALLED_ID] != name)) return TJ_CALLED_SOMEHOW;
    return TJ_LIKELY(pushed[TJ_PUSHED_BLOCK] == 0) ? TJ_CALLED_PLAINLY : TJ_CALLED_WITH_BLOCK;
}
TJ_INLINE bool tj_plain_call(const tj_writer *w, int argc, const VALUE *argv, ID name)
{
    return tj_called(w, argc, argv, name) == TJ_CALLED_PLAINLY;
}

/* The self of the block that the running C method was given; `receiver` is that method's own self. May
 * make a Proc. */
VALUE tj_block_self(VALUE receiver);

/* How many of (item, index) that block is given: 2, or 1 for a lambda, method or Symbol that takes one. */
int tj_block_wants(VALUE receiver);

#endif
