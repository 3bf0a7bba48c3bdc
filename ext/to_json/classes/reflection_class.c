/* Classes. ToJson::Reflection: asks Ruby about a user's object, and never the object itself, whose
 * class may have redefined `class`, `name` or `method`.
 *
 * This is C because Ruby's own way is not safe in Ractors. UnboundMethod#bind_call of a method that
 * a module defines, and Kernel#singleton_class, change what all Ractors share, without a lock. If
 * two Ractors do it at once, the process crashes (seen with 3.4.5; singleton_class with 3.1.2 too):
 *
 *   2.times { Ractor.new { loop { Kernel.instance_method(:class).bind_call(Object.new) } } }; sleep
 *   2.times { Ractor.new { loop { Object.new.singleton_class } } }; sleep */
#include "classes.h"

#include "../writer/contexts.h"

static VALUE reflection_s_class_of(VALUE self, VALUE object)
{
    (void)self;
    return rb_obj_class(object);
}

static VALUE reflection_s_name_of(VALUE self, VALUE module)
{
    (void)self;
    bool fits = RB_TYPE_P(module, T_MODULE) || RB_TYPE_P(module, T_CLASS);
    if (!fits) rb_raise(rb_eTypeError, "a module is due");
    return rb_mod_name(module);
}

/* The Method of an object. Raises NameError if there is none. May run its respond_to_missing?. */
static VALUE reflection_s_method_of(VALUE self, VALUE object, VALUE name)
{
    (void)self;
    return rb_obj_method(object, name);
}

/* The module that defines a method of the object. Raises NameError if only method_missing knows the
 * method. Makes no singleton class. May run Ruby. */
static VALUE reflection_s_owner_of(VALUE self, VALUE object, VALUE name)
{
    (void)self;
    VALUE method = rb_funcall(CLASS_OF(object), rb_intern("instance_method"), 1, name);
    return rb_funcall(method, rb_intern("owner"), 0);
}

/* Whether the object responds to a public method. May run its respond_to?. */
static VALUE reflection_s_answers_p(VALUE self, VALUE object, VALUE name)
{
    (void)self;
    return rb_respond_to(object, rb_to_id(name)) ? Qtrue : Qfalse;
}

/* Whether nothing can be read from the context: see tj_context_says_nothing. */
static VALUE reflection_s_says_nothing_p(VALUE self, VALUE context)
{
    (void)self;
    return tj_context_says_nothing(context) ? Qtrue : Qfalse;
}

/* Whether a Hash tells all by its class and its pairs: see tj_has_pairs_only. */
static VALUE reflection_s_pairs_only_p(VALUE self, VALUE hash)
{
    (void)self;
    Check_Type(hash, T_HASH);
    return tj_has_pairs_only(hash) ? Qtrue : Qfalse;
}

/* Whether all state of the object is in its instance variables. An object of a class written in C,
 * such as an exception, may have more. */
static VALUE reflection_s_variables_only_p(VALUE self, VALUE object)
{
    (void)self;
    bool exception = RTEST(rb_obj_is_kind_of(object, rb_eException));
    return RB_TYPE_P(object, T_OBJECT) && !exception ? Qtrue : Qfalse;
}

/* Whether the object has a class of its own, as after `def object.name` or `object.extend`. */
static VALUE reflection_s_singleton_p(VALUE self, VALUE object)
{
    (void)self;
    return CLASS_OF(object) != rb_obj_class(object) ? Qtrue : Qfalse;
}

void tj_define_reflection(void)
{
    VALUE module = rb_define_module_under(tj_mToJson, "Reflection");
    rb_define_singleton_method(module, "class_of", reflection_s_class_of, 1);
    rb_define_singleton_method(module, "name_of", reflection_s_name_of, 1);
    rb_define_singleton_method(module, "method_of", reflection_s_method_of, 2);
    rb_define_singleton_method(module, "owner_of", reflection_s_owner_of, 2);
    rb_define_singleton_method(module, "answers?", reflection_s_answers_p, 2);
    rb_define_singleton_method(module, "pairs_only?", reflection_s_pairs_only_p, 1);
    rb_define_singleton_method(module, "variables_only?", reflection_s_variables_only_p, 1);
    rb_define_singleton_method(module, "singleton?", reflection_s_singleton_p, 1);
    rb_define_singleton_method(module, "says_nothing?", reflection_s_says_nothing_p, 1);
}
