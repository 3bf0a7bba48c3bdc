/* Core. The bytes of a document: reserve, write at the cursor, commit.
 *
 * There is one way to write: reserve n bytes, write at most n through a pointer taken from
 * `cursor`, and store that pointer back (commit). The pointer is invalid after the next reserve,
 * grow or flush.
 *
 * The buffer may own its memory: the heap block of tj_buffer_grow (owned = true). Or the memory
 * belongs to somebody else and was passed to tj_buffer_adopt, such as the bytes of the String that
 * the document will become. Offsets count from the start of the document: `flushed` counts the
 * bytes that were delivered, so an offset stays valid after any number of flushes. */
#ifndef TJ_BUFFER_H
#define TJ_BUFFER_H

#include "../status.h"

typedef struct {
    uint8_t *cursor;  /* where the next byte is written */
    uint8_t *limit;   /* one past the end of the memory */
    uint8_t *start;   /* the first byte that was not delivered */
    size_t flushed;   /* bytes of this document that were delivered */
    bool owned;       /* `start` is a heap block of this buffer */
#ifdef TJ_DEBUG
    uint8_t *reserved; /* a commit must not go beyond this */
#endif
} tj_buffer;

#define TJ_SMALLEST_CAPACITY ((size_t)16)

/* All allocations of the core use these two functions, so that a test can make one fail. */
void *tj_realloc(void *block, size_t size);
void tj_free(void *block);

/* For tests: after `n` allocations all later ones fail. A negative n ends that. */
void tj_refuse_allocation_after(long n);

TJ_INLINE size_t tj_buffer_used(const tj_buffer *b) { return (size_t)(b->cursor - b->start); }
TJ_INLINE size_t tj_buffer_room(const tj_buffer *b) { return (size_t)(b->limit - b->cursor); }
TJ_INLINE size_t tj_buffer_offset(const tj_buffer *b) { return b->flushed + tj_buffer_used(b); }

/* Allocates a buffer of `capacity` bytes. After TJ_NO_MEMORY the buffer is empty and may be
 * freed. */
tj_status tj_buffer_init(tj_buffer *b, size_t capacity);
void tj_buffer_free(tj_buffer *b);

/* Makes room for `more` bytes after the cursor, and at least doubles the capacity. TJ_NO_MEMORY and
 * TJ_TOO_LARGE leave the buffer unchanged. The buffer must own its memory. */
tj_status tj_buffer_grow(tj_buffer *b, size_t more);

/* Changes the capacity to exactly `capacity` bytes, which must hold the bytes in use. TJ_NO_MEMORY
 * leaves the buffer unchanged. The buffer must own its memory. */
tj_status tj_buffer_resize(tj_buffer *b, size_t capacity);

/* Sets *next to a capacity that holds used + more and is at least twice `capacity`, or returns
 * TJ_TOO_LARGE. */
tj_status tj_buffer_next_capacity(size_t capacity, size_t used, size_t more, size_t *next);

/* Continues in memory that somebody else owns. The caller has copied the bytes written so far to
 * `storage`. Frees the buffer's own heap block. */
void tj_buffer_adopt(tj_buffer *b, uint8_t *storage, size_t used, size_t capacity);

/* The first `count` bytes were delivered: moves the rest to the front. */
void tj_buffer_consumed(tj_buffer *b, size_t count);

/* Whether an offset that tj_buffer_offset returned is within the bytes that stand here. It may have
 * been delivered since. Beyond the cursor it is that of another document: a Continuation came back
 * to a call that had returned. */
TJ_INLINE bool tj_buffer_holds(const tj_buffer *b, size_t offset)
{
    return offset >= b->flushed && offset - b->flushed <= tj_buffer_used(b);
}

/* Goes back to an offset that tj_buffer_offset returned. Returns false if tj_buffer_holds does. */
TJ_INLINE bool tj_buffer_rewind(tj_buffer *b, size_t offset)
{
    if (TJ_UNLIKELY(!tj_buffer_holds(b, offset))) return false;
    b->cursor = b->start + (offset - b->flushed);
    return true;
}

/* Whether n bytes can be written at the cursor. */
TJ_INLINE bool tj_buffer_has(tj_buffer *b, size_t n)
{
#ifdef TJ_PLANT_RESERVE /* a bug planted for CI, which checks that the tests find it */
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
