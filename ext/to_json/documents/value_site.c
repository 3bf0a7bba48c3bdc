/* Documents. Writes associations by the serializer that each value tells. What was found for a
 * class of values holds for the rest of the document. */
#include "value_site.h"

#include "../plans/item_cold.h"
#include "../plans/plan.h"
#include "../values/collection.h"
#include "../values/value.h"
#include "../writer/contexts.h"
#include "../writer/errors.h"
#include "../writer/levels.h"
#include "in_place.h"
#include "lookup.h"

static VALUE cLookup, mPlanCache;

static void site_mark(void *data)
{
    const tj_value_site *site = data;
    rb_gc_mark(site->serializer_class);
    rb_gc_mark(site->map);
    rb_gc_mark(site->chooser);
}

static size_t site_memsize(const void *data)
{
    (void)data;
    return sizeof(tj_value_site);
}

const rb_data_type_t tj_value_site_type = {
    .wrap_struct_name = "ToJson::ValueSite",
    .function = {.dmark = site_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = site_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

void tj_value_site_init(void)
{
    cLookup = rb_define_class_under(tj_mToJson, "Lookup", rb_cObject);
    mPlanCache = rb_define_module_under(tj_mToJson, "PlanCache");
    rb_gc_register_mark_object(cLookup);
    rb_gc_register_mark_object(mPlanCache);
}

VALUE tj_value_site_new(VALUE klass, VALUE serializer_class, VALUE map, VALUE chooser, VALUE kind)
{
    Check_Type(serializer_class, T_CLASS);
    if (!NIL_P(map)) Check_Type(map, T_HASH);
    tj_value_site *site;
    VALUE object = TypedData_Make_Struct(klass, tj_value_site, &tj_value_site_type, site);
    site->serializer_class = serializer_class;
    site->map = map;
    site->chooser = Qnil;
    if (!NIL_P(chooser)) {
        Check_Type(chooser, T_ARRAY);
        site->chooser = rb_ary_entry(chooser, 0);
        site->chooser_takes_value = rb_ary_entry(chooser, 1) != INT2FIX(0);
        Check_Type(site->chooser, T_SYMBOL);
    }
    site->many = kind == ID2SYM(rb_intern("many"));
    site->one = kind == ID2SYM(rb_intern("one"));
    return rb_obj_freeze(object);
}

/* -- which serializer -------------------------------------------------------------------------- */

/* What `serializer:` means for a value of that class. `*final`: see tj_serializer_for_class. */
static VALUE serializer_for(tj_writer *w, const tj_value_site *site, VALUE given, VALUE type,
                            VALUE *final)
{
    if (NIL_P(given)) return tj_serializer_for_class(w->pool, site->serializer_class, type, final);
    if (RB_TYPE_P(given, T_HASH)) {
        VALUE named = rb_hash_lookup2(given, type, Qundef);
        if (named != Qundef) given = named;
    }
    if (tj_allocates(given)) return given;
    return rb_funcall(cLookup, rb_intern("of_class"), 3, site->serializer_class, given, type);
}

/* What the lambda of the declaration says about a value: nil as if there were none. */
static VALUE chosen(const tj_value_site *site, VALUE s, VALUE value)
{
    if (site->chooser_takes_value) return rb_funcallv(s, rb_sym2id(site->chooser), 1, &value);
    VALUE arguments[2] = {value, site->chooser};
    return rb_funcallv(s, rb_intern("__to_json_with"), 2, arguments);
}

/* The Plan of a serializer class, or nil if its own serialize writes the values. */
static VALUE plan_of(VALUE serializer_class)
{
    VALUE plan = tj_plan_of(serializer_class);
    if (TJ_UNLIKELY(plan == Qfalse))
        plan = rb_funcall(mPlanCache, rb_intern("plan_of_nothing"), 1, serializer_class);
    return NIL_P(plan) || tj_plan_get(plan)->imperative ? Qnil : plan;
}

/* By the serializer that the lambda says. */
static tj_found_serializer found_by_choice(tj_writer *w, const tj_value_site *site, VALUE s,
                                           VALUE value)
{
    VALUE given = chosen(site, s, value);
    bool asks = NIL_P(given) || RB_TYPE_P(given, T_HASH);
    VALUE type = asks ? tj_class_of_value(value) : Qnil, final;
    tj_found_serializer found = {.serializer_class = serializer_for(w, site, given, type, &final)};
    found.plan = plan_of(found.serializer_class);
    return found;
}

/* The Plan that was found last, if it would be found again; or Qnil. May run Ruby (autoload). */
static VALUE recent_plan(tj_writer *w, VALUE site, VALUE type)
{
    tj_recent_serializer *recent = tj_recent_serializer_at(w->pool, site, type);
    if (recent->site != site || recent->type != type) return Qnil;
    VALUE plan = recent->plan, path = recent->path, klass = tj_plan_get(plan)->klass;
    if (!NIL_P(path) && tj_follow(path, false) != klass) return Qnil;
    return tj_plan_is_valid(plan, klass) ? plan : Qnil;
}

static void remember(tj_writer *w, const tj_found_serializer *found, VALUE path)
{
    VALUE map = ((tj_value_site *)RTYPEDDATA_DATA(found->site))->map;
    if (NIL_P(found->plan)) return;
    if (NIL_P(map) ? NIL_P(path)
                   : rb_hash_lookup2(map, found->type, Qundef) != found->serializer_class)
        return;
    *tj_recent_serializer_at(w->pool, found->site, found->type) =
        (tj_recent_serializer){found->site, found->type, found->plan, path};
}

/* `type`: the class that the value says it has. */
static tj_found_serializer find(tj_writer *w, VALUE site_object, VALUE s, VALUE value, VALUE type)
{
    const tj_value_site *site = RTYPEDDATA_DATA(site_object);
    if (TJ_UNLIKELY(!NIL_P(site->chooser))) return found_by_choice(w, site, s, value);
    const tj_found_serializer *kept = tj_serializers_at(&w->serializers, site_object, type);
    if (kept && kept->site) return *kept;
    tj_found_serializer found = {.site = site_object, .type = type};
    found.plan = recent_plan(w, site_object, type);
    if (TJ_LIKELY(!NIL_P(found.plan))) found.serializer_class = tj_plan_get(found.plan)->klass;
    else {
        VALUE path = Qnil;
        found.serializer_class = serializer_for(w, site, site->map, type, &path);
        found.plan = plan_of(found.serializer_class);
        remember(w, &found, path);
    }
    tj_check_alive(w);
    tj_serializers_keep(&w->serializers, found);
    return found;
}

/* -- writing ----------------------------------------------------------------------------------- */

static VALUE context_of(tj_writer *w, VALUE s)
{
    VALUE context = tj_context_of(w, s);
    return context == Qundef ? Qnil : context;
}

/* The serializer that the Plan's code takes. */
static VALUE helper_for(tj_writer *w, const tj_plan *plan, VALUE s)
{
    if (!plan->serializer || (!NIL_P(s) && rb_obj_class(s) == plan->klass)) return s;
    return tj_helper_of(w, plan->klass, context_of(w, s));
}

static void write_found(tj_writer *w, const tj_found_serializer *found, VALUE s, VALUE value)
{
    if (TJ_UNLIKELY(NIL_P(found->plan))) {
        tj_write_by(w, found->serializer_class, value, context_of(w, s), 0);
        return;
    }
    VALUE before = w->plan, plan = found->plan, helper = helper_for(w, tj_plan_get(plan), s);
    w->plan = plan;
    tj_write_one(w, plan, helper, value, Qnil);
    tj_check_alive(w);
    w->plan = before;
    RB_GC_GUARD(helper);
}

/* `known`: of the elements so far, CLASS_OF of some that say their class. */
#define MOST_KNOWN 4
struct elements {
    VALUE site, s, known[MOST_KNOWN];
};

static VALUE type_of_element(struct elements *elements, VALUE value)
{
    VALUE klass = CLASS_OF(value), *known = elements->known;
    for (int i = 0; i < MOST_KNOWN; i++)
        if (known[i] == klass) return rb_obj_class(value);
    if (!tj_says_its_class(value)) return tj_class_of_value(value);
    for (int i = MOST_KNOWN - 1; i > 0; i--) known[i] = known[i - 1];
    known[0] = klass;
    return rb_obj_class(value);
}

static void write_element(tj_writer *w, VALUE value, void *data)
{
    struct elements *elements = data;
    if (NIL_P(value)) {
        tj_begin_value(w);
        tj_write_value(w, Qnil);
        tj_end_element(w);
        return;
    }
    const tj_value_site *site = RTYPEDDATA_DATA(elements->site);
    VALUE type = NIL_P(site->chooser) ? type_of_element(elements, value) : Qnil;
    tj_found_serializer found = find(w, elements->site, elements->s, value, type);
    write_found(w, &found, elements->s, value);
}

/* Whether CLASS_OF is the same for all elements. There is at least one. */
static bool is_of_one_class(VALUE array)
{
    VALUE klass = CLASS_OF(RARRAY_AREF(array, 0));
    for (long i = RARRAY_LEN(array) - 1; i > 0; i--)
        if (CLASS_OF(RARRAY_AREF(array, i)) != klass) return false;
    return true;
}

/* Elements of an Array that are of one class are written by its Plan, without a question to each.
 * They are those of a copy, because a getter may put others into the Array. Returns false if each
 * must be asked. */
static bool wrote_as_one(tj_writer *w, VALUE site_object, VALUE s, VALUE elements)
{
    const tj_value_site *site = RTYPEDDATA_DATA(site_object);
    if (!RB_TYPE_P(elements, T_ARRAY) || !NIL_P(site->chooser)) return false;
    if (RARRAY_LEN(elements) == 0) return false;
    VALUE copy = rb_ary_dup(elements), first = RARRAY_AREF(copy, 0);
    if (!is_of_one_class(copy) || !tj_says_its_class(first)) return false;
    tj_found_serializer found = find(w, site_object, s, first, rb_obj_class(first));
    if (NIL_P(found.plan)) return false;
    VALUE before = w->plan, helper = helper_for(w, tj_plan_get(found.plan), s);
    w->plan = found.plan;
    tj_write_many(w, found.plan, helper, copy, copy, Qnil);
    w->plan = before;
    RB_GC_GUARD(helper);
    RB_GC_GUARD(copy);
    return true;
}

static void write_many(tj_writer *w, VALUE site, VALUE s, VALUE many)
{
    tj_begin_value(w);
    VALUE elements = tj_begin_many(w, many, TJ_HAS_ONE);
    if (!wrote_as_one(w, site, s, elements)) {
        struct elements each = {.site = site, .s = s};
        tj_each(w, RTEST(elements) ? elements : many, write_element, &each, sizeof each);
    }
    tj_check_alive(w);
    tj_close_list(w);
}

/* The code that can write the value without more than `s`; else Qnil. */
static VALUE code_for(const tj_found_serializer *found, VALUE s, VALUE value)
{
    if (NIL_P(found->plan)) return Qnil;
    const tj_plan *plan = tj_plan_get(found->plan);
    bool helps = !plan->serializer || (!NIL_P(s) && rb_obj_class(s) == plan->klass);
    return helps && !RB_TYPE_P(value, T_HASH) ? plan->code : Qnil;
}

VALUE tj_write_by_site(tj_writer *w, VALUE site_object, VALUE s, VALUE value, VALUE said)
{
    const tj_value_site *site = RTYPEDDATA_DATA(site_object);
    if (site->many || (!site->one && tj_is_many(value))) write_many(w, site_object, s, value);
    else {
        VALUE type = RB_TYPE_P(said, T_CLASS) ? said : rb_obj_class(value);
        tj_found_serializer found = find(w, site_object, s, value, type);
        VALUE code = code_for(&found, s, value);
        if (TJ_LIKELY(!NIL_P(code))) {
            tj_top(&w->grammar)->around = w->plan;
            w->plan = found.plan;
            return code;
        }
        write_found(w, &found, s, value);
    }
    tj_close_slot(w, true);
    RB_GC_GUARD(value);
    RB_GC_GUARD(site_object);
    return Qnil;
}
