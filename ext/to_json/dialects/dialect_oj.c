/* Dialects. :oj and :oj_strict: values are written as Oj.dump writes them in its modes :compat and
 * :strict. */
#include "dialect_oj.h"

#include "../writer/errors.h"
#include "../writer/binding.h"
#include "../values/fragment.h"
#include "../values/library_value.h"
#include "../writer/string.h"
#include "../values/value.h"
#include "../values/user_call.h"

#include "../core/numbers/float.h"
#include "../values/string_value.h"
#include "../values/contained.h"

static ID id_to_json;

/* -- text -------------------------------------------------------------------------------------- */

/* so many bytes at a time */
#define RAW_PIECE 1024

/* Writes a String that is not text: escapes what JSON escapes, and copies all other bytes, as Oj
 * does. */
static void write_raw(tj_writer *w, VALUE string)
{
    string = rb_str_new_frozen(string);
    const uint8_t *bytes;
    size_t size = tj_string_bytes(string, &bytes);
    tj_write_byte(w, '"');
    for (size_t done = 0; done < size;) {
        uint8_t *at = tj_reserve(w, RAW_PIECE * TJ_ESCAPE_GROWTH + TJ_ESCAPE_SLACK);
        tj_string_bytes(string, &bytes);
        for (size_t end = done + RAW_PIECE < size ? done + RAW_PIECE : size; done < end; done++) {
            if (bytes[done] < 0x80) at = tj_unsafe_escape(at, bytes + done, 1, TJ_ESCAPE_JSON);
            else *at++ = bytes[done];
        }
        tj_commit(w, at);
    }
    tj_write_byte(w, '"');
    RB_GC_GUARD(string);
}

static VALUE not_text(tj_writer *w, VALUE string, bool key)
{
    (void)key;
    if (w->rules->invalid_replace) return Qundef;
    const uint8_t *bytes;
    size_t size;
    VALUE text = rb_str_conv_enc(string, rb_enc_get(string), rb_utf8_encoding());
    if (text != string && tj_string_text(text, &bytes, &size)) return text;
    write_raw(w, text);
    return Qfalse;
}

static VALUE text_of(tj_writer *w, VALUE v)
{
    VALUE text = tj_call_closed(w, v, rb_intern("to_s"), 0, NULL);
    StringValue(text);
    return text;
}

static void write_to_s(tj_writer *w, VALUE v)
{
    VALUE text = text_of(w, v);
    tj_write_string_cold(w, text);
    RB_GC_GUARD(text);
}

/* -- mode :compat ------------------------------------------------------------------------------ */

/* The options of Oj.dump that it passes to each to_json. From Oj 3.17.7 on without Oj's own
 * options: json 3 refuses `mode:`. */
static VALUE options_of(tj_writer *w)
{
    if (!w->state) w->state = rb_hash_new();
    return w->state;
}

/* Oj does not call to_json of the root. */
static bool wrote_to_json(tj_writer *w, VALUE v)
{
    if (w->grammar.nesting == 0 || !rb_respond_to(v, id_to_json)) return false;
    bool bare = rb_obj_method_arity(v, id_to_json) == 0;
    VALUE options = bare ? Qnil : options_of(w),
          json = rb_funcallv(v, id_to_json, bare ? 0 : 1, &options);
    tj_check_alive(w);
    StringValue(json);
    tj_splice_trusted(w, json);
    RB_GC_GUARD(json);
    return true;
}

/* Ranges of numbers or nil. Oj writes other ends with quotes inside the quotes, which is not
 * JSON. */
static bool wrote_range(tj_writer *w, VALUE range)
{
    VALUE ends[2] = {rb_funcallv(range, rb_intern("begin"), 0, NULL),
                     rb_funcallv(range, rb_intern("end"), 0, NULL)};
    for (int i = 0; i < 2; i++)
        if (!NIL_P(ends[i]) && !RB_INTEGER_TYPE_P(ends[i]) && !RB_FLOAT_TYPE_P(ends[i]))
            return false;
    tj_write_byte(w, '"');
    tj_write_value(w, ends[0]);
    tj_write_ascii(w, (const uint8_t *)"...",
                   RTEST(rb_funcallv(range, rb_intern("exclude_end?"), 0, NULL)) ? 3 : 2, false);
    tj_write_value(w, ends[1]);
    tj_write_byte(w, '"');
    return true;
}

static void write_compat(tj_writer *w, VALUE v)
{
    if (RTEST(rb_obj_is_kind_of(v, tj_mSerialize))) {
        tj_write_serializer(w, v);
        return;
    }
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: tj_write_string_cold(w, v); return;
    case T_ARRAY:
        if (!wrote_to_json(w, v)) tj_write_array(w, v);
        return;
    case T_HASH:
        if (!wrote_to_json(w, v)) tj_write_hash(w, v);
        return;
    case T_MODULE: case T_CLASS: tj_write_string_cold(w, rb_class_path(v)); return;
    case T_FILE: case T_MATCH: tj_write_ascii(w, (const uint8_t *)"null", 4, false); return;
    case T_STRUCT:
        if (RBASIC_CLASS(v) == rb_cRange && wrote_range(w, v)) return;
        break;
    default: break;
    }
    if (!wrote_to_json(w, v)) write_to_s(w, v);
}

static VALUE compat_key(tj_writer *w, VALUE key)
{
    return RB_TYPE_P(key, T_STRING) ? key : text_of(w, key);
}

static bool refuse_infinite(tj_writer *w, VALUE v)
{
    if (w->rules->nan != TJ_NAN_RAISE) return false;
    tj_raise(w, tj_eNumber, "%" PRIsVALUE " not allowed in JSON.", rb_obj_as_string(v));
    return true;
}

/* -- mode :strict ------------------------------------------------------------------------------ */

static void write_strict(tj_writer *w, VALUE v)
{
    if (RTEST(rb_obj_is_kind_of(v, tj_mSerialize))) {
        tj_write_serializer(w, v);
        return;
    }
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: tj_write_string_cold(w, v); return;
    case T_ARRAY: tj_write_array(w, v); return;
    case T_HASH: tj_write_hash(w, v); return;
    default: break;
    }
    if (tj_is_decimal(w->pool, rb_obj_class(v))) {
        VALUE digits = text_of(w, v);
        tj_splice_trusted(w, digits);
        RB_GC_GUARD(digits);
        return;
    }
    tj_raise(w, tj_eUnsupported, "Failed to dump %" PRIsVALUE " Object to JSON in strict mode.",
             rb_class_path(rb_obj_class(v)));
}

static VALUE strict_key(tj_writer *w, VALUE key)
{
    if (RB_TYPE_P(key, T_STRING)) return key;
    tj_raise(w, tj_eUnsupported,
             "In :strict and :null mode all Hash keys must be Strings or Symbols, not %" PRIsVALUE
             ".",
             rb_class_path(rb_obj_class(key)));
}

static bool refuse_float(tj_writer *w, VALUE v)
{
    (void)v;
    if (w->rules->nan != TJ_NAN_RAISE) return false;
    tj_raise(w, tj_eUnsupported, "Failed to dump Float Object to JSON in strict mode.");
    return true;
}

/* -- load -------------------------------------------------------------------------------------- */

static const tj_family compat = {.write = write_compat,
                                 .key_text = compat_key,
                                 .not_finite = refuse_infinite,
                                 .not_text = not_text};
static const tj_family strict = {.write = write_strict,
                                 .key_text = strict_key,
                                 .not_finite = refuse_float,
                                 .not_text = not_text};

void tj_dialect_oj_init(void)
{
    id_to_json = rb_intern("to_json");
    tj_rules_family(TJ_OJ, &compat, tj_write_double_oj);
    tj_rules_family(TJ_OJ_STRICT, &strict, tj_write_double_oj_strict);
}
