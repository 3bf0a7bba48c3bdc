/* Core. The bytes of a document on their way: reserve, write at the cursor, commit.
 *
 * The one way to write: reserve n bytes, write at most n through a pointer taken from `cursor`,
 * store that pointer back (commit). A pointer taken before the next reserve, grow or flush is dead.
 *
 * The storage belongs to somebody else: the heap block that tj_buffer_grow keeps (owned = true), or
 * memory handed over with tj_buffer_adopt, such as the inside of the String that the document will
 * become. Offsets are absolute: `flushed` counts the bytes that have left, so a mark taken early
 * stays comparable after any number of flushes. */
#ifndef TJ_BUFFER_H
#define TJ_BUFFER_H

#include "../status.h"

typedef struct {
    uint8_t *cursor;  /* where the next byte goes */
    uint8_t *limit;   /* one past the storage */
    uint8_t *start;   /* the first byte that has not left yet */
    size_t flushed;   /* bytes of this document that left before `start` */
    bool owned;       /* start is a heap block of ours */
#ifdef TJ_DEBUG
    uint8_t *reserved; /* nothing may be committed past here */
#endif
} tj_buffer;

#define TJ_SMALLEST_CAPACITY ((size_t)16)

/* Every allocation of the core goes through these two, so that tests can refuse the n-th one. */
void *tj_realloc(void *block, size_t size);
void tj_free(void *block);

/* For tests: the allocation after `n` more is refused, and all later ones; a negative n ends that. */
void tj_refuse_allocation_after(long n);

TJ_INLINE size_t tj_buffer_used(const tj_buffer *b) { return (size_t)(b->cursor - b->start); }
TJ_INLINE size_t tj_buffer_room(const tj_buffer *b) { return (size_t)(b->limit - b->cursor); }
TJ_INLINE size_t tj_buffer_offset(const tj_buffer *b) { return b->flushed + tj_buffer_used(b); }

/* A buffer of `capacity` bytes on the heap. TJ_NO_MEMORY leaves an empty buffer that is safe to free. */
tj_status tj_buffer_init(tj_buffer *b, size_t capacity);
void tj_buffer_free(tj_buffer *b);

/* Makes room for `more` bytes after the cursor: at least doubles the owned storage. TJ_NO_MEMORY or
 * TJ_TOO_LARGE leave the buffer as it was. Only for owned storage. */
tj_status tj_buffer_grow(tj_buffer *b, size_t more);

/* Gives the owned storage exactly `capacity` bytes, which hold what is used. TJ_NO_MEMORY leaves it as it was. */
tj_status tj_buffer_resize(tj_buffer *b, size_t capacity);

/* The capacity that holds used + more and at least doubles `capacity`, or TJ_TOO_LARGE. */
tj_status tj_buffer_next_capacity(size_t capacity, size_t used, size_t more, size_t *next);

/* Goes on in storage that somebody else owns and that already holds the same bytes: what was
 * written so far must stand at `storage`. Frees the heap block if it was ours. */
void tj_buffer_adopt(tj_buffer *b, uint8_t *storage, size_t used, size_t capacity);

/* Tells that the first `count` bytes have left; moves the rest to the front. */
void tj_buffer_consumed(tj_buffer *b, size_t count);

/* Goes back to an absolute offset taken from tj_buffer_offset. False when it has left already. */
TJ_INLINE bool tj_buffer_rewind(tj_buffer *b, size_t offset)
{
    if (TJ_UNLIKELY(offset < b->flushed)) return false;
    b->cursor = b->start + (offset - b->flushed);
    return true;
}

/* True when n bytes may be written at the cursor. */
TJ_INLINE bool tj_buffer_has(tj_buffer *b, size_t n)
{
#ifdef TJ_PLANT_RESERVE /* a planted bug: CI builds with it and expects the tests to fail */
    bool has = tj_buffer_room(b) + 1 >= n;
#else
    bool has = tj_buffer_room(b) >= n;
#endif
#ifdef TJ_DEBUG
    if (has) b->reserved = b->cursor + n;
#endif
    return has;
}

TJ_INLINE void tj_buffer_commit(tj_buffer *b, uint8_t *end)
{
#ifdef TJ_DEBUG
    TJ_ASSERT(end >= b->cursor && end <= b->reserved && end <= b->limit);
#endif
    b->cursor = end;
}

#endif
