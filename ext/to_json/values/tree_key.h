/* Values. Keys of Hashes that C walks. Symbols and frozen Strings are encoded once. */
#ifndef TJ_TREE_KEY_H
#define TJ_TREE_KEY_H

#include "pair.h"
#include "../writer/key_table.h"
#include "../writer/string.h"

#define TJ_TREE_KEY_MOST 96 /* bytes; the general way writes longer keys */

TJ_INLINE size_t tree_key_place(VALUE key)
{
    return (size_t)((uint64_t)key * 0x9E3779B97F4A7C15u >> 56);
}
_Static_assert(TJ_TEXT_KEYS == 256, "the upper eight bits are a place");

/* Whether the key may be kept: it never changes, and is text under any Rules. */
TJ_INLINE bool tree_key_lasts(VALUE key)
{
    return RB_OBJ_FROZEN(key) && (tj_string_known(key) || ENC_CODERANGE(key) == ENC_CODERANGE_7BIT);
}

/* Writes a String key that is not kept yet. Returns NULL if there is no room, or it needs more than
 * escaping. */
static TJ_NOINLINE uint8_t *tree_key_new(tj_writer *w, uint8_t *at, VALUE key)
{
    uint8_t *end = tj_simple_string(w, at, key);
    if (TJ_UNLIKELY(!end)) return NULL;
    *end++ = ':';
    size_t size = (size_t)(end - at);
    if (TJ_UNLIKELY(size > TJ_TEXT_KEY_MOST || !tree_key_lasts(key))) return end;
    tj_pool *pool = w->pool;
    if (TJ_UNLIKELY(!pool->texts)) {
        pool->texts = tj_realloc(NULL, TJ_TEXT_KEYS * sizeof *pool->texts);
        if (!pool->texts) return end;
        memset(pool->texts, 0, TJ_TEXT_KEYS * sizeof *pool->texts);
    }
    tj_text_key *place = &pool->texts[tree_key_place(key)];
    place->key = key;
    place->size_and_mode = (uint64_t)w->rules->escape << 8 | size;
    memcpy(place->bytes, at, TJ_TEXT_KEY_MOST); /* the bytes after the key are never used */
    return end;
}

/* Writes `"key":` at `at`. Needs TJ_TREE_KEY_MOST + TJ_SIMPLE_ROOM bytes. Returns NULL and writes
 * nothing if more is needed. */
TJ_INLINE uint8_t *tj_tree_key(tj_writer *w, uint8_t *at, VALUE key)
{
    if (RB_STATIC_SYM_P(key)) {
        const tj_key *symbol = tj_key_of(w->pool, key);
        if (TJ_UNLIKELY(!symbol || symbol->size > TJ_TREE_KEY_MOST)) return NULL;
        return tj_copy_key(at, symbol->bytes, symbol->size, 1);
    }
    if (RB_SPECIAL_CONST_P(key)) return NULL;
    if (TJ_LIKELY(w->pool->texts != NULL)) {
        const tj_text_key *known = &w->pool->texts[tree_key_place(key)];
        if (TJ_LIKELY(known->key == key &&
                      known->size_and_mode >> 8 == (uint64_t)w->rules->escape)) {
            memcpy(at, known->bytes, TJ_TEXT_KEY_MOST);
            return at + (known->size_and_mode & 0xff);
        }
    }
    if (TJ_LIKELY(RBASIC_CLASS(key) == rb_cString)) return tree_key_new(w, at, key);
    const tj_key *symbol = tj_key_of(w->pool, key);
    if (!symbol || symbol->size > TJ_TREE_KEY_MOST) return NULL;
    return tj_copy_key(at, symbol->bytes, symbol->size, 1);
}

#endif
