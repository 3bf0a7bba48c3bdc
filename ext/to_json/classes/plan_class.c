/* Classes. ToJson::Plan: opaque to Ruby; the compiler makes it, Writer#emit reads it. */
#include "classes.h"

#include "../glue/plan.h"

static VALUE plan_size(VALUE self)
{
    const tj_plan *plan = rb_check_typeddata(self, &tj_plan_type);
    return UINT2NUM(plan->count);
}

void tj_define_plan(void)
{
    VALUE klass = rb_define_class_under(tj_mToJson, "Plan", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_method(klass, "size", plan_size, 0);
}
