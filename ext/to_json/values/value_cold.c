/* Values. The second half of the value dispatch: what takes asking the object. */
#include "value_cold.h"

#include "../writer/levels.h"
#include "../writer/errors.h"
#include "collection.h"
#include "../writer/pool.h"
#include "fragment.h"
#include "../writer/string.h"
#include "time_value.h"
#include "value.h"
#include "../writer/stack.h"
#include "../writer/binding.h"
#include "string_value.h"
#include "contained.h"

#include <ruby/ractor.h>

static ID id_to_s, id_call, id_model_name, id_own, id_respond_to_missing, id_getobj, id_mixed_duplicate;
static VALUE str_plain_notation, cData;

/* In the order in which they are tried. */
enum own { OWN_AS_JSON, OWN_TO_JSON, OWN_TO_HASH, OWN_TO_ARY, OWN_TO_H, OWN_TO_S, OWN_COUNT };
static ID own_ids[OWN_COUNT];

void tj_value_cold_init(void)
{
    id_to_s = rb_intern("to_s");
    id_call = rb_intern("call");
    id_model_name = rb_intern("model_name");
    id_own = rb_intern("own?");
    id_respond_to_missing = rb_intern("respond_to_missing?");
    id_mixed_duplicate = rb_intern("mixed_duplicate");
    id_getobj = rb_intern("__getobj__");
    static const char *const names[OWN_COUNT] = {"as_json", "to_json", "to_hash", "to_ary", "to_h", "to_s"};
    for (int i = 0; i < OWN_COUNT; i++) own_ids[i] = rb_intern(names[i]);
    str_plain_notation = rb_obj_freeze(rb_str_new_cstr("F"));
    rb_gc_register_mark_object(str_plain_notation);
    /* Ruby >= 3.2 */
    cData = rb_const_defined(rb_cObject, rb_intern("Data")) ? rb_const_get(rb_cObject, rb_intern("Data")) : Qfalse;
}

NORETURN(static void unsupported(tj_writer *w, VALUE v, const char *advice));
static void unsupported(tj_writer *w, VALUE v, const char *advice)
{
    if (rb_respond_to(rb_obj_class(v), id_model_name))
        tj_raise(w, tj_eSerializerNotFound,
                 "%" PRIsVALUE " is a model: its columns are not written unasked. Put its fields, or a serializer of it.",
                 tj_class_words(v));
    if (RTEST(rb_obj_is_kind_of(v, rb_const_get(tj_mToJson, rb_intern("Stream"))))) advice = "A Stream is a body: give it to Rack, or read it by each.";
    tj_raise(w, tj_eUnsupported, "%" PRIsVALUE " has no JSON form. %s", tj_class_words(v), advice);
}

#define ADVICE "Give it as_json, to_json, to_h or to_s, or pass convert: {TheClass => ->(value) { ... }}."

static void write_item(tj_writer *w, VALUE item, void *data)
{
    (void)data;
    tj_next_in_tree(w);
    tj_write_value(w, item);
}

/* False where it was only its to_ary that made it many, and that gave nil. */
bool tj_write_collection(tj_writer *w, VALUE many)
{
    if (rb_respond_to(many, own_ids[OWN_TO_ARY])) {
        VALUE array = rb_funcallv(many, own_ids[OWN_TO_ARY], 0, NULL);
        tj_check_alive(w);
        if (RB_TYPE_P(array, T_ARRAY)) {
            tj_write_array(w, array);
            return true;
        }
        if (!RTEST(rb_obj_is_kind_of(many, rb_mEnumerable))) return false;
    }
    tj_open_tree(w, '[');
    tj_each(w, many, write_item, NULL, 0);
    tj_close_tree(w, ']');
    return true;
}

/* -- classes of Ruby's libraries, once loaded -------------------------------------------------- */

static bool is_class(VALUE *known, const char *name, VALUE klass)
{
    if (TJ_UNLIKELY(!*known)) {
        ID id = rb_intern(name);
        if (!rb_const_defined(rb_cObject, id) || !NIL_P(rb_autoload_p(rb_cObject, id))) return false;
        *known = rb_const_get(rb_cObject, id);
    }
    return *known == klass;
}

static bool is_time_with_zone(tj_pool *pool, VALUE klass)
{
    if (!pool->time_with_zone) {
        VALUE scope = rb_cObject;
        const char *const names[] = {"ActiveSupport", "TimeWithZone"};
        for (int i = 0; i < 2; i++) {
            ID id = rb_intern(names[i]);
            if (!rb_const_defined_at(scope, id) || !NIL_P(rb_autoload_p(scope, id))) return false;
            scope = rb_const_get_at(scope, id);
        }
        pool->time_with_zone = scope;
    }
    return pool->time_with_zone == klass;
}

bool tj_is_date(tj_pool *pool, VALUE klass) { return is_class(&pool->date, "Date", klass); }
bool tj_is_decimal(tj_pool *pool, VALUE klass) { return is_class(&pool->big_decimal, "BigDecimal", klass); }
bool tj_is_time_with_zone(tj_pool *pool, VALUE klass) { return is_time_with_zone(pool, klass); }

static void write_decimal(tj_writer *w, VALUE decimal)
{
    VALUE text = rb_funcallv(decimal, id_to_s, 1, &str_plain_notation);
    if (!RB_TYPE_P(text, T_STRING)) tj_raise(w, tj_eError, "to_s of %" PRIsVALUE " gave no String.", tj_class_words(decimal));
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes);
    if (TJ_UNLIKELY(size == 0 || bytes[size - 1] < '0' || bytes[size - 1] > '9')) { /* "NaN", "Infinity" */
        if (w->rules->nan != TJ_NAN_NULL)
            tj_raise(w, tj_eNumber, "BigDecimal %" PRIsVALUE " is not valid JSON. Pass nan: :null to write null instead.", text);
        tj_write_ascii(w, (const uint8_t *)"null", 4, false);
        return;
    }
    tj_write_ascii(w, bytes, size, !w->rules->decimal_number);
    RB_GC_GUARD(text);
}

/* The rows of the table that a class names exactly, or for `kind` those that a subclass inherits. */
static bool write_library_class(tj_writer *w, VALUE v, VALUE klass)
{
    tj_pool *pool = w->pool;
    if (klass == rb_cTime) tj_write_time_value(w, v);
    else if (klass == pool->big_decimal) write_decimal(w, v); /* the known ones first: to look for one that is not loaded takes long */
    else if (klass == pool->date) tj_write_date_value(w, v);
    else if (klass == rb_cRange || klass == rb_cEnumerator || is_class(&pool->set, "Set", klass)) tj_write_collection(w, v);
    else if (is_class(&pool->date, "Date", klass)) tj_write_date_value(w, v);
    else if (is_class(&pool->date_time, "DateTime", klass)) tj_write_date_time(w, v);
    else if (is_class(&pool->big_decimal, "BigDecimal", klass)) write_decimal(w, v);
    else if (klass == rb_cRational) tj_write_string_cold(w, rb_obj_as_string(v));
    else if (is_time_with_zone(pool, klass)) tj_write_time_with_zone(w, v);
    else if (klass == rb_cModule || klass == rb_cClass) {
        VALUE name = rb_mod_name(v);
        if (NIL_P(name)) unsupported(w, v, "This one has no name.");
        tj_write_string_cold(w, name);
    } else return false;
    return true;
}

/* -- structure ------------------------------------------------------------------------------- */

static VALUE struct_pairs(VALUE argument)
{
    VALUE *pair = (VALUE *)argument;
    tj_writer *w = (tj_writer *)pair[0];
    VALUE v = pair[1], members = rb_struct_members(v);
    tj_open_tree(w, '{');
    for (long i = 0; i < RARRAY_LEN(members); i++) {
        VALUE key = RARRAY_AREF(members, i);
        tj_next_in_tree(w);
        tj_top(&w->grammar)->label = key;
        tj_write_key(w, key);
        tj_write_value(w, RSTRUCT_GET(v, (int)i));
    }
    tj_close_tree(w, '}');
    RB_GC_GUARD(members);
    return Qnil;
}

bool tj_write_structure(tj_writer *w, VALUE v)
{
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: tj_write_string_cold(w, v); return true;
    case T_HASH: tj_write_hash(w, v); return true;
    case T_STRUCT: {
        VALUE pair[2] = {(VALUE)w, v};
        struct_pairs((VALUE)pair);
        return true;
    }
    case T_MODULE: case T_CLASS: return write_library_class(w, v, rb_cModule);
    default: break;
    }
    if (RTEST(rb_obj_is_kind_of(v, rb_cTime))) return write_library_class(w, v, rb_cTime);
    tj_pool *pool = w->pool;
    if (pool->date_time && RTEST(rb_obj_is_kind_of(v, pool->date_time))) tj_write_date_time(w, v);
    else if (pool->date && RTEST(rb_obj_is_kind_of(v, pool->date))) tj_write_date_value(w, v);
    else return false;
    return true;
}

/* -- own methods ------------------------------------------------------------------------------ */

static bool is_delegator(tj_pool *pool, VALUE v)
{
    if (!pool->delegator) is_class(&pool->delegator, "Delegator", Qfalse);
    return pool->delegator && RTEST(rb_obj_is_kind_of(v, pool->delegator));
}

static bool is_own(tj_writer *w, VALUE v, VALUE klass, ID id)
{
    if (!rb_method_boundp(klass, id, TJ_PUBLICLY)) {
        /* An object with method_missing says itself what it answers to. A Delegator only passes on. */
        if (rb_method_basic_definition_p(klass, id_respond_to_missing)) return false;
        return rb_respond_to(v, id) && !is_delegator(w->pool, v);
    }
    if (rb_method_basic_definition_p(klass, id)) return false; /* Ruby's core defined it */
    if (RB_TYPE_P(v, T_OBJECT) && !RTEST(rb_obj_is_kind_of(v, rb_eException)) && /* did_you_mean prepends to NameError */
        (!rb_method_boundp(rb_cObject, id, TJ_PUBLICLY) || rb_method_basic_definition_p(rb_cObject, id)))
        return true; /* nobody gave it to all objects: it is the class's own */
    return RTEST(rb_funcall(tj_mToJson, id_own, 2, v, ID2SYM(id)));
}

VALUE tj_call_own(VALUE v, VALUE klass, ID id)
{
    int arity = rb_method_boundp(klass, id, TJ_PUBLICLY) ? rb_mod_method_arity(klass, id) : 0;
    if (arity == 1 || arity == -2) return rb_funcall(v, id, 1, rb_hash_new());
    return rb_funcallv(v, id, 0, NULL);
}

NORETURN(static void wrong_result(tj_writer *w, VALUE v, enum own own, VALUE result, const char *due));
static void wrong_result(tj_writer *w, VALUE v, enum own own, VALUE result, const char *due)
{
    tj_raise(w, tj_eUnsupported, "%" PRIsVALUE "#%s gave %" PRIsVALUE " where %s is due.", tj_class_words(v),
             rb_id2name(own_ids[own]), tj_class_words(result), due);
}

void tj_enter_conversion(tj_writer *w)
{
    if (w->conversions / 2 > w->grammar.max_nesting) tj_raise_status(w, TJ_TOO_DEEP);
    w->conversions++;
    tj_check_stack(w);
}

bool tj_write_own(tj_writer *w, VALUE v)
{
    VALUE klass = CLASS_OF(v);
    for (enum own own = 0; own < OWN_COUNT; own++) {
        if (!is_own(w, v, klass, own_ids[own])) continue;
        VALUE result = tj_call_own(v, klass, own_ids[own]);
        tj_check_alive(w);
        if (result == v && own != OWN_TO_S) continue; /* as_json { self } says nothing new */
        if (NIL_P(result) && !rb_method_boundp(klass, own_ids[own], TJ_PUBLICLY)) continue; /* method_missing that has nothing to say */
        tj_enter_conversion(w);
        switch (own) {
        case OWN_TO_JSON:
            if (!RB_TYPE_P(result, T_STRING)) wrong_result(w, v, own, result, "a String of JSON");
            tj_splice_checked(w, result, tj_class_words(v));
            break;
        case OWN_TO_HASH: case OWN_TO_H:
            if (!RB_TYPE_P(result, T_HASH)) wrong_result(w, v, own, result, "a Hash");
            tj_write_value(w, result);
            break;
        case OWN_TO_ARY:
            if (NIL_P(result)) { /* to_ary may decline */
                w->conversions--;
                continue;
            }
            if (!RB_TYPE_P(result, T_ARRAY)) wrong_result(w, v, own, result, "an Array");
            tj_write_value(w, result);
            break;
        case OWN_TO_S:
            if (!RB_TYPE_P(result, T_STRING)) wrong_result(w, v, own, result, "a String");
            tj_write_string_cold(w, result);
            break;
        default: tj_write_value(w, result);
        }
        w->conversions--;
        RB_GC_GUARD(result);
        return true;
    }
    return false;
}

/* -- the whole way ---------------------------------------------------------------------------- */

/* What as_json: makes of a value that has no form; false without, or where it gives the value itself. */
static bool write_as_json(tj_writer *w, VALUE v)
{
    if (!RTEST(w->rules->as_json)) return false;
    tj_check_callable(w, w->rules->as_json);
    VALUE arguments[2] = {v, Qfalse}, answer = tj_call_closed(w, w->rules->as_json, id_call, 2, arguments);
    if (answer == v) return false;
    tj_enter_conversion(w);
    tj_write_value(w, answer);
    w->conversions--;
    RB_GC_GUARD(answer);
    return true;
}

static void write_cold(tj_writer *w, VALUE v)
{
    if (w->rules->dialect == TJ_STRICT) {
        if (write_as_json(w, v)) return;
        unsupported(w, v, "The :strict dialect writes nil, true, false, Integer, Float, String, Symbol, Array and Hash only.");
    }
    bool module = RB_TYPE_P(v, T_MODULE) || RB_TYPE_P(v, T_CLASS); /* a Class's class is its singleton, always */
    if (write_library_class(w, v, module ? rb_obj_class(v) : RBASIC_CLASS(v))) return;
    if (RTEST(rb_obj_is_kind_of(v, tj_mSerialize))) {
        tj_write_serializer(w, v);
        return;
    }
    if (tj_is_many(v)) {
        if (RB_TYPE_P(v, T_ARRAY)) {
            tj_write_array(w, v);
            return;
        }
        if (tj_write_collection(w, v)) return;
    }
    if (tj_write_own(w, v) || tj_write_structure(w, v)) return;
    if (!is_delegator(w->pool, v)) {
        if (!w->plan || !rb_respond_to(rb_obj_class(v), id_model_name)) {
            if (write_as_json(w, v)) return;
            unsupported(w, v, ADVICE);
        }
        tj_write_model(w, v);
        return;
    }
    if (w->grammar.nesting >= w->grammar.max_nesting) tj_raise_status(w, TJ_TOO_DEEP);
    w->grammar.nesting++; /* one that delegates to itself ends here */
    VALUE target = rb_funcallv(v, id_getobj, 0, NULL);
    tj_check_alive(w);
    tj_write_value(w, target);
    w->grammar.nesting--;
    RB_GC_GUARD(target);
}

/* While it runs no call of the DSL may write: the value's place is taken. What leaves it by an exception
 * passes tj_protect, or ends the document. */
void tj_write_cold(tj_writer *w, VALUE v)
{
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->blocked |= TJ_VALUE_DUE;
    const tj_family *family = w->rules->family;
    if (family && family->write) {
        if (RTEST(rb_obj_is_kind_of(v, tj_mSerialize))) tj_write_serializer(w, v);
        else family->write(w, v);
    }
    else write_cold(w, v);
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
}

VALUE tj_call_closed(tj_writer *w, VALUE receiver, ID id, int argc, const VALUE *argv)
{
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->blocked |= TJ_VALUE_DUE;
    VALUE result = rb_funcallv(receiver, id, argc, argv);
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
    tj_check_alive(w);
    return result;
}

void tj_check_callable(tj_writer *w, VALUE callable)
{
    if (TJ_LIKELY(w->pool->main || !w->rules->of_main) || rb_ractor_shareable_p(callable)) return;
    tj_raise(w, tj_eError,
             "the Rules call a Proc of the main Ractor, which sees variables that this Ractor may "
             "not see. Make it shareable (Ractor.make_shareable), or give a module that has the "
             "method call.");
}

static VALUE converter_of(VALUE convert, VALUE v)
{
    VALUE klass = rb_obj_class(v), callable = rb_hash_lookup2(convert, klass, Qundef);
    if (callable != Qundef) return callable;
    VALUE ancestors = rb_mod_ancestors(klass);
    for (long i = 1; i < RARRAY_LEN(ancestors) && callable == Qundef; i++)
        callable = rb_hash_lookup2(convert, RARRAY_AREF(ancestors, i), Qundef);
    return callable;
}

bool tj_convert(tj_writer *w, VALUE v)
{
    unsigned rows = w->rules->converted;
    if (!RB_SPECIAL_CONST_P(v)) {
        VALUE klass = RBASIC_CLASS(v);
        if (klass == rb_cArray && !(rows & TJ_ROW_ARRAY)) return false;
        if (klass == rb_cHash && !(rows & TJ_ROW_HASH)) return false;
        if (klass == rb_cString && !(rows & TJ_ROW_STRING)) return false;
    }
    VALUE callable = converter_of(w->rules->convert, v);
    if (callable == Qundef) return false;
    tj_check_callable(w, callable);
    VALUE result = tj_call_closed(w, callable, id_call, 1, &v);
    tj_enter_conversion(w);
    /* A rule that gives the class it covers means "written like that", not "ask me again". */
    w->converting = rb_obj_class(result) == rb_obj_class(v);
    if (w->converting) tj_write_other(w, result);
    else tj_write_value(w, result);
    w->conversions--;
    RB_GC_GUARD(result);
    return true;
}

VALUE tj_key_text(tj_writer *w, VALUE key)
{
    if (RB_SYMBOL_P(key)) return rb_sym2str(key);
    if (RB_TYPE_P(key, T_STRING) && RBASIC_CLASS(key) == rb_cString) return key;
    const tj_family *family = w->rules->family;
    if (family && family->key_text) return family->key_text(w, key);
    if (w->rules->dialect == TJ_STRICT && !RB_TYPE_P(key, T_STRING))
        tj_raise(w, tj_eUnsupported, "%" PRIsVALUE " is no key under the :strict dialect. Use a String or Symbol.", tj_class_words(key));
    VALUE text = tj_call_closed(w, key, id_to_s, 0, NULL);
    if (!RB_TYPE_P(text, T_STRING)) tj_raise(w, tj_eUnsupported, "a key's to_s gave %" PRIsVALUE ".", tj_class_words(text));
    return text;
}

void tj_check_mixed(tj_writer *w, VALUE hash)
{
    VALUE text = tj_call_closed(w, tj_mToJson, id_mixed_duplicate, 1, &hash);
    if (!NIL_P(text))
        tj_raise(w, tj_eDuplicateKey, "detected duplicate key %" PRIsVALUE " in %" PRIsVALUE, rb_str_inspect(text), rb_inspect(hash));
}

void tj_check_duplicate(tj_writer *w, VALUE seen, VALUE key)
{
    VALUE text = tj_utf8_text(w, tj_key_text(w, key));
    if (!NIL_P(rb_hash_lookup(seen, text)))
        tj_raise(w, tj_eDuplicateKey, "two keys of one Hash read %" PRIsVALUE ". Drop duplicates: :raise to write both.",
                 rb_str_inspect(text));
    rb_hash_aset(seen, text, Qtrue);
}
