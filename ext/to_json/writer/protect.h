/* Writer. Marks, and protected calls: a call that is left early takes back what it wrote. */
#ifndef TJ_PROTECT_H
#define TJ_PROTECT_H

#include "errors.h"
#include "writer.h"

/* rb_protect's states, as this Ruby gave them at load: no header has their numbers. */
typedef struct {
    int raise;
    int break_, return_; /* they end a block in good order; others (throw, kill) undo it */
} tj_states;
extern tj_states tj_states_of_ruby;
#define TJ_STATE_RAISE (tj_states_of_ruby.raise)
TJ_INLINE bool tj_ends_block(int state)
{
    return state == tj_states_of_ruby.break_ || state == tj_states_of_ruby.return_;
}
void tj_protect_init(void);

/* If `state` is a raise, keeps the place of the exception. Returns the state to go on with: see
 * tj_locate. Runs Ruby. */
TJ_INLINE int tj_locate_state(const tj_writer *w, int state)
{
    int left = state == TJ_STATE_RAISE ? tj_locate(w, rb_errinfo()) : 0;
    return left ? left : state;
}

TJ_INLINE tj_mark tj_mark_take(tj_writer *w)
{
    tj_grammar *g = &w->grammar;
    return (tj_mark){tj_buffer_offset(&w->out), g->top, w->floor, w->frame_count, w->delivery.hold_from, w->plan, w->blocked & TJ_VALUE_DUE,
                     w->conversions, g->nesting, *tj_top(g)};
}

/* The document as it stood at the mark; poisons the Writer where those bytes have been delivered. */
void tj_mark_restore(tj_writer *w, const tj_mark *mark);

/* Runs `body`, which may run Ruby. Where anything but its end leaves it, the document goes back to `mark`,
 * an exception learns its path, and goes on its way. */
VALUE tj_protect(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument);

/* The same for a body that yields to a block of the DSL: where break, return or next leaves it, the levels
 * above the mark are closed as if they had ended. */
VALUE tj_protect_block(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument);

/* The same in two: runs `body`, and tells by which of rb_protect's states it was left, 0 for its end; goes on its way then, as tj_protect
 * and as tj_protect_block. */
int tj_try(tj_writer *w, VALUE (*body)(VALUE), VALUE argument);
NORETURN(void tj_leave(tj_writer *w, const tj_mark *mark, int state));
NORETURN(void tj_leave_block(tj_writer *w, const tj_mark *mark, int state));

#endif
