/* Layer: none. The least that a native DSL of this shape must do, for the contenders "lower bound, native": what
 * stays below this in time cannot be reached by any implementation whose words are C functions.
 *
 * It writes the same documents, for data that it trusts: one buffer that never grows, no grammar, no escapes, no
 * check of UTF-8, no rules, no subclasses, no path in errors, nothing put right when a block is left early. What
 * is bought (a key's text is kept, a Time is asked for by rb_time_timespec, a block form's object is copied as
 * memory) is bought by the cheapest way known. Ruby 3.1 to 3.4; not for use. */
#include <ruby.h>

#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { BUFFER_SIZE = 1 << 16, KEY_SIZE = 32, KEYS = 1 << 16 };

static struct {
    char *cursor;
    char text[BUFFER_SIZE];
} document;

/* -- text -------------------------------------------------------------------------------------- */

/* Overlapping loads and stores instead of a call, for the sizes that the data has. */
static inline char *copy(char *at, const char *from, size_t size)
{
    if (size >= 8 && size <= 16) {
        uint64_t first, last;
        memcpy(&first, from, 8);
        memcpy(&last, from + size - 8, 8);
        memcpy(at, &first, 8);
        memcpy(at + size - 8, &last, 8);
    } else if (size >= 4 && size < 8) {
        uint32_t first, last;
        memcpy(&first, from, 4);
        memcpy(&last, from + size - 4, 4);
        memcpy(at, &first, 4);
        memcpy(at + size - 4, &last, 4);
    } else memcpy(at, from, size);
    return at + size;
}

struct key {
    VALUE symbol;
    size_t size;
    char text[KEY_SIZE];
};

/* By number, without collisions up to 65,536 Symbols. */
static struct key keys[KEYS];

static __attribute__((noinline, cold)) void learn_key(struct key *key, VALUE symbol)
{
    key->symbol = symbol;
    key->size = (size_t)snprintf(key->text, KEY_SIZE, ",\"%s\":", rb_id2name(SYM2ID(symbol)));
}

/* `,"key":` */
static inline char *write_key(char *at, VALUE symbol)
{
    struct key *key = &keys[(symbol >> 12) % KEYS];
    if (RB_UNLIKELY(key->symbol != symbol)) learn_key(key, symbol);
    memcpy(at, key->text, KEY_SIZE);
    return at + key->size;
}

static inline char *write_string(char *at, VALUE string)
{
    *at++ = '"';
    at = copy(at, RSTRING_PTR(string), (size_t)RSTRING_LEN(string));
    *at++ = '"';
    return at;
}

/* Positive, as all of the data. */
static inline char *write_integer(char *at, unsigned long value)
{
    char digits[20], *first = digits + sizeof digits;
    do *--first = (char)('0' + value % 10);
    while (value /= 10);
    return copy(at, first, (size_t)(digits + sizeof digits - first));
}

static inline char *two(char *at, uint32_t value)
{
    at[0] = (char)('0' + value / 10);
    at[1] = (char)('0' + value % 10);
    return at + 2;
}

/* "1991-09-14T10:11:12.345Z", of a Time from 1970 to 2099 in UTC (Neri and Schneider's calendar). */
static char *write_time(char *at, VALUE time)
{
    struct timespec moment = rb_time_timespec(time);
    uint32_t days = (uint32_t)((uint64_t)moment.tv_sec / 86400), second = (uint32_t)((uint64_t)moment.tv_sec % 86400);
    uint32_t quarters = 4 * (days + 719468) + 3, century = quarters / 146097;
    uint64_t product = (uint64_t)2939745 * (4 * (quarters % 146097 / 4) + 3);
    uint32_t day_of_year = (uint32_t)product / 2939745 / 4, month_and_day = 2141 * day_of_year + 197913;
    uint32_t month = month_and_day >> 16, next = day_of_year >= 306;
    uint32_t year = 100 * century + (uint32_t)(product >> 32) + next, milliseconds = (uint32_t)(moment.tv_nsec / 1000000);
    memcpy(at, "\"yyyy-mm-ddThh:mm:ss.mmmZ\"", 26);
    two(two(at + 1, year / 100), year % 100);
    two(at + 6, month - 12 * next);
    two(at + 9, (month_and_day & 0xffff) / 2141 + 1);
    two(at + 12, second / 3600);
    two(at + 15, second / 60 % 60);
    two(at + 18, second % 60);
    at[21] = (char)('0' + milliseconds / 100);
    two(at + 22, milliseconds % 100);
    return at + 26;
}

static char *write_array(char *at, VALUE array);

static inline char *write_value(char *at, VALUE value)
{
    if (FIXNUM_P(value)) return write_integer(at, FIX2ULONG(value));
    if (value == Qtrue) return (char *)memcpy(at, "true", 4) + 4;
    if (value == Qfalse) return (char *)memcpy(at, "false", 5) + 5;
    if (NIL_P(value)) return (char *)memcpy(at, "null", 4) + 4;
    if (RB_BUILTIN_TYPE(value) == T_STRING) return write_string(at, value);
    if (RB_BUILTIN_TYPE(value) == T_ARRAY) return write_array(at, value);
    return write_time(at, value);
}

/* A comma before each element, the first of which becomes the bracket. */
static char *write_array(char *at, VALUE array)
{
    char *first = at;
    for (long i = 0; i < RARRAY_LEN(array); i++) {
        *at++ = ',';
        at = write_value(at, RARRAY_CONST_PTR(array)[i]);
    }
    *first = '[';
    *at++ = ']';
    return at;
}

/* -- words ------------------------------------------------------------------------------------- */

/* put(key, value), or put(key) { … }: the comma of the block's first pair becomes the brace. */
static VALUE put(int argc, VALUE *argv, VALUE self)
{
    char *at = write_key(document.cursor, argv[0]);
    if (argc == 2) document.cursor = write_value(at, argv[1]);
    else {
        document.cursor = at;
        rb_yield_values(0);
        *at = '{';
        *document.cursor++ = '}';
    }
    return Qnil;
}

static VALUE finish(VALUE self)
{
    document.text[0] = '{';
    *document.cursor++ = '}';
    return rb_utf8_str_new(document.text, document.cursor - document.text);
}

static VALUE restart(VALUE self)
{
    document.cursor = document.text;
    return self;
}

/* -- class form: an object for each document ---------------------------------------------------- */

static const rb_data_type_t type = {
    .wrap_struct_name = "LowerBound",
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE allocate(VALUE klass) { return rb_data_typed_object_wrap(klass, &document, &type); }

static VALUE start(VALUE klass) { return restart(allocate(klass)); }

/* -- block form: an object with the caller's instance variables ----------------------------------- */

static VALUE stand_in_class, template; /* of the one class of callers that a process has */
static size_t slot_count;

static int set_i(ID name, VALUE value, st_data_t object)
{
    rb_ivar_set((VALUE)object, name, value);
    return ST_CONTINUE;
}

static __attribute__((noinline, cold)) void learn_caller(VALUE caller)
{
    rb_gc_register_address(&stand_in_class);
    rb_gc_register_address(&template);
    stand_in_class = rb_class_new(rb_obj_class(caller));
    rb_define_method(stand_in_class, "put", put, -1);
    for (int i = 0; i < 2; i++) { /* the second has room for all of them within */
        template = rb_obj_alloc(stand_in_class);
        rb_ivar_foreach(caller, set_i, (st_data_t)template);
    }
    slot_count = rb_ivar_count(template);
#if defined(ROBJECT_NUMIV) /* Ruby 3.1 */
    bool room = ROBJECT_NUMIV(rb_obj_alloc(stand_in_class)) >= slot_count;
#else
    bool room = RB_FL_ANY_RAW(template, ROBJECT_EMBED);
#endif
    if (!room) rb_raise(rb_eRuntimeError, "the instance variables of this Ruby's objects lie elsewhere");
}

/* Ruby 3.1 gives a new object its slots, from 3.2 on it gets them with its shape, the upper half of the flags. */
static VALUE stand_in_of(VALUE caller)
{
    VALUE self = rb_obj_alloc(stand_in_class);
    memcpy(ROBJECT_IVPTR(self), ROBJECT_IVPTR(caller), slot_count * sizeof(VALUE));
#if !defined(ROBJECT_NUMIV)
    RBASIC(self)->flags = (RBASIC(self)->flags & 0xffffffffu) | RBASIC(template)->flags >> 32 << 32;
#endif
    return self;
}

/* LowerBound.block!(self) { … }: the caller is handed over, so that it need not be found. */
static VALUE block(VALUE klass, VALUE caller)
{
    if (RB_UNLIKELY(!template)) learn_caller(caller);
    document.cursor = document.text;
    rb_obj_instance_exec(0, NULL, stand_in_of(caller));
    return finish(klass);
}

__attribute__((visibility("default"))) void Init_lower_bound(void)
{
    VALUE cLowerBound = rb_define_class("LowerBound", rb_cObject);
    rb_define_alloc_func(cLowerBound, allocate);
    rb_define_singleton_method(cLowerBound, "start", start, 0);
    rb_define_singleton_method(cLowerBound, "block!", block, 1);
    rb_define_method(cLowerBound, "restart", restart, 0);
    rb_define_method(cLowerBound, "put", put, -1);
    rb_define_method(cLowerBound, "finish", finish, 0);
}
