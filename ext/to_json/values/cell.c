/* Values. Takes raw values of databases into Cells, and writes them. */
#include "cell.h"

#include "../core/numbers/integer.h"
#include "../core/numbers/time.h"
#include "../core/numbers/time_text.h"
#include "../vm/time_struct.h"
#include "../writer/errors.h"
#include "../writer/string.h"

VALUE tj_cCell;
static VALUE mCasts; /* ToJson::Rows::Casts */
static VALUE str_plain_notation;
static ID id_deserialize, id_period_of, kind_ids[TJ_CELL_KINDS];

static void cell_mark(void *data)
{
    tj_cell *cell = data;
    rb_gc_mark_movable(cell->type);
    rb_gc_mark_movable(cell->raw);
    rb_gc_mark_movable(cell->names);
    rb_gc_mark_movable(cell->big_decimal);
}

static void cell_compact(void *data)
{
    tj_cell *cell = data;
    cell->type = rb_gc_location(cell->type);
    cell->raw = rb_gc_location(cell->raw);
    cell->names = rb_gc_location(cell->names);
    cell->big_decimal = rb_gc_location(cell->big_decimal);
}

static size_t cell_memsize(const void *data) { return data ? sizeof(tj_cell) : 0; }

/* Without write barriers: the garbage collector marks it anew each time. */
static const rb_data_type_t cell_type = {
    .wrap_struct_name = "ToJson::Rows::Cell",
    .function = {.dmark = cell_mark,
                 .dfree = RUBY_DEFAULT_FREE,
                 .dsize = cell_memsize,
                 .dcompact = cell_compact},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

void tj_cell_init(void)
{
    VALUE rows = rb_define_module_under(tj_mToJson, "Rows");
    mCasts = rb_define_module_under(rows, "Casts");
    tj_cCell = rb_define_class_under(rows, "Cell", rb_cObject);
    rb_gc_register_mark_object(mCasts);
    rb_gc_register_mark_object(tj_cCell);
    rb_undef_alloc_func(tj_cCell);
    str_plain_notation = rb_obj_freeze(rb_str_new_cstr("F"));
    rb_gc_register_mark_object(str_plain_notation);
    id_deserialize = rb_intern("deserialize");
    id_period_of = rb_intern("period_of");
#define TJ_CELL_ID(NAME, name) kind_ids[TJ_CELL_##NAME] = rb_intern(#name);
    TJ_CELL_TABLE(TJ_CELL_ID)
}

static enum tj_cell_kind kind_of(VALUE name)
{
    Check_Type(name, T_SYMBOL);
    ID id = rb_sym2id(name);
    for (enum tj_cell_kind kind = 0; kind < TJ_CELL_KINDS; kind++)
        if (kind_ids[kind] == id) return kind;
    rb_raise(rb_eArgError, "no kind of Cell: %" PRIsVALUE, name);
}

/* Reads precision or scale of a type: -1 for none. Returns false for what no database has. */
static bool read_number(VALUE type, ID name, int *number)
{
    VALUE given = rb_funcallv(type, name, 0, NULL);
    *number = RB_FIXNUM_P(given) ? (int)FIX2LONG(given) : -1;
    return NIL_P(given) || (RB_FIXNUM_P(given) && FIX2LONG(given) >= 0 && FIX2LONG(given) < 1000);
}

VALUE tj_cell_new(VALUE kind, VALUE type)
{
    tj_cell *cell;
    VALUE self = TypedData_Make_Struct(tj_cCell, tj_cell, &cell_type, cell);
    cell->type = type;
    cell->raw = cell->names = cell->big_decimal = Qnil;
    cell->kind = kind_of(kind);
    cell->from = INT64_MAX; /* nothing is known of the zone */
    cell->until = INT64_MIN;
    cell->precision = cell->scale = -1;
    if (cell->kind >= TJ_CELL_DECIMAL &&
        (!read_number(type, rb_intern("precision"), &cell->precision) ||
         !read_number(type, rb_intern("scale"), &cell->scale) ||
         /* a BigDecimal that is rounded to no fraction is an Integer */
         (cell->kind == TJ_CELL_DECIMAL && (cell->scale == 0 || cell->precision == 0))))
        cell->kind = TJ_CELL_CAST;
    if (cell->kind == TJ_CELL_NAME) cell->names = rb_hash_new();
    if (cell->kind == TJ_CELL_DECIMAL && rb_const_defined(rb_cObject, rb_intern("BigDecimal")))
        cell->big_decimal = rb_const_get(rb_cObject, rb_intern("BigDecimal"));
    return self;
}

static VALUE deserialize(const tj_cell *cell, VALUE raw)
{
    return rb_funcallv(cell->type, id_deserialize, 1, &raw);
}

VALUE tj_cell_value(VALUE self)
{
    const tj_cell *cell = tj_cell_get(self);
    return deserialize(cell, cell->raw);
}

/* -- Strings ----------------------------------------------------------------------------------- */

/* Borrows the bytes of an exact String whose encoding has ASCII in single bytes. */
static bool ascii_bytes(VALUE raw, const uint8_t **bytes, size_t *size)
{
    if (!tj_is_exact_string(raw)) return false;
    int encoding = RB_ENCODING_GET_INLINED(raw);
    if (encoding != tj_utf8_index && encoding != tj_binary_index &&
        encoding != rb_usascii_encindex())
        return false;
    *size = tj_string_bytes(raw, bytes);
    return true;
}

/* Whether it is a UUID in lower case, with its four dashes. */
static bool is_uuid(VALUE raw)
{
    const uint8_t *bytes;
    size_t size;
    if (!ascii_bytes(raw, &bytes, &size) || size != 36) return false;
    for (size_t i = 0; i < size; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23,
             digit = (uint8_t)(bytes[i] - '0') <= 9 || (uint8_t)(bytes[i] - 'a') <= 5;
        if (dash ? bytes[i] != '-' : !digit) return false;
    }
    return true;
}

/* -- enums ------------------------------------------------------------------------------------- */

/* A column of an enum has few values; any other column stops here. */
#define MOST_NAMES 64

/* Whether the name of such a raw value is kept. */
static bool is_plain_key(VALUE raw)
{
    return NIL_P(raw) || RB_FIXNUM_P(raw) || tj_is_exact_string(raw);
}

static bool take_name(const tj_cell *cell, VALUE raw, VALUE *name)
{
    if (!is_plain_key(raw)) return false;
    *name = rb_hash_lookup2(cell->names, raw, Qundef);
    return *name != Qundef;
}

/* Asks the type for the name, and keeps it. */
static VALUE learn_name(const tj_cell *cell, VALUE raw)
{
    VALUE name = deserialize(cell, raw);
    if (is_plain_key(raw) && RHASH_SIZE(cell->names) < MOST_NAMES)
        rb_hash_aset(cell->names, raw, name);
    return name;
}

/* -- decimals ---------------------------------------------------------------------------------- */

/* A double has so many digits that any decimal number of that length survives it. */
#define SAFE_DIGITS 15
/* ActiveModel's default for Integers and BigDecimals. */
#define DEFAULT_PRECISION 18

/* A driver's BigDecimal as text, as the Writer writes one; other values as they are. */
static VALUE without_big_decimal(const tj_cell *cell, VALUE raw)
{
    if (RB_SPECIAL_CONST_P(raw) || RBASIC_CLASS(raw) != cell->big_decimal) return raw;
    return rb_funcallv(raw, rb_intern("to_s"), 1, &str_plain_notation);
}

/* Takes the number if its type would not round it. */
static bool take_decimal(tj_cell *cell, VALUE given)
{
    uint8_t *end = NULL;
    int precision = cell->precision, scale = cell->scale;
    VALUE raw = without_big_decimal(cell, given);
    tj_decimal_limits limits = {.digits = TJ_DECIMAL_SIZE,
                                .whole = TJ_DECIMAL_SIZE,
                                .fraction = scale < 0 ? TJ_DECIMAL_SIZE : scale};
    if (RB_FIXNUM_P(raw)) {
        limits.digits = precision < 0 ? DEFAULT_PRECISION : precision;
        end = tj_plain_integer(cell->text, RB_FIX2LONG(raw), limits);
    } else if (RB_FLOAT_TYPE_P(raw)) {
        limits.digits = precision < 0 || precision > SAFE_DIGITS ? SAFE_DIGITS : precision;
        /* ActiveModel rounds the double to 16 digits, and that to the scale. The two lead back to
         * the number if the first error is less than half a unit of the scale. */
        if (precision > SAFE_DIGITS) limits.whole = scale < 0 ? -1 : SAFE_DIGITS - 1 - scale;
        if (limits.whole >= 0) end = tj_plain_double(cell->text, RFLOAT_VALUE(raw), limits);
    } else {
        const uint8_t *bytes;
        size_t size;
        if (!ascii_bytes(raw, &bytes, &size)) return false;
        if (raw != given) limits.digits = precision < 0 ? DEFAULT_PRECISION : precision;
        end = tj_plain_text(cell->text, bytes, size, limits);
        RB_GC_GUARD(raw);
    }
    cell->size = end ? (uint8_t)(end - cell->text) : 0;
    return end != NULL;
}

/* -- dates ------------------------------------------------------------------------------------- */

/* The Gregorian calendar began in October 1582; before, a Date is one of the Julian calendar. */
#define FIRST_YEAR 1583

static bool take_date(tj_cell *cell, VALUE raw)
{
    const uint8_t *bytes;
    size_t size;
    tj_civil civil;
    if (!ascii_bytes(raw, &bytes, &size) || !tj_read_date(bytes, size, &civil) ||
        civil.year < FIRST_YEAR)
        return false;
    memcpy(cell->text, bytes, size);
    cell->size = (uint8_t)size;
    RB_GC_GUARD(raw);
    return true;
}

/* -- times ------------------------------------------------------------------------------------- */

/* A clock is one of 2000-01-01. */
#define YEAR_2000 946684800 /* 2000-01-01T00:00:00Z */
#define SECONDS_OF_DAY 86400

/* Whether the type cuts nothing off the nanoseconds of a Time. It does not cut those of a text. */
static bool is_precise(const tj_cell *cell, int32_t nanoseconds)
{
    static const int32_t units[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                    10000,      1000,      100,      10,      1};
    if (cell->precision < 0) return true;
    return cell->precision <= 9 && nanoseconds % units[cell->precision] == 0;
}

/* Whether an exact Time is in UTC, and its seconds fit into 64 bits. */
static bool is_plain_time(VALUE time)
{
    if (tj_times_readable()) return tj_time_in_nanoseconds(time) && tj_time_in_utc(time);
    return RTEST(rb_funcallv(time, rb_intern("utc?"), 0, NULL)) &&
           RB_FIXNUM_P(rb_funcallv(time, rb_intern("to_i"), 0, NULL));
}

static bool read_moment(tj_cell *cell, VALUE raw)
{
    const uint8_t *bytes;
    size_t size;
    if (!RB_SPECIAL_CONST_P(raw) && RBASIC_CLASS(raw) == rb_cTime) {
        if (!is_plain_time(raw)) return false;
        struct timespec at = rb_time_timespec(raw);
        cell->seconds = at.tv_sec;
        cell->nanoseconds = (int32_t)at.tv_nsec;
        return is_precise(cell, cell->nanoseconds);
    }
    bool read = ascii_bytes(raw, &bytes, &size) &&
                (cell->kind == TJ_CELL_MOMENT ? tj_read_time : tj_read_clock)(
                    bytes, size, &cell->seconds, &cell->nanoseconds);
    if (read && cell->kind == TJ_CELL_CLOCK) cell->seconds += YEAR_2000;
    RB_GC_GUARD(raw);
    return read;
}

/* What lib/to_json/rows/casts.rb tells of a Time. */
enum { SECONDS, NANOSECONDS, OFFSET, UTC, FROM, UNTIL, ZONED };

/* Asks the type for the value, and learns from that at which offset the times around it are.
 * Returns it. */
static VALUE learn(tj_cell *cell, VALUE raw)
{
    VALUE value = deserialize(cell, raw),
          period = rb_funcall(mCasts, id_period_of, 1, value);
    bool equal = !NIL_P(period) && NUM2LL(RARRAY_AREF(period, SECONDS)) == cell->seconds &&
                 NUM2LL(RARRAY_AREF(period, NANOSECONDS)) == cell->nanoseconds;
    if (equal) {
        VALUE from = RARRAY_AREF(period, FROM), until = RARRAY_AREF(period, UNTIL);
        cell->offset = NUM2INT(RARRAY_AREF(period, OFFSET));
        cell->utc = RTEST(RARRAY_AREF(period, UTC));
        cell->zoned = RTEST(RARRAY_AREF(period, ZONED));
        cell->from = NIL_P(from) ? INT64_MIN : NUM2LL(from);
        cell->until = NIL_P(until) ? INT64_MAX : NUM2LL(until);
    } else if (cell->kind == TJ_CELL_MOMENT) cell->kind = TJ_CELL_CAST; /* as in local time */
    RB_GC_GUARD(period);
    return value;
}

/* Whether a clock is not one of 2000-01-01 in its zone. Some versions of Rails put it there, others
 * leave it. */
static bool is_other_day(const tj_cell *cell)
{
    return cell->kind == TJ_CELL_CLOCK &&
           (uint64_t)(cell->seconds + cell->offset - YEAR_2000) >= SECONDS_OF_DAY;
}

/* Whether the offset of the zone at the time that was read is not known. */
static bool is_unknown(const tj_cell *c) { return c->seconds < c->from || c->seconds >= c->until; }

/* Asks the type for the value, and learns the offset from it if that is not known. */
static VALUE ask_moment(tj_cell *cell, VALUE raw)
{
    return read_moment(cell, raw) && is_unknown(cell) ? learn(cell, raw)
                                                             : deserialize(cell, raw);
}

static bool take_moment(tj_cell *cell, VALUE self, VALUE raw, VALUE *value)
{
    if (!read_moment(cell, raw) || TJ_UNLIKELY(is_unknown(cell)) || is_other_day(cell))
        return false;
    if (!cell->zoned && RB_BUILTIN_TYPE(raw) != T_STRING) return true;
    *value = self;
    cell->raw = raw;
    return true;
}

/* -- all kinds --------------------------------------------------------------------------------- */

/* Sets *value if the type would not return the raw value. False: the type must be asked. */
static bool take_plain(const tj_cell *cell, VALUE raw, VALUE *value)
{
    switch (cell->kind) {
    case TJ_CELL_CAST: return false;
    case TJ_CELL_INTEGER: return RB_INTEGER_TYPE_P(raw);
    case TJ_CELL_FLOAT: return RB_FLOAT_TYPE_P(raw);
    case TJ_CELL_STRING: return tj_is_exact_string(raw);
    case TJ_CELL_BINARY:
        return tj_is_exact_string(raw) && RB_ENCODING_GET_INLINED(raw) == tj_binary_index;
    case TJ_CELL_BOOLEAN:
        if (raw == INT2FIX(0)) *value = Qfalse;
        else if (raw == INT2FIX(1)) *value = Qtrue;
        return *value == Qtrue || *value == Qfalse;
    case TJ_CELL_UUID: return is_uuid(raw);
    case TJ_CELL_NAME: return take_name(cell, raw, value);
    default: return cell->kind == TJ_CELL_ANY;
    }
}

bool tj_cell_take(VALUE self, VALUE raw, VALUE *value)
{
    tj_cell *cell = RTYPEDDATA_DATA(self);
    *value = raw;
    if (NIL_P(raw) && cell->kind != TJ_CELL_NAME && cell->kind != TJ_CELL_CAST) return true;
    if (cell->kind < TJ_CELL_DECIMAL) return take_plain(cell, raw, value);
    if (cell->kind >= TJ_CELL_MOMENT) return take_moment(cell, self, raw, value);
    if (!(cell->kind == TJ_CELL_DATE ? take_date : take_decimal)(cell, raw)) return false;
    *value = self;
    cell->raw = raw;
    return true;
}

VALUE tj_cell_of(VALUE self, VALUE raw)
{
    VALUE value;
    if (TJ_LIKELY(tj_cell_take(self, raw, &value))) return value;
    tj_cell *cell = RTYPEDDATA_DATA(self);
    if (cell->kind == TJ_CELL_NAME) return learn_name(cell, raw);
    return cell->kind >= TJ_CELL_MOMENT ? ask_moment(cell, raw) : deserialize(cell, raw);
}

/* -- writing ----------------------------------------------------------------------------------- */

uint8_t *tj_copy_cell_text(const tj_cell *cell, uint8_t *at, bool quoted)
{
    *at = '"';
    at += quoted;
    memcpy(at, cell->text, sizeof cell->text);
    at += cell->size;
    *at = '"';
    return at + quoted;
}

uint8_t *tj_try_cell(const tj_writer *w, uint8_t *at, VALUE self)
{
    const tj_cell *cell = tj_cell_get(self);
    if (cell->kind == TJ_CELL_DATE) return tj_copy_cell_text(cell, at, true);
    if (cell->kind == TJ_CELL_DECIMAL)
        return tj_copy_cell_text(cell, at, !w->rules->decimal_number);
    int64_t scaled;
    bool utc = cell->utc;
    switch (w->rules->time) {
    case TJ_TIME_STRFTIME: return NULL;
    case TJ_TIME_UNIX: return tj_write_int64(at, cell->seconds);
    case TJ_TIME_UNIX_MS:
        if (!tj_milliseconds(cell->seconds, cell->nanoseconds, &scaled)) return NULL;
        return tj_write_int64(at, scaled);
    case TJ_TIME_UTC: utc = true; break;
    default: break;
    }
    *at++ = '"';
    at = tj_write_time(at, cell->seconds, cell->nanoseconds, cell->offset, utc, 3);
    *at++ = '"';
    return at;
}
