/* Documents. The fast paths of json!. The document is opened before `serialize` or the code of a
 * Plan is called, and closed after it. A guard aborts a document that is left early: `ensure` in
 * generated Ruby, or rb_protect in C. */
#include "direct.h"

#include "call.h"
#include "../delivery/sink.h"
#include "../writer/contexts.h"
#include "../writer/errors.h"
#include "../writer/kept_rules.h"
#include "../plans/choices.h"
#include "../values/collection.h"
#include "../values/parsed.h"
#include "../writer/pool.h"
#include "../writer/protect.h"
#include "../values/pair.h"
#include "../values/string_value.h"
#include "../writer/string.h"
#include "session.h"

static VALUE mClassMethods;

void tj_direct_init(void)
{
    mClassMethods = rb_const_get(tj_mSerialize, rb_intern("ClassMethods"));
    rb_gc_register_mark_object(mClassMethods);
}

/* Whether it is the Plan of a class that declares nothing, so that its serialize writes
 * everything. */
TJ_INLINE bool writes_itself(VALUE kept) { return kept != Qundef && !tj_plan_get(kept)->declares; }

/* A new instance whose class is no Serializer, idle, by Ruby's own `new`. Runs `initialize`.
 * Qfalse, and no call, if `new` is the user's: what it returns may have arguments, or be of another
 * class. */
static VALUE fresh_object(tj_pool *pool, VALUE klass)
{
    ID id = rb_intern("new");
    if (!rb_method_basic_definition_p(CLASS_OF(klass), id)) return Qfalse;
    tj_outer outer; /* none: it is new */
    VALUE self = tj_free_self(tj_fresh_serializer(pool, klass), false, &outer); /* `initialize` */
    tj_refuse_frozen(self);
    return self;
}

VALUE tj_open_fresh(tj_pool *pool, VALUE klass, VALUE kept, VALUE scope)
{
    if (TJ_UNLIKELY(!writes_itself(kept))) return Qfalse;
    bool allocated = tj_plan_get(kept)->allocated;
    VALUE self = TJ_LIKELY(allocated) ? tj_serializer_alloc(klass) : fresh_object(pool, klass);
    if (TJ_UNLIKELY(self == Qfalse)) return Qfalse;
    VALUE rules = tj_plan_rules(tj_plan_get(kept));
    if (!tj_session_open(pool, self, NULL, scope, tj_no_context, rules, Qfalse)) return Qfalse;
    RB_GC_GUARD(kept);
    return self;
}

bool tj_open_document(tj_pool *pool, VALUE self, VALUE scope)
{
    VALUE kept = tj_plan_kept_of(pool, rb_obj_class(self));
    bool busy = tj_writer_behind(self) != NULL;
    if (TJ_UNLIKELY(!writes_itself(kept) || busy || tj_has_arguments(self))) return false;
    tj_refuse_frozen(self);
    VALUE rules = tj_plan_rules(tj_plan_get(kept));
    if (!tj_session_open(pool, self, NULL, scope, tj_no_context, rules, Qfalse)) return false;
    RB_GC_GUARD(kept);
    return true;
}

/* -- C calls serialize ------------------------------------------------------------------------ */

struct serialize_call {
    VALUE self;
    int argc;
    const VALUE *argv;
};

static VALUE serialize_and_close(VALUE argument)
{
    const struct serialize_call *call = (const struct serialize_call *)argument;
    rb_funcallv(call->self, rb_intern("serialize"), call->argc, call->argv);
    return tj_session_close(tj_writer_of(call->self), call->self);
}

NORETURN(static void leave_opened_cold(tj_writer *w, VALUE self, int state));
static void leave_opened_cold(tj_writer *w, VALUE self, int state)
{
    int left = tj_session_abort(w, self, state == TJ_STATE_RAISE ? rb_errinfo() : Qnil);
    rb_jump_tag(left ? left : state);
}

VALUE tj_continue_document(VALUE self, int argc, const VALUE *argv)
{
    tj_writer *w = tj_writer_behind(self);
    VALUE writer = w->self;
    struct serialize_call call = {self, argc, argv};
    int state = 0;
    VALUE document = tj_rb_protect(serialize_and_close, (VALUE)&call, &state);
    if (TJ_UNLIKELY(state)) leave_opened_cold(w, self, state);
    RB_GC_GUARD(writer);
    RB_GC_GUARD(self);
    return document;
}

/* -- the code of a Plan writes ----------------------------------------------------------------- */

static VALUE write_one(VALUE argument)
{
    const tj_one *one = (const tj_one *)argument;
    const tj_plan *p = tj_plan_get(one->plan);
    VALUE s = NIL_P(p->helper) ? Qnil : tj_helper_of(one->w, p->helper, one->context);
    VALUE arguments[4] = {one->w->self, s, one->object, one->mask};
    VALUE document = rb_funcallv(p->code, rb_intern("document"), p->masked ? 4 : 3, arguments);
    RB_GC_GUARD(s);
    return document;
}

/* Begins the document's only pair, whose key raises nothing: a Symbol, or a short String in valid
 * UTF-8. Returns false and changes nothing for other keys. */
static bool try_root(tj_writer *w, VALUE key)
{
    tj_grammar *g = &w->grammar;
    if (tj_is_watched(w) || RTEST(w->sink) || w->encode_anew || g->top + 1 >= g->capacity ||
        g->nesting >= g->max_nesting)
        return false;
    size_t before = tj_buffer_offset(&w->out);
    if (!tj_try_begin_pair(w, key)) {
        if (!tj_is_exact_string(key) || !tj_buffer_has(&w->out, TJ_LEAD_ROOM + TJ_SIMPLE_ROOM))
            return false;
        uint8_t *at = tj_simple_string(w, w->out.cursor + 1, key);
        if (!at || at >= w->out.limit) return false;
        *w->out.cursor = '{';
        *at = ':';
        tj_enter_pair(w, true);
        tj_top(g)->label = key;
        tj_commit_simple(w, at + 1);
    }
    tj_push(g, TJ_SLOT, before, TJ_EMPTY, 0);
    return true;
}

/* Lends a Buffer, and writes the key of the document's only pair, which tj_close_plan ends. */
static VALUE begin_and_write_one(VALUE argument)
{
    const tj_one *one = (const tj_one *)argument;
    tj_writer *w = one->w;
    if (RTEST(w->sink) && tj_is_reusable(w->sink)) {
        tj_reusable_check(w->sink); /* again: making the Rules may have run Ruby */
        tj_reusable_lend(w);
    }
    if (!NIL_P(one->root)) {
        tj_mark mark = tj_mark_take(w);
        tj_begin_slot(w, one->root, &mark);
    }
    return write_one(argument);
}

/* The same, but the document is aborted even if `document` was not entered, as when the stack has
 * ended: a Buffer must not stay lent. (A Writer may be lost in this way. It is collected.) */
static TJ_NOINLINE VALUE write_one_protected(tj_one *one)
{
    int state = 0;
    VALUE document = tj_rb_protect(begin_and_write_one, (VALUE)one, &state);
    if (TJ_LIKELY(!state)) return document;
    tj_drop_plan(one->w, state == TJ_STATE_RAISE ? rb_errinfo() : Qnil);
    rb_jump_tag(state);
}

TJ_NOINLINE VALUE tj_run_one(tj_pool *pool, tj_one *one)
{
    if (!tj_plan_get(one->plan)->document || !tj_surely_one(one->object)) return Qundef;
    VALUE into = one->into;
    tj_writer *w = tj_session_open(pool, Qnil, NULL, one->object, one->context, one->rules, into);
    VALUE writer = w->self; /* the pool no longer keeps it alive, and tj_helper_of allocates */
    w->blocked = TJ_VALUE_DUE; /* as in tj_write_declared */
    w->plan = one->plan;
    w->fiber = w->home;
    w->values = one->values;
    one->w = w;
    bool lends = TJ_UNLIKELY(RTEST(into)) && tj_is_reusable(into);
    if (!NIL_P(one->root) && try_root(w, one->root)) one->root = Qnil;
    VALUE document = TJ_UNLIKELY(lends || !NIL_P(one->root)) ? write_one_protected(one)
                                                             : write_one((VALUE)one);
    RB_GC_GUARD(writer);
    return document;
}

/* The keywords with which tj_run_with_keywords may be right. */
#define CHOICES (TJ_KEY(VIEW) | TJ_KEY(ONLY) | TJ_KEY(EXCEPT))
#define SIMPLE (CHOICES | TJ_KEY(ROOT) | TJ_KEY(CONTEXT) | TJ_KEY(INTO) | TJ_KEY(RULES))

/* Does what tj_run_with_keywords says. `keywords` may be nil. `simple` are those that are taken.
 * With `lone`, the fields must not call a serializer. */
static VALUE run_with_keywords(tj_pool *pool, VALUE plan, VALUE object, VALUE keywords,
                               unsigned simple, bool lone)
{
    tj_keywords k;
    k.given = 0;
    if (!NIL_P(keywords)) tj_keywords_of(&k, keywords);
    if (TJ_UNLIKELY(k.given & ~simple)) return Qundef;
    VALUE mask = Qnil, root = tj_plan_get(plan)->root_one, into = Qfalse;
    if (k.given & TJ_KEY(INTO)) {
        into = k.at[TJ_KEY_INTO];
        if (!RB_TYPE_P(into, T_STRING) && !tj_is_reusable(into)) return Qundef;
    }
    if (k.given & TJ_KEY(ROOT)) {
        root = k.at[TJ_KEY_ROOT];
        if (root == Qfalse) root = Qnil;
        else if (!RB_SYMBOL_P(root) && !tj_is_exact_string(root)) return Qundef;
    }
    if (k.given & CHOICES) {
        tj_chosen chosen =
            tj_choose(pool, tj_plan_get(plan)->klass, tj_keyword_or_nil(&k, TJ_KEY_VIEW),
                      tj_keyword_or_nil(&k, TJ_KEY_ONLY), tj_keyword_or_nil(&k, TJ_KEY_EXCEPT),
                      false);
        plan = chosen.plan;
        mask = chosen.mask;
    }
    if (lone && tj_plan_get(plan)->serializer) return Qundef;
    if (TJ_UNLIKELY(RTEST(into))) tj_check_sink(into);
    VALUE context = k.given & TJ_KEY(CONTEXT) ? k.at[TJ_KEY_CONTEXT] : tj_no_context;
    VALUE rules = k.given & TJ_KEY(RULES) ? tj_coerced_rules(k.at[TJ_KEY_RULES])
                                          : tj_plan_rules(tj_plan_get(plan));
    tj_one one = {NULL, plan, mask, object, root, context, rules, into, false};
    VALUE document = tj_run_one(pool, &one);
    RB_GC_GUARD(rules);
    RB_GC_GUARD(mask);
    RB_GC_GUARD(plan);
    return document;
}

VALUE tj_run_with_keywords(tj_pool *pool, VALUE plan, VALUE object, VALUE keywords)
{
    return run_with_keywords(pool, plan, object, keywords, SIMPLE, false);
}

/* Whether json! of the class is ours. Ruby tells nobody of a module that is prepended to the
 * singleton class, so this is asked each time. It takes 70 ns. Of a class that has lost json!,
 * rb_obj_method would raise another error than the call does. */
static bool has_our_json(VALUE klass)
{
    if (!rb_method_boundp(CLASS_OF(klass), rb_intern("json!"), 0)) return false;
    VALUE method = rb_obj_method(klass, ID2SYM(rb_intern("json!")));
    return rb_funcallv(method, rb_intern("owner"), 0, NULL) == mClassMethods;
}

/* The Hash of one object, or its document as a String if no Hash can be made without it, or Qundef
 * if json! of the class must be called. */
static VALUE values_of_one(VALUE klass, VALUE object)
{
    tj_pool *pool = tj_pool_current();
    VALUE kept = tj_plan_kept_of(pool, klass);
    if (kept == Qundef || !tj_plan_get(kept)->declares || !has_our_json(klass)) return Qundef;
    const tj_plan *plan = tj_plan_get(kept);
    VALUE rules = tj_plan_rules(plan);
    tj_one one = {NULL, kept, Qnil, object, plan->root_one, tj_no_context, rules, Qfalse, true};
    VALUE found = tj_run_one(pool, &one);
    RB_GC_GUARD(rules);
    RB_GC_GUARD(kept);
    return found;
}

VALUE tj_run_values(int argc, const VALUE *argv, VALUE klass, bool keywords)
{
    VALUE found = argc == 1 && !keywords ? values_of_one(klass, argv[0]) : Qundef;
    if (RB_TYPE_P(found, T_HASH)) return found;
    if (found == Qundef) found = rb_funcallv_kw(klass, rb_intern("json!"), argc, argv, keywords);
    Check_Type(found, T_STRING);
    return tj_parsed(found);
}

VALUE tj_run_lone(tj_pool *pool, VALUE self)
{
    VALUE keywords, object = tj_one_object_of(self, &keywords);
    VALUE kept = object == Qundef ? Qundef : tj_plan_kept_of(pool, rb_obj_class(self));
    if (kept == Qundef || !tj_plan_get(kept)->declares) return Qundef;
    VALUE document = run_with_keywords(pool, kept, object, keywords, SIMPLE & ~TJ_KEY(INTO), true);
    RB_GC_GUARD(kept);
    RB_GC_GUARD(object);
    RB_GC_GUARD(keywords);
    return document;
}

VALUE tj_close_plan(tj_writer *w)
{
    if (TJ_UNLIKELY(w->grammar.top > 0)) tj_close_slot(w, true); /* that of the root */
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    return tj_session_close(w, Qnil);
}

void tj_leave_plan(tj_writer *w)
{
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    tj_session_release(w, Qnil);
}

/* Ruby checks for interrupts when it pops the frame of __to_json_last. The document has ended then,
 * and another thread or Fiber may already use the Writer. */
void tj_drop_plan(tj_writer *w, VALUE error)
{
    if ((w->blocked & TJ_IDLE) || w->fiber != tj_fiber_number(w->pool)) return;
    int left = tj_session_abort(w, Qnil, error);
    if (TJ_UNLIKELY(left)) rb_jump_tag(left);
}
