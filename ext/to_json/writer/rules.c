/* Writer. Makes the struct of ToJson::Rules from checked options. */
#include "rules.h"

#include "../core/numbers/float.h"

VALUE tj_default_rules = Qnil;

static unsigned long changes;
unsigned long tj_rules_changes(void) { return __atomic_load_n(&changes, __ATOMIC_ACQUIRE); }
void tj_rules_change(void) { __atomic_fetch_add(&changes, 1, __ATOMIC_ACQ_REL); }

static void mark_default(void *data) { rb_gc_mark(*(VALUE *)data); }

/* Marks the current tj_default_rules. rb_gc_register_address would not do: such addresses belong to
 * one Ractor, and all Ractors read this one. */
static const rb_data_type_t default_rules_type = {
    .wrap_struct_name = "ToJson::Rules/default",
    .function = {.dmark = mark_default},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static struct {
    const tj_family *family;
    uint8_t *(*write_double)(uint8_t *, double);
} families[TJ_DIALECT_COUNT];
static VALUE two_spaces, one_space, line_end; /* of pretty_generate */

void tj_rules_family(enum tj_dialect dialect, const tj_family *family,
                     uint8_t *(*write_double)(uint8_t *, double))
{
    families[dialect].family = family;
    families[dialect].write_double = write_double;
}

static VALUE constant_text(const char *text)
{
    VALUE string = rb_obj_freeze(rb_utf8_str_new_cstr(text));
    rb_gc_register_mark_object(string);
    return string;
}

void tj_rules_init(void)
{
    VALUE keeper = TypedData_Wrap_Struct(0, &default_rules_type, &tj_default_rules);
    rb_gc_register_mark_object(keeper);
    two_spaces = constant_text("  ");
    one_space = constant_text(" ");
    line_end = constant_text("\n");
    for (int i = 0; i < TJ_DIALECT_COUNT; i++)
        if (!families[i].write_double) families[i].write_double = tj_write_double;
}

static void rules_mark(void *data)
{
    tj_rules *rules = data;
    rb_gc_mark(rules->time_format);
    rb_gc_mark(rules->convert);
    rb_gc_mark(rules->as_json);
    rb_gc_mark(rules->options);
    rb_gc_mark_locations(&rules->given.indent, &rules->given.array_nl + 1);
}

static size_t rules_memsize(const void *data) { return data ? sizeof(tj_rules) : 0; }

const rb_data_type_t tj_rules_type = {
    .wrap_struct_name = "ToJson::Rules",
    .function = {.dmark = rules_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = rules_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

const tj_rules *tj_rules_get(VALUE object) { return rb_check_typeddata(object, &tj_rules_type); }

static VALUE option(VALUE options, const char *name)
{
    return rb_hash_aref(options, ID2SYM(rb_intern(name)));
}

static bool is(VALUE value, const char *name) { return value == ID2SYM(rb_intern(name)); }

/* A module or a superclass (Object, Comparable, Numeric) can cover several classes of the table. */
static int convert_i(VALUE klass, VALUE callable, VALUE argument)
{
    unsigned *converted = (unsigned *)argument;
    const VALUE classes[] = {rb_cNilClass, rb_cTrueClass, rb_cFalseClass, rb_cInteger, rb_cFloat,
                          /* in the order of enum tj_value_class */
                          rb_cString,   rb_cSymbol,    rb_cArray,      rb_cHash};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (RTEST(rb_class_inherited_p(classes[i], klass))) *converted |= 1u << i;
    *converted |= TJ_CLASS_OTHER;
    (void)callable;
    return ST_CONTINUE;
}

/* The option as a String: `otherwise` if it is missing, Qfalse if it is empty. */
static VALUE text_of(VALUE options, const char *name, VALUE otherwise)
{
    VALUE text = option(options, name);
    if (NIL_P(text)) return otherwise;
    Check_Type(text, T_STRING);
    return RSTRING_LEN(text) == 0 ? Qfalse : text;
}

static void lay_out(tj_rules *rules, VALUE options)
{
    static const char *const names[] = {"indent", "space", "space_before", "object_nl", "array_nl"};
    const VALUE pretty[] = {two_spaces, one_space, Qfalse, line_end, line_end};
    bool any = false;
    for (int i = 0; i < 5; i++) {
        VALUE *given = &(&rules->given.indent)[i];
        *given = text_of(options, names[i], Qfalse);
        (&rules->pretty.indent)[i] = text_of(options, names[i], pretty[i]);
        any |= RTEST(*given);
    }
    rules->given.depth = rules->pretty.depth = NUM2UINT(option(options, "depth"));
    if (any) rules->layout = &rules->given;
    rules->encode_anew = any || rules->escape >= TJ_ESCAPE_COMPOSED;
}

static tj_escape_mode escape_of(VALUE options)
{
    bool html = RTEST(option(options, "html_safe")), script = RTEST(option(options, "script_safe"));
    bool ascii = RTEST(option(options, "ascii_only")),
         separators = RTEST(option(options, "js_separators"));
    if (!script && !ascii && (html || !separators)) return html ? TJ_ESCAPE_HTML : TJ_ESCAPE_JSON;
    return TJ_ESCAPE_COMPOSED | (script ? TJ_ESCAPE_SLASH : 0) | (html ? TJ_ESCAPE_MARKUP : 0) |
           (ascii ? TJ_ESCAPE_NON_ASCII : 0) |
           (script || html || separators ? TJ_ESCAPE_SEPARATORS : 0);
}

/* The place of a Symbol among `count` names; `count` if it is none of them. */
static int place_of(VALUE symbol, const char *const *names, int count)
{
    int place = 0;
    while (place < count && !is(symbol, names[place])) place++;
    return place;
}

static enum tj_dialect dialect_of(VALUE options)
{
    static const char *const names[TJ_DIALECT_COUNT] = {"standard", "strict",    "json", "json2",
                                                        "oj",       "oj_strict", "rails"};
    int place = place_of(option(options, "dialect"), names, TJ_DIALECT_COUNT);
    if (place == TJ_DIALECT_COUNT) rb_raise(rb_eArgError, "unknown dialect");
    return (enum tj_dialect)place;
}

enum tj_time_rule tj_time_rule_of(VALUE given)
{
    static const char *const names[TJ_TIME_STRFTIME] = {"iso8601", "utc", "unix", "unix_ms"};
    return (enum tj_time_rule)place_of(given, names, TJ_TIME_STRFTIME);
}

VALUE tj_rules_new(VALUE klass, VALUE options, bool of_main)
{
    tj_rules *rules;
    Check_Type(options, T_HASH);
    VALUE object = TypedData_Make_Struct(klass, tj_rules, &tj_rules_type, rules);
    rules->time_format = rules->convert = rules->as_json = Qnil;
    rules->options = options;
    rules->of_main = of_main;
    rules->dialect = dialect_of(options);
    rules->family = families[rules->dialect].family;
    rules->write_double = families[rules->dialect].write_double;
    rules->escape = escape_of(options);
    VALUE nan = option(options, "nan"), duplicates = option(options, "duplicates");
    rules->nan = is(nan, "null") ? TJ_NAN_NULL : is(nan, "allow") ? TJ_NAN_TEXT : TJ_NAN_RAISE;
    rules->invalid_replace = is(option(options, "invalid"), "replace");
    rules->binary_refused = is(option(options, "binary"), "raise");
    /* as_json: is asked first */
    rules->binary_refused |= rules->dialect == TJ_JSON2 && RTEST(option(options, "strict")) &&
                             RTEST(option(options, "as_json"));
    rules->decimal_number = is(option(options, "decimal"), "number");
    rules->duplicates = is(duplicates, "raise")   ? TJ_DUPLICATES_RAISE
                        : is(duplicates, "mixed") ? TJ_DUPLICATES_MIXED
                                                  : TJ_DUPLICATES_WRITE;
    rules->watches_hashes =
        rules->duplicates != TJ_DUPLICATES_WRITE || (rules->family && rules->family->hash);
    rules->strict = rules->keys_become_text = RTEST(option(options, "strict"));
    rules->models_refused =
        rules->dialect == TJ_RAILS && is(option(options, "models"), "raise");
    rules->canonical = RTEST(option(options, "rfc8785"));
    if (rules->canonical) rules->write_double = tj_write_double_canonical;
    rules->sort_keys = RTEST(option(options, "sort_keys"));
    rules->walks_alone =
        rules->duplicates == TJ_DUPLICATES_RAISE || rules->sort_keys || rules->canonical;
    rules->max_depth = NUM2UINT(option(options, "max_depth"));
    /* these containers are around the document already */
    uint32_t depth = NUM2UINT(option(options, "depth"));
    if (rules->max_depth < INT32_MAX)
        rules->max_depth -= depth < rules->max_depth ? depth : rules->max_depth;
    rules->as_json = option(options, "as_json");
    lay_out(rules, options);
    VALUE time = option(options, "time");
    rules->time = tj_time_rule_of(time);
    if (rules->time == TJ_TIME_STRFTIME) rules->time_format = time;
    VALUE convert = option(options, "convert");
    if (RB_TYPE_P(convert, T_HASH) && RHASH_SIZE(convert) > 0) {
        rules->convert = convert;
        rb_hash_foreach(convert, convert_i, (VALUE)&rules->converted);
    }
    return object;
}
