/* Glue. Documents that are opened before their serialize is called, and closed behind it: by generated Ruby, which must drop what is left early, or
 * by C under rb_protect. */
#include "opened.h"

#include <ruby/version.h>

#include "block_frame.h"
#include "document.h"
#include "errors.h"
#include "flush.h"
#include "many.h"
#include "pool.h"
#include "sink.h"

static ID id_document, id_serialize;

void tj_opened_init(void)
{
    id_document = rb_intern("document");
    id_serialize = rb_intern("serialize");
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

TJ_INLINE void open_document(tj_pool *pool, VALUE self, bool fresh, VALUE rules, VALUE scope)
{
    tj_writer *w = tj_acquire_from(pool, rules, Qfalse);
    w->opened_by = tj_note_stack(w);
    if (fresh) tj_take_up(w, self);
    else tj_point_at(self, w);
    tj_push_frame(w, self, scope, tj_no_context);
    RB_GC_GUARD(rules);
}

VALUE tj_open_fresh(tj_pool *pool, VALUE klass, VALUE scope)
{
    VALUE self = tj_fresh_serializer(pool, klass);
    /* What a `new` of the user's gave may be at work, or another class's; nor is it known to be new when a collection has just forgotten the class. */
    if (TJ_UNLIKELY(pool->allocated != klass)) return tj_open_document(pool, self, scope) ? self : Qfalse;
    open_document(pool, self, true, tj_rules_of_class(pool, klass), scope);
    return self;
}

bool tj_open_document(tj_pool *pool, VALUE self, VALUE scope)
{
    VALUE rules = tj_rules_of_class(pool, rb_obj_class(self)); /* first, as in tj_run_document */
    tj_writer *before = tj_writer_behind(self);
    if (TJ_UNLIKELY(before != NULL)) {
        if (!abandoned(before)) return false;
        before->running++; /* not pooled: somebody may still hold it */
        tj_point_at(self, NULL);
        tj_release(before);
    }
    if (TJ_UNLIKELY(has_stored_arguments(self))) return false;
    tj_check_stack_of_documents(pool);
    tj_refuse_frozen(self);
    open_document(pool, self, false, rules, scope);
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

/* -- by C: what most calls of json! without an entry are -------------------------------------------------- */

struct opened {
    VALUE self;
    int argc;
    const VALUE *argv;
};

static VALUE serialize_and_close(VALUE argument)
{
    const struct opened *opened = (const struct opened *)argument;
    rb_funcallv(opened->self, id_serialize, opened->argc, opened->argv);
    return tj_close_document(opened->self);
}

NORETURN(static void leave_opened_cold(tj_writer *w, VALUE self, int state));
static void leave_opened_cold(tj_writer *w, VALUE self, int state)
{
    if (state == TJ_STATE_RAISE) tj_locate(w, rb_errinfo());
    tj_point_at(self, NULL);
    tj_release(w);
    rb_jump_tag(state);
}

VALUE tj_run_opened(VALUE self, int argc, const VALUE *argv)
{
    tj_writer *w = tj_writer_behind(self);
    VALUE writer = w->self;
    w->opened_by = NULL; /* it is left here and nowhere else */
    struct opened opened = {self, argc, argv};
    int state = 0;
    VALUE document = rb_protect(serialize_and_close, (VALUE)&opened, &state);
    if (TJ_UNLIKELY(state)) leave_opened_cold(w, self, state);
    RB_GC_GUARD(writer);
    RB_GC_GUARD(self);
    return document;
}

/* -- by a Plan's code --------------------------------------------------------------------------------------- */

/* A Writer for one object by a Plan. */
static tj_writer *begin_plan(tj_pool *pool, VALUE plan, VALUE object, VALUE into)
{
    VALUE rules = tj_plan_rules(tj_plan_get(plan));
    if (RTEST(into)) tj_check_sink(into);
    tj_check_stack_of_documents(pool);
    tj_writer *w = tj_acquire_from(pool, rules, into);
    w->vm_stack = w->vm_stack_end = NULL; /* noted when a serializer in place writes with the DSL */
    w->opened_by = tj_running_frame();
    tj_push_frame(w, Qnil, object, tj_no_context);
    w->trouble = TJ_VALUE_DUE; /* as in tj_write_declared */
    w->plan = plan;
    RB_GC_GUARD(rules);
    return w;
}

VALUE tj_open_plan(VALUE serializer_class, VALUE plan, VALUE object, VALUE into)
{
    const tj_plan *p = tj_plan_get(plan);
    if (TJ_UNLIKELY(p->epoch != tj_epoch || p->klass != serializer_class)) return Qfalse;
    if (RB_SPECIAL_CONST_P(object) || RB_BUILTIN_TYPE(object) == T_HASH || tj_is_many(object)) return Qfalse;
    return begin_plan(tj_pool_current(), plan, object, into)->self;
}

VALUE tj_run_one(tj_pool *pool, VALUE plan, VALUE object, VALUE into)
{
    const tj_plan *p = tj_plan_get(plan);
    if (!tj_plan_whole(p) || !tj_surely_one(object)) return Qundef;
    tj_writer *w = begin_plan(pool, plan, object, into);
    VALUE writer = w->self; /* the pool no longer holds it, and tj_helper_of allocates */
    VALUE s = NIL_P(p->helper) ? Qnil : tj_helper_of(w, p->helper, tj_no_context), arguments[3] = {writer, s, object};
    VALUE document = rb_funcallv(p->code, id_document, 3, arguments);
    RB_GC_GUARD(s);
    RB_GC_GUARD(writer);
    return document;
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
    if ((w->trouble & TJ_IDLE) || !tj_called_near(w->opened_by)) return;
    if (!NIL_P(error)) tj_locate(w, error);
    tj_release(w);
}
