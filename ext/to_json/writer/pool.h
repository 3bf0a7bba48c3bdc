/* Writer. What a Ractor keeps between documents: idle Writers, encoded Symbol keys. All of it is
 * marked: nothing is found by the address of what may be gone. */
#ifndef TJ_POOL_H
#define TJ_POOL_H

#include "writer.h"

#define TJ_POOL_WRITERS 8
#define TJ_READER_SLOTS 256

/* `,"name":` for a Symbol that needs no escape under any Rules. 32 bytes may be read from `bytes`. */
typedef struct {
    VALUE symbol;
    const uint8_t *bytes;
    uint32_t size;
} tj_key;

/* `"name":` for a frozen String, as the last document that had it wrote it; a cache line each. The next key of its place takes it
 * over, so that keys which come once are soon forgotten. */
#define TJ_TEXT_KEY_MOST 48
typedef struct {
    VALUE key;
    uint64_t size_and_mode; /* the escape mode above the lowest 8 bits */
    uint8_t bytes[TJ_TEXT_KEY_MOST];
} tj_text_key;
#define TJ_TEXT_KEYS 256

/* Open addressing; `slots` is a power of two. */
typedef struct {
    tj_key *keys;
    size_t slots, count;
} tj_keys;

/* How many Writers were collected before they were released: a Fiber that never came back held
 * them, or an interrupt came before a variable did. They and their pool are freed in any order, and
 * by another Ractor's collector too, so this is freed by the last of them. Only by tj_losses_*. */
typedef struct {
    unsigned users, lost;
} tj_losses;

typedef struct tj_pool {
    VALUE self; /* the object that owns this struct: its Ractor and its Writers keep it alive */
    bool main; /* of the main Ractor, which alone may change classes */
    VALUE idle[TJ_POOL_WRITERS];
    int idle_count;
    unsigned at_work; /* Writers acquired and not released; tj_pool_at_work subtracts the lost ones */
    tj_losses *losses;
    long serial; /* of the last document that an entry opened of an instance */
    size_t capacity, chunk; /* of a new Writer; tests make them tiny */
    size_t growths;         /* how often memory of a document was reallocated, for tests */
    size_t recent_size;     /* of the last document that outgrew a Writer: the next one is likely to be like it */
    tj_writer *current; /* at work for `receiver`, or NULL. Saves reading an instance variable */
    VALUE receiver;     /* the object of the module or block form that called last */
    tj_keys keys;    /* of static Symbols, which are never collected */
    tj_keys dynamic; /* of Symbols on the heap, which the pool marks */
    tj_text_key *texts; /* TJ_TEXT_KEYS of them, NULL until used; marked */
    uint8_t *arena; /* the newest block of key bytes; each begins with a link to the one before */
    size_t arena_used, arena_size;
    VALUE date, date_time, set, big_decimal, time_with_zone, delegator; /* 0 until the class exists */
    VALUE rails_encoding, rails_methods; /* ActiveSupport's settings; class => its methods as they came. 0 until used */
    bool rails_frozen_options, rails_json_3;
    VALUE kept_rules, kept_defaults; /* of generate's keywords, under these defaults; 0 until used */
    struct tj_reader *readers; /* of put_fields, see reader.c; NULL until used */
    const struct tj_reader *recent_reader; /* a compiled one, which stays where it is; or NULL */
    size_t readers_compiled;
} tj_pool;

TJ_INLINE size_t tj_chunk_of(const tj_writer *w) { return w->delivery.chunk ? w->delivery.chunk : w->pool->chunk; }

void tj_pool_init(void);
tj_pool *tj_pool_current(void);

/* A Writer at the start of a document under `rules`. It belongs to the caller until tj_release. */
tj_writer *tj_acquire_from(tj_pool *pool, VALUE rules, VALUE sink);
void tj_release(tj_writer *w);

/* How many Writers are acquired and not released, without those that were collected meanwhile. */
unsigned tj_pool_at_work(tj_pool *pool);

/* For tests: the first capacity and the chunk of the Writers from now on; drops the idle ones. */
void tj_pool_sizes(size_t capacity, size_t chunk);

const tj_key *tj_key_cold(tj_pool *pool, VALUE symbol);

/* The encoded key of `v` that is no static Symbol: NULL for what is no Symbol at all too. */
const tj_key *tj_dynamic_key(tj_pool *pool, VALUE v);

/* Where a Symbol is looked for first. Static Symbols count up, 12 bits of flags and scope below: names that were
 * first seen together have places of their own beside each other, and the address is one shift away. */
TJ_INLINE size_t tj_key_place(VALUE symbol) { return (size_t)symbol >> 12; }

/* The encoded key of a Symbol, or NULL where it must be written the long way, as what is no Symbol. The next key that
 * is looked up may move what is answered (not its bytes), and what runs Ruby may look up others. */
TJ_INLINE const tj_key *tj_key_of(tj_pool *pool, VALUE symbol)
{
    if (TJ_UNLIKELY(!RB_STATIC_SYM_P(symbol))) return tj_dynamic_key(pool, symbol);
    const tj_key *key = &pool->keys.keys[tj_key_place(symbol) & (pool->keys.slots - 1)];
    if (TJ_LIKELY(key->symbol == symbol)) return key;
    return tj_key_cold(pool, symbol);
}

#endif
