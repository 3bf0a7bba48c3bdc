/* Glue. Encoded keys, and what is due before them: written ahead of what changes the grammar, so that there is nothing to undo. */
#ifndef TJ_KEY_H
#define TJ_KEY_H

#include "pool.h"

/* The brace or comma due before a pair, decided but not yet entered into the grammar. */
typedef struct {
    bool opens; /* the pair opens its object: entered by tj_enter_pair */
    uint8_t skip; /* bytes of `,"key":` to leave out */
} tj_easy_lead;

#define TJ_LEAD_ROOM 2

/* Writes what is due at `at` (TJ_LEAD_ROOM) and returns the end; NULL where a status is due, or layout. */
TJ_INLINE uint8_t *tj_lead_easily(tj_writer *w, uint8_t *at, tj_easy_lead *lead)
{
    const tj_level *level = tj_top(&w->grammar);
    lead->opens = false;
    lead->skip = 0;
    if (TJ_UNLIKELY(w->spelled)) return NULL;
    if (TJ_LIKELY(level->state == TJ_PAIRS)) return at;
    if (level->state != TJ_EMPTY || level->kind == TJ_TREE || w->grammar.nesting >= w->grammar.max_nesting) return NULL;
    if (level->kind == TJ_LIST && level->count > 0) *at++ = ',';
    *at++ = '{';
    lead->opens = true;
    lead->skip = 1;
    return at;
}

TJ_INLINE void tj_enter_pair(tj_writer *w, const tj_easy_lead *lead)
{
    if (TJ_LIKELY(!lead->opens)) return;
    tj_level *level = tj_top(&w->grammar);
    level->state = TJ_PAIRS;
    if (level->kind == TJ_LIST) level->count++;
    w->grammar.nesting++;
}

/* Copies an encoded key. 32 bytes may be read at `key` and TJ_KEY_ROOM(size) written at `at`. */
#define TJ_KEY_ROOM(size) ((size_t)(size) + 32)
TJ_INLINE uint8_t *tj_copy_key(uint8_t *at, const uint8_t *key, size_t size, uint8_t skip)
{
    if (TJ_LIKELY(size <= 32)) memcpy(at, key + skip, 32);
    else memcpy(at, key + skip, size - skip);
    return at + size - skip;
}

/* What is due before a pair and its key, with `room` for what follows: the end, or NULL. Nothing is entered. */
TJ_INLINE uint8_t *tj_key_easily(tj_writer *w, VALUE symbol, size_t room, tj_easy_lead *lead)
{
    const tj_key *key = tj_key_of(w->pool, symbol);
    if (TJ_UNLIKELY(!key)) return NULL;
    if (TJ_UNLIKELY(!tj_buffer_has(&w->out, TJ_LEAD_ROOM + TJ_KEY_ROOM(key->size) + room))) return NULL;
    const tj_level *level = tj_top(&w->grammar);
    if (TJ_LIKELY(level->state == TJ_PAIRS && !w->spelled)) {
        *lead = (tj_easy_lead){false, 0};
        return tj_copy_key(w->out.cursor, key->bytes, key->size, 0);
    }
    uint8_t *at = tj_lead_easily(w, w->out.cursor, lead);
    return TJ_LIKELY(at != NULL) ? tj_copy_key(at, key->bytes, key->size, lead->skip) : NULL;
}

/* A pair begins whose value comes later; false, nothing changed, where it takes more. */
TJ_INLINE bool tj_begin_pair_easily(tj_writer *w, VALUE symbol)
{
    tj_easy_lead lead;
    uint8_t *at = tj_key_easily(w, symbol, 0, &lead);
    if (TJ_UNLIKELY(!at)) return false;
    tj_enter_pair(w, &lead);
    tj_top(&w->grammar)->label = symbol;
    tj_commit(w, at);
    return true;
}

#endif
