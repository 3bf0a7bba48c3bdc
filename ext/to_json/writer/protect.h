/* Writer. Marks, and protected calls: if an exception leaves the call, what it wrote is taken
 * back. */
#ifndef TJ_PROTECT_H
#define TJ_PROTECT_H

#include "errors.h"
#include "writer.h"

/* The states of rb_protect, found out at load, because no header of Ruby has their numbers. */
typedef struct {
    int raise;
    /* `break` and `return` end a block normally. All other states (throw, kill) undo what the block
     * wrote. */
    int break_, return_;
} tj_states;
extern tj_states tj_states_of_ruby;
#define TJ_STATE_RAISE (tj_states_of_ruby.raise)
TJ_INLINE bool tj_ends_block(int state)
{
    return state == tj_states_of_ruby.break_ || state == tj_states_of_ruby.return_;
}
void tj_protect_init(void);

/* If `state` is a raise, stores the path in the exception. Returns the state to continue with, see
 * tj_locate. Runs Ruby. */
TJ_INLINE int tj_locate_state(const tj_writer *w, int state)
{
    int left = state == TJ_STATE_RAISE ? tj_locate(w, rb_errinfo()) : 0;
    return left ? left : state;
}

TJ_INLINE tj_mark tj_mark_take(tj_writer *w)
{
    tj_grammar *g = &w->grammar;
    return (tj_mark){tj_buffer_offset(&w->out),
                     g->top,
                     w->floor,
                     w->frame_count,
                     w->delivery.hold_from,
                     w->plan,
                     w->blocked & TJ_VALUE_DUE,
                     w->conversions,
                     g->nesting,
                     *tj_top(g)};
}

/* Takes the document back to the mark. Poisons the Writer if those bytes were delivered. */
void tj_mark_restore(tj_writer *w, const tj_mark *mark);

/* Runs `body`, which may run Ruby. If an exception, a throw or a kill leaves `body`, this function
 * takes the document back to `mark`, stores the path in the exception, and lets it continue. */
VALUE tj_protect(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument);

/* The same for a body that yields to a block of the DSL. If break, return or next leaves it, the
 * levels above the mark are closed as at the end of the block. */
VALUE tj_protect_block(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument);

/* The same in two steps. tj_try runs `body` and returns the state of rb_protect, 0 for a normal
 * end. tj_leave and tj_leave_block then continue as tj_protect and tj_protect_block do. */
int tj_try(tj_writer *w, VALUE (*body)(VALUE), VALUE argument);
NORETURN(void tj_leave(tj_writer *w, const tj_mark *mark, int state));
NORETURN(void tj_leave_block(tj_writer *w, const tj_mark *mark, int state));

#endif
