/* Classes. ToJson::Buffer; lib/to_json/documents/buffer.rb documents its methods. */
#include "classes.h"

#include "../delivery/reusable.h"
#include "../delivery/sink.h"
#include "../writer/string.h"

static VALUE sym_capacity;

static size_t size_argument(VALUE number, const char *what)
{
    if (!FIXNUM_P(number) || FIX2LONG(number) < 0)
        rb_raise(rb_eArgError,
                 "%s takes a number of bytes, an Integer from 0 on; got %" PRIsVALUE ".", what,
                 rb_inspect(number));
    return (size_t)FIX2LONG(number);
}

static VALUE buffer_initialize(int argc, VALUE *argv, VALUE self)
{
    VALUE options, capacity = Qundef;
    ID names[] = {SYM2ID(sym_capacity)};
    rb_scan_args(argc, argv, "0:", &options);
    if (!NIL_P(options)) rb_get_kwargs(options, names, 0, 1, &capacity);
    if (capacity == Qundef) return self;
    size_t size = size_argument(capacity, "capacity:");
    tj_reusable_check(self);
    tj_reusable *r = tj_reusable_of(self);
    if (size > tj_reusable_capacity(r)) tj_reusable_resize(r, size);
    return self;
}

static VALUE buffer_initialize_copy(VALUE self, VALUE other)
{
    tj_reusable_check(self);
    size_t size;
    const uint8_t *bytes = tj_reusable_bytes(tj_reusable_of(other), &size);
    if (self == other) return self;
    tj_reusable *r = tj_reusable_of(self);
    r->out.cursor = r->out.start;
    tj_reusable_append(r, bytes, size);
    RB_GC_GUARD(other);
    return self;
}

/* The text that is appended for `value`: its to_s, transcoded to UTF-8 unless it is UTF-8, US-ASCII
 * or binary. Runs Ruby. */
static VALUE text_of(VALUE value)
{
    VALUE text = rb_obj_as_string(value);
    int encoding = rb_enc_get_index(text);
    if (encoding == rb_utf8_encindex() || encoding == rb_usascii_encindex() ||
        encoding == rb_ascii8bit_encindex())
        return text;
    return rb_str_encode(text, rb_enc_from_encoding(rb_utf8_encoding()), 0, Qnil);
}

static size_t append(VALUE self, VALUE value)
{
    VALUE text = text_of(value);
    tj_reusable_check(self);
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes);
    tj_reusable_append(tj_reusable_of(self), bytes, size);
    RB_GC_GUARD(text);
    return size;
}

static VALUE buffer_write(int argc, VALUE *argv, VALUE self)
{
    size_t written = 0;
    tj_reusable_check(self);
    for (int i = 0; i < argc; i++) written += append(self, argv[i]);
    return SIZET2NUM(written);
}

static VALUE buffer_append(VALUE self, VALUE value)
{
    append(self, value);
    return self;
}

static VALUE buffer_to_s(VALUE self)
{
    size_t size;
    const uint8_t *bytes = tj_reusable_bytes(tj_reusable_of(self), &size);
    return tj_string_new(bytes, size);
}

static VALUE buffer_bytesize(VALUE self)
{
    size_t size;
    tj_reusable_bytes(tj_reusable_of(self), &size);
    return SIZET2NUM(size);
}

static VALUE buffer_empty_p(VALUE self)
{
    size_t size;
    tj_reusable_bytes(tj_reusable_of(self), &size);
    return size == 0 ? Qtrue : Qfalse;
}

static VALUE buffer_capacity(VALUE self)
{
    return SIZET2NUM(tj_reusable_capacity(tj_reusable_of(self)));
}

static VALUE buffer_clear(VALUE self)
{
    tj_reusable_check(self);
    tj_reusable *r = tj_reusable_of(self);
    r->out.cursor = r->out.start;
    return self;
}

static VALUE buffer_shrink(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    size_t capacity = argc > 0 ? size_argument(argv[0], "shrink") : 0, size;
    tj_reusable_check(self);
    tj_reusable *r = tj_reusable_of(self);
    tj_reusable_bytes(r, &size);
    if (capacity < size) capacity = size;
    if (capacity < TJ_SMALLEST_CAPACITY) capacity = TJ_SMALLEST_CAPACITY;
    if (capacity < tj_reusable_capacity(r)) tj_reusable_resize(r, capacity);
    return self;
}

/* Returns at most `most` bytes from `from` on, without a part of a character. "" at the end. */
static VALUE buffer_piece(VALUE self, VALUE from, VALUE most)
{
    size_t start = size_argument(from, "from"), length = size_argument(most, "each_chunk"), size;
    const uint8_t *bytes = tj_reusable_bytes(tj_reusable_of(self), &size);
    if (start >= size) return tj_string_new(bytes, 0);
    if (length < size - start) {
        size_t end = start + length;
        while (end > start && (bytes[end] & 0xC0) == 0x80) end--;
        if (end > start) length = end - start;
    } else length = size - start;
    return tj_string_new(bytes + start, length);
}

struct handing {
    VALUE self, sink;
};

static VALUE hand(VALUE argument)
{
    const struct handing *h = (const struct handing *)argument;
    const tj_reusable *r = tj_reusable_of(h->self);
    size_t size;
    const uint8_t *bytes = tj_reusable_bytes(r, &size);
    tj_deliver_buffer(h->sink, bytes, size, &r->turns);
    return h->sink;
}

static VALUE handed(VALUE argument)
{
    tj_reusable_handed(tj_reusable_of(((const struct handing *)argument)->self));
    return Qnil;
}

static VALUE buffer_write_to(VALUE self, VALUE sink)
{
    struct handing h = {self, sink};
    tj_check_sink(sink);
    if (RB_TYPE_P(sink, T_STRING)) {
        size_t size;
        const uint8_t *bytes = tj_reusable_bytes(tj_reusable_of(self), &size);
        /* as into: does, whatever is in a binary String */
        tj_string_append(sink, Qfalse, bytes, size);
        RB_GC_GUARD(self);
        return sink;
    }
    if (tj_is_reusable(sink)) {
        if (sink != self) rb_funcall(sink, rb_intern("<<"), 1, buffer_to_s(self));
        else tj_raise(NULL, tj_eSink, "write_to: a Buffer cannot be written to itself.");
        return sink;
    }
    /* a frozen Buffer never changes, and other Ractors may use it at the same time */
    if (RB_OBJ_FROZEN(self)) return hand((VALUE)&h);
    tj_reusable_check(self);
    tj_reusable_hand(tj_reusable_of(self));
    return rb_ensure(hand, (VALUE)&h, handed, (VALUE)&h);
}

static VALUE buffer_freeze(VALUE self)
{
    if (!RB_OBJ_FROZEN(self)) tj_reusable_check(self); /* a document at work would change it */
    return rb_call_super(0, NULL);
}

void tj_define_buffer(void)
{
    sym_capacity = ID2SYM(rb_intern("capacity"));
    rb_gc_register_mark_object(sym_capacity);
    VALUE klass = rb_define_class_under(tj_mToJson, "Buffer", rb_cObject);
    rb_define_alloc_func(klass, tj_reusable_alloc);
    rb_define_private_method(klass, "initialize", buffer_initialize, -1);
    rb_define_private_method(klass, "initialize_copy", buffer_initialize_copy, 1);
    rb_define_method(klass, "write", buffer_write, -1);
    rb_define_method(klass, "<<", buffer_append, 1);
    rb_define_method(klass, "to_s", buffer_to_s, 0);
    rb_define_method(klass, "bytesize", buffer_bytesize, 0);
    rb_define_method(klass, "empty?", buffer_empty_p, 0);
    rb_define_method(klass, "capacity", buffer_capacity, 0);
    rb_define_method(klass, "clear", buffer_clear, 0);
    rb_define_method(klass, "shrink", buffer_shrink, -1);
    rb_define_method(klass, "write_to", buffer_write_to, 1);
    rb_define_method(klass, "freeze", buffer_freeze, 0);
    rb_define_private_method(klass, "piece", buffer_piece, 2);
}
