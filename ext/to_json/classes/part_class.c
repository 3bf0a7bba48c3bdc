/* Classes. ToJson::Part: opaque to Ruby. The compiler makes it, Writer#item reads it. */
#include "classes.h"

#include "../plans/part.h"

static VALUE part_size(VALUE self)
{
    const tj_part *part = rb_check_typeddata(self, &tj_part_type);
    return UINT2NUM(part->values);
}

static VALUE part_s_new(VALUE klass, VALUE flags, VALUE ops)
{
    return tj_part_new(klass, flags, ops);
}

void tj_define_part(void)
{
    VALUE klass = rb_define_class_under(tj_mToJson, "Part", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_singleton_method(klass, "new", part_s_new, 2);
    rb_define_method(klass, "size", part_size, 0);
}
