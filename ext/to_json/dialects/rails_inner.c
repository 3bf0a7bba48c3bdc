/* Dialects. The inner pass of :rails (dialect_rails.c says what it is): as_json of everything is
 * called with the options, unless it is still that of ActiveSupport. */
#include "rails_inner.h"

#include "../values/hash_key.h"
#include "../values/fragment.h"
#include "../values/library_value.h"
#include "../values/value.h"
#include "../values/user_call.h"
#include "../vm/hash_pairs.h"
#include "../writer/binding.h"
#include "../writer/errors.h"
#include "../writer/levels.h"

static ID id_aref;
static VALUE sym_only, sym_except;

void tj_rails_inner_init(void)
{
    id_aref = rb_intern("[]");
    sym_only = ID2SYM(rb_intern("only"));
    sym_except = ID2SYM(rb_intern("except"));
    rb_gc_register_mark_object(sym_only);
    rb_gc_register_mark_object(sym_except);
}

VALUE tj_rails_ask(tj_writer *w, VALUE v, VALUE options)
{
    VALUE result;
    if (!options) result = rb_funcallv(v, rb_intern("as_json"), 0, NULL);
    else {
        if (!w->rails->frozen_options) options = rb_funcallv(options, rb_intern("dup"), 0, NULL);
        result = rb_funcallv(v, rb_intern("as_json"), 1, &options);
    }
    tj_check_alive(w);
    return result;
}

void tj_rails_write_result(tj_writer *w, VALUE result)
{
    tj_enter_conversion(w);
    tj_write_value(w, result);
    w->conversions--;
    RB_GC_GUARD(result);
}

/* -- Hashes ------------------------------------------------------------------------------------ */

enum kind { KEY_SYMBOL = 1, KEY_STRING = 2, KEY_INTEGER = 4, KEY_OTHER = 8 };

static int kind_i(VALUE key, VALUE value, VALUE argument)
{
    unsigned *kinds = (unsigned *)argument;
    (void)value;
    if (RB_SYMBOL_P(key)) *kinds |= KEY_SYMBOL;
    else if (RB_FIXNUM_P(key)) *kinds |= KEY_INTEGER;
    else if (!RB_SPECIAL_CONST_P(key) && RBASIC_CLASS(key) == rb_cString) *kinds |= KEY_STRING;
    else *kinds |= KEY_OTHER;
    return ST_CONTINUE;
}

VALUE tj_rails_merged(tj_writer *w, VALUE hash, bool inner, VALUE options)
{
    unsigned kinds = 0;
    if (RHASH_SIZE(hash) < 2) return hash;
    if (!tj_hash_by_identity(hash)) {
        rb_hash_foreach(hash, kind_i, (VALUE)&kinds);
        if ((kinds & (kinds - 1)) == 0 && kinds != KEY_OTHER) return hash;
        if (!inner && kinds == (KEY_SYMBOL | KEY_STRING)) return hash;
    }
    VALUE arguments[3] = {hash, inner ? Qtrue : Qfalse, options ? options : Qnil};
    return tj_call_closed(w, tj_rails_module(), rb_intern("merged"), 3, arguments);
}

struct pairs {
    tj_writer *w;
    VALUE options;
};

static int pair_i(VALUE key, VALUE value, VALUE argument)
{
    struct pairs *pairs = (struct pairs *)argument;
    tj_writer *w = pairs->w;
    tj_next_in_tree(w);
    tj_top(&w->grammar)->label = key;
    w->rails->inner = true;
    w->key_converted = false;
    tj_write_key(w, key);
    w->rails->inner = false;
    tj_rails_write_inner(w, value, pairs->options);
    return ST_CONTINUE;
}

/* Whether `options` remove something from Hashes. */
static bool narrow(VALUE options)
{
    return options && (RTEST(rb_funcallv(options, id_aref, 1, &sym_only)) ||
                       RTEST(rb_funcallv(options, id_aref, 1, &sym_except)));
}

/* If no as_json would be called in the tree, leaves it to the outer pass, which writes the same. */
static bool write_plain(tj_writer *w, VALUE tree, VALUE options)
{
    bool hashes;
    if (!tj_rails_is_plain(w, tree, &hashes) || (hashes && narrow(options))) return false;
    tj_write_value(w, tree);
    return true;
}

static void write_inner_hash(tj_writer *w, VALUE hash, VALUE options)
{
    if (options) {
        VALUE names = rb_funcallv(options, id_aref, 1, &sym_only);
        ID id = rb_intern("slice");
        if (!RTEST(names)) {
            names = rb_funcallv(options, id_aref, 1, &sym_except);
            id = rb_intern("except");
        }
        if (RTEST(names)) {
            names = rb_Array(names);
            /* copies the names: hash or eql? of a name may change the Array */
            hash = rb_apply(hash, id, names);
            tj_check_alive(w);
        }
        RB_GC_GUARD(names);
    }
    hash = tj_rails_merged(w, hash, true, options);
    tj_open_tree(w, '{');
    struct pairs pairs = {w, options};
    if (RHASH_SIZE(hash) > 0) rb_hash_foreach(hash, pair_i, (VALUE)&pairs);
    tj_close_tree(w, '}');
    RB_GC_GUARD(hash);
}

bool tj_rails_guard(tj_writer *w, VALUE v, VALUE options)
{
    if (TJ_LIKELY(!w->rules->models_refused) || RB_SPECIAL_CONST_P(v)) return false;
    VALUE plain = rb_funcall(tj_rails_module(), rb_intern("guarded"), 1, v);
    tj_check_alive(w);
    if (NIL_P(plain)) return false;
    if (plain == Qtrue) tj_raise_unsupported(w, v, "");
    tj_enter_conversion(w);
    tj_rails_write_inner(w, plain, options);
    w->conversions--;
    RB_GC_GUARD(plain);
    return true;
}

static bool is_fragment(VALUE v)
{
    return RB_TYPE_P(v, T_DATA) && RTYPEDDATA_P(v) &&
           (RTYPEDDATA_TYPE(v) == &tj_fragment_type || RTYPEDDATA_TYPE(v) == &tj_serializer_type);
}

/* Checking whether as_json is the original costs as much as so many calls of it. */
#define ASKED_FIRST 4

/* Whether to call as_json of a simple value: there were few of its kind, so a call is cheaper than
 * the check. */
static bool asks_first(const tj_writer *w, enum tj_rails_own own, VALUE options)
{
    const tj_rails *rails = w->rails;
    return own <= OWN_SYMBOL && !(rails->examined & 1u << own) && rails->met[own] < ASKED_FIRST &&
           (!options || rails->frozen_options);
}

void tj_rails_write_inner(tj_writer *w, VALUE v, VALUE options)
{
    enum tj_rails_own own = tj_rails_own_of(w, v);
    if (asks_first(w, own, options)) {
        w->rails->met[own]++;
        VALUE result = tj_rails_ask(w, v, options);
        if (result == v) tj_write_value(w, v);
        else tj_rails_write_result(w, result);
    } else if (own == OWN_NONE || !tj_rails_stands(w, own)) {
        bool ours = !RB_SPECIAL_CONST_P(v) &&
                    (RTEST(rb_obj_is_kind_of(v, tj_mSerialize)) || is_fragment(v));
        if (ours) tj_write_value(w, v);
        else if (!tj_rails_guard(w, v, options))
            tj_rails_write_result(w, tj_rails_ask(w, v, options));
    } else if ((own == OWN_ARRAY || own == OWN_HASH) && write_plain(w, v, options)) {
        RB_GC_GUARD(v);
    } else if (own == OWN_ARRAY) {
        tj_open_tree(w, '[');
        for (long i = 0; i < RARRAY_LEN(v); i++) {
            tj_next_in_tree(w);
            tj_rails_write_inner(w, RARRAY_AREF(v, i), options);
        }
        tj_close_tree(w, ']');
        RB_GC_GUARD(v);
    } else if (own == OWN_HASH) write_inner_hash(w, v, options);
    else tj_write_value(w, v);
}
