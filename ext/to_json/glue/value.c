/* Glue. The switch on exact core classes, and the containers walked in C. */
#include "value.h"

#include "document.h"
#include "errors.h"
#include "splice.h"
#include "serializer.h"
#include "value_cold.h"

#include <math.h>

const tj_word tj_words[8] = {
    [TJ_WORD_PLACE(Qnil)] = {"null", 4},
    [TJ_WORD_PLACE(Qtrue)] = {"true", 4},
    [TJ_WORD_PLACE(Qfalse)] = {"false", 5},
};
_Static_assert(TJ_WORD_PLACE(Qnil) != TJ_WORD_PLACE(Qtrue) && TJ_WORD_PLACE(Qnil) != TJ_WORD_PLACE(Qfalse) &&
                   TJ_WORD_PLACE(Qtrue) != TJ_WORD_PLACE(Qfalse) && Qtrue < 64 && Qnil < 64, "words have places of their own");

void tj_write_value(tj_writer *w, VALUE v)
{
    uint8_t *at = tj_reserve(w, TJ_SIMPLE_ROOM);
    uint8_t *end = tj_simple_value(w, at, v);
    if (TJ_LIKELY(end != NULL)) tj_commit_simple(w, end);
    else tj_write_other(w, v);
}

static void write_float(tj_writer *w, VALUE v)
{
    double value = RFLOAT_VALUE(v);
    uint8_t *at = tj_reserve(w, TJ_FLOAT_SIZE);
    if (TJ_LIKELY(isfinite(value))) tj_commit(w, tj_write_double(at, value));
    else if (w->rules->nan_null) tj_commit(w, tj_write_word(at, Qnil));
    else
        tj_raise(w, tj_eNumber, "%s is not valid JSON. Pass nan: :null to write null instead.",
                 isnan(value) ? "Float::NAN" : value > 0 ? "Float::INFINITY" : "-Float::INFINITY");
}

void tj_write_other(tj_writer *w, VALUE v)
{
    if (TJ_UNLIKELY(w->rules->converted)) {
        if (w->converting) w->converting = false;
        else if (tj_convert(w, v)) return;
        uint8_t *end = tj_unsafe_simple(w, tj_reserve(w, TJ_SIMPLE_ROOM), v);
        if (end) {
            tj_commit_simple(w, end);
            return;
        }
    }
    if (RB_STATIC_SYM_P(v)) {
        tj_write_string_cold(w, rb_sym2str(v));
        return;
    }
    VALUE klass = RBASIC_CLASS(v);
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING:
        if (klass != rb_cString) break;
        tj_write_string_cold(w, v);
        return;
    case T_ARRAY:
        if (klass != rb_cArray) break;
        tj_write_array(w, v);
        return;
    case T_HASH:
        if (klass != rb_cHash) break;
        tj_write_hash(w, v);
        return;
    case T_FLOAT: write_float(w, v); return;
    case T_SYMBOL: tj_write_string_cold(w, rb_sym2str(v)); return;
    case T_BIGNUM: {
        VALUE digits = rb_big2str(v, 10);
        const uint8_t *bytes;
        size_t size = tj_string_bytes(digits, &bytes);
        tj_write_ascii(w, bytes, size, false);
        RB_GC_GUARD(digits);
        return;
    }
    case T_DATA:
        if (!RTYPEDDATA_P(v)) break;
        if (RTYPEDDATA_TYPE(v) == &tj_serializer_type) {
            tj_write_serializer(w, v);
            return;
        }
        if (RTYPEDDATA_TYPE(v) == &tj_fragment_type) {
            tj_write_fragment(w, v);
            return;
        }
        break;
    default: break;
    }
    tj_write_cold(w, v);
}

void tj_next_in_tree(tj_writer *w)
{
    tj_level *level = tj_top(&w->grammar);
    if ((level->count & 1023) == 1023) rb_thread_check_ints(); /* a Timeout fires during a long loop; may run Ruby */
    if (tj_top(&w->grammar)->count++ > 0) tj_write_byte(w, ',');
    if (TJ_UNLIKELY(w->pretty)) tj_break_line(w);
}

void tj_write_array(tj_writer *w, VALUE array)
{
    tj_open_tree(w, '[');
    for (long i = 0; i < RARRAY_LEN(array); i++) { /* the size is read again: values may run Ruby */
        tj_next_in_tree(w);
        tj_write_value(w, RARRAY_AREF(array, i));
    }
    tj_close_tree(w, ']');
    RB_GC_GUARD(array);
}

void tj_write_key(tj_writer *w, VALUE key)
{
    const tj_key *known = tj_key_of(w->pool, key);
    if (TJ_LIKELY(known != NULL)) {
        const uint8_t *bytes = known->bytes + 1;
        size_t size = known->size - 1;
        uint8_t *at = tj_reserve(w, size); /* may deliver: the sink's Ruby may move `known` */
        memcpy(at, bytes, size);
        tj_commit(w, at + size);
    } else {
        uint8_t *end = NULL;
        if (!RB_SPECIAL_CONST_P(key) && RBASIC_CLASS(key) == rb_cString)
            end = tj_simple_string(w, tj_reserve(w, TJ_SIMPLE_ROOM), key);
        if (end) tj_commit_simple(w, end);
        else {
            VALUE text = tj_key_text(w, key);
            tj_write_string_cold(w, text);
            RB_GC_GUARD(text);
        }
        tj_write_byte(w, ':');
    }
    if (TJ_UNLIKELY(w->pretty)) tj_write_byte(w, ' ');
}

struct pairs {
    tj_writer *w;
    VALUE seen; /* the texts of the keys so far, where duplicates raise */
};

static int pair_i(VALUE key, VALUE value, VALUE argument)
{
    struct pairs *pairs = (struct pairs *)argument;
    tj_writer *w = pairs->w;
    tj_next_in_tree(w);
    tj_top(&w->grammar)->label = key;
    if (TJ_UNLIKELY(RTEST(pairs->seen))) tj_check_duplicate(w, pairs->seen, key);
    tj_write_key(w, key);
    tj_write_value(w, value);
    return ST_CONTINUE;
}

void tj_write_hash(tj_writer *w, VALUE hash)
{
    tj_open_tree(w, '{');
    struct pairs pairs = {w, w->rules->duplicates_raise ? rb_hash_new() : Qfalse};
    if (RHASH_SIZE(hash) > 0) rb_hash_foreach(hash, pair_i, (VALUE)&pairs);
    RB_GC_GUARD(pairs.seen);
    tj_close_tree(w, '}');
    RB_GC_GUARD(hash);
}
