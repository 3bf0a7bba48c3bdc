/* Classes. The methods of a Writer that `document` of a Plan's code calls. See
 * lib/to_json/compiling/document_code.rb. */
#include "../documents/direct.h"
#include "../plans/item.h"
#include "../plans/item_values.h"
#include "../writer/levels.h"
#include "../writer/protect.h"
#include "classes.h"

/* __to_json_last(opened, part, *values): the last call of a document. Ends the array or the slot
 * that is open; if `opened` is nil, none is. Then writes the Part, which ends the object, and ends
 * the document. Returns the document, or its values: see tj_run_one. */
static VALUE close_plan(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = RTYPEDDATA_DATA(self); /* only Writers have these methods */
    if (argc < 2) rb_error_arity(argc, 2, UNLIMITED_ARGUMENTS);
    const tj_part *part = tj_part_of(argv[1]);
    if (TJ_UNLIKELY(w->blocked & ~(unsigned)TJ_VALUE_DUE)) tj_raise_blocked(self, w);
    if (!NIL_P(argv[0])) tj_close_item(w);
    if (TJ_UNLIKELY(w->values)) {
        VALUE values = tj_item_values(w, part, argc - 2, argv + 2);
        if (values != Qundef) {
            tj_leave_plan(w);
            return values;
        }
    }
    tj_item(w, part, argc - 2, argv + 2);
    return tj_close_plan(w);
}

/* __to_json_drop(): aborts the document that `document` of a Plan's code has opened. Does nothing
 * if it has ended. */
static VALUE drop_plan(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    tj_writer *w = RTYPEDDATA_DATA(self); /* only Writers have these methods */
    tj_drop_plan(w, Qnil);
    return Qnil;
}

/* __to_json_leave(error): aborts the document and raises the exception again, unchanged. `raise` in
 * Ruby would be a second event for TracePoint, would call `exception` of the error, and may be
 * redefined. */
static VALUE leave_plan(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    if (!RTEST(rb_obj_is_kind_of(argv[0], rb_eException)))
        rb_raise(rb_eTypeError, "an exception is due");
    tj_writer *w = RTYPEDDATA_DATA(self); /* only Writers have these methods */
    tj_drop_plan(w, argv[0]);
    rb_set_errinfo(argv[0]);
    rb_jump_tag(TJ_STATE_RAISE);
    return Qnil;
}

/* ahead: the Compiler::Prefetch whose block runs, or nil. The end of the document clears it too,
 * because a kill or a Timeout may interrupt the `ensure` of Prefetch#within. */
static VALUE ahead(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    const tj_writer *w = RTYPEDDATA_DATA(self); /* only Writers have these methods */
    return w->ahead ? w->ahead : Qnil;
}

/* ahead=(prefetch) */
static VALUE set_ahead(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    tj_writer *w = RTYPEDDATA_DATA(self); /* only Writers have these methods */
    w->ahead = RTEST(argv[0]) ? argv[0] : Qfalse;
    return argv[0];
}

/* failed_ahead=(error): see `failed_ahead` of tj_writer. */
static VALUE set_failed_ahead(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    tj_writer *w = RTYPEDDATA_DATA(self); /* only Writers have these methods */
    w->failed_ahead = RTEST(argv[0]) ? argv[0] : Qfalse;
    return argv[0];
}

void tj_define_document(void)
{
    VALUE writer = rb_const_get(tj_mToJson, rb_intern("Writer"));
    rb_define_method(writer, "__to_json_last", close_plan, -1);
    rb_define_method(writer, "__to_json_drop", drop_plan, -1);
    rb_define_method(writer, "__to_json_leave", leave_plan, -1);
    rb_define_method(writer, "ahead", ahead, -1);
    rb_define_method(writer, "ahead=", set_ahead, -1);
    rb_define_method(writer, "failed_ahead=", set_failed_ahead, -1);
}
