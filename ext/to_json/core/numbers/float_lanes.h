/* Core. 16 decimal digits, one in each byte of a vector: split, counted, stored, with a point
 * inserted.
 *
 * There are two versions: one for SSE2, and one with 8-byte words for all other machines (and for
 * TJ_PORTABLE). Digits are split by multiplications on packed parts (Paul Khuong, "How to print
 * integers really fast", 2017). */
#ifndef TJ_FLOAT_LANES_H
#define TJ_FLOAT_LANES_H

#include "../status.h"

#define TJ_TEN_TO_8 100000000u

#if defined(__SSE2__) && !defined(TJ_PORTABLE)

#include <emmintrin.h>

typedef struct {
    __m128i ascii;
    int count; /* digits without the trailing zeros */
} tj_lanes;

/* Loaded from index 17 - n, this gives n bytes of ones followed by zeros, for n of 1 to 17. */
static const uint8_t tj_lanes_keep[33] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
};
/* Loaded from index 16 - n, this has the point at byte n, for n of 0 to 15; no point for 16. */
static const uint8_t tj_lanes_point[32] = {[16] = '.'};

TJ_INLINE __m128i tj_lanes_load(const uint8_t *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

/* Needs `digits` of 1 to 10^16 - 1. */
TJ_INLINE tj_lanes tj_lanes_of(uint64_t digits)
{
    uint64_t upper = digits / TJ_TEN_TO_8;
    __m128i eights = _mm_set_epi64x((int64_t)(digits - upper * TJ_TEN_TO_8), (int64_t)upper);
    /* In each lane, x of twice the needed size becomes x / 10^n in the lower half and x % 10^n in
     * the upper half. */
    __m128i quotient = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(3518437209)), 45);
    __m128i rest = _mm_sub_epi64(eights, _mm_mul_epu32(quotient, _mm_set1_epi64x(10000)));
    __m128i fours = _mm_or_si128(quotient, _mm_slli_epi64(rest, 32));
    __m128i hundred = _mm_set1_epi16(100), ten = _mm_set1_epi16(1 - (10 << 8));
    /* hides the constants: gcc would replace the multiplication by six shifts and additions */
    __asm__("" : "+x"(hundred), "+x"(ten));
    quotient = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
    rest = _mm_sub_epi16(fours, _mm_mullo_epi16(quotient, hundred));
    __m128i pairs = _mm_or_si128(quotient, _mm_slli_epi32(rest, 16));
    quotient = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554));
    /* quotient | rest << 8 */
    __m128i ones = _mm_add_epi16(_mm_slli_epi16(pairs, 8), _mm_mullo_epi16(quotient, ten));
    unsigned used = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(ones, _mm_setzero_si128()));
    return (tj_lanes){_mm_or_si128(ones, _mm_set1_epi8('0')), 32 - __builtin_clz(used)};
}

/* Writes 16 bytes. */
TJ_INLINE void tj_lanes_store(uint8_t *at, const tj_lanes *lanes)
{
    _mm_storeu_si128((__m128i *)at, lanes->ascii);
}

/* Writes 17 bytes: the digits, with a point before digit `index` of 1 to 16. */
TJ_INLINE void tj_lanes_store_with_point(uint8_t *at, const tj_lanes *lanes, int index)
{
    __m128i before = _mm_and_si128(lanes->ascii, tj_lanes_load(tj_lanes_keep + 17 - index));
    __m128i after = _mm_andnot_si128(tj_lanes_load(tj_lanes_keep + 16 - index),
                                     _mm_slli_si128(lanes->ascii, 1));
    __m128i point = tj_lanes_load(tj_lanes_point + 16 - index);
    _mm_storeu_si128((__m128i *)at, _mm_or_si128(_mm_or_si128(before, point), after));
    at[16] = index == 16 ? '.' : (uint8_t)(_mm_extract_epi16(lanes->ascii, 7) >> 8);
}

#else

typedef struct {
    uint64_t ascii[2]; /* the first digit is in the lowest byte */
    int count;         /* digits without the trailing zeros */
} tj_lanes;

#define TJ_LANES_ZEROS 0x3030303030303030ull /* "00000000" */

/* The 8 digits of value < 10^8, each a number 0 to 9, the first in the lowest byte. */
TJ_INLINE uint64_t tj_lanes_unpack_8(uint64_t value)
{
    uint64_t upper = (value * 109951163) >> 40; /* / 10^4 */
    uint64_t fours = upper | (value - upper * 10000) << 32;
    uint64_t hundreds = ((fours * 10486) >> 20) & 0x7f0000007full; /* / 100 in each half */
    uint64_t pairs = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = ((pairs * 103) >> 10) & 0x000f000f000f000full; /* / 10 in each quarter */
    return tens | (pairs - tens * 10) << 8;
}

/* Needs `digits` of 1 to 10^16 - 1. */
TJ_INLINE tj_lanes tj_lanes_of(uint64_t digits)
{
    uint64_t upper = digits / TJ_TEN_TO_8;
    uint64_t first = tj_lanes_unpack_8(upper),
             second = tj_lanes_unpack_8(digits - upper * TJ_TEN_TO_8);
    return (tj_lanes){{first | TJ_LANES_ZEROS, second | TJ_LANES_ZEROS},
                      second ? 16 - __builtin_clzll(second) / 8 : 8 - __builtin_clzll(first) / 8};
}

TJ_INLINE void tj_lanes_store_8(uint8_t *at, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, 8);
}

/* Writes 16 bytes. */
TJ_INLINE void tj_lanes_store(uint8_t *at, const tj_lanes *lanes)
{
    tj_lanes_store_8(at, lanes->ascii[0]);
    tj_lanes_store_8(at + 8, lanes->ascii[1]);
}

/* Inserts a point before byte `index` (0 to 7) of a word. The last byte is lost. */
TJ_INLINE uint64_t tj_lanes_insert_point(uint64_t word, int index)
{
    uint64_t kept = (1ull << 8 * index) - 1;
    return (word & kept) | (uint64_t)'.' << 8 * index | (word & ~kept) << 8;
}

/* Writes 17 bytes: the digits, with a point before digit `index` of 1 to 16. */
TJ_INLINE void tj_lanes_store_with_point(uint8_t *at, const tj_lanes *lanes, int index)
{
    uint64_t first = lanes->ascii[0], second = lanes->ascii[1];
    at[16] = index == 16 ? '.' : (uint8_t)(second >> 56);
    if (index < 8) {
        tj_lanes_store_8(at, tj_lanes_insert_point(first, index));
        tj_lanes_store_8(at + 8, second << 8 | first >> 56);
    } else {
        tj_lanes_store_8(at, first);
        tj_lanes_store_8(at + 8, index == 16 ? second : tj_lanes_insert_point(second, index - 8));
    }
}

#endif

#endif
