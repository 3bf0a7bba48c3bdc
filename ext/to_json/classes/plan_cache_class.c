/* Classes. The C half of ToJson::PlanCache, Lookup and ValueSite, which find the Plan of a class or
 * of a value. Also the words private, public and protected of a class body, which tell PlanCache of
 * a change. */
#include "classes.h"

#include "../documents/lookup.h"
#include "../documents/value_site.h"
#include "../plans/choices.h"
#include "../plans/named_fields.h"
#include "../plans/plan.h"

static VALUE cache_s_epoch(VALUE module)
{
    (void)module;
    return ULONG2NUM(tj_epoch);
}

/* The Plan of calls without view:, only: and except:. Returns false if nothing is declared. May run
 * Ruby. */
static VALUE cache_s_plan_of(VALUE module, VALUE serializer_class)
{
    (void)module;
    Check_Type(serializer_class, T_CLASS);
    return tj_plan_of(serializer_class);
}

/* Begins a new epoch: every Plan is compiled again at its next use. */
static VALUE cache_s_next_epoch(VALUE module)
{
    (void)module;
    tj_epoch++;
    return Qnil;
}

static VALUE cache_s_use(VALUE module, VALUE serializer_class)
{
    (void)module;
    Check_Type(serializer_class, T_CLASS);
    tj_plan_use(serializer_class);
    return Qnil;
}

static VALUE cache_s_keep(VALUE module, VALUE serializer_class, VALUE plan)
{
    (void)module;
    Check_Type(serializer_class, T_CLASS);
    rb_check_typeddata(plan, &tj_plan_type);
    tj_plan_keep(serializer_class, plan);
    return plan;
}

/* choose(serializer_class, view, only, except, pairs): [plan, mask], kept ones or new ones from
 * resolve */
static VALUE cache_s_choose(VALUE module, VALUE serializer_class, VALUE view, VALUE only,
                            VALUE except, VALUE pairs)
{
    (void)module;
    Check_Type(serializer_class, T_CLASS);
    tj_chosen chosen =
        tj_choose(tj_pool_current(), serializer_class, view, only, except, RTEST(pairs));
    return rb_assoc_new(chosen.plan, chosen.mask);
}

/* For tests: how many choices besides its views a class keeps. */
static VALUE cache_s_choices(VALUE module, VALUE serializer_class)
{
    (void)module;
    Check_Type(serializer_class, T_CLASS);
    return UINT2NUM(tj_choices_count(serializer_class));
}

/* NamedFields.new(unit, plan, whole, apart, {name => bits}, count, epoch): see named_fields.h */
static VALUE named_s_new(int argc, VALUE *argv, VALUE klass)
{
    rb_check_arity(argc, 7, 7);
    return tj_named_fields_new(klass, argv);
}

static VALUE cache_s_most_choices(VALUE module)
{
    (void)module;
    return UINT2NUM(tj_most_choices);
}

static VALUE cache_s_set_most_choices(VALUE module, VALUE most)
{
    (void)module;
    tj_most_choices = NUM2UINT(most);
    return most;
}

/* Methods of blocks. Each is one call of C, in which Ruby neither checks for interrupts nor
 * switches threads (but a TracePoint may run before define_method). */

/* The blocks of a class; the index is the number of a block. A copy of a class has the methods of
 * the original, and so begins with a copy of its list. */
static VALUE blocks_of(VALUE serializer_class)
{
    VALUE kept = rb_ivar_get(serializer_class, rb_intern("@to_json_blocks"));
    if (!NIL_P(kept) && rb_ary_entry(kept, 0) == serializer_class) return rb_ary_entry(kept, 1);
    VALUE blocks = NIL_P(kept) ? rb_ary_new() : rb_ary_dup(rb_ary_entry(kept, 1));
    /* a copy of a frozen class has all methods that it needs */
    if (RB_OBJ_FROZEN(serializer_class)) return blocks;
    rb_ivar_set(serializer_class, rb_intern("@to_json_blocks"),
                rb_obj_freeze(rb_assoc_new(serializer_class, blocks)));
    return blocks;
}

/* block_number(serializer_class, block): the permanent number of the block in its class */
static VALUE cache_s_block_number(VALUE module, VALUE serializer_class, VALUE block)
{
    (void)module;
    Check_Type(serializer_class, T_CLASS);
    VALUE blocks = blocks_of(serializer_class);
    for (long i = 0; i < RARRAY_LEN(blocks); i++)
        if (RARRAY_AREF(blocks, i) == block) return LONG2FIX(i);
    rb_ary_push(blocks, block);
    return LONG2FIX(RARRAY_LEN(blocks) - 1);
}

/* Whether the class itself has the method, not only its superclass. */
static bool has_method(VALUE serializer_class, VALUE name)
{
    if (!rb_method_boundp(serializer_class, rb_sym2id(name), 0)) return false;
    VALUE own = Qfalse;
    return RTEST(rb_ary_includes(rb_class_instance_methods(1, &own, serializer_class), name));
}

/* define_once(serializer_class, name, body): body is a Proc or a method. May run method_added of
 * the class. */
static VALUE cache_s_define_once(VALUE module, VALUE serializer_class, VALUE name, VALUE body)
{
    (void)module;
    Check_Type(serializer_class, T_CLASS);
    Check_Type(name, T_SYMBOL);
    if (!has_method(serializer_class, name))
        rb_funcall(serializer_class, rb_intern("define_method"), 2, name, body);
    return name;
}

/* private, public and protected, for which Ruby has no hook. In C, because without arguments they
 * affect the Ruby method that calls them. May run Ruby. */
static VALUE declarations_visibility(int argc, VALUE *argv, VALUE self)
{
    VALUE result = rb_call_super(argc, argv);
    if (argc > 0)
        rb_funcall(rb_const_get(tj_mToJson, rb_intern("PlanCache")), rb_intern("forget"), 1, self);
    return result;
}

/* Lookup.follow(path): see tj_follow_path */
static VALUE lookup_s_follow(VALUE self, VALUE path)
{
    (void)self;
    return tj_follow_path(path);
}

/* ValueSite.new(serializer_class, map or nil, [method, count of its parameters] or nil, kind) */
static VALUE site_s_new(int argc, VALUE *argv, VALUE klass)
{
    rb_check_arity(argc, 4, 4);
    return tj_value_site_new(klass, argv[0], argv[1], argv[2], argv[3]);
}

void tj_define_plan_cache(void)
{
    VALUE declarations = rb_define_module_under(tj_mToJson, "Declarations");
    rb_define_private_method(declarations, "private", declarations_visibility, -1);
    rb_define_private_method(declarations, "public", declarations_visibility, -1);
    rb_define_private_method(declarations, "protected", declarations_visibility, -1);
    VALUE cache = rb_define_module_under(tj_mToJson, "PlanCache");
    rb_define_singleton_method(cache, "block_number", cache_s_block_number, 2);
    rb_define_singleton_method(cache, "define_once", cache_s_define_once, 3);
    rb_define_singleton_method(cache, "epoch", cache_s_epoch, 0);
    rb_define_singleton_method(cache, "plan_of", cache_s_plan_of, 1);
    rb_define_singleton_method(cache, "next_epoch", cache_s_next_epoch, 0);
    rb_define_private_method(rb_singleton_class(cache), "use", cache_s_use, 1);
    rb_define_singleton_method(cache, "keep", cache_s_keep, 2);
    rb_define_singleton_method(cache, "choose", cache_s_choose, 5);
    rb_define_singleton_method(cache, "choices", cache_s_choices, 1);
    rb_define_singleton_method(cache, "most_choices", cache_s_most_choices, 0);
    rb_define_singleton_method(cache, "most_choices=", cache_s_set_most_choices, 1);
    VALUE named = rb_define_class_under(cache, "NamedFields", rb_cObject);
    rb_undef_alloc_func(named);
    rb_define_singleton_method(named, "new", named_s_new, -1);
    VALUE lookup = rb_define_class_under(tj_mToJson, "Lookup", rb_cObject);
    rb_define_singleton_method(lookup, "follow", lookup_s_follow, 1);
    VALUE site = rb_define_class_under(tj_mToJson, "ValueSite", rb_cObject);
    rb_undef_alloc_func(site);
    rb_define_singleton_method(site, "new", site_s_new, -1);
}
