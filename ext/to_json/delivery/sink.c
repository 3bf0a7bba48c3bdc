/* Delivery. Which objects are Sinks, and how they get text, whatever their write returns. */
#include "sink.h"

#include "../writer/errors.h"
#include "reusable.h"
#include "../writer/string.h"

static ID id_write;

void tj_sink_init(void)
{
    id_write = rb_intern("write");
}

/* Whether write is that of IO itself. Asking respond_to? would cost more than the pairs of a small
 * document. */
static bool is_plain_io(VALUE sink)
{
    return RB_TYPE_P(sink, T_FILE) && rb_method_basic_definition_p(CLASS_OF(sink), id_write);
}

/* Whether << of the object appends: not for Integers (5 << 1), Procs and Methods. */
static bool shifts(VALUE sink)
{
    return RTEST(rb_obj_is_kind_of(sink, rb_cNumeric)) ||
           RTEST(rb_obj_is_kind_of(sink, rb_cProc)) || RTEST(rb_obj_is_kind_of(sink, rb_cMethod));
}

/* Pathname#write replaces the file at each call, so only the last piece of a document would be
 * left. */
static bool is_path(VALUE sink)
{
    ID name = rb_intern("Pathname");
    return rb_const_defined(rb_cObject, name) &&
           RTEST(rb_obj_is_kind_of(sink, rb_const_get(rb_cObject, name)));
}

void tj_check_sink(VALUE sink)
{
    if (RB_TYPE_P(sink, T_STRING)) {
        rb_check_frozen(sink);
        if (!tj_takes_json(sink))
            tj_raise(NULL, tj_eSink,
                     "into: a String in %s cannot take JSON. Use UTF-8, US-ASCII or binary.",
                     rb_enc_name(rb_enc_get(sink)));
        return;
    }
    if (tj_is_reusable(sink)) {
        tj_reusable_check(sink);
        return;
    }
    if (!is_plain_io(sink) && !rb_respond_to(sink, id_write) &&
        (!rb_respond_to(sink, rb_intern("<<")) || shifts(sink)))
        tj_raise(NULL, tj_eSink,
                 "into: needs a String, or an object with write or <<; got %" PRIsVALUE ".",
                 tj_class_words(sink));
    if (!is_plain_io(sink) && is_path(sink))
        tj_raise(NULL, tj_eSink,
                 "into: a %" PRIsVALUE " cannot take JSON, since each write replaces the file. "
                 "Use path.open(\"wb\") { |file| ... into: file }.",
                 tj_class_words(sink));
}

static bool is_named(VALUE klass, const char *name)
{
    return tj_string_is(rb_class_path(klass), name);
}

/* The class that defines write of the Sink, if both are written in C; else Qfalse. Runs Ruby. */
static VALUE native_owner(VALUE sink)
{
    VALUE klass = CLASS_OF(sink);
    if (!RB_TYPE_P(sink, T_DATA) || !rb_method_boundp(klass, id_write, 0)) return Qfalse;
    VALUE method = rb_funcall(klass, rb_intern("instance_method"), 1, ID2SYM(id_write));
    return NIL_P(rb_funcall(method, rb_intern("source_location"), 0))
               ? rb_funcall(method, rb_intern("owner"), 0)
               : Qfalse;
}

/* Whether it is a GzipWriter with its own write, in C: that compresses the text, and nobody else
 * sees it. Runs Ruby. */
static bool is_gzip(VALUE sink)
{
    static const char gzip_writer[] = "Zlib::GzipWriter";
    if (!RB_TYPE_P(sink, T_DATA) || !is_named(rb_class_real(CLASS_OF(sink)), gzip_writer))
        return false;
    VALUE owner = native_owner(sink);
    return RTEST(owner) && is_named(owner, gzip_writer);
}

/* Whether it is a Delegator that forwards write, such as a Tempfile. Runs Ruby. */
static bool passes_on(VALUE sink)
{
    ID delegator = rb_intern("Delegator");
    if (!RB_TYPE_P(sink, T_OBJECT) || !rb_const_defined(rb_cObject, delegator)) return false;
    if (!RTEST(rb_obj_is_kind_of(sink, rb_const_get(rb_cObject, delegator)))) return false;
    VALUE place =
        rb_funcall(rb_obj_method(sink, ID2SYM(id_write)), rb_intern("source_location"), 0);
    if (NIL_P(place)) return true; /* forwarded by method_missing */
    VALUE path = rb_ary_entry(place, 0);
    const uint8_t *bytes;
    size_t size = tj_string_bytes(path, &bytes);
    /* a subclass with its own write has another file */
    static const char library[] = "/delegate.rb";
    size_t length = sizeof library - 1;
    bool passes = size >= length && memcmp(bytes + size - length, library, length) == 0;
    RB_GC_GUARD(path);
    return passes;
}

/* Whether its write takes all text or raises. Ruby's own do; they return the bytes after
 * transcoding. Runs Ruby. */
static bool takes_all(VALUE sink)
{
    for (int depth = 0; depth < 8; depth++) {
        if (is_plain_io(sink)) return true;
        VALUE owner = native_owner(sink);
        if (RTEST(owner)) return is_named(owner, "StringIO");
        if (!passes_on(sink)) return false;
        sink = rb_funcall(sink, rb_intern("__getobj__"), 0);
    }
    return false;
}

/* Passes text to the Sink. Returns how many bytes it took. Runs Ruby. */
static size_t hand_over(VALUE sink, VALUE text, size_t size, bool plain)
{
    if (!plain && !rb_respond_to(sink, id_write)) {
        rb_funcall(sink, rb_intern("<<"), 1, text);
        return size;
    }
    VALUE answer = rb_funcall(sink, id_write, 1, text);
    if (plain || !RB_INTEGER_TYPE_P(answer) || answer == SIZET2NUM(size) || takes_all(sink))
        return size;
    if (!FIXNUM_P(answer) || FIX2LONG(answer) < 0 || (size_t)FIX2LONG(answer) > size)
        tj_raise(NULL, tj_eSink,
                 "%" PRIsVALUE "#write returned %" PRIsVALUE " for %" PRIuSIZE
                 " bytes. It must return how many of them it took.",
                 tj_class_words(sink), rb_inspect(answer), size);
    return (size_t)FIX2LONG(answer);
}

#define WORTH_FREEING ((size_t)8 * 1024)

/* How many of `size` bytes are whole characters, if more bytes follow: a Sink that transcodes takes
 * no others. All of them if they are not UTF-8. */
static size_t whole_characters(const uint8_t *bytes, size_t size)
{
    for (size_t end = size; end > 0 && size - end < 4; end--)
        if ((bytes[end] & 0xC0) != 0x80) return end;
    return size;
}

/* One write. */
typedef struct {
    const tj_handing *handing;
    VALUE text;
    size_t size, taken;
    bool plain;
    /* nobody keeps the text, so its memory can be freed without the garbage collector */
    bool forgotten;
} piece;

/* IO#write of Ruby 3.3 and 3.4 leaves the memory of a longer String to a hidden object, which waits
 * for the garbage collector: 64 KiB for each piece. So all pieces but the first are hidden Strings
 * over one block of memory. This needs an IO with the original write, which calls no method of the
 * String, and has written the piece when it returns. */
static VALUE text_of(const tj_handing *d, const uint8_t *bytes, size_t size, bool plain)
{
    if (!plain || size > TJ_CHUNK) return tj_string_new(bytes, size);
    if (!d->carrying->begun) {
        d->carrying->begun = true;
        return tj_string_new(bytes, size);
    }
    if (!d->carrying->carrier) d->carrying->carrier = tj_carrier_new();
    return tj_carried(d->carrying->carrier, bytes, size);
}

static VALUE write_piece(VALUE argument)
{
    piece *p = (piece *)argument;
    p->taken = hand_over(p->handing->sink, p->text, p->size, p->plain);
    return Qnil;
}

/* Frees or reuses the memory of a piece, however its write ended. */
static VALUE forget_piece(VALUE argument)
{
    const piece *p = (const piece *)argument;
    if (p->forgotten) rb_str_resize(p->text, 0);
    return Qnil;
}

VALUE tj_hand_over(VALUE argument)
{
    tj_handing *d = (tj_handing *)argument;
    bool nothing_taken = false;
    bool gzip = d->size >= WORTH_FREEING && is_gzip(d->sink);
    while (d->delivered < d->size) {
        bool plain = is_plain_io(d->sink); /* write may be replaced while it waits */
        bool forgotten = plain || gzip;
        size_t left = d->size - d->delivered;
        if (left > d->piece) left = whole_characters(d->start + d->delivered, d->piece);
        piece p = {d, text_of(d, d->start + d->delivered, left, plain), left, 0, plain, forgotten};
        VALUE carrier = d->carrying->carrier; /* a write that is parked in a Fiber may outlive it */
        if (plain) rb_ensure(write_piece, (VALUE)&p, forget_piece, (VALUE)&p);
        else {
            write_piece((VALUE)&p);
            forget_piece((VALUE)&p);
        }
        RB_GC_GUARD(p.text);
        RB_GC_GUARD(carrier);
        /* a write that is parked in a Fiber may outlive its document, whose bytes are gone then */
        if (d->w) tj_check_alive(d->w);
        if (TJ_UNLIKELY(*d->turns != d->turn)) tj_raise_too_late();
        if (p.taken == 0) {
            if (nothing_taken)
                tj_raise(NULL, tj_eSink,
                         "%" PRIsVALUE "#write took nothing twice in a row. Let it wait until it "
                         "can take at least one byte.",
                         tj_class_words(d->sink));
            nothing_taken = true;
        } else nothing_taken = false;
        d->delivered += p.taken;
    }
    if (d->through && rb_respond_to(d->sink, rb_intern("flush")))
        rb_funcall(d->sink, rb_intern("flush"), 0);
    return Qnil;
}

void tj_deliver_buffer(VALUE sink, const uint8_t *bytes, size_t size, const unsigned *turns)
{
    tj_carrying carrying = {false, Qfalse};
    tj_handing d = {.sink = sink, .start = bytes, .size = size, .piece = TJ_CHUNK,
                    .carrying = &carrying, .turns = turns, .turn = *turns};
    tj_hand_over((VALUE)&d);
    RB_GC_GUARD(carrying.carrier);
}
