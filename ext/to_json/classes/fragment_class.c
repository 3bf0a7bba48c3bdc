/* Classes. ToJson::Fragment; lib/to_json/values/fragment.rb documents it. */
#include "classes.h"

#include "../values/fragment.h"

static VALUE fragment_s_wrap(VALUE klass, VALUE json, VALUE check)
{
    return tj_fragment_new(klass, json, RTEST(check));
}

static VALUE fragment_to_s(VALUE self) { return tj_fragment_text(self); }

void tj_define_fragment(void)
{
    VALUE klass = rb_define_class_under(tj_mToJson, "Fragment", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_private_method(rb_singleton_class(klass), "wrap", fragment_s_wrap, 2);
    rb_define_method(klass, "to_s", fragment_to_s, 0);
}
