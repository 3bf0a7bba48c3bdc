/* Glue. Rules as a C struct: how a Ruby value becomes JSON. Frozen once made. */
#ifndef TJ_RULES_H
#define TJ_RULES_H

#include <ruby.h>

#include "../core/escape.h"

/* Where the other dialects will stand: :json, :json2, :oj, :oj_strict, :rails. */
enum tj_dialect { TJ_STANDARD, TJ_STRICT };
enum tj_time_rule { TJ_TIME_ISO8601, TJ_TIME_UTC, TJ_TIME_UNIX, TJ_TIME_UNIX_MS, TJ_TIME_STRFTIME };

/* The classes of the table that `convert:` may take over, a bit each: what has none of them set is
 * written without asking. */
enum tj_row {
    TJ_ROW_NIL = 1 << 0,
    TJ_ROW_TRUE = 1 << 1,
    TJ_ROW_FALSE = 1 << 2,
    TJ_ROW_INTEGER = 1 << 3,
    TJ_ROW_FLOAT = 1 << 4,
    TJ_ROW_STRING = 1 << 5,
    TJ_ROW_SYMBOL = 1 << 6,
    TJ_ROW_ARRAY = 1 << 7,
    TJ_ROW_HASH = 1 << 8,
    TJ_ROW_OTHER = 1 << 9
};
#define TJ_ROWS_SIMPLE (TJ_ROW_ARRAY - 1) /* what tj_simple_value writes */

typedef struct {
    enum tj_dialect dialect;
    tj_escape_mode escape;
    enum tj_time_rule time;
    bool nan_null, invalid_replace, decimal_number, duplicates_raise;
    uint32_t max_depth;
    unsigned converted; /* of enum tj_row */
    VALUE time_format;  /* strftime pattern or nil */
    VALUE convert;      /* frozen Hash of Class => callable, or nil */
} tj_rules;

extern const rb_data_type_t tj_rules_type;

/* ToJson.default_rules: one word, swapped whole, what it points at frozen and shareable. Read by any
 * Ractor, written by the main one; a document keeps the Rules that it began with. */
extern VALUE tj_default_rules;
void tj_rules_init(void);

/* The struct inside a ToJson::Rules; raises TypeError for anything else. */
const tj_rules *tj_rules_get(VALUE object);

/* A frozen ToJson::Rules of class `klass` from a Hash of options whose names lib/to_json/rules.rb has checked. */
VALUE tj_rules_new(VALUE klass, VALUE options);

#endif
