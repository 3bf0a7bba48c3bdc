/* Core. Writes the escapes of the bytes that a vector kernel flagged, and the end of a text. */
#include "vector16.h"

#ifdef TJ_SIMD

TJ_INLINE tj_v16 vector_of(tj_piece piece)
{
    return tj_v16_of((uint64_t)piece, (uint64_t)(piece >> 64));
}

/* Whether the flagged byte text[i] is really escaped: checks candidates. */
TJ_INLINE bool sure(const uint8_t *text, size_t size, size_t i, tj_escape_mode mode)
{
    return mode == TJ_ESCAPE_JSON || text[i] != TJ_SEPARATOR_LEAD ||
           tj_is_separator(text + i, size - i);
}

TJ_INLINE uint8_t *escape_marked(uint8_t *at, const uint8_t *text, size_t size, size_t *i,
                                 uint64_t mask, tj_escape_mode mode)
{
    size_t start = *i, end = size - start < 64 ? size : start + 64, done = start, taken;
    if (mode != TJ_ESCAPE_JSON)
        for (uint64_t rest = mask; rest; rest &= rest - 1)
            if (!sure(text, size, start + (size_t)__builtin_ctzll(rest), mode))
                mask ^= rest & (0 - rest);
    while (mask) {
        size_t next = start + (size_t)__builtin_ctzll(mask);
        mask &= mask - 1;
        at = tj_escape_one(at + (next - done), text + next, &taken, mode);
        done = next + taken;
        size_t stop = mask ? start + (size_t)__builtin_ctzll(mask) : end;
        for (size_t from = done; from < stop; from += 16)
            tj_copy_16(at + (from - done), text, size, from);
    }
    *i = done > end ? done : end;
    return at + (*i - done);
}

uint8_t *tj_escape_marked(uint8_t *at, const uint8_t *text, size_t size, size_t *i, uint64_t mask,
                          tj_escape_mode mode)
{
    if (mode == TJ_ESCAPE_JSON) return escape_marked(at, text, size, i, mask, TJ_ESCAPE_JSON);
    if (mode == TJ_ESCAPE_HTML) return escape_marked(at, text, size, i, mask, TJ_ESCAPE_HTML);
    return escape_marked(at, text, size, i, mask, TJ_ESCAPE_HTML_IN_JSON);
}

TJ_INLINE size_t plain_rest(const uint8_t *text, size_t size, size_t i, tj_escape_mode mode)
{
    for (; i < size; i += 16) {
        size_t here = size - i < 16 ? size - i : 16;
        uint64_t mask = tj_v16_mask(tj_v16_flags(vector_of(tj_piece_at(text, size, i)), mode));
        for (mask &= ((uint64_t)1 << here) - 1; mask; mask &= mask - 1) {
            size_t next = i + (size_t)__builtin_ctzll(mask);
            if (sure(text, size, next, mode)) return next;
        }
    }
    return size;
}

size_t tj_escape_plain_rest(const uint8_t *text, size_t size, size_t from, tj_escape_mode mode)
{
    if (mode == TJ_ESCAPE_JSON) return plain_rest(text, size, from, TJ_ESCAPE_JSON);
    if (mode == TJ_ESCAPE_HTML) return plain_rest(text, size, from, TJ_ESCAPE_HTML);
    return plain_rest(text, size, from, TJ_ESCAPE_HTML_IN_JSON);
}

#endif
