/* Documents. Serializers in place: they write into the document of another serializer, as a value
 * or as pairs of the object at hand. */
#include "in_place.h"

#include "../plans/plan.h"
#include "../writer/levels.h"
#include "../writer/errors.h"
#include "../values/fragment.h"
#include "../writer/protect.h"
#include "../writer/stack.h"
#include "../writer/captures.h"
#include "../writer/contexts.h"
#include "../values/contained.h"
#include "../values/collection.h"

static VALUE cLookup;

void tj_in_place_init(void)
{
    cLookup = rb_define_class_under(tj_mToJson, "Lookup", rb_cObject);
}

struct in_place {
    tj_writer *w;
    VALUE self;
    tj_outer outer;
    tj_call call;
    const tj_declared *declared; /* NULL: serialize writes it */
    /* what is left of the declared fields, for a class with its own serialize; or 0 */
    VALUE selected;
    bool shared; /* `self` is the program's, and may be at work */
};

static VALUE in_place_serialize(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    VALUE context = p->call.context;
    if (context == Qundef)
        context = p->w->frame_count ? p->w->frames[p->w->frame_count - 1].context : tj_no_context;
    tj_push_frame(p->w, p->self, p->call.argc > 0 ? p->call.argv[0] : Qnil, context);
    tj_note_frame(p->w);
    if (TJ_UNLIKELY(p->w->helper_count > 0) && p->call.context != Qundef)
        tj_helpers_leave_unused(p->w);
    tj_serialize(p->w, p->self, &p->call, p->declared);
    return Qnil;
}

static VALUE run_plainly(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_run_serialize(p->w, p->self, &p->call);
    return Qnil;
}

static VALUE in_place_unbind(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_unbind(p->self);
    tj_bind_again(&p->outer, p->self);
    return Qnil;
}

static VALUE in_place_body(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_writer *w = p->w;
    size_t floor = w->floor;
    unsigned value_due = w->blocked & TJ_VALUE_DUE;
    w->floor = w->grammar.top;
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    tj_bind(w, p->self);
    rb_ensure(in_place_serialize, argument, in_place_unbind, argument);
    tj_check_alive(w);
    w->blocked |= value_due;
    if (w->grammar.top != w->floor) tj_raise_status(w, TJ_UNCLOSED);
    w->frame_count--;
    w->floor = floor;
    tj_close_slot(w, true);
    return Qnil;
}

/* The root of a class is for the top of a document, not for a value inside. */
static bool is_inside(const tj_writer *w)
{
    return w->grammar.top > 0 || tj_top(&w->grammar)->state == TJ_PAIRS;
}

static void run_in_place(struct in_place *p)
{
    tj_writer *w = p->w;
    tj_declared declared;
    if (p->call.root == Qundef && is_inside(w)) p->call.root = Qfalse;
    if (tj_declared_of(rb_obj_class(p->self), &p->call, &declared)) {
        p->declared = &declared;
        if (p->selected) declared.mask = p->selected;
    } else tj_refuse_declared_keywords(&p->call);
    /* A serializer whose value is a serializer opens no container, and such a chain may be
     * endless. */
    if (TJ_UNLIKELY(w->frame_count > (size_t)w->grammar.max_nesting + w->grammar.nesting))
        tj_raise_status(w, TJ_TOO_DEEP);
    tj_check_stack(w);
    /* Last, since other threads may run in all of the above. Busy: it contains itself. */
    if (p->shared) p->self = tj_free_self(p->self, false, &p->outer);
    tj_mark mark = tj_mark_take(w);
    tj_check(w, tj_push(&w->grammar, TJ_SLOT, mark.offset, mark.level.state, mark.level.count));
    tj_protect(w, &mark, in_place_body, (VALUE)p);
    if (p->declared) RB_GC_GUARD(declared.mask);
    RB_GC_GUARD(p->self);
    RB_GC_GUARD(p->call.keywords);
}

/* -- by a Plan alone --------------------------------------------------------------------------- */

/* The Plan that can write the object of a serializer without the serializer: it has one object and
 * no keywords, and the fields call none of its methods. Else Qfalse. */
static VALUE lone_plan(const tj_writer *w, VALUE serializer, VALUE object)
{
    if (object == Qundef) return Qfalse;
    if (w->captures > 0 || !is_inside(w)) return Qfalse;
    VALUE plan = tj_plan_kept(rb_obj_class(serializer));
    if (plan == Qundef) return Qfalse;
    const tj_plan *p = tj_plan_get(plan);
    bool alone = p->declares && !p->imperative && !p->serializer;
    return alone && tj_surely_one(object) ? plan : Qfalse;
}

struct alone {
    tj_writer *w;
    VALUE plan, object;
};

static VALUE write_alone(VALUE argument)
{
    const struct alone *alone = (const struct alone *)argument;
    tj_writer *w = alone->w;
    VALUE plan_before = w->plan;
    size_t frames = w->frame_count;
    unsigned value_due = w->blocked & TJ_VALUE_DUE;
    /* A document of values has no frame, from which code inside takes its context and scope. */
    if (frames == 0) tj_push_frame(w, Qnil, alone->object, tj_no_context);
    w->plan = alone->plan;
    w->blocked |= TJ_VALUE_DUE; /* as in tj_write_declared */
    tj_write_one(w, alone->plan, Qnil, alone->object, Qnil);
    tj_check_alive(w);
    w->frame_count = frames;
    w->plan = plan_before;
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | value_due;
    tj_close_slot(w, true);
    return Qnil;
}

static void run_alone(tj_writer *w, VALUE plan, VALUE object)
{
    struct alone alone = {w, plan, object};
    tj_check_stack(w);
    tj_mark mark = tj_mark_take(w);
    tj_check(w, tj_push(&w->grammar, TJ_SLOT, mark.offset, mark.level.state, mark.level.count));
    tj_protect(w, &mark, write_alone, (VALUE)&alone);
}

void tj_write_serializer(tj_writer *w, VALUE serializer)
{
    VALUE object = tj_only_object_of(serializer);
    VALUE plan = lone_plan(w, serializer, object);
    if (RTEST(plan)) {
        run_alone(w, plan, object);
        RB_GC_GUARD(plan);
        RB_GC_GUARD(object);
        return;
    }
    VALUE stored = tj_arguments_of(serializer);
    struct in_place p = {.w = w, .self = serializer, .shared = true};
    VALUE kept = NIL_P(stored) ? rb_attr_get(serializer, rb_intern("__to_json_encoded")) : Qnil;
    if (!NIL_P(kept)) { /* encode! of the class: there are no arguments to write it again */
        tj_note_unknown(w);
        tj_splice_checked(w, kept, tj_class_words(serializer));
        return;
    }
    tj_call_split(&p.call, 0, NULL, false, stored);
    if (p.call.into != Qundef || p.call.delivery_options.chunk || p.call.delivery_options.flush)
        tj_raise(w, rb_eArgError,
                 "%s: works only for a whole document, not for a serializer inside one. Remove it.",
                 p.call.into != Qundef           ? "into"
                 : p.call.delivery_options.chunk ? "chunk"
                                                 : "flush");
    run_in_place(&p);
    RB_GC_GUARD(p.outer.writer);
    RB_GC_GUARD(stored);
}

void tj_write_model(tj_writer *w, VALUE model)
{
    VALUE serializer =
        rb_funcall(cLookup, rb_intern("instance_for"), 2, tj_plan_get(w->plan)->klass, model);
    tj_write_serializer(w, serializer);
    RB_GC_GUARD(serializer);
}

void tj_write_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected)
{
    struct in_place p = {.w = w,
                         .selected = selected,
                         .self = tj_fresh_serializer(w->pool, serializer_class),
                         .call = TJ_PLAIN_CALL(w->pool, 1, &object)};
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
    unsigned value_due = w->blocked & TJ_VALUE_DUE;
    w->floor = w->grammar.top;
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    tj_bind(w, p->self);
    tj_push_frame(w, p->self, p->call.argv[0], p->call.context);
    rb_ensure(run_plainly, argument, in_place_unbind, argument);
    tj_check_alive(w);
    w->blocked |= value_due;
    if (w->grammar.top != w->floor) tj_raise_status(w, TJ_UNCLOSED);
    w->frame_count = frames;
    w->floor = floor;
    return Qnil;
}

void tj_merge_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected)
{
    struct in_place p = {.w = w,
                         .self = tj_fresh_serializer(w->pool, serializer_class),
                         .call = TJ_PLAIN_CALL(w->pool, 1, &object)};
    p.call.context = context;
    if (selected) rb_ivar_set(p.self, tj_id_selected, selected);
    tj_check_stack(w);
    tj_mark mark = tj_mark_take(w);
    tj_protect(w, &mark, merge_body, (VALUE)&p);
    RB_GC_GUARD(object);
    RB_GC_GUARD(p.self);
}
