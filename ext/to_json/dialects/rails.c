/* Dialects. Reads ActiveSupport's settings for each document, and whether as_json is the
 * original. */
#include "rails.h"

#include "../values/library_value.h"
#include "../writer/errors.h"

#include "../vm/hash_pairs.h"

static VALUE mDialect;

void tj_rails_init(void)
{
    mDialect = rb_define_module_under(rb_define_module_under(tj_mToJson, "Dialects"), "Rails");
    rb_gc_register_mark_object(mDialect); /* dialects/rails.rb defines its methods */
}

VALUE tj_rails_module(void) { return mDialect; }

/* -- the settings ------------------------------------------------------------------------------ */

static bool setting(VALUE encoding, ID id, bool otherwise)
{
    VALUE value = rb_ivar_defined(encoding, id) ? rb_ivar_get(encoding, id)
                  : otherwise                   ? Qtrue
                                                : Qfalse;
    return RTEST(value);
}

void tj_rails_escape_by(tj_writer *w, bool markup, bool separators)
{
    tj_rails *rails = w->rails;
    tj_escape_mode mode = markup ? TJ_ESCAPE_HTML : TJ_ESCAPE_JSON;
    if (markup != separators)
        mode = TJ_ESCAPE_COMPOSED | (markup ? TJ_ESCAPE_MARKUP : TJ_ESCAPE_SEPARATORS);
    rails->rules.escape = mode;
    w->encode_anew = w->layout || mode >= TJ_ESCAPE_COMPOSED;
}

static VALUE encoding_body(VALUE argument)
{
    (void)argument;
    return rb_funcall(tj_rails_module(), rb_intern("encoding"), 0);
}

/* ActiveSupport::JSON::Encoding, or nil if it is not loaded. May run Ruby; if that raises, the
 * Writer is released. */
static VALUE encoding_of(tj_writer *w)
{
    if (TJ_LIKELY(w->pool->rails_encoding)) return w->pool->rails_encoding;
    int state = 0;
    VALUE encoding = tj_rb_protect(encoding_body, Qnil, &state);
    if (state) {
        tj_release(w);
        rb_jump_tag(state);
    }
    if (NIL_P(encoding)) return Qnil;
    w->pool->rails_frozen_options = RTEST(RARRAY_AREF(encoding, 1));
    w->pool->rails_json_3 = RTEST(RARRAY_AREF(encoding, 2));
    return w->pool->rails_encoding = RARRAY_AREF(encoding, 0);
}

static VALUE float_stands(VALUE writer)
{
    return tj_rails_stands((tj_writer *)writer, OWN_FLOAT) ? Qtrue : Qfalse;
}

unsigned tj_rails_begin(tj_writer *w)
{
    VALUE writer = w->self; /* nothing else keeps it alive yet */
    if (!w->rails) w->rails = ruby_xcalloc(1, sizeof *w->rails);
    tj_rails *rails = w->rails;
    rails->given = w->rules;
    rails->rules = *w->rules;
    w->rules = &rails->rules;
    rails->examined = rails->stands = 0;
    rails->inner = false;
    memset(rails->met, 0, sizeof rails->met);
    VALUE encoding = encoding_of(w);
    rails->loaded = !NIL_P(encoding);
    rails->coder = rails->loaded && rb_const_defined_at(encoding, rb_intern("JSONGemCoderEncoder"));
    rails->frozen_options = w->pool->rails_frozen_options;
    if (!rails->loaded) {
        tj_rails_escape_by(w, true, true);
        return 0;
    }
    rails->rules.binary_refused |= rails->coder; /* not_text decides about these */
    if (w->pool->rails_json_3) {
        rails->rules.binary_refused = true;
        if (rails->rules.duplicates == TJ_DUPLICATES_WRITE)
            rails->rules.duplicates = TJ_DUPLICATES_MIXED;
        /* JSON::Coder calls ActiveSupport's block for each key. */
        rails->rules.keys_become_text = rails->coder;
    }
    tj_rails_escape_by(w, setting(encoding, rb_intern("@escape_html_entities_in_json"), true),
                       setting(encoding, rb_intern("@escape_js_separators_in_json"), true));
    VALUE digits = rb_ivar_get(encoding, rb_intern("@time_precision"));
    bool usual = setting(encoding, rb_intern("@use_standard_json_time_format"), true) &&
                 RB_FIXNUM_P(digits) && FIX2LONG(digits) >= 0 && FIX2LONG(digits) <= 9;
    rails->digits = usual ? FIX2INT(digits) : -1;
    if (rails->coder) return 0; /* JSON::Coder writes Floats without as_json */
    int state = 0;
    VALUE plain = tj_rb_protect(float_stands, (VALUE)w, &state);
    if (state) {
        tj_release(w);
        rb_jump_tag(state);
    }
    RB_GC_GUARD(writer);
    return RTEST(plain) ? 0 : TJ_CLASS_FLOAT;
}

/* -- whether as_json is the original ----------------------------------------------------------- */

static VALUE class_of_own(tj_writer *w, enum tj_rails_own own)
{
    switch (own) {
    case OWN_NIL: return rb_cNilClass;
    case OWN_TRUE: return rb_cTrueClass;
    case OWN_FALSE: return rb_cFalseClass;
    case OWN_INTEGER: return rb_cInteger;
    case OWN_FLOAT: return rb_cFloat;
    case OWN_STRING: return rb_cString;
    case OWN_SYMBOL: return rb_cSymbol;
    case OWN_ARRAY: return rb_cArray;
    case OWN_HASH: return rb_cHash;
    case OWN_TIME: return rb_cTime;
    case OWN_DATE: return w->pool->date;
    case OWN_DECIMAL: return w->pool->big_decimal;
    default: return w->pool->time_with_zone;
    }
}

/* Whether the class still has the methods that it had when it was first examined. */
static bool unchanged(VALUE klass, VALUE methods)
{
    for (long i = 0; i + 1 < RARRAY_LEN(methods); i += 2) {
        VALUE name = RARRAY_AREF(methods, i),
              method = rb_funcallv(klass, rb_intern("instance_method"), 1, &name);
        if (!RTEST(rb_equal(method, RARRAY_AREF(methods, i + 1)))) return false;
    }
    return true;
}

/* Whether the methods of the class that write its values are ActiveSupport's own. Runs Ruby. */
static bool is_original(tj_writer *w, VALUE klass)
{
    if (!w->pool->rails_methods) w->pool->rails_methods = rb_hash_new();
    VALUE known = rb_hash_lookup(w->pool->rails_methods, klass);
    if (RB_TYPE_P(known, T_ARRAY) && unchanged(klass, known)) return true;
    known = rb_funcall(tj_rails_module(), rb_intern("methods_of"), 1, klass);
    rb_hash_aset(w->pool->rails_methods, klass, known);
    return RTEST(known);
}

bool tj_rails_stands(tj_writer *w, enum tj_rails_own own)
{
    tj_rails *rails = w->rails;
    unsigned bit = 1u << own;
    if (TJ_UNLIKELY(!(rails->examined & bit))) {
        rails->examined |= bit;
        if (is_original(w, class_of_own(w, own))) rails->stands |= bit;
    }
    return (rails->stands & bit) != 0;
}

enum tj_rails_own tj_rails_own_of(tj_writer *w, VALUE v)
{
    if (RB_FIXNUM_P(v)) return OWN_INTEGER;
    if (RB_SPECIAL_CONST_P(v)) {
        if (v == Qnil) return OWN_NIL;
        if (v == Qtrue) return OWN_TRUE;
        if (v == Qfalse) return OWN_FALSE;
        return RB_FLONUM_P(v) ? OWN_FLOAT : RB_STATIC_SYM_P(v) ? OWN_SYMBOL : OWN_NONE;
    }
    VALUE klass = RBASIC_CLASS(v);
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING: return klass == rb_cString ? OWN_STRING : OWN_NONE;
    case T_HASH: return klass == rb_cHash ? OWN_HASH : OWN_NONE;
    case T_ARRAY: return klass == rb_cArray ? OWN_ARRAY : OWN_NONE;
    case T_FLOAT: return OWN_FLOAT;
    case T_BIGNUM: return OWN_INTEGER;
    case T_SYMBOL: return OWN_SYMBOL;
    case T_DATA: case T_OBJECT: break;
    default: return OWN_NONE;
    }
    if (klass == rb_cTime) return OWN_TIME;
    if (tj_is_date(w->pool, klass)) return OWN_DATE;
    if (tj_is_decimal(w->pool, klass)) return OWN_DECIMAL;
    if (tj_is_time_with_zone(w->pool, klass)) return OWN_ZONED;
    return OWN_NONE;
}

/* -- trees of JSON's own types ----------------------------------------------------------------- */

/* Deeper trees are examined in parts, so that no value is examined twice. */
#define PLAIN_DEPTH 3

struct found {
    unsigned kinds; /* a bit for each of enum tj_rails_own */
    long values;
};

/* Collects the kinds of all values of a tree. Returns false for a value that is not of JSON's own
 * types, for a Hash with keys of mixed types, and below `depth`. Runs no Ruby. */
static bool find_kinds(struct found *found, VALUE v, int depth)
{
    enum tj_rails_own own;
    found->values++;
    if (RB_FIXNUM_P(v)) own = OWN_INTEGER;
    else if (RB_FLONUM_P(v)) own = OWN_FLOAT;
    else if (RB_SPECIAL_CONST_P(v))
        own = v == Qnil            ? OWN_NIL
              : v == Qtrue         ? OWN_TRUE
              : v == Qfalse        ? OWN_FALSE
              : RB_STATIC_SYM_P(v) ? OWN_SYMBOL
                                   : OWN_NONE;
    else {
        VALUE klass = RBASIC_CLASS(v);
        if (klass == rb_cString) own = OWN_STRING;
        else if (klass == rb_cHash || klass == rb_cArray) {
            if (depth == 0) return false;
            own = klass == rb_cHash ? OWN_HASH : OWN_ARRAY;
            if (own == OWN_ARRAY) {
                for (long i = 0; i < RARRAY_LEN(v); i++)
                    if (!find_kinds(found, RARRAY_AREF(v, i), depth - 1)) return false;
            } else {
                tj_pairs pairs = tj_pairs_of(v);
                if (!tj_keys_alike(v, pairs)) return false;
                for (size_t i = 0; i < pairs.count; i++) {
                    const VALUE *pair = pairs.at + i * pairs.step;
                    if (!tj_pair_gone(pair, pairs.step) && !find_kinds(found, pair[1], depth - 1))
                        return false;
                }
            }
        } else own = RB_FLOAT_TYPE_P(v) ? OWN_FLOAT : OWN_NONE;
    }
    found->kinds |= 1u << own;
    return own != OWN_NONE;
}

/* With so many values or more, checking whether as_json is the original costs less than calling it
 * for each. */
#define WORTH_CHECKING 32

bool tj_rails_is_plain(tj_writer *w, VALUE tree, bool *hashes)
{
    struct found found = {0, 0};
    if (!tj_pairs_readable || !find_kinds(&found, tree, PLAIN_DEPTH)) return false;
    *hashes = (found.kinds & 1u << OWN_HASH) != 0;
    const tj_rails *rails = w->rails;
    unsigned unknown = found.kinds & ~rails->examined;
    if ((found.kinds & rails->examined & ~rails->stands) ||
        (unknown && found.values < WORTH_CHECKING))
        return false;
    for (enum tj_rails_own own = OWN_NIL; own <= OWN_HASH; own++)
        if (unknown & 1u << own && !tj_rails_stands(w, own)) return false;
    return true;
}
