/* Documents. Runs a whole document: opens the session, calls what writes it, closes or aborts
 * it. */
#include "document.h"

#include "declared.h"
#include "direct.h"
#include "../writer/levels.h"
#include "../writer/errors.h"
#include "../delivery/flush.h"
#include "../writer/kept_rules.h"
#include "../writer/pool.h"
#include "../delivery/sink.h"
#include "../values/value.h"
#include "../values/collection.h"
#include "../writer/protect.h"
#include "session.h"

void tj_serialize(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *declared)
{
    if (declared && !NIL_P(self)) tj_select(self, declared);
    if (!declared || tj_serializes_itself(declared, call)) {
        tj_run_serialize(w, self, call);
    } else tj_write_declared(w, self, call, declared);
}

/* For a class that keeps no Plan: of a caller of the block form, frozen, or known to another Ractor
 * only. */
static TJ_NOINLINE VALUE rules_of_class_cold(VALUE klass)
{
    /* [count of changes, Rules or true] */
    VALUE kept = rb_ivar_get(klass, rb_intern("@to_json_effective_rules"));
    if (TJ_LIKELY(!NIL_P(kept)) && NUM2ULONG(RARRAY_AREF(kept, 0)) == tj_rules_changes())
        return RARRAY_AREF(kept, 1);
    return rb_funcall(tj_mToJson, rb_intern("effective_rules"), 1, klass);
}

/* The Rules of a class, for calls without rules:. May run Ruby. */
static VALUE rules_of_class(VALUE klass)
{
    VALUE kept = tj_plan_kept(klass);
    VALUE rules = TJ_LIKELY(kept != Qundef) ? tj_plan_get(kept)->rules : rules_of_class_cold(klass);
    return rules == Qtrue ? tj_default_rules : rules; /* the class uses the global default */
}

static VALUE rules_for(VALUE klass, const tj_call *call)
{
    if (TJ_UNLIKELY(call->rules != Qundef && !NIL_P(call->rules)))
        return tj_coerced_rules(call->rules);
    return NIL_P(klass) ? tj_default_rules : rules_of_class(klass);
}

static VALUE rules_of_block(const tj_block_receiver *receiver, const tj_call *call)
{
    if (TJ_UNLIKELY(call->rules != Qundef && !NIL_P(call->rules)))
        return tj_coerced_rules(call->rules);
    return receiver->rules == Qtrue ? tj_default_rules : receiver->rules;
}

static VALUE rules_of_plan(VALUE plan, const tj_call *call)
{
    return TJ_UNLIKELY(call->rules != Qundef && !NIL_P(call->rules))
               ? tj_coerced_rules(call->rules)
               : tj_plan_rules(tj_plan_get(plan));
}

struct document {
    VALUE self; /* see tj_session_open */
    VALUE scope;
    const tj_call *call;
    const tj_declared *declared; /* NULL: not by declared fields */
    tj_writer *w;
    enum tj_run run;
    bool keywords; /* the running method got keywords */
    tj_block_receiver *receiver; /* NULL except in the block form */
    tj_outer outer; /* of `self`, which goes on after this one */
    void (*write)(tj_writer *, void *); /* of TJ_RUN_OTHER, called with data */
    void *data;
};

/* rb_obj_instance_exec would take the last argument as keywords if json! itself got some. */
static VALUE call_block(const struct document *d)
{
    const tj_call *call = d->call;
    bool yields = d->run == TJ_RUN_YIELD, keywords = RTEST(call->keywords);
    if (TJ_LIKELY(!keywords && !d->keywords))
        return yields ? rb_yield_values2(call->argc, call->argv)
                      : rb_obj_instance_exec(call->argc, call->argv, d->self);
    VALUE arguments = rb_ary_new_from_values(call->argc, call->argv);
    if (keywords) rb_ary_push(arguments, call->keywords);
    int count = (int)RARRAY_LEN(arguments), pass = keywords ? RB_PASS_KEYWORDS : RB_NO_KEYWORDS;
    VALUE result =
        yields ? rb_yield_values_kw(count, RARRAY_CONST_PTR(arguments), pass)
               : rb_funcall_with_block_kw(d->self, rb_intern("instance_exec"), count,
                                          RARRAY_CONST_PTR(arguments), rb_block_proc(), pass);
    RB_GC_GUARD(arguments);
    return result;
}

/* The object that is unbound at the end. Not a block receiver: without a frame in the Writer it is
 * idle. */
TJ_INLINE VALUE bound_by(const struct document *d) { return d->receiver ? Qnil : d->self; }

static VALUE write_and_close(VALUE argument)
{
    struct document *d = (struct document *)argument;
    tj_writer *w = d->w;
    if (d->receiver) tj_block_receiver_bound(d->receiver, w);
    if (TJ_UNLIKELY(RTEST(w->sink))) tj_begin_sink(w, &d->call->delivery_options);
    switch (d->run) {
    case TJ_RUN_VALUE:
        tj_begin_value(w);
        tj_write_value(w, d->call->argv[0]);
        break;
    case TJ_RUN_OTHER:
        d->write(w, d->data);
        tj_root_is_written(w);
        break;
    case TJ_RUN_YIELD: case TJ_RUN_EXEC:
        tj_runs_code(w, d->self);
        call_block(d);
        break;
    default: tj_serialize(w, d->self, d->call, d->declared);
    }
    if (d->receiver) tj_block_receiver_return(w);
    return tj_session_close(w, bound_by(d));
}

/* 0 if the call has none: then that of the Rules counts. */
static uint32_t max_depth_of(const tj_call *call)
{
    VALUE depth = call->max_depth;
    if (TJ_LIKELY(depth == Qundef || NIL_P(depth))) return 0;
    if (!FIXNUM_P(depth) || FIX2LONG(depth) < 1 || FIX2LONG(depth) > INT32_MAX)
        rb_raise(rb_eArgError, "max_depth: takes an Integer from 1 to %d; got %" PRIsVALUE,
                 INT32_MAX, rb_inspect(depth));
    return (uint32_t)FIX2LONG(depth);
}

static VALUE context_of(const tj_call *call)
{
    return call->context != Qundef ? call->context : tj_no_context;
}

static VALUE return_protected(VALUE argument)
{
    const struct document *d = (const struct document *)argument;
    tj_block_receiver_return(d->w);
    return Qnil;
}

/* After the document was left. What left it counts, and not the error of a caller that was frozen:
 * that error would replace a kill or a throw for good. Returns how it is left now. */
static int return_variables(const struct document *d, int left)
{
    const tj_variables *v = &d->w->variables;
    if (!v->shared || tj_variables_are_frozen(v)) return left;
    VALUE error = left == TJ_STATE_RAISE ? rb_errinfo() : Qnil;
    int state = 0;
    tj_rb_protect(return_protected, (VALUE)d, &state);
    if (state == 0) return left;
    if (left != TJ_STATE_RAISE) return state;
    rb_set_errinfo(error);
    RB_GC_GUARD(error);
    return left;
}

static VALUE run(struct document *d, VALUE rules, VALUE sink, bool pretty)
{
    uint32_t max_depth = max_depth_of(d->call);
    const VALUE context = context_of(d->call);
    if (d->self != TJ_NOBODY && !NIL_P(d->self)) tj_refuse_frozen(d->self);
    tj_pool *pool = d->call->pool;
    tj_writer *w;
    while (!(w = tj_session_open(pool, d->self, d->outer.w, d->scope, context, rules, sink)))
        d->self = tj_free_self(d->self, d->run != TJ_RUN_SERIALIZE, &d->outer);
    d->w = w;
    VALUE writer = w->self;
    if (TJ_UNLIKELY(d->call->heir)) {
        w->heir = d->call->heir;
        w->origin = d->call->origin;
    }
    if (TJ_UNLIKELY(max_depth)) w->grammar.max_nesting = max_depth;
    if (TJ_UNLIKELY(pretty)) tj_lay_out(w, &w->rules->pretty);
    int state = 0;
    VALUE result = tj_rb_protect(write_and_close, (VALUE)d, &state);
    if (TJ_UNLIKELY(state)) {
        if (d->receiver) state = return_variables(d, state);
        int left = tj_session_abort(w, bound_by(d), state == TJ_STATE_RAISE ? rb_errinfo() : Qnil);
        if (left) state = left;
    }
    if (TJ_UNLIKELY(d->outer.w)) tj_bind_again(&d->outer, d->self);
    RB_GC_GUARD(d->outer.writer);
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

void tj_check_call(VALUE klass, const tj_call *call)
{
    tj_declared declared;
    if (tj_declared_of(klass, call, &declared)) tj_check_count(&declared, call);
    else tj_refuse_declared_keywords(call);
    tj_check_delivery(klass, call);
}

void tj_check_delivery(VALUE klass, const tj_call *call)
{
    sink_of(call);
    rules_for(klass, call);
    max_depth_of(call);
}

VALUE tj_run_other(VALUE self, VALUE klass, const tj_call *call, const tj_declared *declared,
                   tj_block_receiver *receiver, void (*write)(tj_writer *, void *), void *data)
{
    VALUE sink = sink_of(call),
          rules = declared   ? rules_of_plan(declared->plan, call)
                  : receiver ? rules_of_block(receiver, call)
                             : rules_for(klass, call);
    struct document d = {.self = self, .scope = Qnil, .call = call, .declared = declared,
                         .run = TJ_RUN_OTHER, .receiver = receiver, .write = write, .data = data};
    if (!NIL_P(self)) d.self = tj_free_self(self, true, &d.outer);
    return run(&d, rules, sink, false);
}

/* Whether tj_run_one can write the document. Besides the object it takes only a root, a context,
 * Rules, and memory to write into. */
static bool is_simple(const tj_call *call, const tj_declared *d)
{
    bool memory = call->into == Qundef || NIL_P(call->into) || RB_TYPE_P(call->into, T_STRING) ||
                  tj_is_reusable(call->into);
    return memory && call->argc == 1 && call->max_depth == Qundef && d->many <= 0 &&
           NIL_P(d->meta);
}

/* Tries tj_run_one. Returns Qundef if that cannot write the document. */
static VALUE try_one(const tj_call *call, const tj_declared *d, VALUE rules, VALUE sink)
{
    VALUE plan = d->plan, mask = d->mask;
    if (!is_simple(call, d)) return Qundef;
    tj_one one = {NULL, plan, mask, call->argv[0], d->root_one, context_of(call), rules, sink,
                  false};
    VALUE document = tj_run_one(call->pool, &one);
    RB_GC_GUARD(rules);
    RB_GC_GUARD(mask);
    RB_GC_GUARD(plan);
    return document;
}

VALUE tj_run_document(VALUE self, VALUE scope, const tj_call *call, enum tj_run how)
{
    /* these run Ruby, and so other threads: before `self` is checked to be idle */
    VALUE sink = sink_of(call), klass = rb_obj_class(self), rules = rules_for(klass, call);
    struct document d = {.self = self,
                         .scope = scope,
                         .call = call,
                         .run = how,
                         .keywords = how == TJ_RUN_YIELD && rb_keyword_given_p()};
    tj_declared declared;
    if (how == TJ_RUN_UNDECLARED) d.run = TJ_RUN_SERIALIZE;
    if (how == TJ_RUN_SERIALIZE && tj_declared_of(klass, call, &declared)) {
        d.declared = &declared;
        if (!tj_plan_get(declared.plan)->serializer) { /* `self` has no part in it */
            VALUE document = try_one(call, &declared, rules, sink);
            if (TJ_LIKELY(document != Qundef)) return document;
        }
    } else tj_refuse_declared_keywords(call);
    d.self = self = tj_free_self(self, how == TJ_RUN_YIELD, &d.outer);
    VALUE result = run(&d, rules, sink, false);
    if (d.declared) RB_GC_GUARD(declared.mask);
    RB_GC_GUARD(self);
    return result;
}

VALUE tj_run_plan(VALUE klass, const tj_call *call, const tj_declared *declared, VALUE *instance)
{
    VALUE sink = sink_of(call), rules = rules_of_plan(declared->plan, call), mask = declared->mask;
    VALUE self = Qnil;
    bool serializer = tj_plan_get(declared->plan)->serializer;
    if (!serializer || !instance) {
        VALUE document = try_one(call, declared, rules, sink);
        if (TJ_LIKELY(document != Qundef)) return document;
    }
    if (serializer) self = tj_fresh_serializer(call->pool, klass);
    if (instance) *instance = self;
    struct document d = {.self = self,
                         .scope = call->argc > 0 ? call->argv[0] : Qnil,
                         .call = call,
                         .declared = declared,
                         .run = TJ_RUN_SERIALIZE};
    VALUE result = run(&d, rules, sink, false);
    RB_GC_GUARD(mask);
    RB_GC_GUARD(self);
    return result;
}

VALUE tj_run_block(tj_block_receiver *receiver, VALUE scope, const tj_call *call, bool keywords)
{
    VALUE sink = sink_of(call), self = receiver->self;
    struct document d = {.self = self, .scope = scope, .call = call, .run = TJ_RUN_EXEC,
                         .keywords = keywords, .receiver = receiver};
    VALUE result = run(&d, rules_of_block(receiver, call), sink, false);
    RB_GC_GUARD(self);
    return result;
}

VALUE tj_generate(const tj_call *call, bool pretty)
{
    VALUE rules = call->rules != Qundef && !NIL_P(call->rules) ? tj_coerced_rules(call->rules)
                                                               : tj_default_rules;
    if (TJ_UNLIKELY(pretty) && tj_rules_get(rules)->canonical)
        rb_raise(rb_eArgError, "indent cannot be used with rfc8785. Remove one.");
    struct document d = {.self = TJ_NOBODY, .scope = Qnil, .call = call, .run = TJ_RUN_VALUE};
    return run(&d, rules, sink_of(call), pretty);
}
