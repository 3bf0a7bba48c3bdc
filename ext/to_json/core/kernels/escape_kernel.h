/* Core, private to escape_sse2.c, escape_avx2.c and escape_neon.c. The escape kernels, for vectors
 * of any width. The including file defines
 *
 *     TJ_TARGET, VEC, VEC_SIZE (16 or 32), and vec_load, vec_store, vec_or, vec_and, vec_fill,
 *     vec_equal, vec_flags, vec_sure, vec_any, vec_mask as vector16.h describes them;
 *     VEC_DENSE if it has what escape_dense.h needs;
 *     VEC_LEAD if only candidates have the flag TJ_HALF_LEAD.
 *
 * The text is written in blocks of 64 bytes. Each block is copied unchanged, and then tested. If
 * something must be escaped, a mask has a bit for each such byte, and the bytes after each escape
 * are copied once more to their new place. No byte outside text[0, size) is read. */

#define BLOCK 64
#define VECTORS (BLOCK / VEC_SIZE)
/* How many bytes from the start of a block may be read: U+2028 at its last byte ends 2 bytes after
 * the block, and 32 bytes from there are copied. */
#define REACH (BLOCK + 2 + 32)

typedef struct {
    VEC v[VECTORS], flags[VECTORS];
    VEC all; /* all flags, or-ed */
} block;

/* Loads the block. `places` are the addresses of its vectors. */
TJ_INLINE TJ_TARGET block block_of(const uint8_t *const places[VECTORS], tj_escape_mode mode)
{
    block b;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) {
        b.v[k] = vec_load(places[k]);
        b.flags[k] = vec_flags(b.v[k], mode);
        b.all = k ? vec_or(b.all, b.flags[k]) : b.flags[k];
    }
    return b;
}

TJ_INLINE TJ_TARGET block block_at(const uint8_t *text, tj_escape_mode mode)
{
    const uint8_t *places[VECTORS];
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) places[k] = text + k * VEC_SIZE;
    return block_of(places, mode);
}

/* Removes the flags of candidates that are not U+2028 or U+2029. Reads BLOCK + 2 bytes. */
TJ_INLINE TJ_TARGET void make_sure(block *b, const uint8_t *text)
{
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++, text += VEC_SIZE) {
        VEC second = vec_equal(vec_load(text + 1), 0x80);
        VEC third = vec_equal(vec_or(vec_load(text + 2), vec_fill(1)), 0xa9);
        VEC separators = vec_and(vec_equal(b->v[k], TJ_SEPARATOR_LEAD), vec_and(second, third));
        b->flags[k] = vec_or(vec_sure(b->flags[k], b->v[k]), separators);
        b->all = k ? vec_or(b->all, b->flags[k]) : b->flags[k];
    }
}

/* Whether a flag may be that of a candidate. */
TJ_INLINE TJ_TARGET bool unsure(const block *b, tj_escape_mode mode)
{
    if (mode == TJ_ESCAPE_JSON) return false;
#ifdef VEC_LEAD
    return vec_any(vec_and(b->all, vec_fill(TJ_HALF_LEAD)));
#else
    VEC leads = vec_equal(b->v[0], TJ_SEPARATOR_LEAD);
#pragma GCC unroll 4
    for (int k = 1; k < VECTORS; k++) leads = vec_or(leads, vec_equal(b->v[k], TJ_SEPARATOR_LEAD));
    return vec_any(leads);
#endif
}

/* One bit for each byte. */
TJ_INLINE TJ_TARGET uint64_t block_mask(const block *b)
{
    uint64_t mask = 0;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) mask |= vec_mask(b->flags[k]) << (k * VEC_SIZE);
    return mask;
}

TJ_INLINE TJ_TARGET void copy_32(uint8_t *at, const uint8_t *text)
{
#pragma GCC unroll 2
    for (int k = 0; k < 32; k += VEC_SIZE) vec_store(at + k, vec_load(text + k));
}

#ifdef VEC_DENSE
#include "escape_dense.h"
#endif

/* Does the work of tj_escape_marked for a block inside the text. `mask` has no candidates and is
 * not 0. REACH bytes may be read at `text`. *taken becomes the number of bytes of text that were
 * written: 64 to 66. */
TJ_INLINE TJ_TARGET uint8_t *escape_block(uint8_t *at, const uint8_t *text, uint64_t mask,
                                          size_t *taken, tj_escape_mode mode)
{
    size_t done = 0, copied = BLOCK; /* bytes of the block */
    do {
        size_t next = (size_t)__builtin_ctzll(mask), size;
        mask &= mask - 1;
        if (next > copied) copy_32(at + 32, text + done + 32);
        at = tj_escape_one(at + (next - done), text + next, &size, mode);
        done = next + size;
        copied = done + 32;
        copy_32(at, text + done);
    } while (mask);
    if (copied < BLOCK) copy_32(at + 32, text + done + 32);
    *taken = done > BLOCK ? done : BLOCK;
    return at + (*taken - done);
}

/* Writes the last 1 to 64 bytes. It reads vectors that overlap if there are fewer than 64 bytes, so
 * that the size costs no branch. `plain`: nothing was escaped so far. */
TJ_INLINE TJ_TARGET uint8_t *escape_last(uint8_t *at, const uint8_t *text, size_t size, size_t i,
                                         bool plain, tj_escape_mode mode)
{
    const uint8_t *places[VECTORS];
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) {
        size_t place = i + (size_t)(k * VEC_SIZE);
        places[k] = text + (place + VEC_SIZE <= size ? place : size - VEC_SIZE);
    }
    block b = block_of(places, mode);
    if (plain) {
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k++) vec_store(at + (places[k] - (text + i)), b.v[k]);
    } else {
        for (size_t from = i; from < size; from += 16)
            tj_copy_16(at + (from - i), text, size, from);
    }
    if (TJ_LIKELY(!vec_any(b.all))) return at + (size - i);

    uint64_t mask = 0;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) {
        uint64_t m = vec_mask(b.flags[k]);
        mask |= places[k] >= text + i ? m << (places[k] - (text + i)) : m >> (text + i - places[k]);
    }
    return tj_escape_marked(at, text, size, &i, mask, mode);
}

/* Writes text[i, size), i < size, once something must be escaped. */
TJ_INLINE TJ_TARGET uint8_t *escape_from(uint8_t *at, const uint8_t *text, size_t size, size_t i,
                                         tj_escape_mode mode)
{
    while (size - i > BLOCK) {
        block b = block_at(text + i, mode);
        size_t taken = BLOCK;
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k++) vec_store(at + k * VEC_SIZE, b.v[k]);
        if (!vec_any(b.all)) {
            at += BLOCK;
        } else if (size - i < REACH) {
            size_t next = i;
            at = tj_escape_marked(at, text, size, &next, block_mask(&b), mode);
            taken = next - i;
        } else {
            bool doubt = unsure(&b, mode);
            if (doubt) make_sure(&b, text + i);
            uint64_t mask = block_mask(&b);
            if (mode != TJ_ESCAPE_JSON && !mask) at += BLOCK;
#ifdef VEC_DENSE
            else if (mode != TJ_ESCAPE_HTML_IN_JSON && __builtin_popcountll(mask) >= TJ_DENSE &&
                     escape_dense(&at, &b, mask))
                taken = BLOCK;
#endif
            else if (doubt) at = escape_block(at, text + i, mask, &taken, mode);
            /* without U+2028 and U+2029 all modes have the same escapes */
            else at = escape_block(at, text + i, mask, &taken, TJ_ESCAPE_JSON);
        }
        i += taken;
    }
    return i < size ? escape_last(at, text, size, i, false, mode) : at;
}

/* Out of line, so that text without escapes does not pay for the registers that this needs. */
TJ_NOINLINE TJ_TARGET static uint8_t *escape_on(uint8_t *at, const uint8_t *text, size_t size,
                                                size_t i, tj_escape_mode mode)
{
    if (mode == TJ_ESCAPE_JSON) return escape_from(at, text, size, i, TJ_ESCAPE_JSON);
    if (mode == TJ_ESCAPE_HTML) return escape_from(at, text, size, i, TJ_ESCAPE_HTML);
    return escape_from(at, text, size, i, TJ_ESCAPE_HTML_IN_JSON);
}

/* Needs size >= TJ_LONG. */
TJ_INLINE TJ_TARGET uint8_t *escape(uint8_t *at, const uint8_t *text, size_t size,
                                    tj_escape_mode mode)
{
    size_t i = 0;
    for (; size - i > BLOCK; i += BLOCK) {
        block b = block_at(text + i, mode);
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k++) vec_store(at + i + k * VEC_SIZE, b.v[k]);
        if (TJ_UNLIKELY(vec_any(b.all))) return escape_on(at + i, text, size, i, mode);
    }
    return escape_last(at + i, text, size, i, true, mode);
}

/* Needs size >= TJ_LONG. */
TJ_INLINE TJ_TARGET size_t plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode)
{
    size_t i = 0;
    for (; size - i >= BLOCK + 2; i += BLOCK) {
        block b = block_at(text + i, mode);
        if (TJ_LIKELY(!vec_any(b.all))) continue;
        if (unsure(&b, mode)) {
            make_sure(&b, text + i);
            if (!vec_any(b.all)) continue;
        }
        return i + (size_t)__builtin_ctzll(block_mask(&b));
    }
    return tj_escape_plain_rest(text, size, i, mode);
}

/* Needs size >= BLOCK. */
TJ_INLINE TJ_TARGET size_t copy_plain(uint8_t *at, const uint8_t *text, size_t size,
                                      tj_escape_mode mode)
{
    size_t i = 0;
    for (; size - i >= BLOCK; i += BLOCK) {
        block b = block_at(text + i, mode);
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k++) vec_store(at + i + k * VEC_SIZE, b.v[k]);
        if (TJ_LIKELY(!vec_any(b.all))) continue;
        if (unsure(&b, mode)) {
            if (size - i < BLOCK + 2) return i;
            make_sure(&b, text + i);
            if (!vec_any(b.all)) continue;
        }
        return i + (size_t)__builtin_ctzll(block_mask(&b));
    }
    block b = block_at(text + size - BLOCK, mode);
    if (vec_any(b.all)) return i;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) vec_store(at + size - BLOCK + k * VEC_SIZE, b.v[k]);
    return size;
}

#include "escape_modes.h"
