/* Vm. Reads the pairs of a Hash from its memory, without a call for each; only while no Ruby
 * runs. */
#ifndef TJ_HASH_PAIRS_H
#define TJ_HASH_PAIRS_H

#include "vm.h"

#include <ruby/st.h>

/* Whether the Hashes of this Ruby look as described below. Set once at load, by comparing samples
 * of every kind. */
extern bool tj_pairs_readable;
void tj_hash_pairs_init(void);

/* `count` entries from `at` on, each `step` words long. Some of them may be deleted. */
typedef struct {
    const VALUE *at;
    size_t count;
    uint32_t step;
} tj_pairs;

/* Up to eight pairs stand side by side, more of them in an st_table. This is RHash of hash.c, the
 * same in 3.1 and 3.2, and in 3.3 and 3.4. */
#define TJ_HASH_IS_TABLE RUBY_FL_USER3
#define TJ_HASH_BOUND(flags) ((size_t)((flags) >> (RUBY_FL_USHIFT + 8)) & 15)
enum { TJ_HASH_SHORT_STEP = 2, TJ_HASH_TABLE_STEP = 3 /* hash, key, value */ };

/* The result is borrowed: it is invalid once Ruby or the garbage collector has run. Requires
 * tj_pairs_readable. */
static inline tj_pairs tj_pairs_of(VALUE hash)
{
    VALUE flags = RBASIC(hash)->flags;
    const VALUE *words = (const VALUE *)hash;
#if TJ_RUBY_AT_MOST(3, 2)
    const VALUE *table = (const VALUE *)words[2], *side_by_side = table;
#else
    const VALUE *table = words + 3;
    const VALUE *side_by_side = table + 1; /* after one byte of each key's hash */
#endif
    if (!(flags & TJ_HASH_IS_TABLE))
        return (tj_pairs){side_by_side, TJ_HASH_BOUND(flags), TJ_HASH_SHORT_STEP};
    const struct st_table *st = (const struct st_table *)table;
    const VALUE *first = (const VALUE *)st->entries + st->entries_start * TJ_HASH_TABLE_STEP + 1;
    return (tj_pairs){first, st->entries_bound - st->entries_start, TJ_HASH_TABLE_STEP};
}

/* Whether the entry at `at` was deleted. */
static inline bool tj_pair_gone(const VALUE *at, uint32_t step)
{
    return step == TJ_HASH_SHORT_STEP ? at[0] == Qundef : at[-1] == ~(VALUE)0;
}

/* Whether the Hash compares by identity, so that several keys may have the same text. */
bool tj_hash_by_identity(VALUE hash);

/* Whether all keys are Strings (no subclass) or all are Symbols, each of them once. Runs no
 * Ruby. */
static inline bool tj_keys_alike(VALUE hash, tj_pairs pairs)
{
    if (pairs.step == TJ_HASH_TABLE_STEP && tj_hash_by_identity(hash)) return false;
    bool strings = false, symbols = false;
    for (size_t i = 0; i < pairs.count; i++) {
        const VALUE *pair = pairs.at + i * pairs.step;
        if (tj_pair_gone(pair, pairs.step)) continue;
        if (RB_STATIC_SYM_P(pair[0])) symbols = true;
        else if (RB_SPECIAL_CONST_P(pair[0])) return false;
        else if (RBASIC_CLASS(pair[0]) == rb_cString) strings = true;
        else if (RB_BUILTIN_TYPE(pair[0]) == T_SYMBOL) symbols = true;
        else return false;
    }
    return !strings || !symbols;
}

#endif
