/* Core, private to escape_sse2.c, escape_avx2.c and escape_neon.c. The escape kernels over vectors of
 * any width. The including file defines
 *
 *     TJ_TARGET, VEC, VEC_SIZE, and vec_load, vec_store, vec_or, vec_equal, vec_flags, vec_any,
 *     vec_mask as vector16.h describes them.
 *
 * The text is taken in blocks of 64 bytes: each is copied as it stands, and then tested. Where
 * something must be escaped, a bit a byte tells where; the bytes behind each escape are copied once
 * more to their right place. No byte outside text[0, size) is read. */

#define BLOCK 64
#define VECTORS (BLOCK / VEC_SIZE)
/* How far from the start of a block the copying behind an escape may read: a separator at its last
 * byte ends 2 bytes behind it, and 32 bytes from there are copied. */
#define REACH (BLOCK + 2 + 32)

TJ_INLINE TJ_TARGET uint64_t block_mask(const VEC flags[VECTORS])
{
    uint64_t mask = 0;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) mask |= vec_mask(flags[k]) << (k * VEC_SIZE);
    return mask;
}

TJ_INLINE TJ_TARGET uint64_t block_equal(const VEC v[VECTORS], uint8_t byte)
{
    uint64_t mask = 0;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) mask |= vec_mask(vec_equal(v[k], byte)) << (k * VEC_SIZE);
    return mask;
}

/* Clears in `mask` the leads 0xe2 that start no separator. Those whose next bytes stand in the next
 * block stay: escape_block looks closer. */
TJ_INLINE TJ_TARGET uint64_t drop_other_leads(uint64_t mask, const VEC v[VECTORS])
{
    uint64_t leads = block_equal(v, TJ_SEPARATOR_LEAD);
    if (TJ_LIKELY(!leads)) return mask;
    uint64_t seconds = block_equal(v, 0x80) >> 1 | (uint64_t)1 << 63;
    uint64_t thirds = (block_equal(v, 0xa8) | block_equal(v, 0xa9)) >> 2 | (uint64_t)3 << 62;
    return mask & ~(leads & ~(seconds & thirds));
}

TJ_INLINE TJ_TARGET void copy_32(uint8_t *at, const uint8_t *text)
{
#pragma GCC unroll 2
    for (int k = 0; k < 32; k += VEC_SIZE) vec_store(at + k, vec_load(text + k));
}

/* Goes on with a block that has been copied to `at` already. `mask` is not 0; REACH bytes may be
 * read at `block`. *taken becomes the number of bytes dealt with: 64, or up to two more. */
TJ_INLINE TJ_TARGET uint8_t *escape_block(uint8_t *at, const uint8_t *block, uint64_t mask, size_t *taken,
                                          tj_escape_mode mode)
{
    size_t done = 0, copied = BLOCK; /* bytes of the block */
    do {
        size_t next = (size_t)__builtin_ctzll(mask), size = 1;
        mask &= mask - 1;
        if (mode != TJ_ESCAPE_JSON && block[next] == TJ_SEPARATOR_LEAD) {
            if (!tj_is_separator(block + next, REACH - BLOCK)) continue;
            size = TJ_SEPARATOR_SIZE;
        }
        if (next > copied) copy_32(at + 32, block + done + 32);
        at = tj_escape_one(at + (next - done), block + next);
        done = next + size;
        copied = done + 32;
        copy_32(at, block + done);
    } while (mask);
    if (copied < BLOCK) copy_32(at + 32, block + done + 32);
    *taken = done > BLOCK ? done : BLOCK;
    return at + (*taken - done);
}

/* size >= TJ_LONG. */
TJ_INLINE TJ_TARGET uint8_t *escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    size_t i = 0;
    while (size - i >= BLOCK) {
        VEC v[VECTORS], flags[VECTORS], all;
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k++) {
            v[k] = vec_load(text + i + k * VEC_SIZE);
            vec_store(at + k * VEC_SIZE, v[k]);
            flags[k] = vec_flags(v[k], mode);
            all = k ? vec_or(all, flags[k]) : flags[k];
        }
        size_t taken = BLOCK;
        if (TJ_UNLIKELY(vec_any(all))) {
            uint64_t mask = block_mask(flags);
            if (mode != TJ_ESCAPE_JSON) mask = drop_other_leads(mask, v);
            if (mask) {
                if (size - i < REACH) return tj_escape_rest(at, text, size, i, mode);
                at = escape_block(at, text + i, mask, &taken, mode);
                i += taken;
                continue;
            }
        }
        at += taken;
        i += taken;
    }
    for (; size - i >= VEC_SIZE; i += VEC_SIZE, at += VEC_SIZE) {
        VEC v = vec_load(text + i);
        vec_store(at, v);
        if (vec_any(vec_flags(v, mode))) return tj_escape_rest(at, text, size, i, mode);
    }
    if (i == size) return at;

    /* The last bytes, fewer than a vector, as the end of the text's last vector. It is stored over
     * what was written before, which is then put back. */
    size_t rest = size - i;
    VEC last = vec_load(text + size - VEC_SIZE);
    if (vec_mask(vec_flags(last, mode)) >> (VEC_SIZE - rest)) return tj_escape_rest(at, text, size, i, mode);
    VEC before = vec_load(at - VEC_SIZE);
    vec_store(at + rest - VEC_SIZE, last);
    vec_store(at - VEC_SIZE, before);
    return at + rest;
}

/* size >= TJ_LONG. */
TJ_INLINE TJ_TARGET size_t plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode)
{
    size_t i = 0;
    for (; size - i >= BLOCK; i += BLOCK) {
        VEC v[VECTORS], flags[VECTORS], all;
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k++) {
            v[k] = vec_load(text + i + k * VEC_SIZE);
            flags[k] = vec_flags(v[k], mode);
            all = k ? vec_or(all, flags[k]) : flags[k];
        }
        if (TJ_LIKELY(!vec_any(all))) continue;
        uint64_t mask = block_mask(flags);
        if (mode != TJ_ESCAPE_JSON) mask = drop_other_leads(mask, v);
        for (; mask; mask &= mask - 1) {
            size_t next = i + (size_t)__builtin_ctzll(mask);
            if (mode == TJ_ESCAPE_JSON || text[next] != TJ_SEPARATOR_LEAD || tj_is_separator(text + next, size - next))
                return next;
        }
    }
    return i < size ? tj_escape_plain_rest(text, size, i, mode) : size;
}

#include "escape_modes.h"
