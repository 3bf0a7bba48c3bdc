/* Glue. The first objects of a Plan, before its code is generated: the same Part, and the same calls of the same getters in the same order. A class of three
 * fields takes 10 us for its first object by this way, 190 by generated code (3.1), most of it Ruby's parser and what surrounds it. */
#include "early.h"

#include "document.h"
#include "errors.h"
#include "item.h"
#include "many.h"
#include "pointing.h"
#include "pool.h"

unsigned tj_early_objects = 2; /* the entries of entry.rb, 24 calls later, still come before YJIT compiles what calls json!, at the 30th */

static VALUE mPlanCache;
static ID id_compiled_now, id_public_send;

void tj_early_init(void)
{
    id_compiled_now = rb_intern("compiled_now");
    id_public_send = rb_intern("public_send");
    mPlanCache = rb_define_module_under(tj_mToJson, "PlanCache");
    rb_gc_register_mark_object(mPlanCache);
}

bool tj_early_compile(VALUE plan_object)
{
    tj_plan *plan = RTYPEDDATA_DATA(plan_object);
    tj_pool *pool = tj_pool_current();
    if (!pool->main || plan->epoch != tj_epoch) return false;
    VALUE compiled = rb_funcall(mPlanCache, id_compiled_now, 1, plan->klass);
    if (NIL_P(compiled)) return false;
    const tj_plan *made = tj_plan_get(compiled);
    /* A module that was included before has got a method, of which nobody hears: this document goes on as it began. */
    if (made->epoch != plan->epoch || made->serializer || made->imperative || made->cached) return false;
    plan->code = made->code;
    __atomic_store_n(&plan->early, false, __ATOMIC_RELEASE); /* other Ractors read it */
    RB_GC_GUARD(compiled);
    return true;
}

/* Protected methods are called where self is such an object, and any may stand around: generated code has a self of its own. */
static VALUE read_field(VALUE object, VALUE source)
{
    ID id = rb_sym2id(source);
    VALUE klass = CLASS_OF(object);
    if (TJ_UNLIKELY(!rb_method_boundp(klass, id, TJ_PUBLICLY) && rb_method_boundp(klass, id, 0))) return rb_funcallv_public(object, id_public_send, 1, &source);
    return rb_funcallv_public(object, id, 0, NULL);
}

bool tj_early_one(tj_writer *w, VALUE plan_object, VALUE object)
{
    tj_plan *plan = RTYPEDDATA_DATA(plan_object);
    bool main = w->pool->main;
    if (main && plan->written >= tj_early_objects && tj_early_compile(plan_object)) return false;
    if (main) plan->written++;
    VALUE part_object = plan->row, writer = w->self, values[TJ_PART_SLOTS];
    const tj_part *part = RTYPEDDATA_DATA(part_object);
    w->running++; /* an exception leaves it so, as in tj_read_and_emit */
    for (uint32_t i = 0; i < part->count; i++) {
        w->reading = part->ops[i].name;
        values[i] = read_field(object, part->ops[i].source);
    }
    w->reading = 0;
    tj_check_alive(w);
    if (TJ_UNLIKELY(w->trouble & ~(unsigned)TJ_VALUE_DUE)) tj_raise_trouble(writer, w);
    tj_item(w, part, (int)part->count, values);
    w->running--;
    RB_GC_GUARD(part_object);
    RB_GC_GUARD(plan_object);
    RB_GC_GUARD(writer);
    return true;
}
