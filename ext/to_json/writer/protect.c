/* Writer. Goes back to a mark after a call that an exception, a throw or a kill has left. */
#include "protect.h"

#include "errors.h"
#include "levels.h"

/* -- the states of rb_protect ------------------------------------------------------------------ */

tj_states tj_states_of_ruby;

static VALUE raise_something(VALUE argument)
{
    (void)argument;
    rb_raise(rb_eStandardError, "to see how rb_protect tells it");
}

static int left_by; /* at load only */

/* watch { … }: notes the state by which the block is left, and lets that continue. */
static VALUE watch(VALUE self)
{
    (void)self;
    left_by = 0;
    tj_rb_protect(rb_yield, Qnil, &left_by);
    if (left_by) rb_jump_tag(left_by);
    return Qnil;
}

static int state_after(VALUE watcher, const char *code)
{
    rb_funcall(rb_eval_string(code), rb_intern("call"), 1, watcher);
    return left_by != tj_states_of_ruby.raise && left_by != 0 ? left_by : -1;
}

void tj_protect_init(void)
{
    VALUE before = rb_errinfo();
    tj_rb_protect(raise_something, Qnil, &tj_states_of_ruby.raise);
    rb_set_errinfo(before);
    VALUE watcher = rb_obj_alloc(rb_cObject);
    rb_define_singleton_method(watcher, "watch", watch, 0);
    tj_states_of_ruby.break_ = state_after(watcher, "->(watcher) { watcher.watch { break } }");
    tj_states_of_ruby.return_ = state_after(watcher, "->(watcher) { watcher.watch { return } }");
}

/* -- back to the mark, and on ------------------------------------------------------------------ */

void tj_mark_restore(tj_writer *w, const tj_mark *mark)
{
    tj_grammar *g = &w->grammar;
    /* The call was parked and returns late: the level or frame of its mark was taken back
     * already. */
    if (TJ_UNLIKELY(mark->top > g->top || mark->frame_count > w->frame_count)) {
        w->blocked |= TJ_POISONED | TJ_PARKED;
        return;
    }
    g->top = mark->top;
    g->nesting = mark->nesting;
    w->conversions = mark->conversions;
    *tj_top(g) = mark->level;
    w->frame_count = mark->frame_count;
    w->floor = mark->floor;
    w->plan = mark->plan;
    w->reading = 0;
    w->delivery.hold_from = mark->hold_from;
    w->converting = false;
    if (TJ_LIKELY(tj_take_back(w, mark->offset))) return;
    if (!(w->blocked & TJ_DELIVERING)) w->out.cursor = w->out.start;
    w->blocked |= TJ_POISONED;
}

static VALUE close_levels(VALUE argument)
{
    VALUE *pair = (VALUE *)argument;
    tj_close_to((tj_writer *)pair[0], (size_t)pair[1]);
    return Qnil;
}

NORETURN(static void leave_cold(tj_writer *w, const tj_mark *mark, int state, bool closes));
static void leave_cold(tj_writer *w, const tj_mark *mark, int state, bool closes)
{
    /* kept alive here, because control does not return to the callers' RB_GC_GUARD */
    VALUE writer = w->self, plan = mark->plan;
    /* the document ended before this call */
    if (TJ_UNLIKELY(w->blocked & TJ_IDLE)) rb_jump_tag(state);
    tj_variables_take(&w->variables); /* what code of the caller has assigned until now */
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | mark->value_due;
    if (!closes || !tj_ends_block(state) || (w->blocked & TJ_POISONED)) {
        state = tj_locate_state(w, state);
        tj_mark_restore(w, mark);
        RB_GC_GUARD(writer);
        RB_GC_GUARD(plan);
        rb_jump_tag(state);
    }
    VALUE why = rb_errinfo(); /* the value of `break`, which must survive the writes below */
    VALUE pair[2] = {(VALUE)w, mark->top};
    int failed = 0;
    tj_rb_protect(close_levels, (VALUE)pair, &failed);
    if (failed) {
        tj_mark_restore(w, mark);
        RB_GC_GUARD(writer);
        RB_GC_GUARD(plan);
        rb_jump_tag(failed);
    }
    w->frame_count = mark->frame_count;
    w->floor = mark->floor;
    tj_top(&w->grammar)->label = mark->level.label;
    RB_GC_GUARD(writer);
    /* compared first: rb_set_errinfo refuses the value of break and return, which is no
     * exception */
    if (rb_errinfo() != why) rb_set_errinfo(why);
    rb_jump_tag(state);
}

/* Ends a protected call whose number is `within`, when calls do not end in the order in which they
 * began. If this call contains another one that is parked in a Fiber or a Thread, and an exception
 * leaves it, the document is poisoned. If this call was parked itself, its mark may be gone: it
 * takes nothing back, and raises. */
static TJ_COLD void end_of_call_cold(tj_writer *w, unsigned within, int state)
{
    VALUE writer = w->self; /* as in leave_cold */
    bool holds_another = w->within > within, early = w->within < within;
    w->within--;
    if (w->blocked & TJ_IDLE) return;
    if (holds_another) {
        if (state) w->blocked |= TJ_POISONED | TJ_PARKED;
        return;
    }
    if (!early && !(w->blocked & TJ_PARKED)) return;
    if (!state) tj_raise_poisoned(w);
    state = tj_locate_state(w, state);
    RB_GC_GUARD(writer);
    rb_jump_tag(state);
}

TJ_INLINE void end_of_call(tj_writer *w, unsigned within, int state)
{
    if (TJ_UNLIKELY(state || w->within != within)) end_of_call_cold(w, within, state);
    else w->within--;
}

int tj_try(tj_writer *w, VALUE (*body)(VALUE), VALUE argument)
{
    int state = 0;
    VALUE writer = w->self; /* as in protect */
    w->running++;
    unsigned within = ++w->within;
    tj_rb_protect(body, argument, &state);
    w->running--;
    end_of_call(w, within, state);
    RB_GC_GUARD(writer);
    return state;
}

void tj_leave(tj_writer *w, const tj_mark *mark, int state) { leave_cold(w, mark, state, false); }
void tj_leave_block(tj_writer *w, const tj_mark *mark, int state)
{
    leave_cold(w, mark, state, true);
}

TJ_INLINE VALUE protect(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument,
                        bool closes)
{
    int state = 0;
    VALUE writer = w->self; /* the call may be parked in a Fiber and outlive the document */
    w->running++;
    unsigned within = ++w->within;
    VALUE result = tj_rb_protect(body, argument, &state);
    w->running--;
    end_of_call(w, within, state);
    if (TJ_UNLIKELY(state)) leave_cold(w, mark, state, closes);
    RB_GC_GUARD(writer);
    return result;
}

VALUE tj_protect(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument)
{
    return protect(w, mark, body, argument, false);
}

VALUE tj_protect_block(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument)
{
    return protect(w, mark, body, argument, true);
}
