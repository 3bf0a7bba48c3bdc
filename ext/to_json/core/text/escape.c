/* Core. Escapes text: short text here, long text by a kernel, and text for limited room in
 * portions. */
#include "escape.h"
#include "../kernels/vector16.h"
#include "escape_composed.h"

#ifdef TJ_SIMD

/* Continues with text of at most 64 bytes that was copied to `at`; `mask` has a bit for each byte
 * that may be escaped. Out of line: because the address of `i` is taken, the short paths would get
 * a protected stack frame. */
static TJ_NOINLINE uint8_t *escape_copied(uint8_t *at, const uint8_t *text, size_t size,
                                          uint64_t mask, tj_escape_mode mode)
{
    size_t i = 0;
    return tj_escape_marked(at, text, size, &i, mask, mode);
}

#define TJ_MIDDLING 64

/* Without POPCNT, which some x86-64 CPUs do not have. */
TJ_INLINE bool is_dense(uint64_t mask)
{
    for (int k = 1; k < TJ_DENSE; k++) mask &= mask - 1;
    return mask != 0;
}

/* Writes 33 to 64 bytes with something to escape. It works on a copy with room after it, so that 16
 * or 64 bytes can be read from any place. */
static TJ_NOINLINE uint8_t *escape_middling_marked(uint8_t *at, const uint8_t *text, size_t size)
{
    uint8_t copy[TJ_MIDDLING + 16];
    uint64_t masks[4];
    const size_t places[4] = {0, 16, size - 32, size - 16};
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        tj_v16 v = tj_v16_load(text + places[k]);
        tj_v16_store(copy + places[k], v);
        masks[k] = tj_v16_mask(tj_v16_flags(v, TJ_ESCAPE_JSON));
    }
    uint64_t mask = masks[0] | masks[1] << 16 | (masks[2] | masks[3] << 16) << (size - 32);
    if (tj_simd.escape->padded && is_dense(mask))
        return tj_simd.escape->padded(at, copy, size, mask);
    size_t done = 0;
    do {
        size_t next = (size_t)__builtin_ctzll(mask), taken;
        at = tj_escape_one(at + (next - done), copy + next, &taken, TJ_ESCAPE_JSON);
        done = next + 1;
        mask &= mask - 1;
        size_t stop = mask ? (size_t)__builtin_ctzll(mask) : size, from = done;
        do tj_v16_store(at + (from - done), tj_v16_load(copy + from));
        while ((from += 16) < stop);
    } while (mask);
    return at + (size - done);
}

/* Writes 33 to 64 bytes as four vectors, two from each end. The least byte of all four says whether
 * there is a control character. */
TJ_INLINE uint8_t *escape_middling(uint8_t *at, const uint8_t *text, size_t size)
{
    tj_v16 a = tj_v16_load(text), b = tj_v16_load(text + 16), c = tj_v16_load(text + size - 32),
           d = tj_v16_load(text + size - 16);
    tj_v16 quotes = tj_v16_or(tj_v16_or(tj_v16_equal(a, '"'), tj_v16_equal(b, '"')),
                              tj_v16_or(tj_v16_equal(c, '"'), tj_v16_equal(d, '"')));
    tj_v16 slashes = tj_v16_or(tj_v16_or(tj_v16_equal(a, '\\'), tj_v16_equal(b, '\\')),
                               tj_v16_or(tj_v16_equal(c, '\\'), tj_v16_equal(d, '\\')));
    tj_v16 control = tj_v16_control(tj_v16_min(tj_v16_min(a, b), tj_v16_min(c, d)));
    tj_v16_store(at, a);
    tj_v16_store(at + 16, b);
    tj_v16_store(at + size - 32, c);
    tj_v16_store(at + size - 16, d);
    if (TJ_LIKELY(!tj_v16_any(tj_v16_or(control, tj_v16_or(quotes, slashes))))) return at + size;
    return escape_middling_marked(at, text, size);
}

/* Writes fewer than TJ_LONG bytes: copies and tests two halves that overlap, without a loop or an
 * indirect call. */
TJ_INLINE uint8_t *escape_short(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    uint64_t mask; /* bits of the first half, and of the second at its place */
    if (size >= 16) {
        tj_v16 head = tj_v16_load(text), tail = tj_v16_load(text + size - 16);
        tj_v16 head_flags = tj_v16_flags(head, mode), tail_flags = tj_v16_flags(tail, mode);
        tj_v16_store(at, head);
        tj_v16_store(at + size - 16, tail);
        if (TJ_LIKELY(!tj_v16_any(tj_v16_or(head_flags, tail_flags)))) return at + size;
        mask = tj_v16_mask(head_flags) | tj_v16_mask(tail_flags) << (size - 16);
    } else if (size >= 8) {
        uint64_t head = tj_load8(text), tail = tj_load8(text + size - 8);
        tj_v16 flags = tj_v16_flags(tj_v16_of(head, tail), mode);
        tj_store8(at, head);
        tj_store8(at + size - 8, tail);
        if (TJ_LIKELY(!tj_v16_any(flags))) return at + size;
        mask = (tj_v16_mask(flags) & 0xff) | tj_v16_mask(flags) >> 8 << (size - 8);
    } else if (size >= 4) {
        uint32_t head = tj_load4(text), tail = tj_load4(text + size - 4);
        uint64_t both = (uint64_t)tail << 32 | head;
        tj_v16 flags = tj_v16_flags(tj_v16_of(both, both), mode);
        tj_store4(at, head);
        tj_store4(at + size - 4, tail);
        if (TJ_LIKELY(!tj_v16_any(flags))) return at + size;
        mask = (tj_v16_mask(flags) & 0x0f) | (tj_v16_mask(flags) >> 4 & 0x0f) << (size - 4);
    } else {
        mask = 0;
        for (size_t k = 0; k < size; k++) {
            at[k] = text[k];
            mask |= (uint64_t)(tj_escape_class[text[k]] >> mode & 1) << k;
        }
        if (TJ_LIKELY(!mask)) return at + size;
    }
    return escape_copied(at, text, size, mask, mode);
}

#endif

TJ_INLINE uint8_t *unsafe_escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
#ifdef TJ_SIMD
    if (TJ_LIKELY(size < TJ_LONG && tj_simd.vectors)) return escape_short(at, text, size, mode);
    if (mode == TJ_ESCAPE_JSON && size <= TJ_MIDDLING && tj_simd.vectors)
        return escape_middling(at, text, size);
#endif
    return tj_simd.escape->escape[mode](at, text, size);
}

uint8_t *tj_unsafe_escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    if (TJ_LIKELY(mode == TJ_ESCAPE_JSON)) return unsafe_escape(at, text, size, TJ_ESCAPE_JSON);
    if (mode == TJ_ESCAPE_HTML) return unsafe_escape(at, text, size, TJ_ESCAPE_HTML);
    if (mode >= TJ_ESCAPE_COMPOSED) return tj_escape_composed(at, text, size, mode);
    return unsafe_escape(at, text, size, TJ_ESCAPE_HTML_IN_JSON);
}

size_t tj_escape_plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode)
{
    if (mode >= TJ_ESCAPE_COMPOSED) return tj_escape_composed_plain_prefix(text, size, mode);
#ifdef TJ_SIMD
    if (size < TJ_LONG && tj_simd.vectors) return tj_escape_plain_rest(text, size, 0, mode);
#endif
    return tj_simd.escape->plain_prefix[mode](text, size);
}

/* The largest size <= most that does not cut a code point of text[0, size). */
TJ_INLINE size_t cut(const uint8_t *text, size_t size, size_t most)
{
    if (most >= size) return size;
    size_t n = most;
    while (n > 0 && most - n < 3 && (text[n] & 0xc0) == 0x80) n--;
    return n;
}

/* If fewer bytes than this are sure to fit, it computes exact sizes and fills the room to its
 * end. */
#define PORTION 16
/* Text of this size or more is copied before it is escaped, as long as it needs no escape. So it
 * does not need six times its size of room. After so long a stretch another one is likely. */
#define STRETCH 256

/* Copies the bytes of text[0, fits) that need no escape, up to the start of a code point. */
static size_t copy_stretch(uint8_t *at, const uint8_t *text, size_t fits, tj_escape_mode mode)
{
    size_t plain = tj_simd.escape->copy_plain[mode](at, text, fits);
    while (plain > 0 && plain < fits && (text[plain] & 0xc0) == 0x80) plain--;
    return plain;
}

tj_status tj_escape(uint8_t **at, const uint8_t *limit, const uint8_t *text, size_t size,
                    size_t *done, tj_escape_mode mode)
{
    while (*done < size) {
        const uint8_t *here = text + *done;
        size_t rest = size - *done, room = (size_t)(limit - *at);
        size_t sure = room > TJ_ESCAPE_SLACK ? (room - TJ_ESCAPE_SLACK) / TJ_ESCAPE_GROWTH : 0;
        if (rest >= STRETCH && room >= STRETCH && mode < TJ_ESCAPE_COMPOSED) {
            size_t fits = cut(here, rest, room), stretch = copy_stretch(*at, here, fits, mode);
            *at += stretch;
            *done += stretch;
            if (stretch == fits) continue;
            here += stretch;
            rest -= stretch;
            room -= stretch;
            sure = room > TJ_ESCAPE_SLACK ? (room - TJ_ESCAPE_SLACK) / TJ_ESCAPE_GROWTH : 0;
            if (stretch >= STRETCH && sure > STRETCH) sure = STRETCH;
        }
        if (sure >= rest || sure >= PORTION) {
            size_t portion = cut(here, rest, sure);
            *at = tj_unsafe_escape(*at, here, portion, mode);
            *done += portion;
            continue;
        }
        size_t fits = cut(here, rest, room), plain = tj_escape_plain_prefix(here, fits, mode);
        memcpy(*at, here, plain);
        *at += plain;
        *done += plain;
        if (plain == rest) break;
        if (plain == fits) return TJ_FULL; /* less than a code point is left */

        uint8_t form[16];
        size_t taken,
            needed =
                mode >= TJ_ESCAPE_COMPOSED
                    ? (size_t)(tj_escape_composed_one(form, here + plain, rest - plain, &taken) -
                               form)
                    : (size_t)(tj_escape_one(form, here + plain, &taken, mode) - form);
        if (needed > (size_t)(limit - *at)) return TJ_FULL;
        memcpy(*at, form, needed);
        *at += needed;
        *done += taken;
    }
    return TJ_OK;
}
