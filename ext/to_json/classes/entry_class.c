/* Classes. ToJson::Entry: what generated entries (lib/to_json/entry.rb) call, and when they are generated. */
#include "../glue/serializer.h"
#include "classes.h"
#include "entry_class.h"

static VALUE mEntry;
static ID id_calls, id_generate, id_wanted;
static long calls_before = 100; /* classes made for one request never have so many */

static TJ_COLD void count_call_cold(VALUE klass, VALUE calls)
{
    if (RB_OBJ_FROZEN(klass) || !RTEST(rb_funcall(mEntry, id_wanted, 0))) return;
    long count = NIL_P(calls) ? 1 : FIX2LONG(calls) + 1;
    rb_ivar_set(klass, id_calls, count < calls_before ? LONG2FIX(count) : Qtrue);
    if (count >= calls_before) rb_funcall(mEntry, id_generate, 1, klass);
}

/* The class keeps nil: none yet; a number: so many; true: that is decided. */
void tj_count_call(VALUE klass)
{
    if (!calls_before) return;
    VALUE calls = rb_ivar_get(klass, id_calls);
    if (TJ_UNLIKELY(calls != Qtrue)) count_call_cold(klass, calls);
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
    return TJ_LIKELY(argc == 1 && tj_open_document(self, argv[0])) ? Qtrue : Qfalse;
}

static VALUE close_self(int argc, VALUE *argv, VALUE self)
{
    (void)argc;
    (void)argv;
    return tj_close_document(self);
}

static VALUE drop_self(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    tj_drop_document(self, argc ? argv[0] : Qnil);
    return Qnil;
}

/* The class's calls are counted anew. */
static VALUE entry_s_recount(VALUE module, VALUE klass)
{
    (void)module;
    if (RTEST(rb_ivar_get(klass, id_calls))) rb_ivar_set(klass, id_calls, Qnil);
    return Qnil;
}

/* For tests: an entry is generated after so many calls; 0: none. */
static VALUE entry_s_calls_before(VALUE module, VALUE count)
{
    (void)module;
    calls_before = NUM2LONG(count);
    return count;
}

void tj_define_entry(void)
{
    id_calls = rb_intern("__to_json_calls"); /* no @: hidden */
    id_generate = rb_intern("generate");
    id_wanted = rb_intern("wanted?");
    mEntry = rb_define_module_under(tj_mToJson, "Entry");
    rb_define_singleton_method(mEntry, "recount", entry_s_recount, 1);
    rb_define_singleton_method(mEntry, "calls_before=", entry_s_calls_before, 1);
    VALUE mOpening = rb_define_module_under(mEntry, "Opening"), mWriting = rb_define_module_under(mEntry, "Writing");
    rb_define_private_method(mOpening, "__open_document", open_new, -1);
    rb_define_private_method(mWriting, "__open_document", open_self, -1);
    rb_define_private_method(mWriting, "__close_document", close_self, -1);
    rb_define_private_method(mWriting, "__drop_document", drop_self, -1);
}
