/* Classes. ToJson::Plan: a compiled Definition; lib/to_json/plans/plan.rb documents it. */
#include "classes.h"

#include "../plans/plan.h"

static VALUE plan_s_new(VALUE klass, VALUE keywords)
{
    Check_Type(keywords, T_HASH);
    return tj_plan_new(klass, keywords);
}

static const tj_plan *plan_of(VALUE self) { return rb_check_typeddata(self, &tj_plan_type); }

static VALUE plan_code(VALUE self) { return plan_of(self)->code; }
static VALUE plan_row(VALUE self) { return plan_of(self)->row; }
static VALUE plan_serializer_class(VALUE self) { return plan_of(self)->klass; }
static VALUE plan_serializer_p(VALUE self) { return plan_of(self)->serializer ? Qtrue : Qfalse; }
static VALUE plan_masked_p(VALUE self) { return plan_of(self)->masked ? Qtrue : Qfalse; }
static VALUE plan_imperative_p(VALUE self) { return plan_of(self)->imperative ? Qtrue : Qfalse; }
static VALUE plan_cached_p(VALUE self) { return plan_of(self)->cached ? Qtrue : Qfalse; }
static VALUE plan_declares_p(VALUE self) { return plan_of(self)->declares ? Qtrue : Qfalse; }
static VALUE plan_document_p(VALUE self) { return plan_of(self)->document ? Qtrue : Qfalse; }
static VALUE plan_helper(VALUE self) { return plan_of(self)->helper; }
static VALUE plan_epoch(VALUE self) { return ULONG2NUM(plan_of(self)->epoch); }

void tj_define_plan(void)
{
    VALUE klass = rb_define_class_under(tj_mToJson, "Plan", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_define_singleton_method(klass, "new", plan_s_new, 1);
    rb_define_method(klass, "code", plan_code, 0);
    rb_define_method(klass, "row", plan_row, 0);
    rb_define_method(klass, "serializer_class", plan_serializer_class, 0);
    rb_define_method(klass, "serializer?", plan_serializer_p, 0);
    rb_define_method(klass, "masked?", plan_masked_p, 0);
    rb_define_method(klass, "imperative?", plan_imperative_p, 0);
    rb_define_method(klass, "cached?", plan_cached_p, 0);
    rb_define_method(klass, "declares?", plan_declares_p, 0);
    rb_define_method(klass, "document?", plan_document_p, 0);
    rb_define_method(klass, "helper", plan_helper, 0);
    rb_define_method(klass, "epoch", plan_epoch, 0);
}
