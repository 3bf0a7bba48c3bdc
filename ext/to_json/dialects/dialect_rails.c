/* Dialects. :rails: values are written as ActiveSupport::JSON.encode writes them, with its current
 * settings.
 *
 * ActiveSupport turns a value into a tree of JSON's own types by `as_json`, and passes the tree to
 * the json gem. So there are two passes here. The *outer* pass writes the result of an as_json, and
 * a document without options: Strings, Integers, Symbols, Hashes and Arrays are written as they
 * are, as_json of all others is called. The *inner* pass is inside the as_json of a Hash, an Array
 * or a Struct: as_json of everything is called, with the options. If as_json of a class is still
 * the one of ActiveSupport, which is checked once in a document, neither pass calls it and we write
 * its result directly. */
#include "dialect_rails.h"

#include "dialect_json.h"
#include "../writer/levels.h"
#include "../writer/errors.h"
#include "../writer/binding.h"
#include "rails_inner.h"
#include "../core/numbers/time.h"
#include "../values/cell.h"
#include "../values/fragment.h"
#include "../values/library_value.h"
#include "../values/time_value.h"
#include "../values/value.h"
#include "../values/hash_key.h"
#include "../values/user_call.h"
#include "../values/string_value.h"
#include "../values/contained.h"

/* A hidden Array that tj_rails_with_options makes. */
enum { WRAPPED_VALUE, WRAPPED_OPTIONS, WRAPPED_ESCAPES };

/* -- the outer pass ---------------------------------------------------------------------------- */

static void splice(tj_writer *w, VALUE json)
{
    tj_escape_mode mode = w->rules->escape;
    Check_Type(json, T_STRING);
    if (mode >= TJ_ESCAPE_COMPOSED)
        json = rb_funcall(tj_rails_module(), rb_intern("escaped"), 2, json,
                          mode & TJ_ESCAPE_MARKUP ? Qtrue : Qfalse);
    tj_splice_trusted(w, json);
}

/* Writes what the json gem generates, for values that are still none of JSON's types after
 * as_json. */
static void write_generated(tj_writer *w, VALUE v)
{
    VALUE json = rb_funcall(tj_rails_module(), rb_intern("generated"), 1, v);
    tj_check_alive(w);
    splice(w, json);
}

NORETURN(static void endless(void));
static void endless(void) { rb_raise(rb_eSysStackError, "stack level too deep"); }

static bool is_json_type(VALUE v)
{
    if (RB_SPECIAL_CONST_P(v)) return true;
    VALUE klass = rb_obj_class(v);
    return klass == rb_cString || klass == rb_cHash || klass == rb_cArray || klass == rb_cFloat ||
           klass == rb_cInteger || klass == rb_cSymbol ||
           (RB_TYPE_P(v, T_STRUCT) &&
            RTEST(rb_funcall(tj_rails_module(), rb_intern("fragment?"), 1, v)));
}

/* ActiveSupport 8.1 calls as_json five times, and then gives up. */
#define MOST_AS_JSON_CALLS 5

static void write_by_as_json(tj_writer *w, VALUE v)
{
    VALUE result = tj_rails_ask(w, v, 0);
    if (!w->rails->coder) {
        if (result == v) endless();
        tj_rails_write_result(w, result);
        return;
    }
    if (result == v) {
        write_generated(w, v);
        return;
    }
    for (int left = MOST_AS_JSON_CALLS; !is_json_type(result); left--) {
        if (left == 0) endless();
        result = tj_rails_ask(w, result, 0);
    }
    tj_rails_write_result(w, result);
}

/* Whether as_json of the Struct is that of ActiveSupport, and its to_h that of Ruby. The last class
 * is remembered. */
static bool struct_stands(tj_writer *w, VALUE v)
{
    VALUE klass = RBASIC_CLASS(v);
    if (TJ_LIKELY(w->met == klass)) return true;
    if (!tj_rails_stands(w, OWN_HASH) ||
        !RTEST(rb_funcall(tj_rails_module(), rb_intern("struct?"), 1, klass)))
        return false;
    w->met = klass;
    return true;
}

static void write_struct(tj_writer *w, VALUE v)
{
    VALUE members = rb_struct_members(v);
    tj_open_tree(w, '{');
    for (long i = 0; i < RARRAY_LEN(members); i++) {
        VALUE key = RARRAY_AREF(members, i);
        tj_next_in_tree(w);
        tj_top(&w->grammar)->label = key;
        tj_write_key(w, key);
        tj_rails_write_inner(w, RSTRUCT_GET(v, (int)i), 0);
    }
    tj_close_tree(w, '}');
    RB_GC_GUARD(members);
}

static void write_decimal(tj_writer *w, VALUE decimal)
{
    if (!RTEST(rb_funcallv(decimal, rb_intern("finite?"), 0, NULL))) {
        tj_write_ascii(w, (const uint8_t *)"null", 4, false);
        return;
    }
    VALUE text = tj_decimal_text(w, decimal);
    tj_write_string_cold(w, text);
    RB_GC_GUARD(text);
}

/* Writes what as_json of a Cell's value would return, if as_json is that of ActiveSupport. */
static bool cell(tj_writer *w, VALUE v)
{
    const tj_cell *cell = tj_cell_get(v);
    const int digits = w->rails->digits;
    const struct timespec moment = {.tv_sec = cell->seconds, .tv_nsec = cell->nanoseconds};
    tj_pool *pool = w->pool;
    if (!w->rails->loaded) return false;
    if (cell->kind == TJ_CELL_DECIMAL || cell->kind == TJ_CELL_DATE) {
        enum tj_rails_own own = cell->kind == TJ_CELL_DATE ? OWN_DATE : OWN_DECIMAL;
        tj_is_date(pool, rb_cObject); /* looks for the class */
        tj_is_decimal(pool, rb_cObject);
        if ((own == OWN_DATE && digits < 0) || !tj_rails_stands(w, own)) return false;
        tj_commit(w, tj_copy_cell_text(cell, tj_reserve(w, TJ_TIME_SIZE + 2), true));
        return true;
    }
    tj_is_time_with_zone(pool, rb_cObject);
    return digits >= 0 && tj_rails_stands(w, cell->zoned ? OWN_ZONED : OWN_TIME) &&
           tj_write_moment(w, moment, cell->offset, cell->utc, digits);
}

/* Writes a value whose as_json is that of ActiveSupport. Returns false if as_json must be called
 * nevertheless. */
static bool write_own(tj_writer *w, VALUE v, enum tj_rails_own own)
{
    int digits = w->rails->digits;
    switch (own) {
    case OWN_TIME: return digits >= 0 && tj_write_xmlschema(w, v, digits);
    case OWN_ZONED: return digits >= 0 && tj_write_zoned_xmlschema(w, v, digits);
    case OWN_DATE:
        if (digits < 0) return false;
        tj_write_date_value(w, v);
        return true;
    case OWN_DECIMAL: write_decimal(w, v); return true;
    default: return false;
    }
}

static void write_subclass(tj_writer *w, VALUE v)
{
    VALUE klass = CLASS_OF(v);
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: write_generated(w, v); return;
    case T_ARRAY:
        if (rb_method_basic_definition_p(klass, rb_intern("map"))) tj_write_array(w, v);
        else tj_write_value(w, rb_funcall(tj_rails_module(), rb_intern("elements_of"), 1, v));
        return;
    default:
        if (rb_method_basic_definition_p(klass, rb_intern("each"))) tj_write_hash(w, v);
        else tj_write_hash(w, rb_funcall(tj_rails_module(), rb_intern("pairs_of"), 1, v));
        return;
    }
}

static void write_rails(tj_writer *w, VALUE v)
{
    tj_rails *rails = w->rails;
    if (RB_BUILTIN_TYPE(v) == T_ARRAY && !RBASIC_CLASS(v)) { /* from tj_rails_with_options */
        VALUE value = RARRAY_AREF(v, WRAPPED_VALUE), options = RARRAY_AREF(v, WRAPPED_OPTIONS),
              escapes = RARRAY_AREF(v, WRAPPED_ESCAPES);
        if (!NIL_P(escapes))
            tj_rails_escape_by(w, FIX2INT(escapes) & TJ_RAILS_MARKUP,
                               FIX2INT(escapes) & TJ_RAILS_SEPARATORS);
        if (NIL_P(options)) tj_write_value(w, value);
        else tj_rails_write_inner(w, value, options);
        RB_GC_GUARD(v);
        return;
    }
    if (!rails->loaded)
        tj_raise(w, tj_eUnsupported,
                 "%" PRIsVALUE
                 " is written by its as_json under the :rails dialect, which takes ActiveSupport. "
                 "Require \"active_support/json\".",
                 tj_class_words(v));
    enum tj_rails_own own = tj_rails_own_of(w, v);
    if (own != OWN_NONE && tj_rails_stands(w, own) && write_own(w, v, own)) return;
    if (RTEST(rb_obj_is_kind_of(v, tj_mSerialize))) {
        tj_write_serializer(w, v);
        return;
    }
    if (tj_rails_guard(w, v, 0)) return;
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: case T_ARRAY: case T_HASH:
        if (rails->coder) break;
        write_subclass(w, v);
        return;
    case T_STRUCT:
        if (rails->coder && is_json_type(v)) {
            splice(w, rb_struct_aref(v, INT2FIX(0)));
            return;
        }
        /* A singleton class may have its own as_json. */
        if (RBASIC_CLASS(v) != rb_obj_class(v) || !struct_stands(w, v)) break;
        write_struct(w, v);
        return;
    default:
        if (!rails->coder && RTEST(rb_obj_is_kind_of(v, rb_cNumeric))) {
            VALUE result = tj_rails_ask(w, v, 0); /* as_json of the result is not called */
            if (RB_SPECIAL_CONST_P(result) || rb_obj_class(result) == rb_cString)
                tj_write_value(w, result);
            else write_generated(w, result);
            return;
        }
    }
    write_by_as_json(w, v);
}

/* Writes a Float whose as_json is not that of ActiveSupport. */
static bool consult_float(tj_writer *w, VALUE v)
{
    if (!RB_FLOAT_TYPE_P(v)) return false;
    VALUE result = tj_rails_ask(w, v, 0);
    /* as_json of the result is not called */
    if (RB_FLOAT_TYPE_P(result)) tj_write_float(w, result);
    else if (RB_SPECIAL_CONST_P(result) || RB_INTEGER_TYPE_P(result) ||
             rb_obj_class(result) == rb_cString)
        tj_write_value(w, result);
    else write_generated(w, result);
    return true;
}

static bool not_finite(tj_writer *w, VALUE v)
{
    if (!w->rails->loaded) return false;
    if (!(w->consult & TJ_CLASS_FLOAT) && tj_rails_stands(w, OWN_FLOAT))
        tj_write_ascii(w, (const uint8_t *)"null", 4, false);
    else if (w->rails->coder) write_by_as_json(w, v);
    else return false;
    return true;
}

/* -- keys and Hashes --------------------------------------------------------------------------- */

/* The text of a key by to_s. If to_s returns no String, the json gem calls its to_s. A JSON::Coder
 * refuses such a key, unless as_json of the Hash came before. */
static VALUE key_text(tj_writer *w, VALUE key)
{
    VALUE text = tj_call_closed(w, key, rb_intern("to_s"), 0, NULL);
    w->key_converted = !w->rails->inner;
    if (RB_TYPE_P(text, T_STRING)) return text;
    if (w->rails->coder && !w->rails->inner)
        tj_raise(w, tj_eUnsupported, "%" PRIsVALUE " not allowed as object key in JSON",
                 rb_class_path(rb_obj_class(text)));
    return rb_convert_type(text, T_STRING, "String", "to_s");
}

/* For a String that is not UTF-8 a JSON::Coder calls the block of ActiveSupport, which returns a
 * Fragment: an error if the String is a key. It calls the block once for each key, so not for the
 * result of to_s. */
static VALUE not_text(tj_writer *w, VALUE string, bool key)
{
    if (!w->rails->coder || rb_enc_str_coderange(string) == ENC_CODERANGE_7BIT) return Qundef;
    if (!key || w->key_converted) return w->pool->rails_json_3 ? Qundef : tj_json2_binary(string);
    VALUE text = tj_rails_stands(w, OWN_STRING) ? string : tj_rails_ask(w, string, 0);
    const uint8_t *bytes;
    size_t size;
    if (text == string)
        tj_raise(w, tj_eUnsupported,
                 "a String in %s not allowed as object key in JSON. Encode it in UTF-8.",
                 rb_enc_name(rb_enc_get(string)));
    bool is_text = RB_TYPE_P(text, T_STRING) && tj_string_text_under(w->rules, text, &bytes, &size);
    if (is_text) return text;
    tj_raise(w, tj_eUnsupported, "%" PRIsVALUE " not allowed as object key in JSON",
             tj_class_words(text));
}

static VALUE outer_hash(tj_writer *w, VALUE hash)
{
    return w->rails->coder ? hash : tj_rails_merged(w, hash, false, 0);
}

VALUE tj_rails_with_options(VALUE value, VALUE options, VALUE escapes)
{
    VALUE all[3] = {value, options, escapes};
    return rb_obj_hide(rb_ary_new_from_values(3, all));
}

/* -- load -------------------------------------------------------------------------------------- */

static const tj_family rails = {
    .begin = tj_rails_begin, .consult = consult_float, .not_finite = not_finite,
    .not_text = not_text, .bignum = tj_json_bignum, .cell = cell, .write = write_rails,
    .key_text = key_text, .hash = outer_hash,
};

void tj_dialect_rails_init(void)
{
    tj_rails_init();
    tj_rails_inner_init();
    tj_rules_family(TJ_RAILS, &rails, tj_write_double_json);
}
