/* Values. Pairs with an encoded key and a simple value, and simple values alone. Nothing changes
 * until all of it is in the buffer, so there is nothing to undo. */
#ifndef TJ_PAIR_H
#define TJ_PAIR_H

#include "../writer/key.h"
#include "../writer/protect.h"
#include "../writer/stack.h"
#include "value.h"

/* Writes an Array of simple values, a Time or a Cell, without entering a level. Returns NULL if
 * more is needed. `nesting` is the depth of the value's own container. */
uint8_t *tj_try_flat_value(tj_writer *w, uint8_t *at, VALUE v, uint32_t nesting);

/* Writes the pair of a Symbol and a simple value. Returns false and changes nothing if more is
 * needed. */
TJ_INLINE bool tj_try_put(tj_writer *w, VALUE symbol, VALUE v)
{
    bool opens;
    uint8_t *at = tj_try_key(w, symbol, TJ_SIMPLE_ROOM, &opens);
    if (TJ_UNLIKELY(!at)) return false;
    uint8_t *end = tj_simple_value(w, at, v);
    if (TJ_UNLIKELY(!end) && !(end = tj_try_flat_value(w, at, v, w->grammar.nesting + opens + 1)))
        return false;
    at = end;
    tj_enter_pair(w, opens);
    tj_commit_simple(w, at);
    return true;
}

/* Writes a simple value as an element, the value of a slot, or the root. Returns false and changes
 * nothing if more is needed. */
TJ_INLINE bool tj_try_put_value(tj_writer *w, VALUE v)
{
    tj_level *level = tj_top(&w->grammar);
    bool list = level->kind == TJ_LIST;
    if (TJ_UNLIKELY(w->encode_anew || level->state == TJ_PAIRS ||
                    (level->state == TJ_VALUES && !list) || level->kind == TJ_TREE))
        return false;
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

/* Writes `{` or `,` and the key. `key` is what the user passed. May run Ruby. */
void tj_begin_pair(tj_writer *w, VALUE key);

/* Begins a slot: the value of a pair, or of no pair if `key` is Qundef. `before` is a mark taken
 * just before. */
void tj_begin_slot_cold(tj_writer *w, VALUE key, const tj_mark *before);
TJ_INLINE void tj_begin_slot(tj_writer *w, VALUE key, const tj_mark *before)
{
    tj_grammar *g = &w->grammar;
    if (TJ_UNLIKELY(tj_is_watched(w) || RTEST(w->sink) || g->top + 1 >= g->capacity ||
                    !tj_try_begin_pair(w, key)))
        tj_begin_slot_cold(w, key, before);
    else tj_push(g, TJ_SLOT, before->offset, before->level.state, before->level.count);
}

/* Writes any pair; after an exception nothing of it remains. May run Ruby, may raise. */
void tj_put_cold(tj_writer *w, VALUE key, VALUE v);

TJ_INLINE void tj_put(tj_writer *w, VALUE key, VALUE v)
{
    if (TJ_UNLIKELY(!tj_try_put(w, key, v))) tj_put_cold(w, key, v);
}

#endif
