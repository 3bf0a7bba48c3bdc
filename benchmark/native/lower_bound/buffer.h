/* A buffer for each document, taken from those of its Ractor and given back, and values in it. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/ractor.h>

#include "../../../ext/to_json/core/text/escape.h"
#include "../../../ext/to_json/core/numbers/float.h"
#include "../../../ext/to_json/core/numbers/integer.h"
#include "../../../ext/to_json/core/numbers/time.h"

#include <stdbool.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 18, VALUE_SIZE = 128 };

typedef struct buffer {
    struct buffer *next;
    VALUE self;
    bool at_work;
    size_t records;
    char *cursor, *limit;
    char text[BUFFER_SIZE];
} buffer;

static rb_ractor_local_key_t buffers_key;
static VALUE buffer_class;

static void buffers_mark(void *free)
{
    for (const buffer *b = free; b; b = b->next) rb_gc_mark(b->self);
}

static const struct rb_ractor_local_storage_type buffers_type = {buffers_mark, NULL};
static const rb_data_type_t buffer_type = {
    .wrap_struct_name = "LowerBound buffer",
    .function = {.dfree = RUBY_DEFAULT_FREE},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static __attribute__((noinline, cold)) buffer *new_buffer(void)
{
    buffer *made;
    VALUE self = TypedData_Make_Struct(buffer_class, buffer, &buffer_type, made);
    made->self = self;
    made->limit = made->text + BUFFER_SIZE;
    return made;
}

static buffer *take(void)
{
    buffer *b = rb_ractor_local_storage_ptr(buffers_key);
    if (RB_LIKELY(b != NULL)) rb_ractor_local_storage_ptr_set(buffers_key, b->next);
    else b = new_buffer();
    b->at_work = true;
    b->records = 0;
    b->cursor = b->text;
    return b;
}

static void give_back(buffer *b)
{
    if (!b->at_work) return; /* an interrupt came when it had been */
    b->at_work = false;
    b->next = rb_ractor_local_storage_ptr(buffers_key);
    rb_ractor_local_storage_ptr_set(buffers_key, b);
}

static VALUE finished(buffer *b)
{
    VALUE text = rb_utf8_str_new(b->text, b->cursor - b->text);
    give_back(b);
    return text;
}

static __attribute__((noinline, cold, noreturn)) void unwritable(const char *what)
{
    rb_raise(rb_eNotImpError, "the lower bound has no %s", what);
}

static inline char *write_text(const buffer *b, char *at, VALUE text)
{
    size_t size = (size_t)RSTRING_LEN(text);
    int range = ENC_CODERANGE(text), encoding = RB_ENCODING_GET_INLINED(text);
    if (RB_UNLIKELY(range == ENC_CODERANGE_UNKNOWN)) range = rb_enc_str_coderange(text);
    if (RB_UNLIKELY(range == ENC_CODERANGE_BROKEN)) unwritable("invalid text");
    if (RB_UNLIKELY(encoding != rb_utf8_encindex() && encoding != rb_usascii_encindex()))
        unwritable("text of other encodings");
    size_t most = size * TJ_ESCAPE_GROWTH + VALUE_SIZE;
    if (RB_UNLIKELY(most > (size_t)(b->limit - at))) unwritable("room");
    *at++ = '"';
    const uint8_t *bytes = (const uint8_t *)RSTRING_PTR(text);
    at = (char *)tj_unsafe_escape((uint8_t *)at, bytes, size, TJ_ESCAPE_JSON);
    *at++ = '"';
    return at;
}

static char *write_array(const buffer *b, char *at, VALUE array);

static inline char *write_value(const buffer *b, char *at, VALUE value)
{
    bool text = !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == T_STRING;
    if (text) return write_text(b, at, value);
    if (RB_UNLIKELY(VALUE_SIZE > b->limit - at)) unwritable("room");
    if (FIXNUM_P(value)) return (char *)tj_write_int64((uint8_t *)at, FIX2LONG(value));
    if (value == Qtrue) return (char *)memcpy(at, "true", 4) + 4;
    if (value == Qfalse) return (char *)memcpy(at, "false", 5) + 5;
    if (NIL_P(value)) return (char *)memcpy(at, "null", 4) + 4;
    if (RB_BUILTIN_TYPE(value) == T_ARRAY) return write_array(b, at, value);
    struct timespec moment = rb_time_timespec(value); /* in UTC, as all of the data */
    *at++ = '"';
    at = (char *)tj_write_time((uint8_t *)at, moment.tv_sec, (int32_t)moment.tv_nsec, 0, true, 3);
    *at++ = '"';
    return at;
}

/* A comma before each element, the first of which becomes the bracket. */
static char *write_array(const buffer *b, char *at, VALUE array)
{
    char *first = at;
    for (long i = 0; i < RARRAY_LEN(array); i++) {
        *at++ = ',';
        at = write_value(b, at, RARRAY_AREF(array, i));
    }
    if (at == first) at++;
    *first = '[';
    *at++ = ']';
    return at;
}
