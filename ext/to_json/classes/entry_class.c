/* Classes. ToJson::Entry: what generated entries (lib/to_json/entry.rb) call, and when they are generated. */
#include "../glue/block_frame.h"
#include "../glue/document.h"
#include "../glue/pool.h"
#include "../glue/serializer.h"
#include "classes.h"
#include "entry_class.h"

static VALUE mEntry;
static ID id_calls, id_generate;
static const tj_pool *main_pool; /* only the main Ractor may change classes */
static long calls_before;        /* 0: no entries. Classes that are made for one request never have so many */

#define TIMES_ASKED 3 /* YJIT may be switched on late, but not for ever */

/* The class keeps nil: not called yet; a number: so many calls; true: decided. Never raises. */
static TJ_COLD void count_call_cold(VALUE klass, VALUE calls, VALUE object)
{
    if (RB_OBJ_FROZEN(klass) || tj_pool_current() != main_pool) return;
    long count = NIL_P(calls) ? 1 : FIX2LONG(calls) + 1;
    rb_ivar_set(klass, id_calls, count < calls_before * TIMES_ASKED ? LONG2FIX(count) : Qtrue);
    if (count % calls_before == 0 && RTEST(rb_funcall(mEntry, id_generate, 2, klass, object == Qundef ? Qnil : rb_obj_class(object)))) rb_ivar_set(klass, id_calls, Qtrue);
}

void tj_count_call(VALUE klass, VALUE object)
{
    if (!calls_before) return;
    VALUE calls = rb_ivar_get(klass, id_calls);
    if (TJ_UNLIKELY(calls != Qtrue)) count_call_cold(klass, calls, object);
}

/* __open_document(scope, **keywords): a new serializer with an open document; false where there are keywords. */
static VALUE open_new(int argc, VALUE *argv, VALUE klass)
{
    if (TJ_UNLIKELY(argc != 1)) return Qfalse;
    VALUE self = tj_fresh_serializer(klass);
    return TJ_LIKELY(tj_open_document(self, argv[0])) ? self : Qfalse;
}

/* The same for an instance. */
static VALUE open_self(int argc, VALUE *argv, VALUE self)
{
    return TJ_LIKELY(argc == 1 && tj_open_document(self, argv[0])) ? self : Qfalse;
}

/* __close_document(opened) */
static VALUE close_opened(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 1, 1);
    return tj_close_document(argv[0]);
}

/* __drop_document(opened): where it was left by anything. Nothing to do where none was opened, or no longer. */
static VALUE drop_opened(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 1, 1);
    if (RTEST(argv[0])) tj_drop_document(argv[0], Qnil);
    return Qnil;
}

/* __leave_document(opened, error): drops it and lets the exception go on as it is: `raise` would be another event for
 * TracePoint, ask the exception for another one, and may be a method of the user's. */
static VALUE leave_opened(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 2, 2);
    if (RTEST(argv[0])) tj_drop_document(argv[0], argv[1]);
    rb_set_errinfo(argv[1]);
    rb_jump_tag(TJ_STATE_RAISE);
    return Qnil;
}

/* __open_plan(plan, object, **keywords): the Writer of a document that the Plan's code writes; false where there are keywords,
 * and for what takes more. */
static VALUE open_plan(int argc, VALUE *argv, VALUE klass)
{
    if (TJ_UNLIKELY(argc != 2)) return Qfalse;
    return tj_open_plan(klass, argv[0], argv[1], true);
}

/* The same for an object that the entry has found to be one. */
static VALUE open_plan_one(int argc, VALUE *argv, VALUE klass)
{
    if (TJ_UNLIKELY(argc != 2)) return Qfalse;
    return tj_open_plan(klass, argv[0], argv[1], false);
}

static tj_writer *opened_writer(int argc, VALUE *argv, int count)
{
    rb_check_arity(argc, count, count);
    VALUE w = argv[0];
    if (TJ_LIKELY(RB_TYPE_P(w, T_DATA) && RTYPEDDATA_P(w) && RTYPEDDATA_TYPE(w) == &tj_writer_type)) return RTYPEDDATA_DATA(w);
    return rb_check_typeddata(w, &tj_writer_type);
}

static VALUE close_plan(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    return tj_close_plan(opened_writer(argc, argv, 1));
}

static VALUE drop_plan(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    if (argc > 0 && RTEST(argv[0])) tj_drop_plan(opened_writer(argc, argv, 1), Qnil);
    return Qnil;
}

/* As __leave_document. */
static VALUE leave_plan(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 2, 2);
    if (RTEST(argv[0])) tj_drop_plan(opened_writer(argc, argv, 2), argv[1]);
    rb_set_errinfo(argv[1]);
    rb_jump_tag(TJ_STATE_RAISE);
    return Qnil;
}

/* The class's calls are counted anew. */
static VALUE entry_s_recount(VALUE module, VALUE klass)
{
    (void)module;
    if (RTEST(rb_ivar_get(klass, id_calls)) && !RB_OBJ_FROZEN(klass)) rb_ivar_set(klass, id_calls, Qnil);
    return Qnil;
}

/* Whether Ruby's frames are known, by which a call knows the document that it opened. */
static VALUE entry_s_frames_p(VALUE module)
{
    (void)module;
    return tj_plain_frame ? Qtrue : Qfalse;
}

/* Entries are generated after so many calls; 0: none. Tests make it 1. */
static VALUE entry_s_calls_before(VALUE module, VALUE count)
{
    (void)module;
    calls_before = tj_plain_frame ? NUM2LONG(count) : 0;
    return count;
}

void tj_define_entry(void)
{
    main_pool = tj_pool_current();
    id_calls = rb_intern("__to_json_calls"); /* no @: hidden */
    id_generate = rb_intern("generate");
    mEntry = rb_define_module_under(tj_mToJson, "Entry");
    rb_define_singleton_method(mEntry, "recount", entry_s_recount, 1);
    rb_define_singleton_method(mEntry, "frames_known?", entry_s_frames_p, 0);
    rb_define_singleton_method(mEntry, "calls_before=", entry_s_calls_before, 1);
    /* Always there, for another Ractor may call an entry in the very moment in which it comes. */
    const struct {
        VALUE module;
        VALUE (*open)(int, VALUE *, VALUE);
    } sides[] = {{rb_const_get(tj_mSerialize, rb_intern("ClassMethods")), open_new}, {tj_mSerialize, open_self}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        rb_define_private_method(sides[i].module, "__open_document", sides[i].open, -1);
        rb_define_private_method(sides[i].module, "__close_document", close_opened, -1);
        rb_define_private_method(sides[i].module, "__drop_document", drop_opened, -1);
        rb_define_private_method(sides[i].module, "__leave_document", leave_opened, -1);
    }
    rb_define_private_method(sides[0].module, "__open_plan", open_plan, -1);
    rb_define_private_method(sides[0].module, "__open_plan_one", open_plan_one, -1);
    rb_define_private_method(sides[0].module, "__close_plan", close_plan, -1);
    rb_define_private_method(sides[0].module, "__drop_plan", drop_plan, -1);
    rb_define_private_method(sides[0].module, "__leave_plan", leave_plan, -1);
}
