/* Values. The second half of the dispatch: values whose object must be asked. */
#include "value_cold.h"

#include "../writer/levels.h"
#include "../writer/errors.h"
#include "collection.h"
#include "../writer/pool.h"
#include "fragment.h"
#include "../writer/string.h"
#include "time_value.h"
#include "hash_key.h"
#include "user_call.h"
#include "value.h"
#include "../writer/stack.h"
#include "../writer/binding.h"
#include "string_value.h"
#include "contained.h"

static VALUE cData;

/* in the order in which they are tried */
enum own { OWN_AS_JSON, OWN_TO_JSON, OWN_TO_HASH, OWN_TO_ARY, OWN_TO_H, OWN_TO_S, OWN_COUNT };
static ID own_ids[OWN_COUNT];

void tj_value_cold_init(void)
{
    static const char *const names[OWN_COUNT] = {"as_json", "to_json", "to_hash",
                                                 "to_ary",  "to_h",    "to_s"};
    for (int i = 0; i < OWN_COUNT; i++) own_ids[i] = rb_intern(names[i]);
    /* Ruby >= 3.2 */
    cData = rb_const_defined(rb_cObject, rb_intern("Data"))
                ? rb_const_get(rb_cObject, rb_intern("Data"))
                : Qfalse;
}

#define ADVICE \
    "Give it as_json, to_json, to_h or to_s, or pass convert: {TheClass => ->(value) { ... }}."

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

/* Writes a String, Hash, Struct and the like of a subclass as what it is. */
static bool write_structure(tj_writer *w, VALUE v)
{
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: tj_write_string_cold(w, v); return true;
    case T_HASH: tj_write_hash(w, v); return true;
    case T_STRUCT: {
        VALUE pair[2] = {(VALUE)w, v};
        struct_pairs((VALUE)pair);
        return true;
    }
    case T_MODULE: case T_CLASS: return tj_write_library_value(w, v, rb_cModule);
    default: break;
    }
    if (RTEST(rb_obj_is_kind_of(v, rb_cTime))) return tj_write_library_value(w, v, rb_cTime);
    tj_pool *pool = w->pool;
    if (pool->date_time && RTEST(rb_obj_is_kind_of(v, pool->date_time))) tj_write_date_time(w, v);
    else if (pool->date && RTEST(rb_obj_is_kind_of(v, pool->date))) tj_write_date_value(w, v);
    else return false;
    return true;
}

/* -- own methods ------------------------------------------------------------------------------- */

static bool is_delegator(tj_pool *pool, VALUE v)
{
    if (!pool->delegator) tj_is_class(&pool->delegator, "Delegator", Qfalse);
    return pool->delegator && RTEST(rb_obj_is_kind_of(v, pool->delegator));
}

/* Whether it is a proxy that says it is a model, whose columns its as_json would write. */
static bool stands_for_model(VALUE v)
{
    VALUE klass = rb_check_funcall(v, rb_intern("class"), 0, NULL);
    return klass != Qundef && klass != rb_obj_class(v) &&
           rb_respond_to(klass, rb_intern("model_name"));
}

static bool is_own(tj_writer *w, VALUE v, VALUE klass, ID id)
{
    if (!rb_method_boundp(klass, id, TJ_PUBLICLY)) {
        /* An object with method_missing decides in respond_to?. A Delegator only forwards it. */
        if (rb_method_basic_definition_p(klass, rb_intern("respond_to_missing?"))) return false;
        return rb_respond_to(v, id) && !is_delegator(w->pool, v) && !stands_for_model(v);
    }
    if (rb_method_basic_definition_p(klass, id)) return false; /* defined by Ruby's core */
    /* did_you_mean prepends to NameError */
    if (RB_TYPE_P(v, T_OBJECT) && !RTEST(rb_obj_is_kind_of(v, rb_eException)) &&
        (!rb_method_boundp(rb_cObject, id, TJ_PUBLICLY) ||
         rb_method_basic_definition_p(rb_cObject, id)))
        return true; /* no library gave it to all objects, so it is the class's own */
    return RTEST(rb_funcall(tj_mToJson, rb_intern("own?"), 2, v, ID2SYM(id)));
}

VALUE tj_call_own(VALUE v, VALUE klass, ID id)
{
    int arity = rb_method_boundp(klass, id, TJ_PUBLICLY) ? rb_mod_method_arity(klass, id) : 0;
    if (arity == 1 || arity == -2) return rb_funcall(v, id, 1, rb_hash_new());
    return rb_funcallv(v, id, 0, NULL);
}

NORETURN(static void wrong_result(tj_writer *w, VALUE v, enum own own, VALUE result,
                                  const char *due));
static void wrong_result(tj_writer *w, VALUE v, enum own own, VALUE result, const char *due)
{
    tj_raise(w, tj_eUnsupported, "%" PRIsVALUE "#%s returned %" PRIsVALUE " instead of %s.",
             tj_class_words(v), rb_id2name(own_ids[own]), tj_class_words(result), due);
}

/* Tries the own methods in the order of docs/values.md. Returns false if there is none. */
static bool write_own(tj_writer *w, VALUE v)
{
    VALUE klass = CLASS_OF(v);
    for (enum own own = 0; own < OWN_COUNT; own++) {
        if (!is_own(w, v, klass, own_ids[own])) continue;
        VALUE result = tj_call_own(v, klass, own_ids[own]);
        tj_check_alive(w);
        if (result == v && own != OWN_TO_S) continue; /* as_json { self }, which changes nothing */
        /* method_missing returned nothing useful */
        if (NIL_P(result) && !rb_method_boundp(klass, own_ids[own], TJ_PUBLICLY)) continue;
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
            if (NIL_P(result)) { /* to_ary may return nil */
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

/* -- the general way --------------------------------------------------------------------------- */

/* Writes the result of as_json: for a value that has no form of its own. Returns false without
 * as_json:, or if it returns the value itself. */
static bool write_as_json(tj_writer *w, VALUE v)
{
    if (!RTEST(w->rules->as_json)) return false;
    tj_check_callable(w, w->rules->as_json);
    VALUE arguments[2] = {v, Qfalse},
          answer = tj_call_closed(w, w->rules->as_json, rb_intern("call"), 2, arguments);
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
        tj_raise_unsupported(
            w, v,
            "The :strict dialect writes nil, true, false, Integer, Float, String, Symbol, "
            "Array and Hash only.");
    }
    /* the class pointer of a class is its singleton class */
    bool module = RB_TYPE_P(v, T_MODULE) || RB_TYPE_P(v, T_CLASS);
    if (tj_write_library_value(w, v, module ? rb_obj_class(v) : RBASIC_CLASS(v))) return;
    if (RTEST(rb_obj_is_kind_of(v, tj_mSerialize))) {
        tj_write_serializer(w, v);
        return;
    }
    if (tj_is_many(v)) {
        if (TJ_UNLIKELY(RB_TYPE_P(v, T_OBJECT) && tj_are_errors(v) && write_own(w, v))) return;
        if (RB_TYPE_P(v, T_ARRAY)) {
            tj_write_array(w, v);
            return;
        }
        if (tj_write_collection(w, v)) return;
    }
    if (RB_TYPE_P(v, T_OBJECT) && rb_class_get_superclass(RBASIC_CLASS(v)) != rb_cObject)
        tj_find_attached(w->pool);
    if (TJ_UNLIKELY(tj_is_attached(w->pool, v))) {
        if (!tj_is_unattached(w, v)) tj_raise_unsupported(w, v, ADVICE);
        tj_write_value(w, Qnil);
        return;
    }
    if (write_own(w, v) || write_structure(w, v)) return;
    if (!is_delegator(w->pool, v)) {
        if (!w->plan || !rb_respond_to(rb_obj_class(v), rb_intern("model_name"))) {
            if (write_as_json(w, v)) return;
            tj_raise_unsupported(w, v, ADVICE);
        }
        tj_write_model(w, v);
        return;
    }
    if (w->grammar.nesting >= w->grammar.max_nesting) tj_raise_status(w, TJ_TOO_DEEP);
    w->grammar.nesting++; /* stops a delegator that delegates to itself */
    VALUE target = rb_funcallv(v, rb_intern("__getobj__"), 0, NULL);
    tj_check_alive(w);
    tj_write_value(w, target);
    w->grammar.nesting--;
    RB_GC_GUARD(target);
}

/* While this runs no call of the DSL may write, because the place of the value is taken. If an
 * exception leaves it, tj_protect resets `blocked`, or the document ends. */
void tj_write_cold(tj_writer *w, VALUE v)
{
    if (TJ_UNLIKELY(RBASIC_CLASS(v) == tj_cMoved))
        tj_raise_unsupported(w, v, "It was moved to another Ractor: send a copy (`move: false`).");
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
    unsigned covered = w->rules->converted;
    if (!RB_SPECIAL_CONST_P(v)) {
        VALUE klass = RBASIC_CLASS(v);
        if (klass == rb_cArray && !(covered & TJ_CLASS_ARRAY)) return false;
        if (klass == rb_cHash && !(covered & TJ_CLASS_HASH)) return false;
        if (klass == rb_cString && !(covered & TJ_CLASS_STRING)) return false;
    }
    VALUE callable = converter_of(w->rules->convert, v);
    if (callable == Qundef) return false;
    tj_check_callable(w, callable);
    VALUE result = tj_call_closed(w, callable, rb_intern("call"), 1, &v);
    tj_enter_conversion(w);
    /* If a rule returns an object of the class that it covers, write that object by the other
     * rules. */
    w->converting = rb_obj_class(result) == rb_obj_class(v);
    if (w->converting) tj_write_other(w, result);
    else tj_write_value(w, result);
    w->conversions--;
    RB_GC_GUARD(result);
    return true;
}
