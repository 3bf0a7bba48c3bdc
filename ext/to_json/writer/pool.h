/* Writer. What a Ractor keeps between documents: idle Writers and encoded keys (key_table.h). All
 * objects in it are marked, because they are found by address. */
#ifndef TJ_POOL_H
#define TJ_POOL_H

#include "writer.h"

#define TJ_POOL_WRITERS 8
#define TJ_READER_SLOTS 256

/* `,"name":` for a Symbol that needs no escape under any Rules. 32 bytes may be read from
 * `bytes`. */
typedef struct {
    VALUE symbol;
    const uint8_t *bytes;
    uint32_t size;
} tj_key;

/* `"name":` for a frozen String, as the last document with this key wrote it; one cache line each.
 * Another key with the same place replaces it, so that keys which occur once are soon forgotten. */
#define TJ_TEXT_KEY_MOST 48
typedef struct {
    VALUE key;
    uint64_t size_and_mode; /* the lowest 8 bits are the size, the rest is the escape mode */
    uint8_t bytes[TJ_TEXT_KEY_MOST];
} tj_text_key;
#define TJ_TEXT_KEYS 256

/* For looking up serializers by name, the parts of two names: `home` (nil: none) and `name` are
 * Strings of Ruby, found by address because the pool marks them. Two other names with the same
 * place replace them, so many names cost no memory. See documents/lookup.c. */
typedef struct {
    VALUE home, name, path;
} tj_route;
#define TJ_ROUTES 64

/* The Plan that a ValueSite found last for values of a class. `path` leads to its serializer: see
 * documents/lookup.c; nil if the site's Hash names it. An entry keeps its classes alive until
 * another entry replaces it. */
typedef struct {
    VALUE site, type, plan, path;
} tj_recent_serializer;
#define TJ_RECENT_SERIALIZERS 8

/* A hash table with open addressing; `slots` is a power of two. */
typedef struct {
    tj_key *keys;
    size_t slots, count;
} tj_keys;

/* Counts Writers that were collected before they were released: their document was abandoned in a
 * Fiber, or an interrupt came before a variable held them. Writers and their pool are freed in any
 * order, also by the collector of another Ractor. So the last of them frees this. Only losses_used
 * and losses_left change `users`. */
typedef struct {
    unsigned users, lost;
} tj_losses;

typedef struct tj_pool {
    VALUE self; /* the object that owns this struct; its Ractor and its Writers keep it alive */
    bool main; /* of the main Ractor; only that one may change classes */
    VALUE idle[TJ_POOL_WRITERS];
    int idle_count;
    /* Writers acquired and not released; tj_pool_at_work subtracts the lost ones */
    unsigned at_work;
    unsigned documents; /* how many were begun; wraps */
    unsigned captures; /* at work, and some that were left half-way: see tj_note_for_captures */
    VALUE fiber, fiber_number; /* of the last document: see tj_fiber_number */
    size_t strays; /* reads of a context by code that left its Fiber; see tj_capture_ends */
    tj_losses *losses;
    size_t capacity, chunk; /* of a new Writer; tests make them tiny */
    size_t growths;         /* for tests: how often the memory of a document was reallocated */
    /* size of the last document that outgrew a Writer: the next one is likely to be similar */
    size_t recent_size;
    /* the Writer at work for `receiver`, or NULL; saves reading an instance variable */
    tj_writer *current;
    VALUE receiver;     /* the object of the module or block form that called last */
    VALUE recent_plan;  /* of the class that json! was called on last; saves the same */
    VALUE recent_choices; /* of the class that was called with view:, only: or except: last */
    /* For the N+1 guard: the documents at work, [Writer, Fiber, notes] of each in one Array; the
     * notes are a Hash that lives as long as the document. 0 while nobody watches. */
    VALUE watched;
    tj_keys keys;    /* of static Symbols, which are never collected */
    tj_keys dynamic; /* of dynamic Symbols, which the pool marks */
    tj_text_key *texts; /* TJ_TEXT_KEYS of them, or NULL before the first; marked */
    /* the newest block of key bytes; each begins with a pointer to the one before */
    uint8_t *arena;
    size_t arena_used, arena_size;
    /* 0 until the class exists */
    VALUE date, date_time, set, big_decimal, time_with_zone, delegator;
    VALUE attached_one; /* ActiveStorage::Attached::One */
    /* ActiveSupport's settings; class => its original methods. 0 until used */
    VALUE rails_encoding, rails_methods;
    bool rails_frozen_options, rails_json_3;
    /* see kept_rules.h: Rules of keywords, of values, and the default Rules under which they were
     * made; 0 until used */
    VALUE kept_rules, kept_values, kept_defaults;
    tj_route routes[TJ_ROUTES];
    tj_recent_serializer recent_serializers[TJ_RECENT_SERIALIZERS];
    struct tj_reader *readers; /* of put_fields, see reader.c; NULL until used */
    const struct tj_reader *recent_reader; /* a compiled one, which never moves; or NULL */
    size_t readers_compiled;
} tj_pool;

TJ_INLINE size_t tj_chunk_of(const tj_writer *w)
{
    return w->delivery.chunk ? w->delivery.chunk : w->pool->chunk;
}

/* The object_id of the running Fiber. No other Fiber ever has it, so a Writer need not keep its
 * Fiber, whose stack keeps all that stands on it. May allocate. */
TJ_INLINE VALUE tj_fiber_number(tj_pool *pool)
{
    VALUE fiber = rb_fiber_current();
    if (TJ_UNLIKELY(pool->fiber != fiber)) {
        pool->fiber_number = rb_obj_id(fiber);
        pool->fiber = fiber;
    }
    return pool->fiber_number;
}

TJ_INLINE tj_route *tj_route_at(tj_pool *pool, VALUE home, VALUE name)
{
    return &pool->routes[(home / 8 * 31 + name / 8) % TJ_ROUTES];
}

TJ_INLINE tj_recent_serializer *tj_recent_serializer_at(tj_pool *pool, VALUE site, VALUE type)
{
    return &pool->recent_serializers[(site / 8 + type / 8) % TJ_RECENT_SERIALIZERS];
}

void tj_pool_init(void);
tj_pool *tj_pool_current(void);

/* A Writer at the start of a document under `rules`. The caller owns it until tj_release. */
tj_writer *tj_acquire_from(tj_pool *pool, VALUE rules, VALUE sink);
void tj_release(tj_writer *w);

/* The number of Writers that are acquired and not released, without those that were collected. */
unsigned tj_pool_at_work(tj_pool *pool);

/* Begins to note which documents are at work in this Ractor, or ends that. */
void tj_pool_watch(tj_pool *pool, bool watch);

/* Calls `yield` for each document that the current Fiber is writing, the outermost first. Calls it
 * for none unless the pool is watched. `yield` may run Ruby, which may end the watching. */
void tj_pool_each_here(tj_pool *pool, void (*yield)(tj_writer *w, VALUE notes, VALUE data),
                       VALUE data);

/* For tests: sets the first capacity and the chunk of new Writers, and drops the idle ones. */
void tj_pool_sizes(size_t capacity, size_t chunk);

#endif
