/* Layer: none. The least that a native DSL of this shape must do, for the contenders "lower bound, native": what
 * stays below this in time cannot be reached by any implementation whose words are C functions.
 *
 * It writes the same documents, for data that it trusts ("kept right" below trusts less): one buffer that never grows, no grammar, no escapes, no
 * check of UTF-8, no rules, no subclasses, no path in errors, nothing put right when a block is left early. What
 * is bought (a key's text is kept, a Time is asked for by rb_time_timespec, a block form's object is copied as
 * memory) is bought by the cheapest way known. Ruby 3.1 to 3.4; not for use. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/ractor.h>

/* The digits are those of the library: a bound on what stands around them. */
#include "../../ext/to_json/core/numbers/float.c"
#include "../../ext/to_json/core/numbers/integer.c"
#include "../../ext/to_json/core/kernels/vector16.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { BUFFER_SIZE = 1 << 18, KEY_SIZE = 32, KEYS = 1 << 16 };

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
    const char *name = rb_id2name(SYM2ID(symbol));
    key->size = (size_t)snprintf(key->text, KEY_SIZE, ",\"%s\":", name);
    if (key->size >= KEY_SIZE || strpbrk(name, "\"\\")) rb_raise(rb_eNotImpError, "a key of that length, or to be escaped");
    key->symbol = symbol;
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

/* -- declared fields: what stands around the values is joined ahead, the values come as arguments ---- */

#define MOST_TEXTS 16

typedef struct {
    size_t count;
    struct {
        size_t size;
        const char *bytes;
    } texts[MOST_TEXTS];
} texts;

static const rb_data_type_t texts_type = {.wrap_struct_name = "LowerBound texts", .flags = RUBY_TYPED_FREE_IMMEDIATELY};

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

/* Texts and values in turn; the last text has no value behind it where there is one text more. */
static inline char *write_fields(char *at, int argc, const VALUE *argv)
{
    const texts *around = RTYPEDDATA_DATA(argv[0]);
    for (size_t i = 0; i < around->count; i++) {
        memcpy(at, around->texts[i].bytes, around->texts[i].size);
        at += around->texts[i].size;
        if (i + 1 < (size_t)argc) at = write_value(at, argv[i + 1]);
    }
    return at;
}

/* LowerBound.document(texts, *values): the whole document. */
static VALUE declared_document(int argc, VALUE *argv, VALUE klass)
{
    char *end = write_fields(document.text, argc, argv);
    return rb_utf8_str_new(document.text, end - document.text);
}

/* LowerBound.first(texts, *values), .item(texts, *values) for each object of a collection, .after(texts, *values) and .last(texts,
 * *values) for what follows one: over its last comma. */
static VALUE declared_first(int argc, VALUE *argv, VALUE klass)
{
    document.cursor = write_fields(document.text, argc, argv);
    return Qnil;
}

static VALUE declared_item(int argc, VALUE *argv, VALUE klass)
{
    document.cursor = write_fields(document.cursor, argc, argv);
    *document.cursor++ = ',';
    return Qnil;
}

static VALUE declared_after(int argc, VALUE *argv, VALUE klass)
{
    document.cursor = write_fields(document.cursor - 1, argc, argv);
    return Qnil;
}

static VALUE declared_last(int argc, VALUE *argv, VALUE klass)
{
    declared_after(argc, argv, klass);
    return rb_utf8_str_new(document.text, document.cursor - document.text);
}

/* The same json! where it takes keywords and tells one object from many, as ours must: a C method, since only one of those learns whether
 * there were keywords for less than a Hash (but for Ruby >= 3.4), and one call of Ruby. What the object responds to takes three looks:
 * has its class a to_ary, or a say in that itself (a model has, and is asked)? None can be saved, for Ruby tells nobody that a method was defined. */
static ID id_json, id_to_ary, id_respond_to, id_respond_to_missing;

static VALUE entry(int argc, VALUE *argv, VALUE klass)
{
    if (argc != 1 || rb_keyword_given_p()) rb_raise(rb_eNotImpError, "one object");
    VALUE v = argv[0];
    bool enumerable = !RB_TYPE_P(v, T_STRUCT) && RTEST(rb_obj_is_kind_of(v, rb_mEnumerable));
    VALUE type = CLASS_OF(v);
    bool asks = !rb_method_basic_definition_p(type, id_respond_to) || !rb_method_basic_definition_p(type, id_respond_to_missing);
    if (enumerable || (asks ? rb_respond_to(v, id_to_ary) : rb_method_boundp(type, id_to_ary, 1))) rb_raise(rb_eNotImpError, "many");
    return rb_funcallv(klass, id_json, 1, argv);
}

#ifdef TJ_SIMD
/* -- what the contract asks beside ------------------------------------------------------------------
 * A getter may write documents of its own, raise, or let another thread or Ractor write: each document has a buffer, taken from those of
 * its Ractor and given back. Strings are looked at: is it known text, is there something to escape? So is the room. Whoever does what these do
 * not (a String of another encoding or to be escaped, a longer document) is told; lists have elements. One from many is told as ours tells it: a model's private to_ary is no. */

typedef struct buffer {
    struct buffer *next;
    VALUE self;
    bool at_work;
    size_t any; /* records */
    char *cursor, *limit;
    char text[BUFFER_SIZE];
} buffer;

static rb_ractor_local_key_t buffers_key;
static VALUE cBuffer;
static ID id_kept, id_each_entry;

static void buffers_mark(void *free)
{
    for (const buffer *b = free; b; b = b->next) rb_gc_mark(b->self);
}

static const struct rb_ractor_local_storage_type buffers_type = {buffers_mark, NULL};
static const rb_data_type_t buffer_type = {.wrap_struct_name = "LowerBound buffer", .function = {.dfree = RUBY_DEFAULT_FREE}, .flags = RUBY_TYPED_FREE_IMMEDIATELY};

static __attribute__((noinline, cold)) buffer *new_buffer(void)
{
    buffer *made;
    VALUE self = TypedData_Make_Struct(cBuffer, buffer, &buffer_type, made);
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
    b->any = 0;
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

static __attribute__((noinline, cold, noreturn)) void unwritable(const char *what) { rb_raise(rb_eNotImpError, "%s", what); }

/* Overlapping loads as in copy, and their flags. */
static inline char *write_known(char *at, VALUE string)
{
    const uint8_t *from = (const uint8_t *)RSTRING_PTR(string);
    size_t size = (size_t)RSTRING_LEN(string);
    int range = ENC_CODERANGE(string), encoding = RB_ENCODING_GET_INLINED(string);
    if (RB_UNLIKELY((encoding != rb_utf8_encindex() && encoding != rb_usascii_encindex()) || range == ENC_CODERANGE_BROKEN)) unwritable("text");
    *at++ = '"';
    uint8_t *to = (uint8_t *)at;
    tj_v16 flags, seen;
    if (size >= 16) {
        tj_v16 v = seen = tj_v16_load(from + size - 16);
        flags = tj_v16_flags(v, TJ_ESCAPE_JSON);
        tj_v16_store(to + size - 16, v);
        for (size_t i = 0; i + 16 < size; i += 16) {
            v = tj_v16_load(from + i);
            seen = tj_v16_or(seen, v);
            flags = tj_v16_or(flags, tj_v16_flags(v, TJ_ESCAPE_JSON));
            tj_v16_store(to + i, v);
        }
    } else {
        uint64_t first = 0x2020202020202020u, last = first;
        if (size >= 8) {
            memcpy(&first, from, 8);
            memcpy(&last, from + size - 8, 8);
            memcpy(to, &first, 8);
            memcpy(to + size - 8, &last, 8);
        } else if (size >= 4) {
            memcpy(&first, from, 4);
            memcpy(&last, from + size - 4, 4);
            memcpy(to, &first, 4);
            memcpy(to + size - 4, &last, 4);
        } else
            for (size_t i = 0; i < size; i++) to[i] = from[i], ((uint8_t *)&first)[i] = from[i];
        seen = tj_v16_of(first, last);
        flags = tj_v16_flags(seen, TJ_ESCAPE_JSON);
    }
    if (range == ENC_CODERANGE_UNKNOWN && tj_v16_any(tj_v16_and(seen, tj_v16_fill(0x80)))) unwritable("text that nobody has looked at");
    if (RB_UNLIKELY(tj_v16_any(flags))) unwritable("escapes");
    at += size;
    *at++ = '"';
    return at;
}

static inline void write_kept(buffer *b, int argc, const VALUE *argv)
{
    const texts *around = RTYPEDDATA_DATA(argv[0]);
    char *at = b->cursor;
    for (size_t i = 0; i < around->count; i++) {
        VALUE v = i + 1 < (size_t)argc ? argv[i + 1] : Qundef;
        bool text = v != Qundef && !RB_SPECIAL_CONST_P(v) && RB_BUILTIN_TYPE(v) == T_STRING;
        if (RB_UNLIKELY(around->texts[i].size + 64 + (text ? (size_t)RSTRING_LEN(v) : 0) > (size_t)(b->limit - at))) unwritable("room");
        at = copy(at, around->texts[i].bytes, around->texts[i].size);
        if (text) at = write_known(at, v);
        else if (v != Qundef) at = write_value(at, v);
    }
    b->cursor = at;
}

/* buffer.first, item, after, last, document, as LowerBound has them; the last two give the buffer back. */
static VALUE kept_first(int argc, VALUE *argv, VALUE self)
{
    write_kept(RTYPEDDATA_DATA(self), argc, argv);
    return Qnil;
}

static VALUE kept_item(int argc, VALUE *argv, VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    write_kept(b, argc, argv);
    *b->cursor++ = ',';
    return Qnil;
}

static VALUE kept_after(int argc, VALUE *argv, VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    b->cursor--;
    write_kept(b, argc, argv);
    return Qnil;
}

static VALUE kept_document(int argc, VALUE *argv, VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    write_kept(b, argc, argv);
    VALUE text = rb_utf8_str_new(b->text, b->cursor - b->text);
    give_back(b);
    return text;
}

static VALUE kept_last(int argc, VALUE *argv, VALUE self)
{
    ((buffer *)RTYPEDDATA_DATA(self))->cursor--;
    return kept_document(argc, argv, self);
}

static VALUE kept_left(VALUE self)
{
    give_back(RTYPEDDATA_DATA(self));
    return Qnil;
}

static VALUE kept_entry(int argc, VALUE *argv, VALUE klass)
{
    if (argc != 1 || rb_keyword_given_p()) rb_raise(rb_eNotImpError, "one object");
    VALUE v = argv[0], type = CLASS_OF(v);
    bool enumerable = !RB_TYPE_P(v, T_STRUCT) && (rb_class_get_superclass(type) == rb_cObject || rb_method_boundp(type, id_each_entry, 0)) &&
                      RTEST(rb_obj_is_kind_of(v, rb_mEnumerable));
    bool one = rb_method_boundp(type, id_to_ary, 0) ? !rb_method_boundp(type, id_to_ary, 1)
                                                    : rb_method_basic_definition_p(type, id_respond_to) && rb_method_basic_definition_p(type, id_respond_to_missing);
    if (enumerable || !one) rb_raise(rb_eNotImpError, "many");
    VALUE arguments[2] = {v, take()->self};
    return rb_funcallv(klass, id_kept, 2, arguments);
}

/* -- records, kept right ----------------------------------------------------------------------------
 * One call a record of a stream, whose fields Ruby reads: LowerBound::Buffer.take, then buffer.record(out, texts, *values) for each and
 * buffer.ended(out). `out` is a String, or whatever has `write`, which gets pieces of 64 KiB. */

enum { PIECE = 1 << 16 };
static ID id_write;

static VALUE buffer_take(VALUE klass) { return take()->self; }

static void deliver(buffer *b, VALUE out)
{
    if (RB_TYPE_P(out, T_STRING)) rb_str_cat(out, b->text, b->cursor - b->text);
    else rb_funcall(out, id_write, 1, rb_utf8_str_new(b->text, b->cursor - b->text));
    b->cursor = b->text;
}

static VALUE kept_record(int argc, VALUE *argv, VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    *b->cursor = b->any++ ? ',' : '[';
    b->cursor++;
    write_kept(b, argc - 1, argv + 1);
    if (RB_UNLIKELY(b->cursor - b->text >= PIECE)) deliver(b, argv[0]);
    return Qnil;
}

static VALUE kept_ended(VALUE self, VALUE out)
{
    buffer *b = RTYPEDDATA_DATA(self);
    if (!b->any) *b->cursor++ = '[';
    *b->cursor++ = ']';
    deliver(b, out);
    give_back(b);
    return out;
}

/* -- words, kept right ------------------------------------------------------------------------------
 * LowerBound::Words has the words of LowerBound: each asks whether a document is open, whether its key is one from the source, and for room, and
 * looks at text as above. A serializer holds the buffer of its document for as long as that is written. What a block began that is left early (an
 * exception that is rescued inside the document) is taken back. Trusted are still rules, what kinds of values there are, the order of words (a pair in
 * an array, a word after the end) and the room of closing braces. */

static void words_mark(void *data)
{
    if (data) rb_gc_mark(((buffer *)data)->self);
}

static const rb_data_type_t words_type = {
    .wrap_struct_name = "LowerBound words",
    .function = {.dmark = words_mark},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE words_allocate(VALUE klass) { return rb_data_typed_object_wrap(klass, NULL, &words_type); }

static VALUE words_restart(VALUE self)
{
    if (RTYPEDDATA_DATA(self)) unwritable("a serializer that writes another document");
    buffer *b = take();
    RTYPEDDATA_DATA(self) = b;
    RB_OBJ_WRITTEN(self, Qundef, b->self);
    return self;
}

static VALUE words_start(VALUE klass) { return words_restart(words_allocate(klass)); }

static inline char *kept_value(buffer *b, char *at, VALUE v)
{
    bool text = !RB_SPECIAL_CONST_P(v) && RB_BUILTIN_TYPE(v) == T_STRING;
    if (RB_UNLIKELY((text ? (size_t)RSTRING_LEN(v) : 0) + 2 * KEY_SIZE > (size_t)(b->limit - at))) unwritable("room");
    if (text) return write_known(at, v);
    if (RB_SPECIAL_CONST_P(v) || RB_BUILTIN_TYPE(v) != T_ARRAY) return write_value(at, v);
    char *first = at;
    for (long i = 0; i < RARRAY_LEN(v); i++) {
        *at++ = ',';
        at = kept_value(b, at, RARRAY_AREF(v, i));
    }
    if (at == first) at++;
    *first = '[';
    *at++ = ']';
    return at;
}

static VALUE yield_nothing(VALUE unused)
{
    (void)unused;
    return rb_yield_values(0);
}

static VALUE words_put(int argc, VALUE *argv, VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    if (RB_UNLIKELY(!b || argc < 1 || argc > 2 || !RB_STATIC_SYM_P(argv[0]))) unwritable("such a pair");
    if (RB_UNLIKELY(2 * KEY_SIZE > b->limit - b->cursor)) unwritable("room");
    char *at = write_key(b->cursor, argv[0]);
    if (argc == 2) b->cursor = kept_value(b, at, argv[1]);
    else {
        size_t start = (size_t)(b->cursor - b->text), place = (size_t)(at - b->text);
        b->cursor = at;
        int left;
        rb_protect(yield_nothing, Qnil, &left);
        if (RB_UNLIKELY(left)) {
            if (RTYPEDDATA_DATA(self) == b) b->cursor = b->text + start;
            rb_jump_tag(left);
        }
        if (RB_UNLIKELY(RTYPEDDATA_DATA(self) != b)) unwritable("a block that ends the document");
        if (b->cursor == b->text + place) b->cursor++;
        b->text[place] = '{';
        *b->cursor++ = '}';
    }
    return Qnil;
}

static VALUE words_left(VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    if (!b) return Qnil;
    give_back(b); /* which may collect garbage: until then self keeps it */
    RTYPEDDATA_DATA(self) = NULL;
    return Qnil;
}

static VALUE words_finish(VALUE self)
{
    buffer *b = RTYPEDDATA_DATA(self);
    if (RB_UNLIKELY(!b)) unwritable("no document");
    if (b->cursor == b->text) b->cursor++;
    b->text[0] = '{';
    *b->cursor++ = '}';
    VALUE text = rb_utf8_str_new(b->text, b->cursor - b->text);
    words_left(self);
    return text;
}
#endif

/* LowerBound.entry(klass): gives it entry!, which calls json!(value), and kept_entry!, which calls kept!(value, buffer) */
static VALUE define_entry(VALUE self, VALUE klass)
{
    rb_define_singleton_method(klass, "entry!", entry, -1);
#ifdef TJ_SIMD
    rb_define_singleton_method(klass, "kept_entry!", kept_entry, -1);
#endif
    return klass;
}

/* -- numbers alone -------------------------------------------------------------------------------- */

static void write_numbers(VALUE v);

static int value_i(VALUE key, VALUE value, VALUE unused)
{
    (void)key, (void)unused;
    write_numbers(value);
    return ST_CONTINUE;
}

/* Each number over the one before: no document, no brackets, no commas, no room to look for. */
static void write_numbers(VALUE v)
{
    uint8_t *at = (uint8_t *)document.text;
    if (RB_FIXNUM_P(v)) tj_write_int64(at, FIX2LONG(v));
    else if (RB_FLONUM_P(v)) tj_write_double(at, RFLOAT_VALUE(v));
    else if (RB_TYPE_P(v, T_ARRAY)) {
        const VALUE *elements = RARRAY_CONST_PTR(v);
        for (long i = 0, size = RARRAY_LEN(v); i < size; i++) write_numbers(elements[i]);
    } else if (RB_TYPE_P(v, T_HASH)) rb_hash_foreach(v, value_i, Qnil);
}

static VALUE numbers(VALUE self, VALUE tree)
{
    write_numbers(tree);
    return Qnil;
}

/* -- escapes at known places -----------------------------------------------------------------------
 * What is left of escaping where nothing is looked for: places = LowerBound.places(list, html), made once, tells where each text of the
 * list has what JSON escapes (with `html`: < > & too; quotes and backslashes alone of what JSON has); LowerBound.placed(list, places) writes
 * the list, as much as there is between two places at once. */

typedef struct {
    size_t count, size;
    uint32_t *ends, *at; /* of text i are at[ends[i - 1]] to at[ends[i] - 1], and the text's end */
} places;

static void places_free(void *data)
{
    places *p = data;
    xfree(p->ends);
    xfree(p->at);
    xfree(p);
}

static const rb_data_type_t places_type = {.wrap_struct_name = "LowerBound places", .function = {.dfree = places_free}, .flags = RUBY_TYPED_FREE_IMMEDIATELY};

static struct { char text[8]; size_t size; } forms[256];

static bool is_escaped(unsigned char byte, bool html) { return byte == '"' || byte == '\\' || (html && (byte == '<' || byte == '>' || byte == '&')); }

static VALUE places_new(VALUE self, VALUE list, VALUE html)
{
    places *p;
    VALUE object = TypedData_Make_Struct(rb_cObject, places, &places_type, p);
    long count = RARRAY_LEN(list);
    size_t most = 0;
    for (long i = 0; i < count; i++) most += (size_t)RSTRING_LEN(RARRAY_AREF(list, i)) + 1;
    p->ends = ALLOC_N(uint32_t, count + 1);
    p->at = ALLOC_N(uint32_t, most);
    p->count = (size_t)count;
    p->size = 2;
    uint32_t found = 0;
    for (long i = 0; i < count; i++) {
        const char *text = RSTRING_PTR(RARRAY_AREF(list, i));
        size_t size = (size_t)RSTRING_LEN(RARRAY_AREF(list, i));
        for (size_t k = 0; k < size; k++) {
            if (!is_escaped((unsigned char)text[k], RTEST(html))) continue;
            p->at[found++] = (uint32_t)k;
            p->size += forms[(unsigned char)text[k]].size - 1;
        }
        p->at[found++] = (uint32_t)size;
        p->ends[i] = found;
        p->size += size + 3;
    }
    return object;
}

static inline char *copy_run(char *at, const char *from, size_t size, const char *end)
{
    if (RB_UNLIKELY(from + size + 31 >= end)) return (char *)memcpy(at, from, size) + size;
    for (size_t i = 0; i < size; i += 32) memcpy(at + i, from + i, 32);
    return at + size;
}

static VALUE placed(VALUE self, VALUE list, VALUE known)
{
    const places *p = RTYPEDDATA_DATA(known);
    VALUE document = rb_str_buf_new((long)p->size + 64);
    char *at = RSTRING_PTR(document), *start = at;
    const uint32_t *place = p->at;
    *at++ = '[';
    for (size_t i = 0; i < p->count; i++) {
        VALUE text = RARRAY_AREF(list, (long)i);
        const char *from = RSTRING_PTR(text), *end = from + RSTRING_LEN(text);
        if (i > 0) *at++ = ',';
        *at++ = '"';
        uint32_t done = 0;
        for (const uint32_t *last = p->at + p->ends[i] - 1; place < last; done = *place++ + 1) {
            at = copy_run(at, from + done, *place - done, end);
            unsigned char byte = (unsigned char)from[*place];
            memcpy(at, forms[byte].text, 8);
            at += forms[byte].size;
        }
        at = copy_run(at, from + done, *place++ - done, end);
        *at++ = '"';
    }
    *at++ = ']';
    rb_str_set_len(document, at - start);
    rb_enc_associate_index(document, rb_utf8_encindex());
    return document;
}

__attribute__((visibility("default"))) void Init_lower_bound(void)
{
    id_json = rb_intern("json!");
    id_to_ary = rb_intern("to_ary");
    id_respond_to = rb_intern("respond_to?");
    id_respond_to_missing = rb_intern("respond_to_missing?");
    VALUE cLowerBound = rb_define_class("LowerBound", rb_cObject);
#ifdef TJ_SIMD
    id_each_entry = rb_intern("each_entry");
    id_kept = rb_intern("kept!");
    buffers_key = rb_ractor_local_storage_ptr_newkey(&buffers_type);
    cBuffer = rb_define_class_under(cLowerBound, "Buffer", rb_cObject);
    rb_undef_alloc_func(cBuffer);
    id_write = rb_intern("write");
    rb_define_singleton_method(cBuffer, "take", buffer_take, 0);
    rb_define_method(cBuffer, "record", kept_record, -1);
    rb_define_method(cBuffer, "ended", kept_ended, 1);
    rb_define_method(cBuffer, "first", kept_first, -1);
    rb_define_method(cBuffer, "item", kept_item, -1);
    rb_define_method(cBuffer, "after", kept_after, -1);
    rb_define_method(cBuffer, "last", kept_last, -1);
    rb_define_method(cBuffer, "document", kept_document, -1);
    rb_define_method(cBuffer, "left", kept_left, 0);
    VALUE cWords = rb_define_class_under(cLowerBound, "Words", rb_cObject);
    rb_define_alloc_func(cWords, words_allocate);
    rb_define_singleton_method(cWords, "start", words_start, 0);
    rb_define_method(cWords, "restart", words_restart, 0);
    rb_define_method(cWords, "put", words_put, -1);
    rb_define_method(cWords, "finish", words_finish, 0);
    rb_define_method(cWords, "left", words_left, 0);
#endif
    for (int byte = 0; byte < 256; byte++) {
        bool shorter = byte == '"' || byte == '\\';
        snprintf(forms[byte].text, sizeof forms[byte].text, shorter ? "\\%c" : "\\u%04x", byte);
        forms[byte].size = shorter ? 2 : 6;
    }
    rb_define_singleton_method(cLowerBound, "places", places_new, 2);
    rb_define_singleton_method(cLowerBound, "placed", placed, 2);
    rb_define_alloc_func(cLowerBound, allocate);
    rb_define_singleton_method(cLowerBound, "numbers", numbers, 1);
    rb_define_singleton_method(cLowerBound, "start", start, 0);
    rb_define_singleton_method(cLowerBound, "block!", block, 1);
    rb_define_singleton_method(cLowerBound, "entry", define_entry, 1);
    rb_define_singleton_method(cLowerBound, "texts", texts_new, -1);
    rb_define_singleton_method(cLowerBound, "document", declared_document, -1);
    rb_define_singleton_method(cLowerBound, "first", declared_first, -1);
    rb_define_singleton_method(cLowerBound, "item", declared_item, -1);
    rb_define_singleton_method(cLowerBound, "after", declared_after, -1);
    rb_define_singleton_method(cLowerBound, "last", declared_last, -1);
    rb_define_method(cLowerBound, "restart", restart, 0);
    rb_define_method(cLowerBound, "put", put, -1);
    rb_define_method(cLowerBound, "finish", finish, 0);
}
