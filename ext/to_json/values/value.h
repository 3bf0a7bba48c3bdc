/* Values. A Ruby value becomes JSON as the Rules say: exact core classes first.
 *
 * This room has one file or two for each kind of value: strings, times, trees of Hashes and Arrays,
 * collections, Fragments, Cells, and objects with methods of their own. What a single dialect does
 * differently does not belong here, nor do declared fields. contained.h has the calls that lead
 * down the order, because values contain values. */
#ifndef TJ_VALUE_H
#define TJ_VALUE_H

#include "../writer/key_table.h"
#include "../writer/string.h"
#include "../writer/writer.h"

#include "../core/numbers/float.h"
#include "../core/numbers/integer.h"

/* Room for any simple value except a String. */
#define TJ_SIMPLE_ROOM 48

/* Writes `v`. The caller has written its separator or key. May run Ruby, may raise. */
void tj_write_value(tj_writer *w, VALUE v);
void tj_write_other(tj_writer *w, VALUE v);
void tj_write_float(tj_writer *w, VALUE v); /* without asking the dialect */

/* Lets a Timeout, a kill or a signal interrupt a long document. To be called once in
 * TJ_INTERRUPT_EVERY elements. May run Ruby, may raise. */
void tj_check_interrupts(tj_writer *w);

/* Begins the next value of the tree level at the top: comma, line break, check for interrupts. */
void tj_next_in_tree(tj_writer *w);

/* The elements of an Array. The pointer is invalid once Ruby has run, also after a check for
 * interrupts. A garbage collection alone does not move them: Ruby 3.1 and 3.2 evacuate their
 * transient heap later. RARRAY_CONST_PTR would move them. */
#ifndef RARRAY_CONST_PTR_TRANSIENT
#define RARRAY_CONST_PTR_TRANSIENT RARRAY_CONST_PTR /* Ruby >= 3.3 */
#endif
TJ_INLINE const VALUE *tj_items_of(VALUE array) { return RARRAY_CONST_PTR_TRANSIENT(array); }

/* nil, true and false are found in a table without a branch, because their order in data cannot be
 * predicted. Their VALUEs differ in these three bits in every CRuby since 2.0. */
#define TJ_WORD_PLACE(v) ((VALUE)(v) >> 2 & 7)
typedef struct {
    char text[7];
    uint8_t size;
} tj_word;
extern const tj_word tj_words[8];
TJ_INLINE bool tj_is_word(VALUE v)
{
    return v <= Qtrue &&
           (((uint64_t)1 << Qfalse | (uint64_t)1 << Qnil | (uint64_t)1 << Qtrue) >> v & 1);
}
TJ_INLINE uint8_t *tj_write_word(uint8_t *at, VALUE v)
{
    const tj_word *word = &tj_words[TJ_WORD_PLACE(v)];
    memcpy(at, word, 8);
    return at + word->size;
}

/* Writes `v` at `at` and returns the end. Needs TJ_SIMPLE_ROOM bytes. Returns NULL if Ruby would
 * run, more room is needed, or the Rules decide. Unsafe because it does not ask convert:. */
TJ_INLINE uint8_t *tj_unsafe_simple(tj_writer *w, uint8_t *at, VALUE v)
{
    if (RB_FIXNUM_P(v)) return tj_write_int64(at, RB_FIX2LONG(v));
    if (RB_SPECIAL_CONST_P(v)) {
        if (TJ_LIKELY(tj_is_word(v))) return tj_write_word(at, v);
        /* A flonum is always finite. */
        if (RB_FLONUM_P(v)) return w->rules->write_double(at, rb_float_value(v));
        /* dynamic Symbols are only kept as keys */
        const tj_key *key = RB_STATIC_SYM_P(v) ? tj_key_of(w->pool, v) : NULL;
        if (!key || key->size - 2 > TJ_SIMPLE_ROOM || TJ_UNLIKELY(w->consult_symbols)) return NULL;
        /* 32 bytes as in tj_copy_key: a copy of unknown size would be `rep movs` */
        memcpy(at, key->bytes + 1, 32);
        if (TJ_UNLIKELY(key->size > 34)) memcpy(at + 32, key->bytes + 33, TJ_SIMPLE_ROOM - 32);
        return at + key->size - 2;
    }
    if (RBASIC_CLASS(v) == rb_cString) return tj_simple_string(w, at, v);
    return NULL;
}

/* Commits what tj_unsafe_simple wrote. A String may have used more room than was reserved. */
TJ_INLINE void tj_commit_simple(tj_writer *w, uint8_t *end)
{
#ifdef TJ_DEBUG
    w->out.reserved = w->out.limit;
#endif
    tj_commit(w, end);
}

/* The same, but asks the Rules. */
TJ_INLINE uint8_t *tj_simple_value(tj_writer *w, uint8_t *at, VALUE v)
{
    if (TJ_UNLIKELY(w->consult & TJ_CLASSES_SIMPLE)) return NULL;
    return tj_unsafe_simple(w, at, v);
}

#endif
