/* Glue. How the running C method was called: whether plainly, and what its block is, without making a Proc of it. */
#ifndef TJ_BLOCK_FRAME_H
#define TJ_BLOCK_FRAME_H

#include "writer.h"

/* Finds out whether this Ruby's frames are as we know them. Until then, and where not, Procs are made. */
void tj_block_frame_init(void);

/* Remembers the stack of the VM that the document begins on, for tj_plain_call. */
void tj_note_stack(tj_writer *w);

/* After a C method's arguments the VM pushes three words: the method's entry, its block, its frame's type. */
enum { TJ_PUSHED_METHOD, TJ_PUSHED_BLOCK, TJ_PUSHED_TYPE, TJ_PUSHED_WORDS };
enum { TJ_METHOD_CALLED_ID = 3 }; /* a word of rb_callable_method_entry_t */
extern VALUE tj_plain_frame;      /* the type without keywords, learnt at load; 0 where frames are unknown */

/* True when the running C method `name` was surely given neither block nor keywords: rb_block_given_p and
 * rb_keyword_given_p look through more frames than that (5 ns of the 11 that a `put` took, 3.4, YJIT). False is
 * no answer: other stacks, calls from C, aliases and what else looks odd. */
TJ_INLINE bool tj_plain_call(const tj_writer *w, int argc, const VALUE *argv, ID name)
{
    const VALUE *pushed = argv + argc;
    if (TJ_UNLIKELY(pushed < w->vm_stack || pushed + TJ_PUSHED_WORDS > w->vm_stack_end)) return false;
    if (pushed[TJ_PUSHED_BLOCK] != 0 || pushed[TJ_PUSHED_TYPE] != tj_plain_frame) return false;
    VALUE method = pushed[TJ_PUSHED_METHOD];
    return TJ_LIKELY(!RB_SPECIAL_CONST_P(method)) && ((const VALUE *)method)[TJ_METHOD_CALLED_ID] == name;
}

/* The self of the block that the running C method was given; `receiver` is that method's own self. May
 * make a Proc. */
VALUE tj_block_self(VALUE receiver);

/* How many of (item, index) that block is given: 2, or 1 for a lambda, method or Symbol that takes one. */
int tj_block_wants(VALUE receiver);

#endif
