/* Writer. Encodes the key of a Symbol once for a Ractor, and finds it again. */
#include "key_table.h"

#include "string.h"
#include "../core/text/escape.h"

#define MOST_KEYS 8192 /* enough for a large application; later keys are encoded each time */
/* the pool keeps these alive and marks them in every collection, and a client can cause them */
#define MOST_DYNAMIC_KEYS 1024
#define ARENA_SIZE ((size_t)16 * 1024)
#define LONGEST_KEY 200
#define KEY_SLACK 32 /* a copy of a key reads 32 bytes */

/* Memory for key bytes: blocks that the pool frees with itself. */
static uint8_t *arena_take(tj_pool *pool, size_t size)
{
    if (pool->arena_used + size > pool->arena_size) {
        uint8_t *block = ruby_xmalloc(ARENA_SIZE);
        memcpy(block, &pool->arena, sizeof pool->arena);
        pool->arena = block;
        pool->arena_used = sizeof pool->arena;
        pool->arena_size = ARENA_SIZE;
    }
    uint8_t *taken = pool->arena + pool->arena_used;
    pool->arena_used += size;
    return taken;
}

/* The first place for a dynamic Symbol. Addresses are 40 bytes apart in pages of 64 KiB and would
 * collide under any shift. The upper bits of the product depend on all bits of the address. */
TJ_INLINE size_t dynamic_place(VALUE symbol)
{
    return (size_t)((uint64_t)symbol * 0x9E3779B97F4A7C15u >> 40);
}

TJ_INLINE size_t place_of(VALUE symbol)
{
    return RB_STATIC_SYM_P(symbol) ? tj_key_place(symbol) : dynamic_place(symbol);
}

TJ_INLINE tj_key *key_slot(const tj_keys *keys, VALUE symbol, size_t slot)
{
    size_t last = keys->slots - 1;
    while (keys->keys[slot & last].symbol && keys->keys[slot & last].symbol != symbol) slot++;
    return &keys->keys[slot & last];
}

static void keys_grow(tj_keys *keys)
{
    /* may run the garbage collector */
    tj_keys grown = {ruby_xcalloc(keys->slots * 2, sizeof(tj_key)), keys->slots * 2, keys->count};
    for (size_t i = 0; i < keys->slots; i++) {
        VALUE symbol = keys->keys[i].symbol;
        if (symbol) *key_slot(&grown, symbol, place_of(symbol)) = keys->keys[i];
    }
    ruby_xfree(keys->keys);
    *keys = grown;
}

/* Encodes the key of `symbol`, which is not in `keys`. Returns NULL if it cannot be kept there. */
static TJ_COLD const tj_key *key_add_cold(tj_pool *pool, tj_keys *keys, size_t most, VALUE symbol)
{
    if (keys->count >= most) return NULL;
    VALUE text = rb_sym2str(symbol);
    const uint8_t *bytes;
    size_t size;
    if (!tj_string_text(text, &bytes, &size) || size > LONGEST_KEY) return NULL;
    if (tj_escape_plain_prefix(bytes, size, TJ_ESCAPE_HTML) < size) return NULL;
    uint8_t *at = arena_take(pool, size + 4 + KEY_SLACK), *start = at;
    tj_string_bytes(text, &bytes);
    *at++ = ',';
    *at++ = '"';
    memcpy(at, bytes, size);
    at += size;
    *at++ = '"';
    *at++ = ':';
    RB_GC_GUARD(text);
    if (keys->count * 4 >= keys->slots) keys_grow(keys);
    tj_key *key = key_slot(keys, symbol, place_of(symbol));
    key->bytes = start;
    key->size = (uint32_t)(size + 4);
    key->symbol = symbol;
    keys->count++;
    return key;
}

const tj_key *tj_key_cold(tj_pool *pool, VALUE symbol)
{
    const tj_key *key = key_slot(&pool->keys, symbol, tj_key_place(symbol));
    return key->symbol ? key : key_add_cold(pool, &pool->keys, MOST_KEYS, symbol);
}

const tj_key *tj_dynamic_key(tj_pool *pool, VALUE v)
{
    if (!RB_DYNAMIC_SYM_P(v)) return NULL;
    const tj_key *key = key_slot(&pool->dynamic, v, dynamic_place(v));
    return TJ_LIKELY(key->symbol != 0) ? key
                                       : key_add_cold(pool, &pool->dynamic, MOST_DYNAMIC_KEYS, v);
}
