/* Glue. Plans, and how objects and collections go through one. */
#include "plan.h"

#include "document.h"
#include "early.h"
#include "errors.h"
#include "item.h"
#include "pool.h"
#include "value.h"
#include "many.h"

unsigned long tj_epoch = 1, tj_rules_epoch = 1;

static VALUE mPlanCache, cPlan;
static ID id_object, id_row, id_items, id_many, id_kept, id_used, id_default;

static void plan_mark(void *data)
{
    const tj_plan *plan = data;
    rb_gc_mark(plan->code);
    rb_gc_mark(plan->row);
    rb_gc_mark(plan->root_one);
    rb_gc_mark(plan->root_many);
    rb_gc_mark(plan->meta);
    rb_gc_mark(plan->rules);
    rb_gc_mark(plan->klass);
    rb_gc_mark(plan->helper);
}

static size_t plan_memsize(const void *data)
{
    (void)data;
    return sizeof(tj_plan);
}

const rb_data_type_t tj_plan_type = {
    .wrap_struct_name = "ToJson::Plan",
    .function = {.dmark = plan_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = plan_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

void tj_plan_init(void)
{
    id_object = rb_intern("object");
    id_row = rb_intern("row");
    id_items = rb_intern("items");
    id_many = rb_intern("many");
    id_kept = rb_intern("__to_json_plan"); /* no @: hidden */
    id_used = rb_intern("@to_json_used");
    id_default = rb_intern("default");
    mPlanCache = rb_define_module_under(tj_mToJson, "PlanCache");
    rb_gc_register_mark_object(mPlanCache);
    cPlan = rb_const_get(tj_mToJson, rb_intern("Plan"));
    rb_gc_register_mark_object(cPlan);
}

static VALUE keyword(VALUE keywords, const char *name) { return rb_hash_fetch(keywords, ID2SYM(rb_intern(name))); }

static VALUE plan_alloc(VALUE klass, tj_plan **made)
{
    tj_plan *plan;
    VALUE object = TypedData_Make_Struct(klass, tj_plan, &tj_plan_type, plan);
    plan->code = plan->row = plan->root_one = plan->root_many = plan->meta = plan->rules = plan->klass = plan->helper = Qnil;
    *made = plan;
    return object;
}

VALUE tj_plan_new(VALUE klass, VALUE keywords)
{
    tj_plan *plan;
    VALUE object = plan_alloc(klass, &plan);
    plan->code = keyword(keywords, "code");
    plan->row = keyword(keywords, "row");
    plan->root_one = keyword(keywords, "root_one");
    plan->root_many = keyword(keywords, "root_many");
    plan->meta = keyword(keywords, "meta");
    plan->rules = keyword(keywords, "rules");
    plan->klass = keyword(keywords, "serializer_class");
    plan->serializer = RTEST(keyword(keywords, "serializer"));
    plan->masked = RTEST(keyword(keywords, "masked"));
    plan->imperative = RTEST(keyword(keywords, "imperative"));
    plan->cached = RTEST(rb_hash_lookup2(keywords, ID2SYM(rb_intern("cached")), Qfalse));
    plan->epoch = NUM2ULONG(keyword(keywords, "epoch"));
    return rb_obj_freeze(object);
}

VALUE tj_plan_new_early(VALUE serializer_class, VALUE row, VALUE root, VALUE rules, unsigned long epoch)
{
    tj_plan *plan;
    VALUE object = plan_alloc(cPlan, &plan);
    plan->row = row;
    if (!NIL_P(root)) {
        plan->root_one = rb_ary_entry(root, 0);
        plan->root_many = rb_ary_entry(root, -1);
    }
    plan->rules = rules;
    plan->klass = serializer_class;
    plan->early = true;
    plan->epoch = epoch;
    return rb_obj_freeze(object);
}

/* A class keeps its Plan; or the epoch in which it was seen to declare nothing. */
static VALUE plan_of_cold(tj_pool *pool, VALUE serializer_class)
{
    unsigned long epoch = tj_epoch;
    VALUE kept = rb_ivar_get(serializer_class, id_kept), plan = kept;
    if (FIXNUM_P(kept) && FIX2ULONG(kept) == tj_epoch) plan = Qfalse;
    else if (NIL_P(kept) || FIXNUM_P(kept) || tj_plan_get(kept)->epoch != tj_epoch) {
        plan = tj_early_plan(pool, serializer_class);
        if (NIL_P(plan)) plan = rb_funcall(mPlanCache, id_default, 1, serializer_class);
    }
    pool->recent = (tj_recent){serializer_class, plan, plan == Qfalse ? epoch : tj_plan_get(plan)->epoch};
    return plan;
}

VALUE tj_plan_of(tj_pool *pool, VALUE serializer_class)
{
    VALUE plan = tj_recent_plan(pool, serializer_class);
    return TJ_LIKELY(plan != Qundef) ? plan : plan_of_cold(pool, serializer_class);
}

void tj_plan_use(VALUE serializer_class)
{
    for (VALUE klass = serializer_class; !NIL_P(klass) && klass != rb_cObject && !RTEST(rb_ivar_get(klass, id_used)); klass = rb_class_superclass(klass))
        if (!RB_OBJ_FROZEN(klass)) rb_ivar_set(klass, id_used, Qtrue);
}

void tj_plan_keep(VALUE serializer_class, VALUE plan)
{
    tj_pool_current()->recent.klass = 0; /* may have another one */
    if (!RB_OBJ_FROZEN(serializer_class)) rb_ivar_set(serializer_class, id_kept, plan);
}

void tj_plan_is_whole(VALUE plan_object, VALUE helper)
{
    tj_plan *plan = RTYPEDDATA_DATA(plan_object);
    if (plan->whole) return;
    plan->helper = helper;
    __atomic_store_n(&plan->whole, true, __ATOMIC_RELEASE); /* other Ractors read it */
}

/* -- writing --------------------------------------------------------------------------------------- */

void tj_write_one(tj_writer *w, VALUE plan_object, VALUE s, VALUE object, VALUE mask)
{
    const tj_plan *plan = tj_plan_get(plan_object);
    bool row = !RB_SPECIAL_CONST_P(object) && RB_BUILTIN_TYPE(object) == T_HASH;
    if (row && !NIL_P(plan->row) && tj_row(w, RTYPEDDATA_DATA(plan->row), object) != Qundef) {
        RB_GC_GUARD(plan_object);
        return;
    }
    if (TJ_UNLIKELY(tj_plan_early(plan)) && tj_early_one(w, plan_object, object)) return;
    VALUE arguments[4] = {w->self, s, object, mask};
    rb_funcallv(plan->code, row ? id_row : id_object, plan->masked ? 4 : 3, arguments);
    RB_GC_GUARD(plan_object);
}

struct walk {
    VALUE plan, s, mask;
};

static void walk_item(tj_writer *w, VALUE item, void *data)
{
    const struct walk *walk = data;
    if (NIL_P(item)) {
        tj_begin_value(w);
        tj_write_value(w, Qnil);
        tj_end_element(w);
    } else tj_write_one(w, walk->plan, walk->s, item, walk->mask);
}

void tj_write_many(tj_writer *w, VALUE plan_object, VALUE s, VALUE many, VALUE walked, VALUE mask)
{
    const tj_plan *plan = tj_plan_get(plan_object);
    bool items = RTEST(walked) && (TJ_LIKELY(!tj_plan_early(plan)) || tj_early_compile(plan_object)); /* all else needs no code, or comes to tj_early_one */
    if (TJ_UNLIKELY(plan->cached)) rb_funcall(plan->code, id_many, 4, w->self, s, RTEST(walked) ? walked : many, mask);
    else if (TJ_LIKELY(items)) {
        VALUE arguments[4] = {w->self, s, walked, mask};
        rb_funcallv(plan->code, id_items, plan->masked ? 4 : 3, arguments);
    } else {
        struct walk walk = {plan_object, s, mask};
        tj_each(w, RTEST(walked) ? walked : many, walk_item, &walk, sizeof walk);
    }
    tj_check_alive(w);
    RB_GC_GUARD(plan_object);
    RB_GC_GUARD(many);
}
