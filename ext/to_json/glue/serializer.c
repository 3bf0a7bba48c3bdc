/* Glue. Documents and serializers in place: who points at which Writer, and that all let go again. */
#include "serializer.h"

#include <ruby/version.h>

#include "block_frame.h"
#include "declared.h"
#include "document.h"
#include "errors.h"
#include "flush.h"
#include "pool.h"
#include "splice.h"
#include "value.h"
#include "many.h"

static VALUE no_context;
static ID id_effective_rules, id_kept_rules, id_coerce, id_encoded, id_instance_exec;

void tj_serializer_init(void)
{
    id_effective_rules = rb_intern("effective_rules");
    id_kept_rules = rb_intern("@to_json_effective_rules");
    id_coerce = rb_intern("coerce");
    id_encoded = rb_intern("__to_json_encoded");
    id_instance_exec = rb_intern("instance_exec");
    no_context = rb_obj_freeze(rb_hash_new());
    rb_gc_register_mark_object(no_context);
}

struct in_place {
    tj_writer *w;
    VALUE self;
    tj_call call;
    const tj_declared *declared; /* NULL: serialize writes it */
    VALUE selected; /* what is left of the declared fields, for a serialize of its own; or 0 */
};

/* Runs what `call` asks for, where `self` points at its Writer already. */
static void serialize(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *declared)
{
    if (declared && self != Qundef) tj_select(self, declared);
    if (!declared || tj_serializes_itself(declared, call)) tj_run_serialize(self, call);
    else tj_write_declared(w, self == Qundef ? Qnil : self, call, declared);
}

static VALUE in_place_serialize(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    VALUE context = p->call.context;
    if (context == Qundef) context = p->w->frame_count ? p->w->frames[p->w->frame_count - 1].context : no_context;
    tj_push_frame(p->w, p->self, p->call.argc > 0 ? p->call.argv[0] : Qnil, context);
    serialize(p->w, p->self, &p->call, p->declared);
    return Qnil;
}

static VALUE run_plainly(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_run_serialize(p->self, &p->call);
    return Qnil;
}

static VALUE in_place_let_go(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_point_at(p->self, NULL);
    return Qnil;
}

static VALUE in_place_body(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_writer *w = p->w;
    size_t floor = w->floor;
    unsigned value_due = w->trouble & TJ_VALUE_DUE;
    w->floor = w->grammar.top;
    w->trouble &= ~(unsigned)TJ_VALUE_DUE;
    tj_point_at(p->self, w);
    rb_ensure(in_place_serialize, argument, in_place_let_go, argument);
    tj_check_alive(w);
    w->trouble |= value_due;
    if (w->grammar.top != w->floor) tj_raise_status(w, TJ_UNCLOSED);
    w->frame_count--;
    w->floor = floor;
    tj_close_slot(w, true);
    return Qnil;
}

static void run_in_place(struct in_place *p)
{
    tj_writer *w = p->w;
    tj_declared declared;
    if (p->call.root == Qundef && w->grammar.top > 0) p->call.root = Qfalse; /* a class's root stands at the top of a document */
    if (tj_declared_of(rb_obj_class(p->self), &p->call, &declared)) {
        p->declared = &declared;
        if (p->selected) declared.mask = p->selected;
    } else tj_refuse_declared_keywords(&p->call);
    /* Serializers whose value is a serializer open nothing, and may still never end. */
    if (TJ_UNLIKELY(w->frame_count > (size_t)w->grammar.max_nesting + w->grammar.nesting)) tj_raise_status(w, TJ_TOO_DEEP);
    tj_check_stack(w);
    if (!w->vm_stack) tj_note_stack(w);
    tj_mark mark = tj_mark_take(w);
    tj_check(w, tj_push(&w->grammar, TJ_SLOT, mark.offset, mark.level.state, mark.level.count));
    tj_protect(w, &mark, in_place_body, (VALUE)p);
    if (p->declared) RB_GC_GUARD(declared.mask);
    RB_GC_GUARD(p->self);
    RB_GC_GUARD(p->call.keywords);
}

void tj_write_serializer(tj_writer *w, VALUE serializer)
{
    struct in_place p = {.w = w, .self = serializer};
    if (tj_writer_behind(serializer)) p.self = rb_obj_dup(serializer); /* busy: recursion into the same instance */
    VALUE stored = tj_stored_arguments(serializer);
    VALUE kept = NIL_P(stored) ? rb_attr_get(serializer, id_encoded) : Qnil;
    if (!NIL_P(kept)) { /* encode! of the class: no arguments to make it anew from */
        tj_splice_checked(w, kept, tj_class_words(serializer));
        return;
    }
    tj_call_split(&p.call, 0, NULL, false, stored);
    if (p.call.into != Qundef)
        tj_raise(w, rb_eArgError, "into: has no meaning for a serializer inside a document.");
    run_in_place(&p);
    RB_GC_GUARD(stored);
}

void tj_write_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected)
{
    struct in_place p = {.w = w, .selected = selected, .self = tj_fresh_serializer(serializer_class), .call = TJ_PLAIN_CALL(1, &object)};
    p.call.context = context;
    p.call.root = Qfalse;
    tj_begin_value(w);
    run_in_place(&p);
    if (tj_top(&w->grammar)->kind == TJ_LIST) tj_end_element(w);
    RB_GC_GUARD(object);
}

static VALUE merge_body(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_writer *w = p->w;
    size_t floor = w->floor, frames = w->frame_count;
    unsigned value_due = w->trouble & TJ_VALUE_DUE;
    w->floor = w->grammar.top;
    w->trouble &= ~(unsigned)TJ_VALUE_DUE;
    tj_point_at(p->self, w);
    tj_push_frame(w, p->self, p->call.argv[0], p->call.context);
    rb_ensure(run_plainly, argument, in_place_let_go, argument);
    tj_check_alive(w);
    w->trouble |= value_due;
    if (w->grammar.top != w->floor) tj_raise_status(w, TJ_UNCLOSED);
    w->frame_count = frames;
    w->floor = floor;
    return Qnil;
}

void tj_merge_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected)
{
    struct in_place p = {.w = w, .self = tj_fresh_serializer(serializer_class), .call = TJ_PLAIN_CALL(1, &object)};
    p.call.context = context;
    if (selected) rb_ivar_set(p.self, tj_id_selected, selected);
    tj_check_stack(w);
    if (!w->vm_stack) tj_note_stack(w);
    tj_mark mark = tj_mark_take(w);
    tj_protect(w, &mark, merge_body, (VALUE)&p);
    RB_GC_GUARD(object);
    RB_GC_GUARD(p.self);
}

static VALUE coerced_rules(VALUE given)
{
    return rb_funcall(rb_const_get(tj_mToJson, rb_intern("Rules")), id_coerce, 1, given);
}

static VALUE rules_for(VALUE klass, const tj_call *call)
{
    if (TJ_UNLIKELY(call && call->rules != Qundef && !NIL_P(call->rules))) return coerced_rules(call->rules);
    VALUE rules = rb_ivar_get(klass, id_kept_rules);
    if (TJ_UNLIKELY(NIL_P(rules))) rules = rb_funcall(tj_mToJson, id_effective_rules, 1, klass);
    if (rules == Qtrue) rules = tj_default_rules; /* the class leaves it to the global default */
    return rules;
}

static VALUE rules_of_plan(VALUE plan, const tj_call *call)
{
    if (TJ_UNLIKELY(call && call->rules != Qundef && !NIL_P(call->rules))) return coerced_rules(call->rules);
    VALUE rules = tj_plan_get(plan)->rules;
    return TJ_LIKELY(rules == Qtrue) ? tj_default_rules : rules;
}

struct document {
    VALUE self; /* the serializer, or Qundef without */
    VALUE scope;
    const tj_call *call;
    const tj_declared *declared; /* NULL: not by declared fields */
    tj_writer *w;
    enum tj_run run;
    bool keywords; /* the running method was given some */
    tj_stand_in *stand_in; /* NULL but for the block form */
};

/* rb_obj_instance_exec would take the last argument for keywords whenever json! itself was given some. */
static VALUE call_block(const struct document *d)
{
    const tj_call *call = d->call;
    bool yields = d->run == TJ_RUN_YIELD, keywords = RTEST(call->keywords);
    if (TJ_LIKELY(!keywords && !d->keywords))
        return yields ? rb_yield_values2(call->argc, call->argv) : rb_obj_instance_exec(call->argc, call->argv, d->self);
    VALUE arguments = rb_ary_new_from_values(call->argc, call->argv);
    if (keywords) rb_ary_push(arguments, call->keywords);
    int count = (int)RARRAY_LEN(arguments), pass = keywords ? RB_PASS_KEYWORDS : RB_NO_KEYWORDS;
    VALUE result = yields ? rb_yield_values_kw(count, RARRAY_CONST_PTR(arguments), pass)
                          : rb_funcall_with_block_kw(d->self, id_instance_exec, count, RARRAY_CONST_PTR(arguments), rb_block_proc(), pass);
    RB_GC_GUARD(arguments);
    return result;
}

static VALUE document_body(VALUE argument)
{
    struct document *d = (struct document *)argument;
    tj_writer *w = d->w;
    const tj_call *call = d->call;
    if (d->run == TJ_RUN_VALUE) {
        tj_begin_value(w);
        tj_write_value(w, call->argv[0]);
    } else {
        tj_push_frame(w, d->self == Qundef ? Qnil : d->self, d->scope, call->context != Qundef ? call->context : no_context);
        if (TJ_LIKELY(d->run == TJ_RUN_SERIALIZE)) serialize(w, d->self, call, d->declared);
        else call_block(d);
        if (TJ_UNLIKELY(w->trouble)) tj_raise_trouble(d->self == Qundef ? Qnil : d->self, w);
    }
    tj_end_root(w);
    return tj_finish(w);
}

/* 0 where the call has none: the Rules' holds. */
static uint32_t max_depth_of(const tj_call *call)
{
    VALUE depth = call->max_depth;
    if (TJ_LIKELY(depth == Qundef || NIL_P(depth))) return 0;
    if (!FIXNUM_P(depth) || FIX2LONG(depth) < 1 || FIX2LONG(depth) > INT32_MAX)
        rb_raise(rb_eArgError, "max_depth: takes an Integer from 1 to %d; got %" PRIsVALUE, INT32_MAX, rb_inspect(depth));
    return (uint32_t)FIX2LONG(depth);
}

static void point(const struct document *d, tj_writer *w)
{
    if (d->self == Qundef) return;
    if (!d->stand_in || RB_OBJ_FROZEN(d->self)) {
        tj_point_at(d->self, w);
        return;
    }
    tj_stand_in_point(d->stand_in, w ? w->self : Qnil);
    d->w->receiver = w ? d->self : 0;
    if (w) tj_last = (tj_last_receiver){d->self, w};
}

static VALUE run(struct document *d, VALUE rules, VALUE sink, bool pretty)
{
    uint32_t max_depth = max_depth_of(d->call);
    tj_check_stack_of_documents(tj_pool_current());
    if (d->self != Qundef) tj_refuse_frozen(d->self);
    tj_writer *w = d->w = tj_acquire(rules, sink);
    VALUE writer = w->self;
    if (TJ_UNLIKELY(max_depth)) w->grammar.max_nesting = max_depth;
    w->pretty = pretty;
    if (TJ_UNLIKELY(d->self == Qundef && d->declared)) w->vm_stack = w->vm_stack_end = NULL; /* see run_in_place */
    else tj_note_stack(w);
    point(d, w);
    int state = 0;
    VALUE result = rb_protect(document_body, (VALUE)d, &state);
    if (TJ_UNLIKELY(state == TJ_STATE_RAISE)) tj_locate(w, rb_errinfo());
    point(d, NULL);
    tj_release(w);
    if (d->stand_in) tj_stand_in_return(d->stand_in);
    RB_GC_GUARD(writer);
    RB_GC_GUARD(rules);
    if (TJ_UNLIKELY(state)) rb_jump_tag(state);
    return result;
}

static VALUE sink_of(const tj_call *call)
{
    if (TJ_LIKELY(call->into == Qundef || NIL_P(call->into))) return Qfalse;
    tj_check_sink(call->into);
    return call->into;
}

VALUE tj_run_document(VALUE self, VALUE scope, const tj_call *call, enum tj_run how)
{
    VALUE sink = sink_of(call), klass = rb_obj_class(self), rules = rules_for(klass, call); /* run Ruby, and so other threads: before it is seen to be idle */
    struct document d = {.self = self, .scope = scope, .call = call, .run = how, .keywords = how == TJ_RUN_YIELD && rb_keyword_given_p()};
    tj_declared declared;
    if (how == TJ_RUN_SERIALIZE && tj_declared_of(klass, call, &declared)) d.declared = &declared;
    else tj_refuse_declared_keywords(call);
    if (TJ_UNLIKELY(tj_writer_behind(self) != NULL)) d.self = self = rb_obj_dup(self);
    VALUE result = run(&d, rules, sink, false);
    if (d.declared) RB_GC_GUARD(declared.mask);
    RB_GC_GUARD(self);
    return result;
}

VALUE tj_run_plan(const tj_call *call, const tj_declared *declared)
{
    VALUE sink = sink_of(call), rules = rules_of_plan(declared->plan, call), mask = declared->mask;
    struct document d = {.self = Qundef, .scope = call->argc > 0 ? call->argv[0] : Qnil, .call = call, .declared = declared, .run = TJ_RUN_SERIALIZE};
    VALUE result = run(&d, rules, sink, false);
    RB_GC_GUARD(mask);
    return result;
}

VALUE tj_run_block(tj_stand_in *stand_in, VALUE scope, const tj_call *call, bool keywords)
{
    VALUE sink = sink_of(call), self = stand_in->self;
    struct document d = {.self = self, .scope = scope, .call = call, .run = TJ_RUN_EXEC, .keywords = keywords, .stand_in = stand_in};
    VALUE result = run(&d, rules_for(rb_obj_class(self), call), sink, false);
    RB_GC_GUARD(self);
    RB_GC_GUARD(stand_in->template);
    return result;
}

/* Most serializers have no instance variable at all, which is one bit. */
static bool has_stored_arguments(VALUE self)
{
#if RUBY_API_VERSION_MAJOR == 3
    if (tj_is_serializer(self) && !RB_FL_ANY_RAW(self, RUBY_FL_EXIVAR)) return false;
#endif
    return RTEST(tj_stored_arguments(self));
}

/* An entry that a stack overflow left could not even call tj_drop_document. Its frame is gone then: a live one
 * lies above those that run now. Of another Fiber's nothing is known. */
static bool abandoned(const tj_writer *w)
{
    const void *frame = w->opened_by ? tj_running_frame() : NULL;
    const void *start = w->vm_stack, *end = w->vm_stack_end;
    return frame && frame >= start && frame < end && w->opened_by < frame;
}

bool tj_open_document(VALUE self, VALUE scope)
{
    VALUE rules = rules_for(rb_obj_class(self), NULL); /* first, as in tj_run_document */
    tj_writer *before = tj_writer_behind(self);
    if (TJ_UNLIKELY(before != NULL)) {
        if (!abandoned(before)) return false;
        before->running++; /* not pooled: somebody may still hold it */
        tj_point_at(self, NULL);
        tj_release(before);
    }
    if (TJ_UNLIKELY(has_stored_arguments(self))) return false;
    tj_check_stack_of_documents(tj_pool_current());
    tj_refuse_frozen(self);
    tj_writer *w = tj_acquire(rules, Qfalse);
    tj_note_stack(w);
    w->opened_by = tj_running_frame();
    tj_point_at(self, w);
    tj_push_frame(w, self, scope, no_context);
    RB_GC_GUARD(rules);
    return true;
}

VALUE tj_close_document(VALUE self)
{
    tj_writer *w = tj_writer_of(self);
    tj_end_root(w);
    VALUE result = tj_finish(w);
    tj_point_at(self, NULL);
    tj_release(w);
    return result;
}

void tj_drop_document(VALUE self, VALUE error)
{
    tj_writer *w = tj_writer_behind(self);
    if (!w || !tj_called_beside(w->opened_by)) return;
    if (!NIL_P(error)) tj_locate(w, error);
    tj_point_at(self, NULL);
    tj_release(w);
}

VALUE tj_open_plan(VALUE serializer_class, VALUE plan, VALUE object, bool maybe_many)
{
    const tj_plan *p = tj_plan_get(plan);
    if (TJ_UNLIKELY(p->epoch != tj_epoch || p->klass != serializer_class)) return Qfalse;
    if (RB_SPECIAL_CONST_P(object) || RB_BUILTIN_TYPE(object) == T_HASH || (maybe_many && tj_is_many(object))) return Qfalse;
    VALUE rules = rules_of_plan(plan, NULL);
    tj_check_stack_of_documents(tj_pool_current());
    tj_writer *w = tj_acquire(rules, Qfalse);
    w->vm_stack = w->vm_stack_end = NULL; /* noted when a serializer in place writes with the DSL */
    w->opened_by = tj_running_frame();
    tj_push_frame(w, Qnil, object, no_context);
    w->trouble = TJ_VALUE_DUE; /* as in tj_write_declared */
    w->plan = plan;
    RB_GC_GUARD(rules);
    return w->self;
}

VALUE tj_close_plan(tj_writer *w)
{
    if (TJ_UNLIKELY(w->trouble & ~(unsigned)TJ_VALUE_DUE)) tj_raise_trouble(Qnil, w);
    tj_end_root(w);
    VALUE result = tj_finish(w);
    tj_release(w);
    return result;
}

void tj_drop_plan(tj_writer *w, VALUE error)
{
    if ((w->trouble & TJ_IDLE) || !tj_called_beside(w->opened_by)) return;
    if (!NIL_P(error)) tj_locate(w, error);
    tj_release(w);
}

VALUE tj_generate(const tj_call *call, bool pretty)
{
    VALUE rules = call->rules != Qundef && !NIL_P(call->rules) ? coerced_rules(call->rules) : tj_default_rules;
    struct document d = {.self = Qundef, .scope = Qnil, .call = call, .run = TJ_RUN_VALUE};
    return run(&d, rules, sink_of(call), pretty);
}
