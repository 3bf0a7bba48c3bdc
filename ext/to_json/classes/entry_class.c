/* Classes. ToJson::Entry: the methods that generated entries call, see
 * lib/to_json/plans/entry.rb. */
#include "../writer/levels.h"
#include "../plans/item.h"
#include "../documents/direct.h"
#include "../writer/binding.h"
#include "../writer/pool.h"
#include "classes.h"
#include "entry_class.h"
#include "../writer/protect.h"

VALUE tj_entry_nothing;

/* __open_document(scope, **keywords): a new serializer with an open document; false if there are
 * keywords. */
static VALUE open_new(int argc, VALUE *argv, VALUE klass)
{
    if (TJ_UNLIKELY(argc != 1)) return Qfalse;
    tj_pool *pool = tj_pool_current();
    VALUE opened = tj_open_fresh(pool, klass, tj_plan_kept_of(pool, klass), argv[0]);
    if (TJ_LIKELY(RTEST(opened))) tj_writer_behind(opened)->serial = TJ_SERIAL_OF_NEW;
    return opened;
}

/* The same for an instance. Returns the serial number of the document. Raises if another thread has
 * an open document of the instance. */
static VALUE open_self(int argc, VALUE *argv, VALUE self)
{
    tj_pool *pool = tj_pool_current();
    bool opens = TJ_LIKELY(argc == 1) && tj_open_document(pool, self, argv[0]);
    if (TJ_LIKELY(opens)) {
        tj_writer *w = tj_writer_behind(self);
        w->thread = rb_thread_current();
        return LONG2FIX(w->serial = ++pool->serial);
    }
    return Qfalse;
}

/* __document_number: the number of the document that the instance has, 0 if an entry opened none.
 */
static VALUE number_of_self(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    const tj_writer *w = tj_writer_behind(self);
    return LONG2FIX(w ? w->serial : 0);
}

/* __opened_document(before): the number of the document that this thread's entry has opened since
 * __document_number returned `before`, or nil. For an __open_document whose result was not
 * assigned: Ruby checks for interrupts when it pops the frame of a method. */
static VALUE opened_self(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    const tj_writer *w = tj_writer_behind(self);
    bool opened = w && w->serial && w->thread == rb_thread_current();
    return opened && LONG2FIX(w->serial) != argv[0] ? LONG2FIX(w->serial) : Qnil;
}

/* `opened` is the result of __open_document: a new serializer, or the number of a document of
 * `self`. */
TJ_INLINE VALUE serializer_of(VALUE self, VALUE opened) { return FIXNUM_P(opened) ? self : opened; }
TJ_INLINE long serial_of(VALUE opened)
{
    return FIXNUM_P(opened) ? FIX2LONG(opened) : TJ_SERIAL_OF_NEW;
}

/* __close_document(opened) */
static VALUE close_opened(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    VALUE serializer = serializer_of(self, argv[0]);
    const tj_writer *w = tj_writer_behind(serializer);
    if (TJ_UNLIKELY(!w || w->serial != serial_of(argv[0]))) tj_raise_blocked(serializer, NULL);
    return tj_close_document(serializer);
}

/* __drop_document(opened): aborts the document. Does nothing if none is open. */
static VALUE drop_opened(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    if (RTEST(argv[0])) tj_drop_document(serializer_of(self, argv[0]), serial_of(argv[0]), Qnil);
    return Qnil;
}

/* __leave_document(opened, error): aborts the document and raises the exception again, unchanged.
 * `raise` in Ruby would be a second event for TracePoint, would call `exception` of the error, and
 * may be redefined. */
static VALUE leave_opened(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 2, 2);
    if (RTEST(argv[0])) tj_drop_document(serializer_of(self, argv[0]), serial_of(argv[0]), argv[1]);
    rb_set_errinfo(argv[1]);
    rb_jump_tag(TJ_STATE_RAISE);
    return Qnil;
}

/* The String that takes the document, for a call with `count` arguments before its keywords: see
 * tj_open_plan. Qundef if there are other keywords. */
static VALUE into_of(int count, int argc, const VALUE *argv)
{
    if (TJ_LIKELY(argc == count)) return Qfalse;
    return argc == count + 1 && rb_keyword_given_p() ? tj_lone_string(argv[count]) : Qundef;
}

/* __open_plan(plan, object, **keywords): the Writer of a document that the Plan's code writes.
 * false if there are keywords other than into: a String, or the fast path cannot take the
 * object. */
static VALUE open_plan(int argc, VALUE *argv, VALUE klass)
{
    VALUE into = into_of(2, argc, argv);
    return into == Qundef ? Qfalse : tj_open_plan(klass, argv[0], argv[1], into);
}

/* __open_plan_by(plan, object, serializer class, **keywords): the same, but returns a serializer of
 * that class, which is bound to the Writer. */
static VALUE open_plan_by(int argc, VALUE *argv, VALUE klass)
{
    VALUE into = into_of(3, argc, argv);
    if (TJ_UNLIKELY(into == Qundef)) return Qfalse;
    VALUE writer = tj_open_plan(klass, argv[0], argv[1], into);
    if (TJ_UNLIKELY(writer == Qfalse)) return Qfalse;
    tj_writer *w = RTYPEDDATA_DATA(writer);
    VALUE helper = tj_helper_of(w, argv[2], tj_context_of(w, Qnil));
    RB_GC_GUARD(writer); /* nothing else keeps it alive until the helper is bound to it */
    return helper;
}

/* `opened` is a Writer, or a serializer bound to one: no other objects have these methods. NULL if
 * its document has ended. */
static tj_writer *opened_writer(VALUE opened) { return RTYPEDDATA_DATA(opened); }

/* __to_json_last(part, *values), of a Writer or a serializer bound to it: the last call of a
 * document. Ends the open array, if any, the object and the document, and returns the document. */
static VALUE close_plan(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = opened_writer(self);
    if (argc < 1) rb_error_arity(argc, 1, UNLIMITED_ARGUMENTS);
    const tj_part *part = tj_part_of(argv[0]);
    if (TJ_UNLIKELY(!w || (w->blocked & ~(unsigned)TJ_VALUE_DUE))) tj_raise_blocked(self, w);
    if (tj_top(&w->grammar)->kind == TJ_LIST) tj_close_list(w);
    tj_item(w, part, argc - 1, argv + 1);
    return tj_close_plan(w);
}

/* __to_json_drop(): aborts the document that `document` of a Plan's code has opened. Does nothing
 * if it has ended. */
static VALUE drop_plan(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    tj_writer *w = opened_writer(self);
    if (w) tj_drop_plan(w, Qnil);
    return Qnil;
}

/* __to_json_leave(error): does what __leave_document does. */
static VALUE leave_plan(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    tj_writer *w = opened_writer(self);
    if (w) tj_drop_plan(w, argv[0]);
    rb_set_errinfo(argv[0]);
    rb_jump_tag(TJ_STATE_RAISE);
    return Qnil;
}

void tj_define_entry(void)
{
    VALUE mEntry = rb_define_module_under(tj_mToJson, "Entry");
    /* a Hash, for which the fast path always refuses */
    tj_entry_nothing = rb_obj_freeze(rb_hash_new());
    rb_define_const(mEntry, "NOTHING", tj_entry_nothing);
    rb_gc_register_mark_object(tj_entry_nothing);
    /* These methods always exist, because another Ractor may call an entry at the moment it is
     * made. */
    const struct {
        VALUE module;
        VALUE (*open)(int, VALUE *, VALUE);
    } sides[] = {{rb_const_get(tj_mSerialize, rb_intern("ClassMethods")), open_new},
                 {tj_mSerialize, open_self}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        rb_define_private_method(sides[i].module, "__open_document", sides[i].open, -1);
        rb_define_private_method(sides[i].module, "__close_document", close_opened, -1);
        rb_define_private_method(sides[i].module, "__drop_document", drop_opened, -1);
        rb_define_private_method(sides[i].module, "__leave_document", leave_opened, -1);
    }
    rb_define_private_method(tj_mSerialize, "__document_number", number_of_self, -1);
    rb_define_private_method(tj_mSerialize, "__opened_document", opened_self, -1);
    rb_define_private_method(sides[0].module, "__open_plan", open_plan, -1);
    rb_define_private_method(sides[0].module, "__open_plan_by", open_plan_by, -1);
    VALUE opened[] = {rb_const_get(tj_mToJson, rb_intern("Serializer")),
                      rb_const_get(tj_mToJson, rb_intern("Writer"))};
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) {
        rb_define_method(opened[i], "__to_json_last", close_plan, -1);
        rb_define_method(opened[i], "__to_json_drop", drop_plan, -1);
        rb_define_method(opened[i], "__to_json_leave", leave_plan, -1);
    }
}
