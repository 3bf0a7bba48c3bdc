/* Writer. Encoded keys, and what is due before them. They are written before the grammar changes,
 * so there is nothing to undo. */
#ifndef TJ_KEY_H
#define TJ_KEY_H

#include "key_table.h"

/* For the brace or comma before a pair. */
#define TJ_LEAD_ROOM 2

/* Copies an encoded key. 32 bytes may be read at `key`, and TJ_KEY_ROOM(size) written at `at`. */
#define TJ_KEY_ROOM(size) ((size_t)(size) + 32)
TJ_INLINE uint8_t *tj_copy_key(uint8_t *at, const uint8_t *key, size_t size, uint8_t skip)
{
    if (TJ_LIKELY(size <= 32)) memcpy(at, key + skip, 32);
    else memcpy(at, key + skip, size - skip);
    return at + size - skip;
}

/* Writes what is due before a pair and its key, and returns the end; there is `room` after it.
 * Returns NULL if the grammar refuses a pair here, or the pair needs tj_begin_pair. Does not change
 * the grammar: the caller calls tj_enter_pair. *opens: the pair is the first of its object. */
TJ_INLINE uint8_t *tj_try_key(tj_writer *w, VALUE symbol, size_t room, bool *opens)
{
    const tj_key *key = tj_key_of(w->pool, symbol);
    if (TJ_UNLIKELY(!key || w->encode_anew)) return NULL;
    if (TJ_UNLIKELY(!tj_buffer_has(&w->out, TJ_LEAD_ROOM + TJ_KEY_ROOM(key->size) + room)))
        return NULL;
    const tj_level *level = tj_top(&w->grammar);
    uint8_t *at = w->out.cursor;
    *opens = level->state != TJ_PAIRS;
    if (TJ_LIKELY(!*opens)) return tj_copy_key(at, key->bytes, key->size, 0);
    if (level->state != TJ_EMPTY || level->kind == TJ_TREE ||
        w->grammar.nesting >= w->grammar.max_nesting)
        return NULL;
    if (level->kind == TJ_LIST && level->count > 0) *at++ = ',';
    *at++ = '{';
    return tj_copy_key(at, key->bytes, key->size, 1);
}

TJ_INLINE void tj_enter_pair(tj_writer *w, bool opens)
{
    if (TJ_LIKELY(!opens)) return;
    tj_level *level = tj_top(&w->grammar);
    level->state = TJ_PAIRS;
    if (level->kind == TJ_LIST) level->count++;
    w->grammar.nesting++;
}

/* Begins a pair whose value comes later. Returns false and changes nothing if it needs
 * tj_begin_pair. */
TJ_INLINE bool tj_try_begin_pair(tj_writer *w, VALUE symbol)
{
    bool opens;
    uint8_t *at = tj_try_key(w, symbol, 0, &opens);
    if (TJ_UNLIKELY(!at)) return false;
    tj_enter_pair(w, opens);
    tj_top(&w->grammar)->label = symbol;
    tj_commit(w, at);
    return true;
}

#endif
