/* Core, private to escape_avx2.c and escape_neon.c, included by escape_kernel.h. Blocks full of short
 * escapes: quotes, backslashes, line ends. Eight bytes of text become up to sixteen by one shuffle.
 *
 * Beyond what escape_kernel.h asks for, the including file defines
 *
 *     vec_short_letter(v): the letter of each byte below 16 that has a short escape (tj_short_letters),
 *     0 for all others; vec_max (unsigned); vec_choose(which, a, b): a where the byte of `which` is
 *     0xff, b where it is 0; and vec_shuffle_16(v, index), of tj_v16.
 *
 * Each escaped byte is replaced by a backslash in one copy of the block, and by its letter in another;
 * tj_escape_spread then tells for each byte of the mask which bytes of the two follow each other. */

/* From this many escapes in 64 bytes on it is faster than one after the other: 4 and 8 measured the
 * same or worse, 12 half as fast on text with 10. */
#define DENSE 6

/* False, and nothing done, when an escape of the block is not a short one. Otherwise writes the block
 * and moves *at. BLOCK bytes may be scribbled on behind what is written. */
TJ_INLINE TJ_TARGET bool escape_dense(uint8_t **at, const block *b, uint64_t mask)
{
    uint8_t first[BLOCK], letter[BLOCK];
    uint64_t found = 0;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) {
        VEC v = b->v[k], low = vec_short_letter(v);
        VEC itself = vec_or(vec_equal(v, '"'), vec_equal(v, '\\'));
        VEC escaped = vec_choose(vec_equal(low, 0), itself, vec_fill(0xff));
        found |= vec_mask(escaped) << (k * VEC_SIZE);
        vec_store(first + k * VEC_SIZE, vec_choose(escaped, vec_fill('\\'), v));
        vec_store(letter + k * VEC_SIZE, vec_max(low, v));
    }
    if (found != mask) return false;

    uint8_t *to = *at;
    for (int k = 0; k < BLOCK; k += 8, mask >>= 8) {
        tj_v16 both = tj_v16_of(tj_load8(first + k), tj_load8(letter + k));
        tj_v16_store(to, vec_shuffle_16(both, tj_v16_load(tj_escape_spread[mask & 0xff])));
        to += 8 + __builtin_popcountll(mask & 0xff);
    }
    *at = to;
    return true;
}
