/* Values, private to tree.c. The fast walk through Hashes and Arrays: tree.c says when it stops. */
#ifndef TJ_TREE_WALK_H
#define TJ_TREE_WALK_H

#include <math.h>

#include "pair.h"
#include "time_value.h"
#include "tree_key.h"
#include "../core/numbers/time.h"
#include "../vm/hash_pairs.h"
#include "../writer/pool.h"
#include "../delivery/flush.h"
#include "string_value.h"
#include "contained.h"

/* The most that is written between two checks of the room: a comma, a kept key, any simple value
 * except a String, a bracket. */
#define ROOM (TJ_TREE_KEY_MOST + VALUE_MOST + 2 * TJ_SIMPLE_ROOM)
#define VALUE_MOST (TJ_TIME_SIZE + 2)
#define COORDINATES 4 /* so many Floats of an Array need no check of the room between them */
#define AHEAD 4 /* how many elements ahead to prefetch: far enough to be loaded in time */
#define COPIED 32 /* pairs of a Hash that walk_copy copies to its stack frame, at most */
/* containers of one walk, which limits its use of the stack; deeper ones are a walk inside a
 * walk */
#define DEEPEST 48

_Static_assert(TJ_SIMPLE_ROOM <= VALUE_MOST && TJ_FLOAT_SIZE <= VALUE_MOST,
               "what value() writes fits");
_Static_assert(1 + COORDINATES * (TJ_FLOAT_SIZE + 1) <= ROOM, "coordinates fit");

typedef struct {
    tj_writer *w;
    uint8_t *safe;  /* ROOM bytes are free up to here */
    long budget;    /* elements that the walk may still begin */
    uint32_t depth, most; /* open containers, and the most that may be open */
    unsigned moved; /* increases when borrowed memory may have moved */
    size_t base;    /* the level of the outermost container */
    uint32_t nesting; /* around that container */
    uint8_t *stop;  /* where the walk stopped */
    uint32_t stopped; /* the depth there; 0: before it wrote anything */
    bool begun;     /* it stopped inside an element, after its comma and key */
    /* leave Hashes to the general way unless all keys are Strings or all are Symbols */
    bool watchful;
    uint8_t *(*write_double)(uint8_t *at, double value);
} walk;

/* Whether the Rules allow the walk. A dialect only decides about what the walk leaves: other
 * classes, Floats that are not finite, Strings that are not text, Hashes with mixed keys. */
TJ_INLINE bool is_plain(const tj_writer *w)
{
    return !w->encode_anew && !w->delivery.flush_interval && !w->consult && !w->rules->walks_alone;
}

static void set_safe(walk *t)
{
    tj_buffer *out = &t->w->out;
    t->safe = tj_buffer_room(out) >= ROOM ? out->limit - ROOM : out->cursor - 1;
}

/* -- stopping, and what is noted then ---------------------------------------------------------- */

static TJ_NOINLINE uint8_t *refuse(walk *t, uint8_t *at, bool begun)
{
    t->stop = at;
    t->stopped = t->depth;
    t->begun = begun;
    if (t->depth > 0) tj_check(t->w, tj_grammar_room(&t->w->grammar, t->base + t->depth));
    return NULL;
}

/* `container` was stopped at element number `count`. `label` is its key, or 0 in an Array. */
static TJ_NOINLINE uint8_t *note(walk *t, VALUE container, size_t count, VALUE label,
                                 uint8_t bracket)
{
    t->w->grammar.levels[t->base + t->depth - 1] = (tj_level){.begins_at = container,
                                                              .count = count,
                                                              .count_below = bracket,
                                                              .label = label,
                                                              .nesting = t->nesting + t->depth - 1,
                                                              .kind = TJ_TREE};
    t->depth--;
    return NULL;
}

/* Makes room for `n` bytes without running Ruby. Returns NULL if bytes must be delivered first. */
static TJ_NOINLINE uint8_t *more(walk *t, uint8_t *at, size_t n)
{
    tj_writer *w = t->w;
    tj_commit_simple(w, at);
    if (tj_delivers(w) && tj_buffer_used(&w->out) + n > tj_chunk_of(w)) return NULL;
    tj_reserve(w, n); /* may run the garbage collector */
    t->moved++;
    set_safe(t);
    return w->out.cursor;
}

/* -- values ------------------------------------------------------------------------------------ */

static uint8_t *walk_hash(walk *t, uint8_t *at, VALUE hash);
static uint8_t *walk_array(walk *t, uint8_t *at, VALUE array);

/* Writes a String that tj_simple_string did not: there was no room, or it needs more than
 * escaping. */
static TJ_NOINLINE uint8_t *string_cold(walk *t, uint8_t *at, VALUE string)
{
    tj_writer *w = t->w;
    const uint8_t *bytes;
    size_t size;
    if (tj_delivers(w)) return refuse(t, at, true);
    if (!tj_string_text_under(w->rules, string, &bytes, &size)) return refuse(t, at, true);
    t->budget -= (long)(size >> 8); /* long Strings take time too */
    tj_commit_simple(w, at);
    tj_write_string_cold(w, string); /* into memory, so it runs no Ruby */
    t->moved++;
    set_safe(t);
    return w->out.cursor;
}

static TJ_NOINLINE uint8_t *value_cold(walk *t, uint8_t *at, VALUE v)
{
    if (RB_SPECIAL_CONST_P(v)) return refuse(t, at, true);
    if (RBASIC_CLASS(v) == rb_cTime && t->w->rules->dialect == TJ_STANDARD &&
        tj_time_runs_no_ruby(v)) {
        uint8_t *end = tj_try_time(t->w, at, v);
        if (end) return end;
    } else if (RB_BUILTIN_TYPE(v) == T_FLOAT && isfinite(RFLOAT_VALUE(v)))
        return t->write_double(at, RFLOAT_VALUE(v));
    return refuse(t, at, true);
}

TJ_INLINE uint8_t *integer(uint8_t *at, VALUE fixnum)
{
    long number = RB_FIX2LONG(fixnum);
    return (unsigned long)number < TJ_SMALL_INTEGERS ? tj_write_small(at, (size_t)number)
                                                     : tj_write_int64(at, number);
}

/* Writes `v`, which is no plain String, at `at`. Needs VALUE_MOST bytes. Half the time of a list of
 * small Arrays is spent waiting for their memory, so a later element, `ahead`, is prefetched before
 * an Array is written. */
TJ_INLINE uint8_t *no_string(walk *t, uint8_t *at, VALUE v, VALUE ahead)
{
    if (RB_FIXNUM_P(v)) return integer(at, v);
    if (RB_FLONUM_P(v)) return t->write_double(at, rb_float_value(v));
    if (RB_SPECIAL_CONST_P(v)) {
        uint8_t *end = tj_unsafe_simple(t->w, at, v);
        return TJ_LIKELY(end != NULL) ? end : value_cold(t, at, v);
    }
    VALUE klass = RBASIC_CLASS(v);
    if (klass == rb_cHash) return walk_hash(t, at, v);
    if (klass == rb_cArray) {
        __builtin_prefetch((const void *)ahead);
        return walk_array(t, at, v);
    }
    return value_cold(t, at, v);
}

/* The same for any value. */
TJ_INLINE uint8_t *value(walk *t, uint8_t *at, VALUE v)
{
    if (!tj_is_exact_string(v)) return no_string(t, at, v, v);
    uint8_t *end = tj_simple_string(t->w, at, v);
    return TJ_LIKELY(end != NULL) ? end : string_cold(t, at, v);
}

/* -- containers -------------------------------------------------------------------------------- */

/* Makes room for the next element of `container`, of which `count` are written. Returns NULL if
 * bytes must be delivered first. */
TJ_INLINE uint8_t *room(walk *t, uint8_t *at, VALUE container, size_t count, VALUE label,
                        uint8_t bracket)
{
    if (TJ_LIKELY(at <= t->safe)) return at;
    uint8_t *roomy = more(t, at, ROOM);
    if (TJ_LIKELY(roomy != NULL)) return roomy;
    refuse(t, at, false);
    return note(t, container, count, label, bracket);
}

/* Writes the elements [from, to) of `array`, the container at t->depth. */
TJ_INLINE uint8_t *items(walk *t, uint8_t *at, VALUE array, long from, long to)
{
    const VALUE *elements = tj_items_of(array);
    unsigned moved = t->moved;
    for (long i = from; i < to; i++) {
        if (TJ_UNLIKELY(at > t->safe)) {
            if (!(at = room(t, at, array, (size_t)i, 0, ']'))) return NULL;
            moved = t->moved;
            elements = tj_items_of(array);
        }
        VALUE v = elements[i];
        *at = ',';
        at += i > 0;
        /* A number never stops the walk, and never moves memory. */
        if (RB_FIXNUM_P(v)) {
            at = integer(at, v);
            continue;
        }
        if (RB_FLONUM_P(v)) {
            at = t->write_double(at, rb_float_value(v));
            continue;
        }
        if (tj_is_exact_string(v)) { /* most often the next elements are Strings too */
            uint8_t *end;
            while (TJ_LIKELY((end = tj_simple_string(t->w, at, v)) != NULL)) {
                at = end;
                if (i + 1 >= to || at > t->safe || !tj_is_exact_string(elements[i + 1])) break;
                *at++ = ',';
                v = elements[++i];
                __builtin_prefetch((const void *)elements[i + AHEAD < to ? i + AHEAD : i]);
            }
            if (TJ_LIKELY(end != NULL)) continue;
            at = string_cold(t, at, v);
        } else at = no_string(t, at, v, i + AHEAD < to ? elements[i + AHEAD] : v);
        if (TJ_UNLIKELY(!at)) return note(t, array, (size_t)i + 1, 0, ']');
        if (TJ_UNLIKELY(t->moved != moved)) {
            moved = t->moved;
            elements = tj_items_of(array);
        }
    }
    /* room for closing brackets: the walks of the containers around this one may end here too */
    return room(t, at, array, (size_t)to, 0, ']');
}

/* Enters a container of `size` elements. Returns false if that is not allowed. */
TJ_INLINE bool may_enter(walk *t, size_t size)
{
    if (TJ_UNLIKELY(t->depth >= t->most || (long)size > t->budget)) {
        if (t->depth < t->most) t->budget = -1; /* makes the next walk check for interrupts */
        return false;
    }
    t->budget -= (long)size + 1;
    t->depth++;
    return true;
}

/* Writes a short list of Floats, such as the coordinates of a point. Nothing in it can stop the
 * walk or move memory, so it needs no level. Returns NULL and writes nothing for any other list. */
TJ_INLINE uint8_t *coordinates(walk *t, uint8_t *at, const VALUE *elements, long size)
{
    if (size > COORDINATES || size == 0 || !RB_FLONUM_P(elements[0])) return NULL;
    for (long i = 1; i < size; i++)
        if (!RB_FLONUM_P(elements[i])) return NULL;
    if (at > t->safe || t->depth >= t->most || size > t->budget) return NULL;
    t->budget -= size + 1;
    *at = '[';
    if (size == 2 && t->write_double == tj_write_double) {
        double first = rb_float_value(elements[0]), second = rb_float_value(elements[1]);
        at = tj_write_two_doubles(at + 1, first, second);
    } else
        for (long i = 0; i < size; i++, *at = ',')
            at = t->write_double(at + 1, rb_float_value(elements[i]));
    *at = ']';
    return at + 1;
}

static uint8_t *walk_array(walk *t, uint8_t *at, VALUE array)
{
    long size = RARRAY_LEN(array);
    uint8_t *end = coordinates(t, at, tj_items_of(array), size);
    if (end) return end;
    if (!may_enter(t, (size_t)size)) return refuse(t, at, true);
    *at++ = '[';
    if (TJ_UNLIKELY(!(at = items(t, at, array, 0, size)))) return NULL;
    t->depth--;
    *at++ = ']';
    RB_GC_GUARD(array);
    return at;
}

/* Writes the pairs of `hash`. `borrowed`: they are in the memory of the Hash, and move with it.
 * Otherwise they are a copy. */
TJ_INLINE uint8_t *write_pairs(walk *t, uint8_t *at, VALUE hash, tj_pairs pairs, bool borrowed)
{
    if (!may_enter(t, pairs.count)) return refuse(t, at, true);
    *at++ = '{';
    size_t written = 0;
    VALUE before = 0; /* the key of the last pair */
    unsigned moved = t->moved;
    for (size_t i = 0; i < pairs.count; i++) {
        const VALUE *pair = pairs.at + i * pairs.step;
        if (borrowed && TJ_UNLIKELY(tj_pair_gone(pair, pairs.step))) continue;
        VALUE key = pair[0], v = pair[1];
        /* `pairs` is read again below if memory moved */
        if (TJ_UNLIKELY(!(at = room(t, at, hash, written, before, '}')))) return NULL;
        *at = ',';
        uint8_t *end = tj_tree_key(t->w, at + (written > 0), key);
        if (TJ_UNLIKELY(!end || end > t->safe + ROOM - VALUE_MOST)) {
            refuse(t, at, false); /* the general way makes room for it, and then walks again */
            return note(t, hash, written, before, '}');
        }
        at = value(t, end, v);
        written++;
        before = key;
        if (TJ_UNLIKELY(!at)) return note(t, hash, written, key, '}');
        if (borrowed && TJ_UNLIKELY(t->moved != moved)) {
            moved = t->moved;
            pairs = tj_pairs_of(hash);
        }
    }
    if (TJ_UNLIKELY(!(at = room(t, at, hash, written, before, '}')))) return NULL;
    t->depth--;
    *at++ = '}';
    RB_GC_GUARD(hash);
    return at;
}

static int copy_i(VALUE key, VALUE value, VALUE argument)
{
    VALUE **end = (VALUE **)argument;
    (*end)[0] = key;
    (*end)[1] = value;
    *end += TJ_HASH_SHORT_STEP;
    return ST_CONTINUE;
}

/* The same if the memory of Hashes cannot be read: copies short Hashes, and leaves others to the
 * general way. */
static TJ_NOINLINE uint8_t *walk_copy(walk *t, uint8_t *at, VALUE hash)
{
    VALUE copy[COPIED * TJ_HASH_SHORT_STEP], *end = copy;
    if (t->watchful || RHASH_SIZE(hash) > COPIED) return refuse(t, at, true);
    if (RHASH_SIZE(hash) > 0) rb_hash_foreach(hash, copy_i, (VALUE)&end);
    size_t count = (size_t)(end - copy) / TJ_HASH_SHORT_STEP;
    return write_pairs(t, at, hash, (tj_pairs){copy, count, TJ_HASH_SHORT_STEP}, false);
}

static uint8_t *walk_hash(walk *t, uint8_t *at, VALUE hash)
{
    if (TJ_UNLIKELY(!tj_pairs_readable)) return walk_copy(t, at, hash);
    tj_pairs pairs = tj_pairs_of(hash);
    if (TJ_UNLIKELY(t->watchful && !tj_keys_alike(hash, pairs))) return refuse(t, at, true);
    return write_pairs(t, at, hash, pairs, true);
}

#endif
