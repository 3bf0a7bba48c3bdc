/* Glue. Delivery: chunks to an IO with every kind of answer from its write, or one String. */
#include "flush.h"

#include "document.h"
#include "errors.h"
#include "pool.h"
#include "string.h"

static ID id_write, id_append;

void tj_flush_init(void)
{
    id_write = rb_intern("write");
    id_append = rb_intern("<<");
}

static bool is_io(VALUE sink) { return RTEST(sink) && !RB_TYPE_P(sink, T_STRING); }

void tj_check_sink(VALUE sink)
{
    if (RB_TYPE_P(sink, T_STRING)) {
        rb_check_frozen(sink);
        int encoding = rb_enc_get_index(sink);
        if (encoding != rb_utf8_encindex() && encoding != rb_usascii_encindex() && encoding != rb_ascii8bit_encindex())
            tj_raise(NULL, tj_eSink, "into: a String in %s cannot take JSON. Use UTF-8, US-ASCII or binary.",
                     rb_enc_name(rb_enc_get(sink)));
        return;
    }
    if (!rb_respond_to(sink, id_write) && !rb_respond_to(sink, id_append))
        tj_raise(NULL, tj_eSink, "into: needs a String, or an object with write or <<; got %" PRIsVALUE ".",
                 tj_class_words(sink));
}

struct delivery {
    tj_writer *w;
    size_t size;      /* bytes to deliver now */
    size_t delivered; /* of them */
};

/* Hands text to the Sink. Returns how many bytes it took. Runs Ruby. */
static size_t hand_over(tj_writer *w, VALUE text, size_t size)
{
    if (!rb_respond_to(w->sink, id_write)) {
        rb_funcall(w->sink, id_append, 1, text);
        return size;
    }
    VALUE answer = rb_funcall(w->sink, id_write, 1, text);
    if (!RB_INTEGER_TYPE_P(answer)) return size;
    if (!FIXNUM_P(answer) || FIX2LONG(answer) < 0 || (size_t)FIX2LONG(answer) > size)
        tj_raise(NULL, tj_eSink, "%" PRIsVALUE "#write answered %" PRIsVALUE " for %" PRIuSIZE " bytes.",
                 tj_class_words(w->sink), rb_inspect(answer), size);
    return (size_t)FIX2LONG(answer);
}

static VALUE deliver(VALUE argument)
{
    struct delivery *d = (struct delivery *)argument;
    tj_writer *w = d->w;
    bool nothing_taken = false;
    /* IO's own write keeps no reference: what it took need not wait for the garbage collector. */
    bool forgotten = RB_TYPE_P(w->sink, T_FILE) && rb_method_basic_definition_p(CLASS_OF(w->sink), id_write);
    while (d->delivered < d->size) {
        size_t left = d->size - d->delivered;
        VALUE text = tj_string_new(w->out.start + d->delivered, left);
        size_t taken = hand_over(w, text, left);
        if (forgotten) rb_str_resize(text, 0);
        RB_GC_GUARD(text);
        if (taken == 0) {
            if (nothing_taken)
                tj_raise(NULL, tj_eSink, "%" PRIsVALUE "#write took nothing twice in a row.", tj_class_words(w->sink));
            nothing_taken = true;
        } else nothing_taken = false;
        d->delivered += taken;
    }
    return Qnil;
}

static VALUE delivered(VALUE argument)
{
    struct delivery *d = (struct delivery *)argument;
    if (TJ_UNLIKELY(d->w->trouble & TJ_IDLE)) return Qnil; /* the write was parked in a Fiber, the document is over */
    d->w->trouble &= ~TJ_DELIVERING;
    tj_buffer_consumed(&d->w->out, d->delivered);
    return Qnil;
}

/* Delivers the first `size` bytes. Commits and marks stand between characters, so these are whole ones. Runs Ruby. */
static void flush(tj_writer *w, size_t size)
{
    if (size == 0) return;
    struct delivery d = {w, size, 0};
    w->trouble |= TJ_DELIVERING;
    VALUE writer = w->self;
    w->running++; /* a write that raises leaves it so: that Writer will not be pooled */
    rb_ensure(deliver, (VALUE)&d, delivered, (VALUE)&d);
    w->running--;
    tj_check_alive(w);
    RB_GC_GUARD(writer);
}

void tj_make_room_cold(tj_writer *w, size_t n)
{
    size_t used = tj_buffer_used(&w->out);
    if (is_io(w->sink) && used > 0 && used + n > w->pool->chunk) {
        size_t settled = tj_settled(&w->grammar, tj_buffer_offset(&w->out));
        if (settled > w->held) settled = w->held;
        if (settled > w->out.flushed) {
            flush(w, settled - w->out.flushed);
            used = tj_buffer_used(&w->out);
            /* One that had to hold more goes back to a chunk: a larger one would be delivered in larger pieces. */
            if (w->out.owned && tj_buffer_room(&w->out) + used > w->pool->chunk && used + n <= w->pool->chunk)
                tj_buffer_resize(&w->out, w->pool->chunk);
            if (tj_buffer_has(&w->out, n)) return;
        }
    }
    size_t capacity;
    tj_status status = tj_buffer_next_capacity((size_t)(w->out.limit - w->out.start), used, n, &capacity);
    if (status == TJ_OK && w->out.owned && !is_io(w->sink) && capacity > TJ_CHUNK) {
        VALUE storage = tj_storage_new(capacity);
        w->storage = storage;
        size_t room;
        uint8_t *bytes = tj_storage_bytes(storage, &room);
        memcpy(bytes, w->out.start, used);
        tj_buffer_adopt(&w->out, bytes, used, room);
    } else if (status == TJ_OK && !w->out.owned) {
        tj_storage_grow(w->storage, used, capacity);
        size_t room;
        uint8_t *bytes = tj_storage_bytes(w->storage, &room);
        tj_buffer_adopt(&w->out, bytes, used, room);
    } else if (status == TJ_OK) {
        if (is_io(w->sink) && capacity > w->pool->chunk && used + n <= w->pool->chunk) capacity = w->pool->chunk;
        status = tj_buffer_resize(&w->out, capacity);
    }
    tj_check(w, status);
    tj_buffer_has(&w->out, n);
}

static VALUE finish_into_string(tj_writer *w, VALUE sink)
{
    size_t used = tj_buffer_used(&w->out);
    tj_check_sink(sink); /* again: it may have been frozen or relabelled meanwhile */
    VALUE whole = Qfalse;
    if (!w->out.owned) whole = tj_storage_reveal(w->storage, used);
    else if (used >= TJ_CHUNK) whole = tj_string_new(w->out.start, used);
    tj_string_append(sink, whole, w->out.start, used);
    return sink;
}

VALUE tj_finish(tj_writer *w)
{
    size_t used = tj_buffer_used(&w->out);
    if (TJ_LIKELY(!RTEST(w->sink))) {
        if (TJ_LIKELY(w->out.owned)) return tj_string_new(w->out.start, used);
        return tj_storage_reveal(w->storage, used);
    }
    if (!is_io(w->sink)) return finish_into_string(w, w->sink);
    flush(w, used);
    return w->sink;
}
