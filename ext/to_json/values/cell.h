/* Values. Cells: a raw value of a database, and the type of its column. A Cell is written as the
 * value that the type would make of the raw value, mostly without making it. */
#ifndef TJ_CELL_H
#define TJ_CELL_H

#include "../writer/writer.h"

#include "../core/numbers/decimal_text.h"

/* KIND(NAME, name): what a type makes of raw values. lib/to_json/rows/casts.rb says which classes
 * of types are of which kind. */
#define TJ_CELL_TABLE(KIND) \
    KIND(CAST, cast)         /* the type is always asked */ \
    KIND(ANY, any)           /* the value itself */ \
    KIND(INTEGER, integer) \
    KIND(FLOAT, float) \
    KIND(STRING, string) \
    KIND(BINARY, binary) \
    KIND(BOOLEAN, boolean) \
    KIND(UUID, uuid) \
    KIND(NAME, name)         /* of an enum: the type is asked once for each raw value */ \
    KIND(DECIMAL, decimal) \
    KIND(DATE, date) \
    KIND(MOMENT, moment)     /* a Time or a TimeWithZone */ \
    KIND(CLOCK, clock)       /* one of 2000-01-01 */

#define TJ_CELL(NAME, name) TJ_CELL_##NAME,
enum tj_cell_kind { TJ_CELL_TABLE(TJ_CELL) TJ_CELL_KINDS };

/* The struct of a ToJson::Rows::Cell. */
typedef struct {
    enum tj_cell_kind kind;
    VALUE type, raw;
    VALUE names; /* NAME: a Hash, raw value => what the type made of it */
    VALUE big_decimal; /* DECIMAL: the class BigDecimal, if there is one */
    int precision, scale; /* of the type; -1: none */
    /* DECIMAL, DATE: the text of the value */
    uint8_t text[TJ_DECIMAL_SIZE], size;
    /* MOMENT, CLOCK: the value. If `from` <= seconds < `until`, the Time is at `offset` seconds
     * east of UTC, and `utc` says whether it is in UTC. `zoned`: it is a TimeWithZone. */
    int64_t seconds, from, until;
    int32_t nanoseconds, offset;
    bool utc, zoned;
} tj_cell;

extern VALUE tj_cCell;
void tj_cell_init(void);

/* `kind` is a Symbol of the table. */
VALUE tj_cell_new(VALUE kind, VALUE type);

/* What a getter would return for the raw value: that itself, what the type makes of it, or the
 * Cell, which keeps the raw value until the next call. May run Ruby and raise. */
VALUE tj_cell_of(VALUE self, VALUE raw);

/* Sets *value to what tj_cell_of would return, if the type need not be asked. Otherwise returns
 * false, and the caller must call tj_cell_of, which asks the type. The Cell learns from the answer,
 * so this function may accept the next values. */
bool tj_cell_take(VALUE self, VALUE raw, VALUE *value);

/* What the type makes of the raw value. Runs Ruby. */
VALUE tj_cell_value(VALUE self);

TJ_INLINE bool tj_is_cell(VALUE v)
{
    return !RB_SPECIAL_CONST_P(v) && RBASIC_CLASS(v) == tj_cCell;
}

/* The struct of a Cell. */
TJ_INLINE const tj_cell *tj_cell_get(VALUE cell) { return RTYPEDDATA_DATA(cell); }

/* Writes the value at `at` and returns the end. Needs TJ_TIME_SIZE + 2 bytes. Returns NULL if the
 * Rules need the object. Runs no Ruby. For the dialect :standard, without convert:. */
uint8_t *tj_try_cell(const tj_writer *w, uint8_t *at, VALUE cell);

/* The same for a date or a decimal number, under any Rules. `quoted` says whether to write
 * quotes. */
uint8_t *tj_copy_cell_text(const tj_cell *cell, uint8_t *at, bool quoted);

#endif
