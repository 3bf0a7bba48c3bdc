/* Writer. Rules as a C struct: how a Ruby value becomes JSON. Never changes once it is made. */
#ifndef TJ_RULES_H
#define TJ_RULES_H

#include <ruby.h>

#include "../core/text/escape.h"

enum tj_dialect {
    TJ_STANDARD,
    TJ_STRICT,
    TJ_JSON,
    TJ_JSON2,
    TJ_OJ,
    TJ_OJ_STRICT,
    TJ_RAILS,
    TJ_DIALECT_COUNT
};
enum tj_time_rule { TJ_TIME_ISO8601, TJ_TIME_UTC, TJ_TIME_UNIX, TJ_TIME_UNIX_MS, TJ_TIME_STRFTIME };
enum tj_nan_rule { TJ_NAN_RAISE, TJ_NAN_NULL, TJ_NAN_TEXT };
/* TJ_DUPLICATES_MIXED raises too, but only for Hashes with both Strings and Symbols as keys, as
 * json does. */
enum tj_duplicates { TJ_DUPLICATES_WRITE, TJ_DUPLICATES_RAISE, TJ_DUPLICATES_MIXED };

/* The classes of the table in docs/values.md, one bit each. If the bit of a value's class is not
 * set in `consult` of the Writer, the value is written without asking `convert:` or the dialect. */
enum tj_value_class {
    TJ_CLASS_NIL = 1 << 0,
    TJ_CLASS_TRUE = 1 << 1,
    TJ_CLASS_FALSE = 1 << 2,
    TJ_CLASS_INTEGER = 1 << 3,
    TJ_CLASS_FLOAT = 1 << 4,
    TJ_CLASS_STRING = 1 << 5,
    TJ_CLASS_SYMBOL = 1 << 6,
    TJ_CLASS_ARRAY = 1 << 7,
    TJ_CLASS_HASH = 1 << 8,
    TJ_CLASS_OTHER = 1 << 9
};
#define TJ_CLASSES_SIMPLE (TJ_CLASS_ARRAY - 1) /* those that tj_simple_value writes */

/* The text between tokens: frozen Strings, or Qfalse for nothing. `depth` is that of the root. */
typedef struct {
    VALUE indent, space, space_before, object_nl, array_nl;
    uint32_t depth;
} tj_text_layout;

struct tj_writer;

/* The functions of a family of dialects, for values that are not simple: dialect_*.c. Any may be
 * NULL. */
typedef struct {
    /* Called when a document begins. Returns the classes whose values `consult` must be asked
     * about. */
    unsigned (*begin)(struct tj_writer *w);
    /* A value of such a class. Returns true if it was written. Runs Ruby. */
    bool (*consult)(struct tj_writer *w, VALUE v);
    /* A Float that is NaN or infinite. Returns true if it was written; otherwise nan: of the Rules
     * decides. */
    bool (*not_finite)(struct tj_writer *w, VALUE v);
    /* A String that is not text. Returns what to write instead, Qfalse if it was written (never for
     * a `key`), or Qundef to transcode it or raise. Runs Ruby. */
    VALUE (*not_text)(struct tj_writer *w, VALUE string, bool key);
    /* An Integer that is not a Fixnum. Returns true if it was written. Runs Ruby. */
    bool (*bignum)(struct tj_writer *w, VALUE v);
    /* A Symbol, if consult_symbols of the Writer is set. Returns true if it was written. Runs
     * Ruby. */
    bool (*symbol)(struct tj_writer *w, VALUE v);
    /* A Cell (../values/cell.h). Returns true if it was written; otherwise its value is. Runs
     * Ruby. */
    bool (*cell)(struct tj_writer *w, VALUE cell);
    /* Any value of none of the exact core classes nor ours. Runs Ruby. */
    void (*write)(struct tj_writer *w, VALUE v);
    /* Returns the text of a key that is no Symbol and no exact String. Runs Ruby. */
    VALUE (*key_text)(struct tj_writer *w, VALUE key);
    /* A Hash whose keys must be examined, before its first pair. The result is written instead.
     * Runs Ruby. */
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
    bool models_refused; /* :rails */
    bool of_main; /* made in the main Ractor: other Ractors may call only its shareable Procs */
    bool keys_become_text; /* keys of any class count as Strings */
    bool watches_hashes; /* each key must be examined, for duplicates or for the dialect */
    /* every container is walked by Ruby's iterators: each key is of interest, or the order
     * changes */
    bool walks_alone;
    uint32_t max_depth;
    unsigned converted; /* bits of enum tj_value_class that convert: may cover */
    /* for finite doubles; needs TJ_FLOAT_SIZE bytes */
    uint8_t *(*write_double)(uint8_t *at, double value);
    const tj_family *family; /* NULL: the table of docs/values.md */
    const tj_text_layout *layout; /* the initial layout of the Writer; likewise encode_anew */
    bool encode_anew;
    tj_text_layout given, pretty; /* from the options; and over that of pretty_generate */
    VALUE time_format;  /* a strftime pattern, or nil */
    VALUE convert;      /* a frozen Hash of Class => callable, or nil */
    VALUE as_json;      /* a callable, or nil */
    VALUE options;      /* a frozen Hash of every option and its value */
} tj_rules;

extern const rb_data_type_t tj_rules_type;

/* ToJson.default_rules. Replaced as a whole by the main Ractor, read by any. A document keeps the
 * Rules with which it began. */
extern VALUE tj_default_rules;
void tj_rules_init(void);

/* How often classes were given Rules, in all Ractors. */
unsigned long tj_rules_changes(void);
void tj_rules_change(void);

/* The struct inside a ToJson::Rules; raises TypeError for anything else. */
const tj_rules *tj_rules_get(VALUE object);

/* A frozen ToJson::Rules from a Hash of options; lib/to_json/values/rules.rb has checked their
 * names. */
VALUE tj_rules_new(VALUE klass, VALUE options, bool of_main);

/* What `time:` of Rules and `format:` of a field mean: a Symbol, or a pattern for strftime. */
enum tj_time_rule tj_time_rule_of(VALUE given);

/* Sets the functions of a dialect. Called once at load, by dialect_*.c. */
void tj_rules_family(enum tj_dialect dialect, const tj_family *family,
                     uint8_t *(*write_double)(uint8_t *, double));

#endif
