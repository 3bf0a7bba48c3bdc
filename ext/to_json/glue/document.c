/* Glue. The grammar's decisions become bytes here; what must be undone is undone here. */
#include "document.h"

#include <alloca.h>

#include "errors.h"
#include "key.h"
#include "pool.h"
#include "string.h"
#include "value.h"

/* -- how a protected call was left ------------------------------------------------------------- */

tj_states tj_states_of_ruby;

static VALUE raise_something(VALUE argument)
{
    (void)argument;
    rb_raise(rb_eStandardError, "to see how rb_protect tells it");
}

static int left_by; /* at load only */

/* watch { … }: notes how the block is left, which goes on its way. */
static VALUE watch(VALUE self)
{
    (void)self;
    left_by = 0;
    rb_protect(rb_yield, Qnil, &left_by);
    if (left_by) rb_jump_tag(left_by);
    return Qnil;
}

static int state_after(VALUE watcher, const char *code)
{
    rb_funcall(rb_eval_string(code), rb_intern("call"), 1, watcher);
    return left_by != tj_states_of_ruby.raise && left_by != 0 ? left_by : -1;
}

void tj_document_init(void)
{
    VALUE before = rb_errinfo();
    rb_protect(raise_something, Qnil, &tj_states_of_ruby.raise);
    rb_set_errinfo(before);
    VALUE watcher = rb_obj_alloc(rb_cObject);
    rb_define_singleton_method(watcher, "watch", watch, 0);
    tj_states_of_ruby.break_ = state_after(watcher, "->(watcher) { watcher.watch { break } }");
    tj_states_of_ruby.return_ = state_after(watcher, "->(watcher) { watcher.watch { return } }");
}

/* -- going back and going on ------------------------------------------------------------------- */

void tj_mark_restore(tj_writer *w, const tj_mark *mark)
{
    tj_grammar *g = &w->grammar;
    /* Of a call that came back late: what it belongs to has been taken back already. */
    if (TJ_UNLIKELY(mark->top > g->top || mark->frame_count > w->frame_count)) {
        w->trouble |= TJ_POISONED | TJ_PARKED;
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
    w->delivery.bar = mark->bar;
    w->converting = false;
    if (!tj_buffer_rewind(&w->out, mark->offset)) {
        w->out.cursor = w->out.start;
        w->trouble |= TJ_POISONED;
    }
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
    if (TJ_UNLIKELY(w->trouble & TJ_IDLE)) rb_jump_tag(state); /* the document ended before its call did */
    w->trouble = (w->trouble & ~(unsigned)TJ_VALUE_DUE) | mark->value_due;
    if (!closes || !tj_ends_block(state) || (w->trouble & TJ_POISONED)) {
        state = tj_locate_state(w, state);
        tj_mark_restore(w, mark);
        rb_jump_tag(state);
    }
    VALUE why = rb_errinfo(); /* what break carries must survive the writes below */
    VALUE pair[2] = {(VALUE)w, mark->top};
    int failed = 0;
    rb_protect(close_levels, (VALUE)pair, &failed);
    if (failed) {
        tj_mark_restore(w, mark);
        rb_jump_tag(failed);
    }
    w->frame_count = mark->frame_count;
    w->floor = mark->floor;
    tj_top(&w->grammar)->label = mark->level.label;
    if (rb_errinfo() != why) rb_set_errinfo(why); /* would refuse what break and return carry: no exception */
    rb_jump_tag(state);
}

/* The end of a protected call that came as number `within`. One that holds another, which is parked in a Fiber or a Thread, poisons the document
 * when something leaves through it. One that was parked itself may come back when what its mark belongs to has been taken back:
 * it takes nothing back, and does not go on. */
static TJ_COLD void end_of_call_cold(tj_writer *w, unsigned within, int state)
{
    bool holds_another = w->within > within, early = w->within < within;
    w->within--;
    if (w->trouble & TJ_IDLE) return;
    if (holds_another) {
        if (state) w->trouble |= TJ_POISONED | TJ_PARKED;
        return;
    }
    if (!early && !(w->trouble & TJ_PARKED)) return;
    if (!state) tj_raise_poisoned(w);
    rb_jump_tag(tj_locate_state(w, state));
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
    rb_protect(body, argument, &state);
    w->running--;
    end_of_call(w, within, state);
    RB_GC_GUARD(writer);
    return state;
}

void tj_leave(tj_writer *w, const tj_mark *mark, int state) { leave_cold(w, mark, state, false); }
void tj_leave_block(tj_writer *w, const tj_mark *mark, int state) { leave_cold(w, mark, state, true); }

TJ_INLINE VALUE protect(tj_writer *w, const tj_mark *mark, VALUE (*body)(VALUE), VALUE argument, bool closes)
{
    int state = 0;
    VALUE writer = w->self; /* a call that is parked in a Fiber may outlive the document */
    w->running++;
    unsigned within = ++w->within;
    VALUE result = rb_protect(body, argument, &state);
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

void tj_raise_too_late(void)
{
    tj_raise(NULL, tj_eGrammar, "this call came back after its document had ended, from a Fiber or Thread that was left waiting.");
}

void tj_raise_poisoned(tj_writer *w)
{
    if (w->trouble & TJ_PARKED)
        tj_raise(w, tj_ePoisoned, "an element was left half written, in a Fiber or a Thread that may come back. Let each go on when its block has returned.");
    tj_raise(w, tj_ePoisoned,
             "an earlier error could not be undone, because its bytes had been delivered. "
             "Let errors leave json! when streaming, or rescue before writing.");
}

/* Ruby does not watch recursion through C: from this depth on the stack is asked. An overflow that a signal
 * finds inside malloc would never end (glibc's lock is held). */
#define STACK_TO_RAISE ((size_t)64 * 1024) /* what making the exception, or one more call of Ruby, takes */

static TJ_NOINLINE bool stack_ends_cold(void)
{
    uint8_t *room = alloca(STACK_TO_RAISE);
    __asm__ volatile("" : : "r"(room) : "memory"); /* measured from beyond it */
    return ruby_stack_check() != 0;
}

void tj_check_stack_cold(tj_writer *w)
{
    if (stack_ends_cold())
        tj_raise(w, tj_eNesting, "nested %u deep, which is all that this thread's stack holds. "
                 "Pass less deep data, or use a Thread with a larger stack (RUBY_THREAD_MACHINE_STACK_SIZE).",
                 w->grammar.nesting + w->conversions);
}

void tj_check_stack_of_documents_cold(void)
{
    if (stack_ends_cold())
        tj_raise(NULL, tj_eNesting, "documents made within documents, as deep as this thread's stack goes: does a serializer call json! of itself? "
                 "Put the serializer in place, or use a Thread with a larger stack (RUBY_THREAD_MACHINE_STACK_SIZE).");
}

static void write_lead(tj_writer *w, const tj_lead *lead)
{
    if (TJ_UNLIKELY(w->layout != NULL)) {
        for (int i = 0; i < lead->size; i++) {
            tj_level *level = tj_top(&w->grammar);
            bool brace = lead->bytes[i] == '{';
            /* A value opened in a list stands on a line of its own; its comma precedes the break. */
            if (brace && level->kind == TJ_LIST) {
                w->grammar.nesting--;
                tj_break_line(w, false);
                w->grammar.nesting++;
            }
            tj_write_byte(w, lead->bytes[i]);
        }
        tj_level *level = tj_top(&w->grammar);
        if (level->state == TJ_PAIRS || level->kind == TJ_LIST) tj_break_line(w, level->state == TJ_PAIRS);
        return;
    }
    if (lead->size == 0) return;
    uint8_t *at = tj_reserve(w, 2);
    at[0] = lead->bytes[0];
    at[1] = lead->bytes[1];
    tj_commit(w, at + lead->size);
}

void tj_begin_value(tj_writer *w)
{
    tj_lead lead;
    tj_check(w, tj_value(&w->grammar, &lead));
    write_lead(w, &lead);
}

void tj_begin_pair(tj_writer *w, VALUE key)
{
    if (TJ_LIKELY(tj_begin_pair_easily(w, key))) return;
    tj_lead lead;
    tj_check(w, tj_pair(&w->grammar, &lead));
    write_lead(w, &lead);
    tj_top(&w->grammar)->label = key;
    tj_write_key(w, key);
}

void tj_begin_slot_cold(tj_writer *w, VALUE key, const tj_mark *before)
{
    tj_check_stack(w);
    /* A flush for the key's bytes would take them for settled as long as the slot is no level. */
    size_t bar = w->delivery.bar;
    if (TJ_UNLIKELY(RTEST(w->sink))) {
        size_t settled = tj_settled(&w->grammar, before->offset);
        if (settled < bar) w->delivery.bar = settled;
    }
    if (key == Qundef) tj_begin_value(w);
    else tj_begin_pair(w, key);
    tj_check(w, tj_push(&w->grammar, TJ_SLOT, before->offset, before->level.state, before->level.count));
    w->delivery.bar = bar;
}

void tj_open_list(tj_writer *w)
{
    tj_check_stack(w);
    tj_check(w, tj_push(&w->grammar, TJ_LIST, 0, 0, 0));
    tj_write_byte(w, '[');
}

/* The pair at work in the level that is now at the top is done: no path names it any more. */
static void child_ended(tj_writer *w)
{
    tj_level *level = tj_top(&w->grammar);
    if (level->kind != TJ_TREE) level->label = 0;
    tj_look(w);
}

void tj_close_slot_cold(tj_writer *w, bool keep)
{
    bool close;
    size_t mark;
    if (tj_top(&w->grammar)->kind != TJ_SLOT || w->grammar.top == 0) tj_raise_status(w, TJ_UNCLOSED);
    if (keep && tj_top(&w->grammar)->state == TJ_EMPTY) {
        if (TJ_UNLIKELY(w->grammar.nesting >= w->grammar.max_nesting)) tj_raise_status(w, TJ_TOO_DEEP);
        uint8_t *at = tj_reserve(w, 2);
        at[0] = '{';
        at[1] = '}';
        tj_commit(w, at + 2);
        tj_top(&w->grammar)->state = TJ_VALUES;
    }
    if (tj_slot_end(&w->grammar, &close, &mark)) {
        if (close) {
            if (TJ_UNLIKELY(w->layout != NULL)) tj_end_line(w, true);
            tj_write_byte(w, '}');
        }
    } else if (TJ_UNLIKELY(!tj_buffer_rewind(&w->out, mark))) {
        /* The flush holds back what an empty slot may take back; but this one was not empty when its key left:
         * what it held was taken back since. */
        w->trouble |= TJ_POISONED;
        tj_raise_poisoned(w);
    }
    child_ended(w);
}

void tj_end_element(tj_writer *w)
{
    if (tj_element_end(&w->grammar)) {
        if (TJ_UNLIKELY(w->layout != NULL)) tj_end_line(w, true);
        tj_write_byte(w, '}');
    }
}

void tj_close_list(tj_writer *w)
{
    if (TJ_UNLIKELY(tj_top(&w->grammar)->kind != TJ_LIST)) tj_raise_status(w, TJ_UNCLOSED);
    tj_end_element(w);
    bool any = tj_top(&w->grammar)->count > 0;
    tj_pop(&w->grammar);
    if (TJ_UNLIKELY(w->layout != NULL) && any) tj_end_line(w, false);
    tj_write_byte(w, ']');
    child_ended(w);
}

void tj_close_to(tj_writer *w, size_t top)
{
    while (w->grammar.top > top) {
        if (tj_top(&w->grammar)->kind == TJ_LIST) tj_close_list(w);
        else if (tj_top(&w->grammar)->kind == TJ_SLOT) tj_close_slot(w, false);
        else tj_close_tree(w, (uint8_t)tj_top(&w->grammar)->count_below);
    }
}

void tj_end_root(tj_writer *w)
{
    tj_grammar *g = &w->grammar;
    if (TJ_UNLIKELY(g->top != 0)) tj_raise_status(w, TJ_UNCLOSED);
    if (g->levels[0].state == TJ_VALUES) return;
    if (g->levels[0].state == TJ_EMPTY) tj_write_byte(w, '{');
    else {
        g->nesting = 0;
        if (TJ_UNLIKELY(w->layout != NULL)) tj_end_line(w, true);
    }
    g->levels[0].state = TJ_VALUES;
    tj_write_byte(w, '}');
}

void tj_open_tree(tj_writer *w, uint8_t bracket)
{
    tj_check_stack(w);
    /* A tree is never taken back, so its count_below is free to tell which bracket closes it. */
    tj_check(w, tj_push(&w->grammar, TJ_TREE, 0, 0, bracket == '{' ? '}' : ']'));
    tj_write_byte(w, bracket);
}

void tj_close_tree(tj_writer *w, uint8_t bracket)
{
    bool any = tj_top(&w->grammar)->count > 0;
    tj_pop(&w->grammar);
    if (TJ_UNLIKELY(w->layout != NULL) && any) tj_end_line(w, bracket == '}');
    tj_write_byte(w, bracket);
}

static void indent(tj_writer *w)
{
    for (uint32_t i = w->grammar.nesting + w->layout->depth; i > 0; i--) tj_write_bytes_of(w, w->layout->indent);
}

void tj_break_line(tj_writer *w, bool object)
{
    tj_write_bytes_of(w, object ? w->layout->object_nl : w->layout->array_nl);
    if (RTEST(w->layout->indent)) indent(w);
}

void tj_end_line(tj_writer *w, bool object)
{
    if (RTEST(object ? w->layout->object_nl : w->layout->array_nl)) tj_break_line(w, object);
}

void tj_push_frame(tj_writer *w, VALUE self, VALUE scope, VALUE context)
{
    if (TJ_UNLIKELY(w->frame_count == w->frame_capacity)) {
        size_t capacity = w->frame_capacity * 2;
        tj_frame *grown = tj_realloc(w->frames, capacity * sizeof *grown);
        if (!grown) tj_raise_status(w, TJ_NO_MEMORY);
        w->frames = grown;
        w->frame_capacity = capacity;
    }
    w->frames[w->frame_count++] = (tj_frame){self, scope, context, false};
}

tj_frame *tj_frame_of(tj_writer *w, VALUE self)
{
    for (size_t i = w->frame_count; i > 0; i--)
        if (w->frames[i - 1].self == self) return &w->frames[i - 1];
    return NULL;
}
