/* Classes. ToJson::Rules: made from checked options, see lib/to_json/values/rules.rb. */
#include "classes.h"

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

/* lib/to_json/values/rules.rb has made Rules of whatever was given, and refuses other Ractors. */
static VALUE to_json_s_keep_default_rules(VALUE self, VALUE rules)
{
    (void)self;
    tj_rules_get(rules);
    return tj_default_rules = rules;
}

void tj_define_rules(void)
{
    tj_rules_init();
    rb_define_singleton_method(tj_mToJson, "default_rules", to_json_s_default_rules, 0);
    rb_define_private_method(rb_singleton_class(tj_mToJson), "keep_default_rules", to_json_s_keep_default_rules, 1);
    VALUE klass = rb_define_class_under(tj_mToJson, "Rules", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_method(klass, "to_h", rules_to_h, 0);
    rb_define_private_method(rb_singleton_class(klass), "from_checked", rules_s_from, 1);
}
