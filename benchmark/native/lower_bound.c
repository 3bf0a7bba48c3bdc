/* The least that a native serializer of this shape must do, for the contenders "lower bound": the
 * calls, the reads, the bytes and the String, with the digits, escapes and Times of the library's
 * own core. It stays right beside whatever a getter does (documents of its own, exceptions, other
 * threads and Ractors), and looks at each text and at the room. What it does not do (long
 * documents, text of other encodings, other kinds of values, Rules) it refuses, or trusts not to be
 * asked. Ruby 3.1 to 3.4; not for use. */
#include "lower_bound/words.h"
#include "lower_bound/block.h"

/* -- declared fields: what stands around the values is joined ahead, values come as arguments -- */

#define MOST_TEXTS 16

typedef struct {
    size_t count;
    struct {
        size_t size;
        const char *bytes;
    } texts[MOST_TEXTS];
} texts;

static const rb_data_type_t texts_type = {
    .wrap_struct_name = "LowerBound texts",
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

/* LowerBound.texts("{\"id\":", ",\"title\":", "}"): kept for ever, as are the Strings. */
static VALUE texts_new(int argc, VALUE *argv, VALUE klass)
{
    texts *made;
    if (argc > MOST_TEXTS) rb_raise(rb_eArgError, "at most %d texts", MOST_TEXTS);
    VALUE object = TypedData_Make_Struct(rb_cObject, texts, &texts_type, made);
    rb_gc_register_mark_object(object);
    for (int i = 0; i < argc; i++) {
        VALUE text = rb_str_new_frozen(argv[i]);
        rb_gc_register_mark_object(text);
        made->texts[i].bytes = RSTRING_PTR(text);
        made->texts[i].size = (size_t)RSTRING_LEN(text);
    }
    made->count = (size_t)argc;
    return object;
}

/* buffer.add(texts, *values): texts and values by turns. */
static VALUE buffer_add(int argc, VALUE *argv, VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    const texts *around = RTYPEDDATA_DATA(argv[0]);
    char *at = b->cursor;
    for (size_t i = 0; i < around->count; i++) {
        if (RB_UNLIKELY(around->texts[i].size > (size_t)(b->limit - at))) unwritable("room");
        memcpy(at, around->texts[i].bytes, around->texts[i].size);
        at += around->texts[i].size;
        if (i + 1 < (size_t)argc) at = write_value(b, at, argv[i + 1]);
    }
    b->cursor = at;
    return Qnil;
}

/* The same over the comma behind a list's last element. */
static VALUE buffer_after(int argc, VALUE *argv, VALUE self)
{
    ((buffer *)RTYPEDDATA_DATA(self))->cursor--;
    return buffer_add(argc, argv, self);
}

/* buffer.document(texts, *values), buffer.last(texts, *values): the end; the buffer goes back. */
static VALUE buffer_document(int argc, VALUE *argv, VALUE self)
{
    buffer_add(argc, argv, self);
    return finished(RTYPEDDATA_DATA(self));
}

static VALUE buffer_last(int argc, VALUE *argv, VALUE self)
{
    buffer_after(argc, argv, self);
    return finished(RTYPEDDATA_DATA(self));
}

/* However a document is left. */
static VALUE buffer_left(VALUE self)
{
    give_back(RTYPEDDATA_DATA(self));
    return Qnil;
}

static VALUE buffer_take(VALUE klass) { return take()->self; }

static ID id_write, id_each_entry, id_to_ary, id_respond_to, id_respond_to_missing, id_kept;

/* LowerBound.entry(klass) gives it entry!(v), which tells one object from many as ours must, and
 * calls kept!(v, buffer). A C method, since only those learn for less than a Hash whether there
 * were keywords (but for Ruby >= 3.4). */
static VALUE entry(int argc, VALUE *argv, VALUE klass)
{
    if (argc != 1 || rb_keyword_given_p()) unwritable("keywords");
    VALUE v = argv[0], type = CLASS_OF(v);
    bool plain = rb_class_get_superclass(type) != rb_cObject &&
                 !rb_method_boundp(type, id_each_entry, 0);
    bool many = !RB_TYPE_P(v, T_STRUCT) && !plain && RTEST(rb_obj_is_kind_of(v, rb_mEnumerable));
    bool one = rb_method_boundp(type, id_to_ary, 0)
                   ? !rb_method_boundp(type, id_to_ary, 1)
                   : rb_method_basic_definition_p(type, id_respond_to) &&
                         rb_method_basic_definition_p(type, id_respond_to_missing);
    if (many || !one) unwritable("many");
    VALUE arguments[2] = {v, take()->self};
    return rb_funcallv(klass, id_kept, 2, arguments);
}

static VALUE define_entry(VALUE self, VALUE klass)
{
    rb_define_singleton_method(klass, "entry!", entry, -1);
    return klass;
}

/* -- records of a stream -- */

enum { PIECE = 1 << 16 };

static void deliver(buffer *b, VALUE out)
{
    VALUE piece = rb_utf8_str_new(b->text, b->cursor - b->text);
    if (RB_TYPE_P(out, T_STRING)) rb_str_append(out, piece);
    else rb_funcall(out, id_write, 1, piece);
    b->cursor = b->text;
}

/* buffer.record(out, texts, *values): `out` is a String, or has `write` and gets pieces. */
static VALUE buffer_record(int argc, VALUE *argv, VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    *b->cursor++ = b->records++ ? ',' : '[';
    buffer_add(argc - 1, argv + 1, self);
    if (RB_UNLIKELY(b->cursor - b->text >= PIECE)) deliver(b, argv[0]);
    return Qnil;
}

static VALUE buffer_ended(VALUE self, VALUE out)
{
    buffer *b = RTYPEDDATA_DATA(self);
    if (!b->records) *b->cursor++ = '[';
    *b->cursor++ = ']';
    deliver(b, out);
    give_back(b);
    return out;
}

/* -- numbers alone: each over the one before; no document, no brackets, no commas -- */

static void write_numbers(VALUE v);

static int value_i(VALUE key, VALUE value, VALUE unused)
{
    write_numbers(value);
    return ST_CONTINUE;
}

static void write_numbers(VALUE v)
{
    uint8_t at[64];
    if (RB_FIXNUM_P(v)) tj_write_int64(at, FIX2LONG(v));
    else if (RB_FLONUM_P(v)) tj_write_double(at, RFLOAT_VALUE(v));
    else if (RB_TYPE_P(v, T_HASH)) rb_hash_foreach(v, value_i, Qnil);
    else if (RB_TYPE_P(v, T_ARRAY))
        for (long i = 0; i < RARRAY_LEN(v); i++) write_numbers(RARRAY_CONST_PTR(v)[i]);
}

static VALUE numbers(VALUE self, VALUE tree) { return write_numbers(tree), Qnil; }

__attribute__((visibility("default"))) void Init_lower_bound(void)
{
    tj_simd_init(getenv("TO_JSON_SIMD"));
    id_write = rb_intern("write");
    id_each_entry = rb_intern("each_entry");
    id_to_ary = rb_intern("to_ary");
    id_respond_to = rb_intern("respond_to?");
    id_respond_to_missing = rb_intern("respond_to_missing?");
    id_kept = rb_intern("kept!");
    VALUE base = rb_define_class("LowerBound", rb_cObject);
    rb_define_singleton_method(base, "texts", texts_new, -1);
    rb_define_singleton_method(base, "entry", define_entry, 1);
    rb_define_singleton_method(base, "numbers", numbers, 1);
    buffer_class = rb_define_class_under(base, "Buffer", rb_cObject);
    rb_undef_alloc_func(buffer_class);
    buffers_key = rb_ractor_local_storage_ptr_newkey(&buffers_type);
    rb_define_singleton_method(buffer_class, "take", buffer_take, 0);
    rb_define_method(buffer_class, "add", buffer_add, -1);
    rb_define_method(buffer_class, "after", buffer_after, -1);
    rb_define_method(buffer_class, "document", buffer_document, -1);
    rb_define_method(buffer_class, "last", buffer_last, -1);
    rb_define_method(buffer_class, "left", buffer_left, 0);
    rb_define_method(buffer_class, "record", buffer_record, -1);
    rb_define_method(buffer_class, "ended", buffer_ended, 1);
    define_words(base);
    rb_define_singleton_method(base, "block!", block, 1);
}
