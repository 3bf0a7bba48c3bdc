/* Classes. ToJson::Writer: what generated code calls. Users never hold one. */
#include "classes.h"

#include "../glue/plan.h"
#include "../glue/pool.h"
#include "../glue/serializer.h"

static VALUE writer_emit(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = rb_check_typeddata(self, &tj_writer_type);
    if (argc < 1) rb_error_arity(argc, 1, UNLIMITED_ARGUMENTS);
    if (TJ_UNLIKELY(w->trouble)) tj_raise_trouble(self, w);
    tj_emit(w, rb_check_typeddata(argv[0], &tj_plan_type), argc - 1, argv + 1);
    return Qnil;
}

/* For tests: new Writers of this Ractor begin with `capacity` bytes and deliver chunks of `chunk`. */
static VALUE writer_s_sizes(VALUE klass, VALUE capacity, VALUE chunk)
{
    (void)klass;
    tj_pool_sizes(NUM2SIZET(capacity), NUM2SIZET(chunk));
    return Qnil;
}

static VALUE writer_s_simd(VALUE klass)
{
    (void)klass;
    return rb_str_new_cstr(tj_simd_name());
}

void tj_define_writer(void)
{
    VALUE klass = rb_const_get(tj_mToJson, rb_intern("Writer"));
    rb_define_method(klass, "emit", writer_emit, -1);
    rb_define_singleton_method(klass, "sizes", writer_s_sizes, 2);
    rb_define_singleton_method(klass, "simd", writer_s_simd, 0);
}
