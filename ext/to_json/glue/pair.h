/* Glue. Pairs whose key is encoded and whose value is simple, and simple values alone: nothing is changed
 * until all of it stands in the buffer, so there is nothing to undo. */
#ifndef TJ_PAIR_H
#define TJ_PAIR_H

#include "value.h"

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
#define TJ_KEY_ROOM(size) ((size) + 32)
TJ_INLINE uint8_t *tj_copy_key(uint8_t *at, const uint8_t *key, size_t size, uint8_t skip)
{
    if (TJ_LIKELY(size <= 32)) memcpy(at, key + skip, 32);
    else memcpy(at, key + skip, size - skip);
    return at + size - skip;
}

/* Writes, still without entering anything, an Array of simple values or a Time; NULL where it takes more.
 * `nesting` is how deep the value's own container would stand. */
uint8_t *tj_flat_value(tj_writer *w, uint8_t *at, VALUE v, uint32_t nesting);

/* Writes the pair of a Symbol and a simple value; false, nothing changed, where it takes more. */
TJ_INLINE bool tj_put_easily(tj_writer *w, VALUE symbol, VALUE v)
{
    const tj_key *key = tj_key_of(w->pool, symbol);
    if (TJ_UNLIKELY(!key)) return false;
    if (TJ_UNLIKELY(!tj_buffer_has(&w->out, TJ_LEAD_ROOM + TJ_KEY_ROOM(key->size) + TJ_SIMPLE_ROOM))) return false;
    tj_easy_lead lead;
    uint8_t *at = tj_lead_easily(w, w->out.cursor, &lead);
    if (TJ_UNLIKELY(!at)) return false;
    at = tj_copy_key(at, key->bytes, key->size, lead.skip);
    uint8_t *end = tj_simple_value(w, at, v);
    if (TJ_UNLIKELY(!end) && !(end = tj_flat_value(w, at, v, w->grammar.nesting + lead.opens + 1))) return false;
    at = end;
    tj_enter_pair(w, &lead);
    tj_commit_simple(w, at);
    return true;
}

/* Writes a simple value as an element, a slot's value or the root; false, nothing changed, where it takes more. */
TJ_INLINE bool tj_put_value_easily(tj_writer *w, VALUE v)
{
    tj_level *level = tj_top(&w->grammar);
    bool list = level->kind == TJ_LIST;
    if (TJ_UNLIKELY(w->spelled || level->state == TJ_PAIRS || (level->state == TJ_VALUES && !list) || level->kind == TJ_TREE)) return false;
    if (TJ_UNLIKELY(!tj_buffer_has(&w->out, TJ_LEAD_ROOM + TJ_SIMPLE_ROOM))) return false;
    uint8_t *at = w->out.cursor;
    if (list && level->count > 0) *at++ = ',';
    at = tj_simple_value(w, at, v);
    if (TJ_UNLIKELY(!at)) return false;
    level->count += list;
    level->state = TJ_VALUES;
    tj_commit_simple(w, at);
    return true;
}

/* Writes any pair, as one step that is undone whole. May run Ruby, may raise. */
void tj_put_cold(tj_writer *w, VALUE key, VALUE v);

TJ_INLINE void tj_put(tj_writer *w, VALUE key, VALUE v)
{
    if (TJ_UNLIKELY(!tj_put_easily(w, key, v))) tj_put_cold(w, key, v);
}

#endif
