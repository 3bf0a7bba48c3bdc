/* Writer. Rules as a C struct: how a Ruby value becomes JSON. Frozen once made. */
#ifndef TJ_RULES_H
#define TJ_RULES_H

#include <ruby.h>

#include "../core/text/escape.h"

enum tj_dialect { TJ_STANDARD, TJ_STRICT, TJ_JSON, TJ_JSON2, TJ_OJ, TJ_OJ_STRICT, TJ_RAILS, TJ_DIALECT_COUNT };
enum tj_time_rule { TJ_TIME_ISO8601, TJ_TIME_UTC, TJ_TIME_UNIX, TJ_TIME_UNIX_MS, TJ_TIME_STRFTIME };
enum tj_nan_rule { TJ_NAN_RAISE, TJ_NAN_NULL, TJ_NAN_TEXT };
/* TJ_DUPLICATES_MIXED raises too, but looks only into Hashes that mix Strings and Symbols, as json does. */
enum tj_duplicates { TJ_DUPLICATES_WRITE, TJ_DUPLICATES_RAISE, TJ_DUPLICATES_MIXED };

/* The classes of the table that `convert:` or a dialect may take over, a bit each: what has none of them set is
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

/* What stands between the tokens: frozen Strings, or Qfalse for nothing. `depth`: of the document's root. */
typedef struct {
    VALUE indent, space, space_before, object_nl, array_nl;
    uint32_t depth;
} tj_text_layout;

struct tj_writer;

/* What a family of dialects does where the value is not simple: dialect_*.c. Any of them may be NULL. */
typedef struct {
    /* A document begins: the rows that must be asked in it, of enum tj_row. */
    unsigned (*begin)(struct tj_writer *w);
    /* A value of a row that is asked: true where it was written. Runs Ruby. */
    bool (*row)(struct tj_writer *w, VALUE v);
    /* NaN or an infinity, a Float: true where it was written. Else the Rules' nan: decides. */
    bool (*not_finite)(struct tj_writer *w, VALUE v);
    /* A String that is no text as it stands: what to write instead, Qfalse where it was written (never for a `key`), Qundef
     * to transcode it or raise. Runs Ruby. */
    VALUE (*not_text)(struct tj_writer *w, VALUE string, bool key);
    /* An Integer beyond a Fixnum: true where it was written. Runs Ruby. */
    bool (*bignum)(struct tj_writer *w, VALUE v);
    /* A Symbol, while the Writer's consult_symbols is set: true where it was written. Runs Ruby. */
    bool (*symbol)(struct tj_writer *w, VALUE v);
    /* Any value that is of none of the exact core classes nor of ours. Runs Ruby. */
    void (*write)(struct tj_writer *w, VALUE v);
    /* The text of a key that is no Symbol and no exact String: a String. Runs Ruby. */
    VALUE (*key_text)(struct tj_writer *w, VALUE key);
    /* A Hash whose keys have to be looked at: before its first pair. What it gives is written instead. Runs Ruby. */
    VALUE (*hash)(struct tj_writer *w, VALUE hash);
} tj_family;

typedef struct {
    enum tj_dialect dialect;
    tj_escape_mode escape;
    enum tj_time_rule time;
    enum tj_nan_rule nan;
    enum tj_duplicates duplicates;
    bool invalid_replace, binary_refused, decimal_number;
    bool strict, sort_keys, canonical;
    bool of_main; /* made in the main Ractor: others may call only shareable Procs of it */
    bool keys_become_text; /* a key that is no String or Symbol counts as a String, too */
    bool watches_hashes; /* keys that collide, or the family, need a look at each */
    bool walks_alone; /* every container by Ruby's iterators: keys are all of interest, or written in another order */
    uint32_t max_depth;
    unsigned converted; /* of enum tj_row, by convert: */
    uint8_t *(*write_double)(uint8_t *at, double value); /* of finite ones, in TJ_FLOAT_SIZE bytes */
    const tj_family *family; /* NULL: the table of docs/values.md */
    const tj_text_layout *layout; /* as the Writer's, and so is the next */
    bool encode_anew;
    tj_text_layout given, pretty; /* as the options have it, and over pretty_generate's */
    VALUE time_format;  /* strftime pattern or nil */
    VALUE convert;      /* frozen Hash of Class => callable, or nil */
    VALUE as_json;      /* callable or nil */
    VALUE options;      /* frozen Hash: every option with its value */
} tj_rules;

extern const rb_data_type_t tj_rules_type;

/* ToJson.default_rules: one word, swapped whole, what it points at frozen. Read by any
 * Ractor, written by the main one; a document keeps the Rules that it began with. */
extern VALUE tj_default_rules;
void tj_rules_init(void);

/* How often classes were given Rules, in all Ractors. */
unsigned long tj_rules_changes(void);
void tj_rules_change(void);

/* The struct inside a ToJson::Rules; raises TypeError for anything else. */
const tj_rules *tj_rules_get(VALUE object);

/* A frozen ToJson::Rules of class `klass` from a Hash of options whose names lib/to_json/values/rules.rb has checked. */
VALUE tj_rules_new(VALUE klass, VALUE options, bool of_main);

/* What the dialects of a family do: said once at load, by dialect_*.c. */
void tj_rules_family(enum tj_dialect dialect, const tj_family *family, uint8_t *(*write_double)(uint8_t *, double));

#endif
