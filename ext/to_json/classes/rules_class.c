/* Classes. ToJson::Rules; lib/to_json/values/rules.rb checks the options. */
#include "classes.h"

#include "../plans/plan.h"
#include "../writer/pool.h"

static VALUE rules_s_from(VALUE klass, VALUE options)
{
    return tj_rules_new(klass, options, tj_pool_current()->main);
}

static VALUE rules_to_h(VALUE self) { return tj_rules_get(self)->options; }

static VALUE to_json_s_default_rules(VALUE self)
{
    (void)self;
    return tj_default_rules;
}

/* lib/to_json/values/rules.rb has made the Rules, and refuses other Ractors. */
static VALUE to_json_s_keep_default_rules(VALUE self, VALUE rules)
{
    (void)self;
    tj_rules_get(rules);
    return tj_default_rules = rules;
}

/* How often any class was given Rules. What was read of a class is valid while this number is the
 * same. */
static VALUE to_json_s_rules_changes(VALUE self)
{
    (void)self;
    return ULONG2NUM(tj_rules_changes());
}

/* The Rules of a class, its subclasses, or all that include a module have changed. */
static void rules_changed(VALUE module)
{
    tj_rules_change();
    if (!tj_pool_current()->main) return;
    if (!RB_TYPE_P(module, T_CLASS) || tj_plan_used(module)) tj_epoch++;
}

static VALUE to_json_s_forget_effective_rules(VALUE self, VALUE module)
{
    (void)self;
    rules_changed(module);
    return Qnil;
}

/* give_rules(class or module, rules): one call of C, which no interrupt can cut in two. */
static VALUE to_json_s_give_rules(VALUE self, VALUE module, VALUE rules)
{
    (void)self;
    if (!RB_TYPE_P(module, T_MODULE)) Check_Type(module, T_CLASS);
    tj_rules_get(rules);
    rb_ivar_set(module, rb_intern("@to_json_rules"), rules);
    rules_changed(module);
    return rules;
}

void tj_define_rules(void)
{
    tj_rules_init();
    rb_define_private_method(rb_singleton_class(tj_mToJson), "rules_changes",
                             to_json_s_rules_changes, 0);
    rb_define_singleton_method(tj_mToJson, "forget_effective_rules",
                               to_json_s_forget_effective_rules, 1);
    rb_define_singleton_method(tj_mToJson, "give_rules", to_json_s_give_rules, 2);
    rb_define_singleton_method(tj_mToJson, "default_rules", to_json_s_default_rules, 0);
    rb_define_private_method(rb_singleton_class(tj_mToJson), "keep_default_rules",
                             to_json_s_keep_default_rules, 1);
    VALUE klass = rb_define_class_under(tj_mToJson, "Rules", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_method(klass, "to_h", rules_to_h, 0);
    rb_define_private_method(rb_singleton_class(klass), "from_checked", rules_s_from, 1);
}
