/* Classes. ToJson::Rules: made from checked options, see lib/to_json/rules.rb. */
#include "classes.h"

static VALUE rules_s_from(VALUE klass, VALUE options) { return tj_rules_new(klass, options); }

void tj_define_rules(void)
{
    VALUE klass = rb_define_class_under(tj_mToJson, "Rules", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_private_method(rb_singleton_class(klass), "from_checked", rules_s_from, 1);
}
