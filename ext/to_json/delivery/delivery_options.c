/* Delivery. Checks `chunk:` and `flush:`. */
#include "delivery_options.h"

static VALUE sym_record;

#define MOST_CHUNK ((long)1 << 40)
#define MOST_SECONDS 1e9 /* in nanoseconds twice this fits into an int64_t */

void tj_delivery_options_init(void)
{
    sym_record = ID2SYM(rb_intern("record"));
    rb_gc_register_mark_object(sym_record); /* a Symbol may be dynamic, and move */
}

size_t tj_chunk_option(VALUE chunk)
{
    if (NIL_P(chunk)) return 0;
    if (!FIXNUM_P(chunk) || FIX2LONG(chunk) < 1 || FIX2LONG(chunk) > MOST_CHUNK)
        rb_raise(
            rb_eArgError,
            "chunk: takes how many bytes to deliver at once, an Integer from 1 to 2**40; "
            "got %" PRIsVALUE
            ".",
            rb_inspect(chunk));
    return (size_t)FIX2LONG(chunk);
}

NORETURN(static void refuse_flush(VALUE flush));
static void refuse_flush(VALUE flush)
{
    rb_raise(
        rb_eArgError,
        "flush: takes :record, to deliver each element of the outermost array when it ends, or "
        "how many seconds may pass between two deliveries (0.1); got %" PRIsVALUE ".",
        rb_inspect(flush));
}

int64_t tj_flush_option(VALUE flush)
{
    if (!RTEST(flush)) return 0;
    if (flush == sym_record) return TJ_FLUSH_RECORDS;
    /* ActiveSupport::Duration counts as a number, but is no Numeric. */
    if (flush == Qtrue || RB_SYMBOL_P(flush) || RB_TYPE_P(flush, T_STRING) ||
        !rb_respond_to(flush, rb_intern("to_f")))
        refuse_flush(flush);
    VALUE seconds = rb_funcallv(flush, rb_intern("to_f"), 0, NULL);
    double value = RB_FLOAT_TYPE_P(seconds) ? RFLOAT_VALUE(seconds) : -1;
    if (!(value >= 0 && value <= MOST_SECONDS)) refuse_flush(flush);
    return value > 1e-9 ? (int64_t)(value * 1e9) : 1;
}

void tj_refuse_delivery_options(const tj_delivery_options *options)
{
    if (options->chunk || options->flush)
        rb_raise(
            rb_eArgError,
            "%s: is about delivery, and this document becomes a String. "
            "Pass into: with an IO, or remove the option.",
            options->chunk ? "chunk" : "flush");
}
