/* Classes. Methods of the class ToJson::Writer itself: what tests and tools ask of this Ractor's
 * Writers and of this build. */
#include "classes.h"

#include "../writer/binding.h"
#include "../writer/path.h"
#include "../writer/pool.h"
#include "../vm/vm.h"

/* For tests: new Writers of this Ractor have buffers of `capacity` bytes and chunks of `chunk`
 * bytes. */
static VALUE pool_sizes(VALUE klass, VALUE capacity, VALUE chunk)
{
    (void)klass;
    tj_pool_sizes(NUM2SIZET(capacity), NUM2SIZET(chunk));
    return Qnil;
}

/* For tests: how often the memory of a document of this Ractor was reallocated. */
static VALUE pool_growths(VALUE klass)
{
    (void)klass;
    return SIZET2NUM(tj_pool_current()->growths);
}

/* For tests: how many documents are at work in this Ractor. */
static VALUE pool_at_work(VALUE klass)
{
    (void)klass;
    return UINT2NUM(tj_pool_at_work(tj_pool_current()));
}

/* watch(on): begins to note the documents at work, for `places`; or ends that */
static VALUE pool_watch(VALUE klass, VALUE on)
{
    (void)klass;
    tj_pool_watch(tj_pool_current(), RTEST(on));
    return Qnil;
}

static void add_place(tj_writer *w, VALUE notes, VALUE places)
{
    if (!RTEST(w->plan) && w->frame_count == 0) return; /* of no serializer, as Rails' encoder's */
    VALUE path = tj_path(w);
    bool due = RTEST(w->plan) && !tj_top(&w->grammar)->label;
    if (due && w->reading) {
        rb_str_cat_cstr(path, ".");
        rb_str_append(path, rb_sym2str(w->reading));
        due = false;
    }
    rb_ary_push(places, rb_ary_new_from_args(3, notes, path, due ? Qtrue : Qfalse));
}

/* places: of each document of a serializer that this Fiber is writing, the outermost first, an
 * Array of a Hash for notes, its path, and whether the field that generated code reads comes below
 * that. Empty unless `watch` is on. */
static VALUE pool_places(VALUE klass)
{
    (void)klass;
    VALUE places = rb_ary_new();
    tj_pool_each_here(tj_pool_current(), add_place, places);
    return places;
}

static VALUE pool_simd(VALUE klass)
{
    (void)klass;
    return rb_str_new_cstr(tj_simd_name());
}

/* Called when a class declares a cache. */
static VALUE pool_expect_captures(VALUE klass)
{
    (void)klass;
    tj_expects_captures = true;
    return Qnil;
}

/* The assumptions of vm/ that are on, and why others are off. */
static VALUE pool_vm(VALUE klass)
{
    (void)klass;
    return tj_vm_report();
}

void tj_define_pool(void)
{
    VALUE writer = rb_const_get(tj_mToJson, rb_intern("Writer"));
    rb_define_singleton_method(writer, "sizes", pool_sizes, 2);
#ifdef TJ_DEBUG
    tj_collecting_init(writer);
#endif
    rb_define_singleton_method(writer, "watch", pool_watch, 1);
    rb_define_singleton_method(writer, "places", pool_places, 0);
    rb_define_singleton_method(writer, "vm", pool_vm, 0);
    rb_define_singleton_method(writer, "growths", pool_growths, 0);
    rb_define_singleton_method(writer, "at_work", pool_at_work, 0);
    rb_define_singleton_method(writer, "simd", pool_simd, 0);
    rb_define_singleton_method(writer, "expect_captures", pool_expect_captures, 0);
}
