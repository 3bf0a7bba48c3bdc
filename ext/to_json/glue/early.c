/* Glue. The first objects of a Plan, before its code is generated: the same Part, and the same calls of the same getters in the same order. Most serializers of an
 * application write no more than some objects in a process: in tests, in commands, in the first moments of a worker. That is for classes that declare nothing but
 * names, and until they write an Array of objects; all others are compiled at once. A class of three fields takes 10 us for its first object by this way, 190 by
 * generated code (3.1), a third of it Ruby's parser. */
#include "early.h"

#include "document.h"
#include "errors.h"
#include "item.h"
#include "many.h"
#include "pointing.h"
#include "pool.h"

unsigned tj_early_objects = 2; /* the entries of entry.rb, 24 calls later, still come before YJIT compiles what calls json!, at the 30th */

static VALUE mPlanCache, mEntry, cSerializer, cField, cPart, none, sym_attribute, sym_root, sym_serialize;
static ID id_default_now, id_public_send, id_declared, id_plans, id_body, id_steps, id_views, id_settings, id_kind, id_reader, id_as, id_conditions, id_skip,
    id_default, id_source, id_name, id_instance_method, id_owner, id_effective_rules, id_recount;

static VALUE constant(VALUE home, const char *name)
{
    VALUE found = rb_const_get(home, rb_intern(name));
    rb_gc_register_mark_object(found); /* defined in Ruby: compaction would move it */
    return found;
}

static VALUE symbol(const char *name)
{
    VALUE made = ID2SYM(rb_intern(name));
    rb_gc_register_mark_object(made);
    return made;
}

void tj_early_init(void)
{
    const struct {
        ID *id;
        const char *name;
    } ids[] = {
        {&id_default_now, "default_now"}, {&id_public_send, "public_send"}, {&id_declared, "@to_json_declared"}, {&id_plans, "@to_json_plans"},
        {&id_body, "body"}, {&id_steps, "steps"}, {&id_views, "views"}, {&id_settings, "settings"}, {&id_kind, "kind"},
        {&id_reader, "reader"}, {&id_as, "as"}, {&id_conditions, "conditions"}, {&id_skip, "skip"}, {&id_default, "default"}, {&id_source, "source"},
        {&id_name, "name"}, {&id_instance_method, "instance_method"}, {&id_owner, "owner"}, {&id_effective_rules, "effective_rules"}, {&id_recount, "recount"},
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) *ids[i].id = rb_intern(ids[i].name);
    rb_gc_register_mark_object(mPlanCache = rb_define_module_under(tj_mToJson, "PlanCache"));
    rb_gc_register_mark_object(mEntry = rb_define_module_under(tj_mToJson, "Entry"));
    cSerializer = constant(tj_mToJson, "Serializer");
    cPart = constant(tj_mToJson, "Part");
    sym_attribute = symbol("attribute");
    sym_root = symbol("root");
    sym_serialize = symbol("serialize");
}

/* -- which classes begin so --------------------------------------------------------------------------- */

/* What only Ruby defines, and behind us. */
static TJ_COLD void find_fields_cold(void)
{
    cField = constant(tj_mToJson, "Field");
    none = constant(cField, "NONE");
}

/* An attribute that is nothing but a name. */
static bool is_plain(VALUE field)
{
    return rb_obj_class(field) == cField && rb_funcall(field, id_kind, 0) == sym_attribute && NIL_P(rb_funcall(field, id_reader, 0)) &&
           NIL_P(rb_funcall(field, id_as, 0)) && RARRAY_LEN(rb_funcall(field, id_conditions, 0)) == 0 && NIL_P(rb_funcall(field, id_skip, 0)) &&
           rb_funcall(field, id_default, 0) == none;
}

/* What the class itself has declared (lib/to_json/declared.rb), where those above it have nothing; else nil. */
static VALUE own_declarations(VALUE serializer_class)
{
    VALUE above = rb_class_superclass(serializer_class);
    while (above != cSerializer && !NIL_P(above) && NIL_P(rb_ivar_get(above, id_declared))) above = rb_class_superclass(above);
    return above == cSerializer ? rb_ivar_get(serializer_class, id_declared) : Qnil;
}

static bool has_serialize(VALUE serializer_class)
{
    return rb_funcall(rb_funcall(serializer_class, id_instance_method, 1, sym_serialize), id_owner, 0) != cSerializer;
}

/* The Part of these steps; nil where one is more than a name, or the class has a method of that name, which may serve the field instead of the object. */
static VALUE part_of(VALUE serializer_class, VALUE steps)
{
    VALUE sources[TJ_PART_SLOTS], names[TJ_PART_SLOTS];
    long count = RARRAY_LEN(steps);
    if (count == 0 || count > TJ_PART_SLOTS) return Qnil;
    for (long i = 0; i < count; i++) {
        VALUE field = RARRAY_AREF(steps, i);
        if (!is_plain(field)) return Qnil;
        sources[i] = rb_funcall(field, id_source, 0);
        names[i] = rb_funcall(field, id_name, 0);
        if (rb_method_boundp(serializer_class, rb_sym2id(sources[i]), 0)) return Qnil;
    }
    VALUE part = tj_part_of_fields(cPart, (int)count, sources, names);
    RB_GC_GUARD(steps);
    return part;
}

VALUE tj_early_plan(const tj_pool *pool, VALUE serializer_class)
{
    if (!tj_early_objects || !pool->main || RB_OBJ_FROZEN(serializer_class)) return Qnil;
    if (!RTEST(rb_class_inherited_p(serializer_class, cSerializer)) || !NIL_P(rb_ivar_get(serializer_class, id_plans))) return Qnil;
    VALUE declared = own_declarations(serializer_class);
    if (NIL_P(declared)) return Qnil;
    if (TJ_UNLIKELY(!cField)) find_fields_cold();
    unsigned long epoch = tj_epoch;
    tj_plan_use(serializer_class); /* first: what is declared meanwhile, by another thread, begins an epoch */
    VALUE settings = rb_funcall(declared, id_settings, 0), root = rb_hash_lookup2(settings, sym_root, Qnil);
    if (RHASH_SIZE(settings) > (size_t)RB_TYPE_P(root, T_ARRAY) || RHASH_SIZE(rb_funcall(declared, id_views, 0)) > 0 || has_serialize(serializer_class)) return Qnil;
    VALUE part = part_of(serializer_class, rb_funcall(rb_funcall(declared, id_body, 0), id_steps, 0));
    if (NIL_P(part)) return Qnil;
    VALUE plan = tj_plan_new_early(serializer_class, part, root, rb_funcall(tj_mToJson, id_effective_rules, 1, serializer_class), epoch);
    rb_funcall(mEntry, id_recount, 1, serializer_class);
    if (!NIL_P(rb_ivar_get(serializer_class, id_plans))) return Qnil; /* another thread has compiled it meanwhile */
    tj_plan_keep(serializer_class, plan);
    RB_GC_GUARD(part);
    RB_GC_GUARD(declared);
    return plan;
}

/* -- what they write ------------------------------------------------------------------------------------ */

bool tj_early_compile(VALUE plan_object)
{
    tj_plan *plan = RTYPEDDATA_DATA(plan_object);
    tj_pool *pool = tj_pool_current();
    if (!pool->main || plan->epoch != tj_epoch) return false;
    VALUE compiled = rb_funcall(mPlanCache, id_default_now, 1, plan->klass);
    if (!RTEST(compiled)) return false;
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
    if (TJ_UNLIKELY(!rb_method_boundp(klass, id, TJ_PUBLICLY) && rb_method_boundp(klass, id, 0) && rb_method_boundp(klass, id_public_send, TJ_PUBLICLY)))
        return rb_funcallv_public(object, id_public_send, 1, &source);
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
