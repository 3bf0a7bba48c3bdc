/* Glue. Going back and going on: marks, protected calls, levels that end, serializers at work. */
#ifndef TJ_DOCUMENT_H
#define TJ_DOCUMENT_H

#include "errors.h"
#include "key.h"
#include "pool.h"
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
void tj_document_init(void);

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
    return (tj_mark){tj_buffer_offset(&w->out), g->top, w->floor, w->frame_count, w->delivery.bar, w->plan, w->trouble & TJ_VALUE_DUE,
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

/* The bytes due before a pair's key, a value. Raise GrammarError and NestingError. May run Ruby (flush). */
void tj_begin_value(tj_writer *w);

/* `{` or `,` and then the key. `key` is what the user named it: its text is written. May run Ruby. */
void tj_begin_pair(tj_writer *w, VALUE key);

/* A list begins inside what was just begun. */
void tj_open_list(tj_writer *w);

/* They end. A slot that wrote nothing is taken back, or with `keep` written as {}. May run Ruby. */
void tj_close_slot_cold(tj_writer *w, bool keep);
void tj_close_list(tj_writer *w);
void tj_end_element(tj_writer *w);

/* Closes all levels above `top`. */
void tj_close_to(tj_writer *w, size_t top);

/* The document ends: an untouched root is {}. Raises GrammarError where a level is open. */
void tj_end_root(tj_writer *w);

/* The tree levels of a Hash or Array walked in C. */
void tj_open_tree(tj_writer *w, uint8_t bracket);
void tj_close_tree(tj_writer *w, uint8_t bracket);

/* The layout's line break and indentation before a pair (`object`) or an element at the present depth; and before the
 * bracket that ends one. */
void tj_break_line(tj_writer *w, bool object);
void tj_end_line(tj_writer *w, bool object);

/* Raises NestingError when the machine stack is nearly used up. */
void tj_check_stack_cold(tj_writer *w);
#define TJ_UNWATCHED_DEPTH 64
TJ_INLINE bool tj_is_watched(const tj_writer *w)
{
    return w->grammar.nesting > TJ_UNWATCHED_DEPTH || w->conversions + w->frame_count > TJ_UNWATCHED_DEPTH;
}
TJ_INLINE void tj_check_stack(tj_writer *w)
{
    if (TJ_UNLIKELY(tj_is_watched(w))) tj_check_stack_cold(w);
}

/* The same before a document begins, which may be within others: it has no depth of its own that would tell. */
void tj_check_stack_of_documents_cold(void);
TJ_INLINE void tj_check_stack_of_documents(const tj_pool *pool)
{
    if (TJ_UNLIKELY(pool->at_work > TJ_UNWATCHED_DEPTH)) tj_check_stack_of_documents_cold();
}

/* Raises GrammarError where the document ended while user code ran: a Fiber came back too late. */
NORETURN(void tj_raise_too_late(void));

/* Raises PoisonedError: nothing more may be written. */
NORETURN(void tj_raise_poisoned(tj_writer *w));

/* A pair begins (a value where `key` is Qundef) that is a slot. `before`: a mark taken right before. */
void tj_begin_slot_cold(tj_writer *w, VALUE key, const tj_mark *before);
TJ_INLINE void tj_begin_slot(tj_writer *w, VALUE key, const tj_mark *before)
{
    tj_grammar *g = &w->grammar;
    if (TJ_UNLIKELY(tj_is_watched(w) || RTEST(w->sink) || g->top + 1 >= g->capacity || !tj_begin_pair_easily(w, key))) tj_begin_slot_cold(w, key, before);
    else tj_push(g, TJ_SLOT, before->offset, before->level.state, before->level.count);
}

TJ_INLINE void tj_close_slot(tj_writer *w, bool keep)
{
    const tj_level *level = tj_top(&w->grammar);
    bool easy = level->kind == TJ_SLOT && level->state == TJ_PAIRS && w->grammar.top > 0 && !w->layout && level[-1].kind != TJ_TREE;
    if (TJ_UNLIKELY(!easy || !tj_buffer_has(&w->out, 1))) {
        tj_close_slot_cold(w, keep);
        return;
    }
    *w->out.cursor = '}';
    tj_commit(w, w->out.cursor + 1);
    tj_pop(&w->grammar);
    tj_top(&w->grammar)->label = 0;
    tj_look(w);
}

TJ_INLINE void tj_check_alive(const tj_writer *w)
{
    if (TJ_UNLIKELY(w->trouble & TJ_IDLE)) tj_raise_too_late();
}

void tj_push_frame(tj_writer *w, VALUE self, VALUE scope, VALUE context);
/* The innermost frame of `self`, or NULL. */
tj_frame *tj_frame_of(tj_writer *w, VALUE self);

#endif
