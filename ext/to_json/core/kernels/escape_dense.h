/* Core, private to escape_avx2.c and escape_neon.c, included by escape_kernel.h. Writes blocks with
 * many short escapes: quotes, backslashes, line ends. One shuffle makes up to 16 bytes from 8 bytes
 * of text.
 *
 * Besides what escape_kernel.h needs, the including file defines
 *
 *     vec_short_letter(v): the letter of each byte below 16 that has a short escape
 *     (tj_short_letters), 0 for all others; vec_max (unsigned); vec_choose(which, a, b): a where
 *     the byte of `which` is 0xff, b where it is 0; and vec_shuffle_16(v, index) of tj_v16.
 *
 * There are two copies of the block. In the first a backslash replaces each escaped byte, in the
 * second the letter of the escape replaces it. For each set of escaped bytes tj_escape_spread says
 * in which order the bytes of the two copies are written. */

typedef struct {
    uint8_t first[BLOCK], letter[BLOCK];
} copies;

/* Makes the two copies. Returns a bit for each byte that has a short escape. */
TJ_INLINE TJ_TARGET uint64_t make_copies(copies *c, const VEC v[VECTORS])
{
    uint64_t found = 0;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) {
        VEC low = vec_short_letter(v[k]);
        VEC itself = vec_or(vec_equal(v[k], '"'), vec_equal(v[k], '\\'));
        VEC escaped = vec_choose(vec_equal(low, 0), itself, vec_fill(0xff));
        found |= vec_mask(escaped) << (k * VEC_SIZE);
        vec_store(c->first + k * VEC_SIZE, vec_choose(escaped, vec_fill('\\'), v[k]));
        vec_store(c->letter + k * VEC_SIZE, vec_max(low, v[k]));
    }
    return found;
}

/* Writes bytes k to k + 7 of the text; the lowest 8 bits of `mask` say which of them are escaped.
 * May overwrite 16 bytes. */
TJ_INLINE TJ_TARGET uint8_t *spread_8(uint8_t *to, const copies *c, int k, uint64_t mask)
{
    tj_v16 both = tj_v16_of(tj_load8(c->first + k), tj_load8(c->letter + k));
    tj_v16_store(to, vec_shuffle_16(both, tj_v16_load(tj_escape_spread[mask & 0xff])));
    return to + 8 + __builtin_popcountll(mask & 0xff);
}

/* Writes the block and moves *at. Returns false and does nothing if the block has an escape that is
 * not short. May overwrite BLOCK bytes after what it writes. */
TJ_INLINE TJ_TARGET bool escape_dense(uint8_t **at, const block *b, uint64_t mask)
{
    copies c;
    if (make_copies(&c, b->v) != mask) return false;

    uint8_t *to = *at;
    for (int k = 0; k < BLOCK; k += 8, mask >>= 8) to = spread_8(to, &c, k, mask);
    *at = to;
    return true;
}

/* Writes text of at most 64 bytes; 64 bytes may be read. `mask` has a bit for each byte that JSON
 * escapes. Eight bytes with a long escape among them are written one by one. */
TJ_TARGET static uint8_t *escape_padded(uint8_t *at, const uint8_t *text, size_t size,
                                        uint64_t mask)
{
    VEC v[VECTORS];
    copies c;
#pragma GCC unroll 4
    for (int k = 0; k < VECTORS; k++) v[k] = vec_load(text + k * VEC_SIZE);
    uint64_t others = mask & ~make_copies(&c, v);
    for (size_t k = 0; k < size; k += 8, mask >>= 8, others >>= 8) {
        if (TJ_LIKELY(!(others & 0xff))) {
            at = spread_8(at, &c, (int)k, mask);
            continue;
        }
        size_t end = size - k < 8 ? size : k + 8, taken;
        for (size_t i = k; i < end; i++) {
            if (mask >> (i - k) & 1) at = tj_escape_one(at, text + i, &taken, TJ_ESCAPE_JSON);
            else *at++ = text[i];
        }
        if (end == size) return at;
    }
    /* the bytes after the text have no bit in `mask`, so each of them became one byte */
    return at - (-size & 7);
}
#define ESCAPE_PADDED escape_padded
