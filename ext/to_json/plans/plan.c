/* Plans. The class ToJson::Plan, and how one writes objects and collections. */
#include "plan.h"

#include "../writer/levels.h"
#include "../writer/errors.h"
#include "item.h"
#include "row_list.h"
#include "../writer/pool.h"
#include "../writer/binding.h"
#include "../values/library_value.h"
#include "../values/value.h"
#include "../values/collection.h"

unsigned long tj_epoch = 1;

static VALUE mPlanCache;
static ID id_kept, id_used;

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
    rb_gc_mark(plan->main_ractor_only);
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
    id_kept = rb_intern("__to_json_plan"); /* no @: hidden */
    id_used = rb_intern("@to_json_used");
    mPlanCache = rb_define_module_under(tj_mToJson, "PlanCache");
    rb_gc_register_mark_object(mPlanCache);
}

static VALUE keyword(VALUE keywords, const char *name)
{
    return rb_hash_fetch(keywords, ID2SYM(rb_intern(name)));
}

/* The keyword if it is nil or of that type, as the code that uses it expects. */
static VALUE typed(VALUE keywords, const char *name, int type)
{
    VALUE given = keyword(keywords, name);
    if (!NIL_P(given)) Check_Type(given, type);
    return given;
}

static VALUE part_or_nil(VALUE part)
{
    if (!NIL_P(part)) rb_check_typeddata(part, &tj_part_type);
    return part;
}

/* Rules, or true for the global default. */
static VALUE rules_or_true(VALUE rules)
{
    if (rules != Qtrue) tj_rules_get(rules);
    return rules;
}

static VALUE optional(VALUE keywords, const char *name, VALUE without)
{
    return rb_hash_lookup2(keywords, ID2SYM(rb_intern(name)), without);
}

/* Whether its instances have our json!, and not one of the user's. If the user defines one later, a
 * new epoch begins. */
static bool has_own_json(VALUE klass)
{
    VALUE method = rb_funcall(klass, rb_intern("instance_method"), 1, ID2SYM(rb_intern("json!")));
    return rb_funcall(method, rb_intern("owner"), 0) == tj_mSerialize;
}

VALUE tj_plan_new(VALUE klass, VALUE keywords)
{
    tj_plan *plan;
    VALUE object = TypedData_Make_Struct(klass, tj_plan, &tj_plan_type, plan);
    plan->code = plan->row = plan->root_one = plan->root_many = Qnil;
    plan->meta = plan->rules = plan->klass = plan->helper = plan->main_ractor_only = Qnil;
    plan->code = keyword(keywords, "code");
    plan->row = part_or_nil(keyword(keywords, "row"));
    plan->root_one = typed(keywords, "root_one", T_SYMBOL);
    plan->root_many = typed(keywords, "root_many", T_SYMBOL);
    plan->meta = keyword(keywords, "meta");
    plan->rules = rules_or_true(keyword(keywords, "rules"));
    plan->klass = keyword(keywords, "serializer_class");
    Check_Type(plan->klass, T_CLASS);
    plan->serializer = RTEST(keyword(keywords, "serializer"));
    plan->masked = RTEST(keyword(keywords, "masked"));
    plan->imperative = RTEST(keyword(keywords, "imperative"));
    plan->cached = RTEST(optional(keywords, "cached", Qfalse));
    plan->declares = RTEST(optional(keywords, "declares", Qtrue));
    plan->document = RTEST(optional(keywords, "document", Qfalse));
    tj_find_attached(tj_pool_current());
    plan->helper = optional(keywords, "helper", Qnil);
    if (!NIL_P(plan->helper)) Check_Type(plan->helper, T_CLASS);
    plan->main_ractor_only = optional(keywords, "main_ractor_only", Qnil);
    if (!NIL_P(plan->main_ractor_only)) {
        Check_Type(plan->main_ractor_only, T_STRING);
        plan->main_ractor_only = rb_str_new_frozen(plan->main_ractor_only);
    }
    plan->allocated = tj_allocates(plan->klass);
    plan->own_json = plan->allocated && has_own_json(plan->klass);
    plan->epoch = NUM2ULONG(keyword(keywords, "epoch"));
    return rb_obj_freeze(object);
}

/* The PlanCache::Front of a frozen class, or nil. */
static TJ_COLD VALUE front_of_frozen_cold(VALUE serializer_class)
{
    VALUE front = rb_attr_get(serializer_class, rb_intern("@to_json_front"));
    bool own = !NIL_P(front) && rb_attr_get(front, rb_intern("@owner")) == serializer_class;
    return own ? front : Qnil;
}

VALUE tj_plan_keeper(VALUE serializer_class)
{
    return TJ_LIKELY(!RB_OBJ_FROZEN(serializer_class)) ? serializer_class
                                                       : front_of_frozen_cold(serializer_class);
}

TJ_COLD void tj_plan_refuse_elsewhere_cold(const tj_plan *plan)
{
    if (tj_pool_current()->main) return;
    tj_raise(NULL, tj_eError,
             "%" PRIsVALUE ", so only the main Ractor can run it. "
             "Write a method of the serializer instead, or serialize in the main Ractor.",
             plan->main_ractor_only);
}

VALUE tj_plan_kept(VALUE serializer_class)
{
    VALUE kept = rb_attr_get(serializer_class, id_kept);
    if (TJ_UNLIKELY(NIL_P(kept) || !tj_plan_is_valid(kept, serializer_class))) {
        if (TJ_LIKELY(!RB_OBJ_FROZEN(serializer_class))) return Qundef;
        VALUE front = front_of_frozen_cold(serializer_class);
        kept = NIL_P(front) ? Qnil : rb_attr_get(front, id_kept);
        if (NIL_P(kept) || !tj_plan_is_valid(kept, serializer_class)) return Qundef;
    }
    tj_plan_refuse_elsewhere(tj_plan_get(kept));
    return kept;
}

static TJ_COLD VALUE plan_of_cold(VALUE serializer_class)
{
    VALUE plan = rb_funcall(mPlanCache, rb_intern("default"), 1, serializer_class);
    if (RTEST(plan)) rb_check_typeddata(plan, &tj_plan_type);
    return RTEST(plan) ? plan : Qfalse;
}

VALUE tj_plan_of(VALUE serializer_class)
{
    VALUE plan = tj_plan_kept(serializer_class);
    if (TJ_UNLIKELY(plan == Qundef)) return plan_of_cold(serializer_class);
    return tj_plan_get(plan)->declares ? plan : Qfalse;
}

void tj_plan_use(VALUE serializer_class)
{
    for (VALUE klass = serializer_class;
         !NIL_P(klass) && klass != rb_cObject && !RTEST(rb_ivar_get(klass, id_used));
         klass = rb_class_superclass(klass))
        if (!RB_OBJ_FROZEN(klass)) rb_ivar_set(klass, id_used, Qtrue);
}

bool tj_plan_used(VALUE serializer_class) { return RTEST(rb_attr_get(serializer_class, id_used)); }

void tj_plan_keep(VALUE serializer_class, VALUE plan)
{
    VALUE keeps = tj_plan_keeper(serializer_class);
    if (!NIL_P(keeps)) rb_ivar_set(keeps, id_kept, plan);
}

/* -- writing ----------------------------------------------------------------------------------- */

void tj_write_one(tj_writer *w, VALUE plan_object, VALUE s, VALUE object, VALUE mask)
{
    const tj_plan *plan = tj_plan_get(plan_object);
    bool row = tj_is_hash(object);
    if (row && !NIL_P(plan->row) && tj_row(w, RTYPEDDATA_DATA(plan->row), object) != Qundef) {
        RB_GC_GUARD(plan_object);
        return;
    }
    VALUE arguments[4] = {w->self, s, object, mask};
    rb_funcallv(plan->code, row ? rb_intern("row") : rb_intern("object"), plan->masked ? 4 : 3,
                arguments);
    RB_GC_GUARD(plan_object);
}

struct writing {
    VALUE plan, s, mask;
};

static void write_element(tj_writer *w, VALUE item, void *data)
{
    const struct writing *writing = data;
    if (NIL_P(item)) {
        tj_begin_value(w);
        tj_write_value(w, Qnil);
        tj_end_element(w);
    } else tj_write_one(w, writing->plan, writing->s, item, writing->mask);
}

static void write_elements(tj_writer *w, VALUE plan_object, VALUE s, VALUE many, VALUE elements,
                           VALUE mask)
{
    const tj_plan *plan = tj_plan_get(plan_object);
    if (TJ_UNLIKELY(plan->cached))
        rb_funcall(plan->code, rb_intern("many"), 4, w->self, s, RTEST(elements) ? elements : many,
                   mask);
    else if (TJ_LIKELY(RTEST(elements))) {
        VALUE arguments[4] = {w->self, s, elements, mask};
        rb_funcallv(plan->code, rb_intern("items"), plan->masked ? 4 : 3, arguments);
    } else {
        struct writing writing = {plan_object, s, mask};
        tj_each(w, many, write_element, &writing, sizeof writing);
    }
    tj_check_alive(w);
    RB_GC_GUARD(plan_object);
    RB_GC_GUARD(many);
}

/* -- rows of a database ------------------------------------------------------------------------ */

struct rows {
    VALUE plan, s, mask;
    bool by_index;
};

/* The most rows, beside a quarter of those so far, that may need Ruby. If more do, the others are
 * not tried in C. */
#define TRIES 16

/* Writes the rows whose values need no Ruby. Generated code writes the others: most often only the
 * first row, from which Cells learn the time zone and the names of an enum. */
static void write_row_list(tj_writer *w, const struct rows *rows, VALUE list,
                           const tj_row_list *read)
{
    long failed = 0;
    for (long i = 0; i < RARRAY_LEN(read->rows); i++) {
        if (TJ_UNLIKELY((i & 1023) == 1023)) rb_thread_check_ints();
        if (TJ_LIKELY(failed <= TRIES + i / 4) && TJ_LIKELY(tj_try_row(w, read, i))) continue;
        failed++;
        VALUE index = LONG2FIX(i), row = rb_funcallv(list, rb_intern("[]"), 1, &index);
        tj_write_one(w, rows->plan, rows->s, row, rows->mask);
        tj_check_alive(w);
        if (TJ_UNLIKELY(w->blocked & ~(unsigned)TJ_VALUE_DUE)) tj_raise_blocked(w->self, w);
    }
    tj_check_alive(w);
    RB_GC_GUARD(list);
}

static void write_rows(tj_writer *w, VALUE list, void *data)
{
    const struct rows *rows = data;
    const tj_plan *plan = tj_plan_get(rows->plan);
    tj_row_list read;
    if (rows->by_index && !plan->masked && !plan->cached && tj_is_row_list(list) &&
        tj_row_list_of(w, list, plan->row, &read))
        write_row_list(w, rows, list, &read);
    else write_elements(w, rows->plan, rows->s, list, rows->by_index ? list : Qfalse, rows->mask);
}

void tj_write_many(tj_writer *w, VALUE plan, VALUE s, VALUE many, VALUE elements, VALUE mask)
{
    if (TJ_LIKELY(!tj_is_row_list(many))) {
        write_elements(w, plan, s, many, elements, mask);
        return;
    }
    struct rows rows = {plan, s, mask, RTEST(elements)};
    tj_each_list(w, many, write_rows, &rows);
}
