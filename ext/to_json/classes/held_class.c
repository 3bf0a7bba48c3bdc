/* Classes. ToJson::Held: what lib/to_json/caching/identity.rb asks of an object, and Ruby has no
 * method for. */
#include "classes.h"

/* Whether all state of the object is in its instance variables. An object of a class written in C,
 * such as an exception, may have more. */
static VALUE held_s_plain_p(VALUE self, VALUE object)
{
    (void)self;
    bool exception = RTEST(rb_obj_is_kind_of(object, rb_eException));
    return RB_TYPE_P(object, T_OBJECT) && !exception ? Qtrue : Qfalse;
}

void tj_define_held(void)
{
    VALUE module = rb_define_module_under(tj_mToJson, "Held");
    rb_funcall(tj_mToJson, rb_intern("private_constant"), 1, ID2SYM(rb_intern("Held")));
    rb_define_singleton_method(module, "plain?", held_s_plain_p, 1);
}
