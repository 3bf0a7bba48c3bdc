/* Core. Escapes text: short text here, long text in the kernel that was chosen, bounded room in
 * portions of either. */
#include "escape.h"
#include "vector16.h"

#ifdef TJ_SIMD

TJ_INLINE uint64_t piece_mask(tj_piece piece, size_t size, tj_escape_mode mode)
{
    uint64_t mask = tj_v16_mask(tj_v16_flags(tj_v16_of((uint64_t)piece, (uint64_t)(piece >> 64)), mode));
    return mask & (((uint64_t)1 << size) - 1);
}

TJ_INLINE uint8_t *escape_rest(uint8_t *at, const uint8_t *text, size_t size, size_t i, tj_escape_mode mode)
{
    while (i < size) {
        size_t here = size - i < 16 ? size - i : 16;
        tj_piece piece = tj_piece_at(text, size, i);
        uint64_t mask = piece_mask(piece, here, mode);
        size_t done = 0;
        tj_piece_store(at, piece);
        for (; mask; mask &= mask - 1) {
            size_t next = (size_t)__builtin_ctzll(mask), taken = 1;
            if (mode != TJ_ESCAPE_JSON && text[i + next] == TJ_SEPARATOR_LEAD) {
                if (!tj_is_separator(text + i + next, size - i - next)) continue;
                taken = TJ_SEPARATOR_SIZE;
            }
            at = tj_escape_one(at + (next - done), text + i + next);
            done = next + taken;
            if (done < here) tj_piece_store(at, piece >> (8 * done));
        }
        size_t taken = done > here ? done : here;
        at += taken - done;
        i += taken;
    }
    return at;
}

uint8_t *tj_escape_rest(uint8_t *at, const uint8_t *text, size_t size, size_t from, tj_escape_mode mode)
{
    if (mode == TJ_ESCAPE_JSON) return escape_rest(at, text, size, from, TJ_ESCAPE_JSON);
    if (mode == TJ_ESCAPE_HTML) return escape_rest(at, text, size, from, TJ_ESCAPE_HTML);
    return escape_rest(at, text, size, from, TJ_ESCAPE_SPLICE);
}

size_t tj_escape_plain_rest(const uint8_t *text, size_t size, size_t i, tj_escape_mode mode)
{
    for (; i < size; i += 16) {
        size_t here = size - i < 16 ? size - i : 16;
        uint64_t mask = piece_mask(tj_piece_at(text, size, i), here, mode);
        for (; mask; mask &= mask - 1) {
            size_t next = i + (size_t)__builtin_ctzll(mask);
            if (text[next] != TJ_SEPARATOR_LEAD || tj_is_separator(text + next, size - next)) return next;
        }
    }
    return size;
}

/* Fewer than TJ_LONG bytes: one test over two overlapping halves, no loop, no indirect call. */
TJ_INLINE uint8_t *escape_short(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    if (size >= 16) {
        tj_v16 head = tj_v16_load(text), tail = tj_v16_load(text + size - 16);
        if (TJ_UNLIKELY(tj_v16_any(tj_v16_or(tj_v16_flags(head, mode), tj_v16_flags(tail, mode)))))
            return tj_escape_rest(at, text, size, 0, mode);
        tj_v16_store(at, head);
        tj_v16_store(at + size - 16, tail);
    } else if (size >= 8) {
        uint64_t head = tj_load8(text), tail = tj_load8(text + size - 8);
        if (TJ_UNLIKELY(tj_v16_any(tj_v16_flags(tj_v16_of(head, tail), mode))))
            return tj_escape_rest(at, text, size, 0, mode);
        tj_store8(at, head);
        tj_store8(at + size - 8, tail);
    } else if (size >= 4) {
        uint32_t head = tj_load4(text), tail = tj_load4(text + size - 4);
        uint64_t both = (uint64_t)tail << 32 | head;
        if (TJ_UNLIKELY(tj_v16_any(tj_v16_flags(tj_v16_of(both, both), mode))))
            return tj_escape_rest(at, text, size, 0, mode);
        tj_store4(at, head);
        tj_store4(at + size - 4, tail);
    } else if (size) {
        uint8_t first = text[0], middle = text[size / 2], last = text[size - 1];
        if (TJ_UNLIKELY((tj_escape_class[first] | tj_escape_class[middle] | tj_escape_class[last]) & (1 << mode)))
            return tj_escape_rest(at, text, size, 0, mode);
        at[0] = first;
        at[size / 2] = middle;
        at[size - 1] = last;
    }
    return at + size;
}

#endif

TJ_INLINE uint8_t *unsafe_escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
#ifdef TJ_SIMD
    if (TJ_LIKELY(size < TJ_LONG && tj_simd.vectors)) return escape_short(at, text, size, mode);
#endif
    return tj_simd.escape->escape[mode](at, text, size);
}

uint8_t *tj_unsafe_escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    if (TJ_LIKELY(mode == TJ_ESCAPE_JSON)) return unsafe_escape(at, text, size, TJ_ESCAPE_JSON);
    if (mode == TJ_ESCAPE_HTML) return unsafe_escape(at, text, size, TJ_ESCAPE_HTML);
    return unsafe_escape(at, text, size, TJ_ESCAPE_SPLICE);
}

size_t tj_escape_plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode)
{
#ifdef TJ_SIMD
    if (size < TJ_LONG && tj_simd.vectors) return size ? tj_escape_plain_rest(text, size, 0, mode) : 0;
#endif
    return tj_simd.escape->plain_prefix[mode](text, size);
}

/* The size of the code point at text, cut off by the end where it must be. */
TJ_INLINE size_t code_point_size(const uint8_t *text, size_t size)
{
    size_t n = 1;
    while (n < size && n < 4 && (text[n] & 0xc0) == 0x80) n++;
    return n;
}

/* The largest size <= most that cuts text[0, size) between two code points. */
TJ_INLINE size_t cut(const uint8_t *text, size_t size, size_t most)
{
    if (most >= size) return size;
    size_t n = most;
    while (n > most - 3 && (text[n] & 0xc0) == 0x80) n--;
    return n;
}

#define PORTION 16 /* below this it takes code point by code point, and fills the room to the end */

tj_status tj_escape(uint8_t **at, const uint8_t *limit, const uint8_t *text, size_t size, size_t *done,
                    tj_escape_mode mode)
{
    while (*done < size) {
        const uint8_t *here = text + *done;
        size_t rest = size - *done, room = (size_t)(limit - *at);
        size_t sure = room > TJ_ESCAPE_SLACK ? (room - TJ_ESCAPE_SLACK) / TJ_ESCAPE_GROWTH : 0;
        if (sure >= rest || sure >= PORTION) {
            size_t portion = cut(here, rest, sure);
            *at = tj_unsafe_escape(*at, here, portion, mode);
            *done += portion;
            continue;
        }
        size_t next = code_point_size(here, rest);
        uint8_t escaped[TJ_ESCAPE_GROWTH * 4 + TJ_ESCAPE_SLACK];
        size_t needed = (size_t)(tj_unsafe_escape(escaped, here, next, mode) - escaped);
        if (needed > room) return TJ_FULL;
        memcpy(*at, escaped, needed);
        *at += needed;
        *done += next;
    }
    return TJ_OK;
}
