/* Writer. The encoded keys of Symbols, which the pool of the Ractor keeps. */
#ifndef TJ_KEY_TABLE_H
#define TJ_KEY_TABLE_H

#include "pool.h"

const tj_key *tj_key_cold(tj_pool *pool, VALUE symbol);

/* The encoded key of a dynamic Symbol. NULL for a value that is none, and for a key that is not
 * kept. */
const tj_key *tj_dynamic_key(tj_pool *pool, VALUE v);

/* The first place for a static Symbol. Static Symbols are numbered, with 12 bits of flags and scope
 * below the number. So names that were first seen together have neighbouring places of their
 * own. */
TJ_INLINE size_t tj_key_place(VALUE symbol) { return (size_t)symbol >> 12; }

/* The encoded key of a Symbol. NULL for other values, and for a key that is not kept. The struct,
 * but not its bytes, may move at the next lookup; any Ruby code may cause one. */
TJ_INLINE const tj_key *tj_key_of(tj_pool *pool, VALUE symbol)
{
    if (TJ_UNLIKELY(!RB_STATIC_SYM_P(symbol))) return tj_dynamic_key(pool, symbol);
    const tj_key *key = &pool->keys.keys[tj_key_place(symbol) & (pool->keys.slots - 1)];
    if (TJ_LIKELY(key->symbol == symbol)) return key;
    return tj_key_cold(pool, symbol);
}

#endif
