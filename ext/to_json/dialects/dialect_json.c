/* Dialects. :json and :json2: values are written as JSON.generate writes them. */
#include "dialect_json.h"

#include "../writer/errors.h"
#include "../values/fragment.h"
#include "../values/library_value.h"
#include "../writer/string.h"
#include "../values/value.h"
#include "../values/user_call.h"
#include "../values/value_cold.h"

#include "../core/numbers/float.h"
#include "../values/string_value.h"
#include "../values/contained.h"

static ID id_to_json, id_to_s;
static VALUE mJson; /* ToJson::Dialects::Json */

/* -- strict: as_json is called once for values of other types ---------------------------------- */

NORETURN(static void refuse(tj_writer *w, VALUE v, const char *where));
static void refuse(tj_writer *w, VALUE v, const char *where)
{
    tj_raise(w, tj_eUnsupported, "%" PRIsVALUE " not allowed %s", CLASS_OF(v), where);
}
#define AS_VALUE "in JSON"
#define AS_KEY "as object key in JSON"

NORETURN(static void malformed(tj_writer *w));
static void malformed(tj_writer *w)
{
    tj_raise(w, tj_eEncoding, "source sequence is illegal/malformed utf-8");
}

static VALUE as_json(tj_writer *w, VALUE v, bool key)
{
    VALUE arguments[2] = {v, key ? Qtrue : Qfalse};
    tj_check_callable(w, w->rules->as_json);
    return tj_call_closed(w, w->rules->as_json, rb_intern("call"), 2, arguments);
}

static bool is_text(const tj_writer *w, VALUE string)
{
    const uint8_t *bytes;
    size_t size;
    return RB_ENCODING_GET_INLINED(string) != rb_ascii8bit_encindex()
               ? tj_string_text_under(w->rules, string, &bytes, &size)
               : rb_enc_str_coderange(string) == ENC_CODERANGE_7BIT;
}

static bool is_their_fragment(VALUE v)
{
    static const char *const names[] = {"JSON", "Fragment", NULL};
    return RB_TYPE_P(v, T_STRUCT) && tj_loaded_module(names) == RBASIC_CLASS(v);
}

/* Whether strict writes the value without a call. */
static bool is_their_type(VALUE v)
{
    if (RB_SPECIAL_CONST_P(v)) return true;
    VALUE klass = RBASIC_CLASS(v);
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: return klass == rb_cString;
    case T_ARRAY: return klass == rb_cArray;
    case T_HASH: return klass == rb_cHash;
    case T_FLOAT: case T_BIGNUM: case T_SYMBOL: return true;
    case T_DATA:
        return RTYPEDDATA_P(v) && (RTYPEDDATA_TYPE(v) == &tj_serializer_type ||
                                   RTYPEDDATA_TYPE(v) == &tj_fragment_type);
    default: return is_their_fragment(v);
    }
}

static void write_answer(tj_writer *w, VALUE answer)
{
    if (!is_their_type(answer)) refuse(w, answer, AS_VALUE);
    if (RB_TYPE_P(answer, T_STRING) && !is_text(w, answer)) malformed(w);
    tj_enter_conversion(w);
    tj_write_value(w, answer);
    w->conversions--;
    RB_GC_GUARD(answer);
}

static void write_strict(tj_writer *w, VALUE v)
{
    if (!RTEST(w->rules->as_json)) refuse(w, v, AS_VALUE);
    write_answer(w, as_json(w, v, false));
}

static bool asks(const tj_writer *w) { return w->rules->strict && RTEST(w->rules->as_json); }

static bool not_finite(tj_writer *w, VALUE v)
{
    if (w->rules->nan != TJ_NAN_RAISE) return false;
    if (asks(w)) {
        VALUE answer = as_json(w, v, false);
        if (answer != v) {
            if (w->grammar.nesting >= w->grammar.max_nesting) tj_raise_status(w, TJ_TOO_DEEP);
            w->grammar.nesting++;
            tj_write_value(w, answer);
            w->grammar.nesting--;
            RB_GC_GUARD(answer);
            return true;
        }
    }
    tj_raise(w, tj_eNumber, "%" PRIsVALUE " not allowed in JSON", rb_obj_as_string(v));
}

VALUE tj_json2_binary(VALUE string)
{
    if (RB_ENCODING_GET_INLINED(string) != rb_ascii8bit_encindex()) return Qundef;
    VALUE text = rb_str_dup(string);
    rb_enc_associate_index(text, rb_utf8_encindex());
    return rb_enc_str_coderange(text) == ENC_CODERANGE_BROKEN ? Qundef : text;
}

static VALUE not_text(tj_writer *w, VALUE string, bool key)
{
    if (!asks(w) || (key && w->key_converted)) return Qundef;
    VALUE answer = as_json(w, string, false);
    if (answer == string) return w->rules->dialect == TJ_JSON2 ? tj_json2_binary(string) : Qundef;
    if (!RB_TYPE_P(answer, T_STRING)) {
        if (key) refuse(w, answer, AS_KEY);
        write_answer(w, answer);
        return Qfalse;
    }
    if (!is_text(w, answer)) malformed(w);
    return answer;
}

/* -- to_json ----------------------------------------------------------------------------------- */

/* The State of json for this document: from the Rules, with the depth of this value. nil if json is
 * not loaded. */
static VALUE state_of(tj_writer *w)
{
    if (!w->state)
        w->state = rb_funcall(mJson, rb_intern("state"), 2, w->rules->options,
                              w->layout == &w->rules->pretty ? Qtrue : Qfalse);
    if (!NIL_P(w->state))
        rb_funcall(w->state, rb_intern("depth="), 1,
                   UINT2NUM(w->grammar.nesting + w->rules->given.depth));
    return w->state;
}

/* Whether the only to_json of `v` is the one that json gives to all objects. We write such values
 * without calling it. The last class is remembered. */
static bool is_theirs(tj_writer *w, VALUE v)
{
    VALUE klass = CLASS_OF(v);
    if (klass == w->met) return true;
    if (!RTEST(rb_funcall(mJson, rb_intern("theirs?"), 1, v))) return false;
    w->met = klass;
    return true;
}

/* Writes `v` as json's to_json for all objects does. */
static void write_plainly(tj_writer *w, VALUE v)
{
    if (RB_TYPE_P(v, T_HASH)) tj_write_hash(w, v);
    else if (RB_TYPE_P(v, T_ARRAY)) tj_write_array(w, v);
    else {
        VALUE text = rb_obj_as_string(v);
        tj_check_alive(w);
        tj_write_string_cold(w, text);
        RB_GC_GUARD(text);
    }
}

static void call_to_json(tj_writer *w, VALUE v)
{
    VALUE state = state_of(w);
    tj_enter_conversion(w);
    VALUE json = NIL_P(state) ? tj_call_own(v, CLASS_OF(v), id_to_json)
                              : rb_funcall(v, id_to_json, 1, state);
    tj_check_alive(w);
    Check_Type(json, T_STRING);
    tj_splice_trusted(w, json);
    w->conversions--;
    RB_GC_GUARD(json);
}

static void write_any(tj_writer *w, VALUE v)
{
    if (is_their_fragment(v)) {
        VALUE json = RSTRUCT_GET(v, 0);
        Check_Type(json, T_STRING);
        tj_splice_trusted(w, json);
        RB_GC_GUARD(json);
    } else if (w->rules->strict) write_strict(w, v);
    else if (!rb_respond_to(v, id_to_json) || is_theirs(w, v)) write_plainly(w, v);
    else call_to_json(w, v);
}

bool tj_json_bignum(tj_writer *w, VALUE v)
{
    if (rb_method_basic_definition_p(rb_cInteger, id_to_s)) return false;
    VALUE digits = tj_call_closed(w, v, id_to_s, 0, NULL);
    Check_Type(digits, T_STRING);
    tj_splice_trusted(w, digits);
    RB_GC_GUARD(digits);
    return true;
}

/* At the first Symbol of a document: finds out whether Symbols have a to_json. */
static bool symbol(tj_writer *w, VALUE v)
{
    if (!w->rules->strict && rb_respond_to(v, id_to_json) && !is_theirs(w, v)) {
        call_to_json(w, v);
        return true;
    }
    w->consult_symbols = w->rules->escape >= TJ_ESCAPE_COMPOSED;
    return false;
}

/* -- Hashes ------------------------------------------------------------------------------------ */

/* The text of a key by to_s. Raises TypeError if that is missing or returns no String. */
static VALUE converted(tj_writer *w, VALUE key)
{
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->blocked |= TJ_VALUE_DUE;
    VALUE text = rb_convert_type(key, T_STRING, "String", "to_s");
    tj_check_alive(w);
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
    return text;
}

static VALUE key_text(tj_writer *w, VALUE key)
{
    if (!RB_TYPE_P(key, T_STRING) && w->rules->strict) {
        if (!RTEST(w->rules->as_json)) refuse(w, key, AS_KEY);
        key = as_json(w, key, true);
        if (RB_SYMBOL_P(key)) return rb_sym2str(key);
        if (!RB_TYPE_P(key, T_STRING)) refuse(w, key, AS_KEY);
        w->key_converted = true;
        if (RBASIC_CLASS(key) == rb_cString) return key;
    }
    if (!RB_TYPE_P(key, T_STRING)) return converted(w, key);
    VALUE text = tj_call_closed(w, key, id_to_s, 0, NULL);
    if (!RB_TYPE_P(text, T_STRING))
        rb_raise(rb_eTypeError,
                 "can't convert %" PRIsVALUE " to String (%" PRIsVALUE "#to_s gives %" PRIsVALUE
                 ")",
                 rb_obj_class(key), rb_obj_class(key), rb_obj_class(text));
    return text;
}

static VALUE sorted(tj_writer *w, VALUE hash)
{
    if (!w->rules->sort_keys && !w->rules->canonical) return hash;
    VALUE arguments[2] = {hash, w->rules->options};
    tj_check_callable(w, w->rules->options); /* sort_keys: or as_json: is called */
    VALUE other =
        tj_call_closed(w, mJson, w->rules->canonical ? rb_intern("canonical") : rb_intern("sorted"),
                       2, arguments);
    Check_Type(other, T_HASH);
    return other;
}

/* -- rfc8785 ----------------------------------------------------------------------------------- */

static unsigned begin(tj_writer *w)
{
    w->consult_symbols = true;
    return w->rules->canonical ? TJ_CLASS_INTEGER : 0;
}

/* Writes Integers as doubles. */
static bool consult(tj_writer *w, VALUE v)
{
    if (!w->rules->canonical || !RB_INTEGER_TYPE_P(v)) return false;
    double value = RB_FIXNUM_P(v) ? (double)RB_FIX2LONG(v) : rb_big2dbl(v);
    if (value - value != 0) tj_raise(w, tj_eNumber, "Integer out of range for RFC 8785");
    tj_commit(w, tj_write_double_canonical(tj_reserve(w, TJ_FLOAT_SIZE), value));
    return true;
}

static const tj_family json = {
    .begin = begin, .consult = consult, .not_finite = not_finite, .not_text = not_text,
    .bignum = tj_json_bignum, .symbol = symbol, .write = write_any, .key_text = key_text,
    .hash = sorted,
};

void tj_dialect_json_init(void)
{
    mJson = rb_define_module_under(rb_define_module_under(tj_mToJson, "Dialects"), "Json");
    rb_gc_register_mark_object(mJson);
    id_to_json = rb_intern("to_json");
    id_to_s = rb_intern("to_s");
    tj_rules_family(TJ_JSON, &json, tj_write_double_json);
    tj_rules_family(TJ_JSON2, &json, tj_write_double_json);
}
