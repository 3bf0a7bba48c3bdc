/* Core. The buffer of a document: how it grows, and the core's only allocator. */
#include "buffer.h"

#include <stdlib.h>

static long allocations_until_refusal = -1;

void tj_refuse_allocation_after(long n) { allocations_until_refusal = n; }

void *tj_realloc(void *block, size_t size)
{
    if (TJ_UNLIKELY(allocations_until_refusal >= 0)) {
        if (allocations_until_refusal == 0) return NULL;
        allocations_until_refusal--;
    }
    return realloc(block, size);
}

void tj_free(void *block) { free(block); }

tj_status tj_buffer_init(tj_buffer *b, size_t capacity)
{
    memset(b, 0, sizeof *b);
    b->owned = true;
    if (capacity < TJ_SMALLEST_CAPACITY) capacity = TJ_SMALLEST_CAPACITY;
    b->start = tj_realloc(NULL, capacity);
    b->cursor = b->start;
    b->limit = b->start ? b->start + capacity : NULL;
    return b->start ? TJ_OK : TJ_NO_MEMORY;
}

void tj_buffer_free(tj_buffer *b)
{
    if (b->owned) tj_free(b->start);
    memset(b, 0, sizeof *b);
}

tj_status tj_buffer_next_capacity(size_t capacity, size_t used, size_t more, size_t *next)
{
    size_t needed;
    if (__builtin_add_overflow(used, more, &needed)) return TJ_TOO_LARGE;
    /* malloc, ptrdiff_t and the lengths of Ruby's Strings go up to half of SIZE_MAX. */
    if (needed > SIZE_MAX / 2) return TJ_TOO_LARGE;
    size_t doubled = capacity <= SIZE_MAX / 4 ? capacity * 2 : SIZE_MAX / 2;
    *next = doubled > needed ? doubled : needed;
    if (*next < TJ_SMALLEST_CAPACITY) *next = TJ_SMALLEST_CAPACITY;
    return TJ_OK;
}

tj_status tj_buffer_resize(tj_buffer *b, size_t capacity)
{
    size_t used = tj_buffer_used(b);
    TJ_ASSERT(b->owned && capacity >= used);
    uint8_t *moved = tj_realloc(b->start, capacity);
    if (!moved) return TJ_NO_MEMORY;
    b->start = moved;
    b->cursor = moved + used;
    b->limit = moved + capacity;
    return TJ_OK;
}

tj_status tj_buffer_grow(tj_buffer *b, size_t more)
{
    size_t capacity;
    tj_status status =
        tj_buffer_next_capacity((size_t)(b->limit - b->start), tj_buffer_used(b), more, &capacity);
    return status == TJ_OK ? tj_buffer_resize(b, capacity) : status;
}

void tj_buffer_adopt(tj_buffer *b, uint8_t *storage, size_t used, size_t capacity)
{
    TJ_ASSERT(used <= capacity);
    if (b->owned) tj_free(b->start);
    b->owned = false;
    b->start = storage;
    b->cursor = storage + used;
    b->limit = storage + capacity;
}

void tj_buffer_consumed(tj_buffer *b, size_t count)
{
    size_t used = tj_buffer_used(b);
    TJ_ASSERT(count <= used);
    memmove(b->start, b->start + count, used - count);
    b->cursor -= count;
    b->flushed += count;
}
