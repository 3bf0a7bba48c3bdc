/* Core, private to float.c and float_grisu.c. Up to 17 decimal digits, and how they become text. */
#ifndef TJ_FLOAT_DECIMAL_H
#define TJ_FLOAT_DECIMAL_H

#include "float_lanes.h"
#include "integer.h"

#define FRACTION_BITS 52
#define HIDDEN_BIT (1ull << FRACTION_BITS)
#define ONE_EXPONENT 1023  /* the biased exponent of 1.0 */
#define EXPONENT_BIAS 1075 /* of the value, taken as an integer times a power of two */
#define TEN_TO_15 1000000000000000u
#define TEN_TO_16 10000000000000000u
/* the double 1e15: whole numbers from there on have an exponent */
#define BITS_OF_10_TO_15 0x430c6bf526340000u

/* 17 digits: the first 16 are `digits`, which is above 10^15, and one more is `last`. The value is
 * 0.d1d2d3... * 10^exponent. */
typedef struct {
    uint64_t digits;
    int last, exponent;
} tj_decimal;

static const uint64_t tj_powers_of_10[17] = {
    1,           10,           100,           1000,           10000,
    100000,      1000000,      10000000,      TJ_TEN_TO_8,    1000000000,
    10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
    TEN_TO_15,   TEN_TO_16,
};

/* floor(log2(10^p)), for |p| <= 1233. */
TJ_INLINE int tj_log2_of_power_of_10(int p) { return (p * 1741647) >> 19; }

/* Returns the upper half of a * b, and sets *lower to the lower half. */
TJ_INLINE uint64_t tj_multiply(uint64_t a, uint64_t b, uint64_t *lower)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)a * b;
    *lower = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    *lower = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

/* condition ? yes : no, for a condition of 1 or 0, without a branch. Compilers would turn the plain
 * expression into a branch. */
TJ_INLINE uint64_t tj_choose(uint64_t condition, uint64_t yes, uint64_t no)
{
    return no ^ ((yes ^ no) & -condition);
}

/* The value (tens * 10 + last) * 10^power, of 16 or 17 digits. */
TJ_INLINE tj_decimal tj_decimal_of(uint64_t tens, uint64_t last, int power)
{
    uint64_t has_15 = tens < TEN_TO_15;
    return (tj_decimal){tj_choose(has_15, 10 * tens + last, tens), (int)(last & (has_15 - 1)),
                        power + 17 - (int)has_15};
}

TJ_INLINE uint64_t tj_bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}

/* Whether `bits`, without the sign, are a whole number below 10^15. Its integer digits are the
 * shortest form then. */
TJ_INLINE bool tj_is_whole(uint64_t bits)
{
    /* 2^scale <= value < 2^(scale + 1) */
    unsigned scale = (unsigned)(bits >> FRACTION_BITS) - ONE_EXPONENT;
    if (scale <= FRACTION_BITS) return (bits << 12) << scale == 0 && bits < BITS_OF_10_TO_15;
    return bits == 0;
}

/* Writes such a number: "123.0". Defined in float.c. */
uint8_t *tj_write_whole(uint8_t *at, uint64_t bits);

/* The number of digits without trailing zeros. No branch: whether there are 17 differs from value
 * to value. */
TJ_INLINE int tj_digits_shown(const tj_lanes *lanes, int last)
{
    return (int)tj_choose(last > 0, 17, (uint64_t)lanes->count);
}

TJ_INLINE void tj_store_digits(uint8_t *at, const tj_lanes *lanes, int last)
{
    tj_lanes_store(at, lanes);
    at[16] = (uint8_t)('0' + last);
}

/* Writes "123.45", for 1 <= exponent <= 16. Writes 18 bytes. */
TJ_INLINE uint8_t *tj_write_fixed(uint8_t *at, const tj_lanes *lanes, int last, int exponent)
{
    tj_lanes_store_with_point(at, lanes, exponent);
    at[17] = (uint8_t)('0' + last);
    return at + 1 + tj_digits_shown(lanes, last);
}

/* Writes "0.00012345", for -8 <= exponent <= 0. Writes 27 bytes. */
TJ_INLINE uint8_t *tj_write_small_fraction(uint8_t *at, const tj_lanes *lanes, int last,
                                           int exponent)
{
    memcpy(at, "0.00000000", 10);
    at += 2 - exponent;
    tj_store_digits(at, lanes, last);
    return at + tj_digits_shown(lanes, last);
}

/* Writes the first digit, and if there are more, the point and those: "1", "1.2345". Writes 18
 * bytes. */
TJ_INLINE uint8_t *tj_write_mantissa(uint8_t *at, const tj_lanes *lanes, int last)
{
    int count = tj_digits_shown(lanes, last);
    tj_lanes_store_with_point(at, lanes, 1);
    at[17] = (uint8_t)('0' + last);
    return at + count + (count > 1);
}

#endif
