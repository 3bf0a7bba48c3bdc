/* Glue. Makes the frozen struct behind ToJson::Rules out of checked options. */
#include "rules.h"

VALUE tj_default_rules = Qnil;

void tj_rules_init(void) { rb_gc_register_address(&tj_default_rules); }

static void rules_mark(void *data)
{
    tj_rules *rules = data;
    rb_gc_mark(rules->time_format);
    rb_gc_mark(rules->convert);
}

static size_t rules_memsize(const void *data) { return data ? sizeof(tj_rules) : 0; }

const rb_data_type_t tj_rules_type = {
    .wrap_struct_name = "ToJson::Rules",
    .function = {.dmark = rules_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = rules_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

const tj_rules *tj_rules_get(VALUE object) { return rb_check_typeddata(object, &tj_rules_type); }

static VALUE option(VALUE options, const char *name) { return rb_hash_aref(options, ID2SYM(rb_intern(name))); }

static bool is(VALUE value, const char *name) { return value == ID2SYM(rb_intern(name)); }

/* A module or a superclass (Object, Comparable, Numeric) may cover several rows. */
static int convert_i(VALUE klass, VALUE callable, VALUE argument)
{
    unsigned *converted = (unsigned *)argument;
    const VALUE rows[] = {rb_cNilClass, rb_cTrueClass, rb_cFalseClass, rb_cInteger, rb_cFloat,
                          rb_cString,   rb_cSymbol,    rb_cArray,      rb_cHash}; /* in the order of enum tj_row */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (RTEST(rb_class_inherited_p(rows[i], klass))) *converted |= 1u << i;
    *converted |= TJ_ROW_OTHER;
    (void)callable;
    return ST_CONTINUE;
}

VALUE tj_rules_new(VALUE klass, VALUE options)
{
    tj_rules *rules;
    VALUE object = TypedData_Make_Struct(klass, tj_rules, &tj_rules_type, rules);
    rules->time_format = Qnil;
    rules->convert = Qnil;
    rules->dialect = is(option(options, "dialect"), "strict") ? TJ_STRICT : TJ_STANDARD;
    rules->escape = RTEST(option(options, "html_safe")) ? TJ_ESCAPE_HTML : TJ_ESCAPE_JSON;
    rules->nan_null = is(option(options, "nan"), "null");
    rules->invalid_replace = is(option(options, "invalid"), "replace");
    rules->decimal_number = is(option(options, "decimal"), "number");
    rules->duplicates_raise = is(option(options, "duplicates"), "raise");
    rules->max_depth = NUM2UINT(option(options, "max_depth"));
    VALUE time = option(options, "time");
    if (RB_TYPE_P(time, T_STRING)) {
        rules->time = TJ_TIME_STRFTIME;
        rules->time_format = time;
    } else if (is(time, "utc")) rules->time = TJ_TIME_UTC;
    else if (is(time, "unix")) rules->time = TJ_TIME_UNIX;
    else if (is(time, "unix_ms")) rules->time = TJ_TIME_UNIX_MS;
    else rules->time = TJ_TIME_ISO8601;
    VALUE convert = option(options, "convert");
    if (RB_TYPE_P(convert, T_HASH) && RHASH_SIZE(convert) > 0) {
        rules->convert = convert;
        rb_hash_foreach(convert, convert_i, (VALUE)&rules->converted);
    }
    return object;
}
