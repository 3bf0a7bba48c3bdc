/* Core, private to utf8_ssse3.c, utf8_avx2.c and utf8_neon.c. Validates UTF-8 with vectors of any
 * width. The algorithm is that of J. Keiser and D. Lemire, "Validating UTF-8 in less than one
 * instruction per byte" (Software: Practice and Experience 51, 2021). The including file defines
 *
 *     TJ_TARGET, VEC, VEC_SIZE (16 or 32),
 *     vec_load, vec_zero(), vec_or, vec_and, vec_xor, vec_fill(byte),
 *     vec_any (some bit is set), vec_any_high (some byte >= 0x80),
 *     vec_high_half(v) and vec_low_half(v) of each byte, vec_lookup(16-byte table, halves),
 *     vec_subtract (unsigned, saturating), vec_behind(v, before, n): v moved n bytes towards its
 *     end, after the last n bytes of `before`; and vec_of_pieces(first, second).
 *
 * Three half bytes of two neighbouring bytes are enough to find all errors of the pair: both halves
 * of the first byte and the high half of the second. For each half a table has the set of errors
 * that are still possible. An error that is in all three sets has happened. TWO_MORE is no error if
 * the byte is the third or fourth of its sequence. */

/* The errors of a pair of bytes, the first and the second. */
#define NO_MORE 0x01     /* a first byte of a sequence, and no continuation follows */
#define NO_LEAD 0x02     /* a continuation follows ASCII */
#define OVERLONG_2 0x04  /* c0 and c1 */
#define OVERLONG_3 0x08  /* e0, below a0 */
/* f0, below 90; also f5 and above with 8x, which shares the bit of TOO_LARGE */
#define OVERLONG_4 0x10
#define SURROGATE 0x20   /* ed, a0 and above */
#define TOO_LARGE 0x40   /* f4, 90 and above; f5 and above, with 9x to bx */
#define TWO_MORE 0x80    /* two continuations in a row */

/* errors that the low half of the first byte cannot exclude */
#define ANY_LOW (NO_MORE | NO_LEAD | TWO_MORE)

static const uint8_t first_high[16] = {
    NO_LEAD, NO_LEAD, NO_LEAD, NO_LEAD, NO_LEAD, NO_LEAD, NO_LEAD, NO_LEAD, /* 0x to 7x */
    TWO_MORE, TWO_MORE, TWO_MORE, TWO_MORE,                                 /* 8x to bx */
    NO_MORE | OVERLONG_2,                                                   /* cx */
    NO_MORE,                                                                /* dx */
    NO_MORE | OVERLONG_3 | SURROGATE,                                       /* ex */
    NO_MORE | OVERLONG_4 | TOO_LARGE,                                       /* fx */
};

#define FROM_5 (ANY_LOW | OVERLONG_4 | TOO_LARGE)
static const uint8_t first_low[16] = {
    ANY_LOW | OVERLONG_2 | OVERLONG_3 | OVERLONG_4, /* c0, e0, f0 */
    ANY_LOW | OVERLONG_2,                           /* c1 */
    ANY_LOW, ANY_LOW,
    ANY_LOW | TOO_LARGE, /* f4 */
    FROM_5, FROM_5, FROM_5, FROM_5, FROM_5, FROM_5, FROM_5, FROM_5,
    FROM_5 | SURROGATE, /* ed, fd */
    FROM_5, FROM_5,
};

#define CONTINUATION (NO_LEAD | OVERLONG_2 | TWO_MORE)
static const uint8_t second_high[16] = {
    NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE, NO_MORE, /* 0x to 7x */
    CONTINUATION | OVERLONG_3 | OVERLONG_4,                                 /* 8x */
    CONTINUATION | OVERLONG_3 | TOO_LARGE,                                  /* 9x */
    CONTINUATION | SURROGATE | TOO_LARGE,                                   /* ax */
    CONTINUATION | SURROGATE | TOO_LARGE,                                   /* bx */
    NO_MORE, NO_MORE, NO_MORE, NO_MORE,                                     /* cx to fx */
};

/* Not 0 if `v` has an error. `before` is the vector before it. */
TJ_INLINE TJ_TARGET VEC errors_of(VEC v, VEC before)
{
    VEC first = vec_behind(v, before, 1);
    VEC pair = vec_and(vec_and(vec_lookup(first_high, vec_high_half(first)),
                               vec_lookup(first_low, vec_low_half(first))),
                       vec_lookup(second_high, vec_high_half(v)));
    /* Bit 7 is set for the third byte of three or four and for the fourth, as it is in TWO_MORE. */
    VEC third = vec_subtract(vec_behind(v, before, 2), vec_fill(0xe0 - 0x80));
    VEC fourth = vec_subtract(vec_behind(v, before, 3), vec_fill(0xf0 - 0x80));
    return vec_xor(vec_and(vec_or(third, fourth), vec_fill(TWO_MORE)), pair);
}

/* Not 0 if the last bytes of `v` begin a sequence that goes on after it. */
TJ_INLINE TJ_TARGET VEC cut_off(VEC v)
{
    static const uint8_t most[32] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 0xdf, 0xbf,
    };
    return vec_subtract(v, vec_load(most + 32 - VEC_SIZE));
}

/* Loads text[i, size), fewer bytes than a vector has, with zeros after them: so a sequence that the
 * end of the text cuts is an error. */
TJ_INLINE TJ_TARGET VEC last_bytes(const uint8_t *text, size_t size, size_t i)
{
    if (i == size) return vec_zero();
    tj_piece first = tj_piece_at(text, size, i);
    return vec_of_pieces(first,
                         VEC_SIZE > 16 && size - i > 16 ? tj_piece_at(text, size, i + 16) : 0);
}

/* Chinese, Japanese and Korean text has long runs of sequences of three bytes. Three vectors hold a
 * whole number of such sequences, so the bounds of each byte are constant. This path takes first
 * bytes e1 to ec, which any continuation may follow. All others use the general path. */
#define THREES (3 * VEC_SIZE)
#define BOUNDS_16(a, b, c) a, b, c, a, b, c, a, b, c, a, b, c, a, b, c, a
#define BOUNDS_48(a, b, c) BOUNDS_16(a, b, c), BOUNDS_16(b, c, a), BOUNDS_16(c, a, b)
static const uint8_t least_of_threes[96] = {BOUNDS_48(0xe1, 0x80, 0x80),
                                            BOUNDS_48(0xe1, 0x80, 0x80)};
static const uint8_t most_of_threes[96] = {BOUNDS_48(0xec, 0xbf, 0xbf),
                                           BOUNDS_48(0xec, 0xbf, 0xbf)};

/* Returns the end of the run of such sequences that begins at text[i] or up to two bytes before. */
TJ_INLINE TJ_TARGET size_t behind_threes(const uint8_t *text, size_t size, size_t i)
{
    for (; size - i >= THREES; i += THREES) {
        VEC wrong = vec_zero();
#pragma GCC unroll 3
        for (int k = 0; k < THREES; k += VEC_SIZE) {
            VEC v = vec_load(text + i + k);
            VEC outside = vec_or(vec_subtract(vec_load(least_of_threes + k), v),
                                 vec_subtract(v, vec_load(most_of_threes + k)));
            wrong = k ? vec_or(wrong, outside) : outside;
        }
        if (vec_any(wrong)) break;
    }
    return i;
}

/* After a try that found no such run, this many blocks are checked before the next try. */
#define VAIN_BLOCKS 4

#define BLOCK 64
#define VECTORS (BLOCK / VEC_SIZE)

/* tj_utf8_valid_prefix. Needs size > 0. */
TJ_INLINE TJ_TARGET size_t valid_prefix(const uint8_t *text, size_t size, bool *ascii)
{
    size_t i = 0;
    bool seen = false; /* whether there was a byte above ASCII */
    VEC before = vec_zero();
    unsigned vain = 0;
    for (; size - i >= BLOCK; i += BLOCK) {
        VEC v[VECTORS], all;
#pragma GCC unroll 4
        for (int k = 0; k < VECTORS; k++) {
            v[k] = vec_load(text + i + k * VEC_SIZE);
            all = k ? vec_or(all, v[k]) : v[k];
        }
        VEC errors;
        if (TJ_LIKELY(!vec_any_high(all))) {
            if (!seen) continue;
            errors = cut_off(before);
        } else {
            seen = true;
            if (vain > 0) vain--;
            else {
                /* Goes back to the start of the sequence that contains text[i]. The text before it
                 * is valid, or is checked now. */
                size_t start =
                    i - (i > 0 && text[i] < 0xc0) - (i > 1 && text[i] < 0xc0 && text[i - 1] < 0xc0);
                size_t end = start < i || !vec_any(cut_off(before))
                                 ? behind_threes(text, size, start)
                                 : start;
                if (end >= i + BLOCK) {
                    before = vec_zero();
                    i = end - BLOCK;
                    continue;
                }
                vain = VAIN_BLOCKS;
            }
            errors = errors_of(v[0], before);
#pragma GCC unroll 4
            for (int k = 1; k < VECTORS; k++) errors = vec_or(errors, errors_of(v[k], v[k - 1]));
        }
        if (TJ_UNLIKELY(vec_any(errors))) return tj_utf8_rescan(text, size, i, ascii);
        before = v[VECTORS - 1];
    }
    /* the rest: the last 64 bytes of the text, or 32 at each end of it */
    if (!seen && size >= 32) {
        const uint8_t *head = text + (size >= BLOCK ? size - BLOCK : 0), *tail = text + size - 32;
        VEC all = vec_or(vec_load(head), vec_load(tail));
        if (VEC_SIZE == 16) all = vec_or(all, vec_or(vec_load(head + 16), vec_load(tail + 16)));
        if (TJ_LIKELY(!vec_any_high(all))) {
            *ascii = true;
            return size;
        }
    }
    VEC errors = vec_zero(), all = vec_zero();
    size_t good = i;
    for (; size - i >= VEC_SIZE; i += VEC_SIZE) {
        VEC v = vec_load(text + i);
        errors = vec_or(errors, errors_of(v, before));
        all = vec_or(all, v);
        before = v;
    }
    VEC v = last_bytes(text, size, i);
    errors = vec_or(errors, errors_of(v, before));
    if (TJ_UNLIKELY(vec_any(errors))) return tj_utf8_rescan(text, size, good, ascii);
    *ascii = !seen && !vec_any_high(vec_or(all, v));
    return size;
}
