/* Core. Writes a double with the fewest decimal digits that read back to the same double.
 *
 * The algorithm is Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2021).
 * All decimals between two ends read back to the double: its rounding interval. The value and both
 * ends are multiplied by a power of ten (128 bits) that is chosen so that few integers lie between
 * the ends, at most one of them a multiple of ten. A few comparisons choose the right one. */
#include "float.h"

#include <float.h>

#include "float_decimal.h"
#include "float_table.h"

/* The value digits * 10^power. */
typedef struct {
    uint64_t digits; /* at most 17 digits */
    int power;
} decimal;

/* floor(log10(2^q)) and floor(log10(3/4 * 2^q)), for |q| <= 1500. */
TJ_INLINE int log10_of_power_of_2(int q) { return (q * 1262611) >> 22; }
TJ_INLINE int log10_of_three_quarters_of_power_of_2(int q) { return (q * 1262611 - 524031) >> 22; }

/* floor(power * factor / 2^128). If there is a remainder, the lowest bit of the result is set. (It
 * may be set already.) Later comparisons with even numbers are then exact: "rounding to odd"
 * (Giulietti, section 9). */
TJ_INLINE uint64_t scale_to_odd(const uint64_t power[2], uint64_t factor)
{
    uint64_t unused, middle, carried = tj_multiply(power[1], factor, &unused);
    uint64_t upper = tj_multiply(power[0], factor, &middle);
    middle += carried;
    upper += middle < carried;
    return upper | (middle > 1);
}

/* The shortest decimal in the rounding interval of fraction * 2^q: Giulietti's algorithm as
 * published. `uneven`: the value is a power of two, so the gap below it is half as wide. */
static TJ_NOINLINE decimal shortest(uint64_t fraction, int q, bool uneven)
{
    int k = uneven ? log10_of_three_quarters_of_power_of_2(q) : log10_of_power_of_2(q);
    int shift = q + tj_log2_of_power_of_10(-k) + 1;
    const uint64_t *power = tj_float_powers[-k - TJ_FLOAT_POWER_MIN];
    /* the ends of the interval of an odd fraction do not belong to it */
    uint64_t open = fraction & 1;

    /* All three are four times the scaled value, so that halves are integers. */
    uint64_t value = scale_to_odd(power, (4 * fraction) << shift);
    uint64_t least = scale_to_odd(power, (4 * fraction - (uneven ? 1 : 2)) << shift) + open;
    uint64_t most = scale_to_odd(power, (4 * fraction + 2) << shift) - open;

    uint64_t below = value >> 2, tens = below / 10 * 10;
    if (least <= 4 * tens) return (decimal){tens, k};
    if (4 * tens + 40 <= most) return (decimal){tens + 10, k};
    uint64_t nearest = below + ((value & 3) > 2 - (below & 1)); /* ties to even */
    if (4 * nearest < least) nearest++; /* it lies in the missing half of the gap below */
    return (decimal){nearest, k};
}

/* `bits`: those of a double > 0. */
static TJ_COLD tj_decimal shortest_17_cold(uint64_t bits)
{
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int exponent = (int)(bits >> FRACTION_BITS);
    decimal d = exponent ? shortest(fraction | HIDDEN_BIT, exponent - EXPONENT_BIAS, fraction == 0)
                         : shortest(fraction, 1 - EXPONENT_BIAS, false);
    while (d.digits < TEN_TO_16) {
        d.digits *= 10;
        d.power--;
    }
    return (tj_decimal){d.digits / 10, (int)(d.digits % 10), d.power + 17};
}

/* Finds the same digits with one product that has 4 integer bits and 60 fraction bits. Returns
 * false if the result is too close to decide with so few bits (ends of intervals, ties), and for
 * subnormal values and powers of two. */
TJ_INLINE bool shortest_17(uint64_t bits, tj_decimal *d)
{
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int exponent = (int)(bits >> FRACTION_BITS);
    if (TJ_UNLIKELY(exponent == 0 || fraction == 0)) return false;
    int q = exponent - EXPONENT_BIAS;
    fraction |= HIDDEN_BIT;

    int k = log10_of_power_of_2(q);
    int shift = q + tj_log2_of_power_of_10(-k) + 1; /* 1 to 4 */
    const uint64_t *power = tj_float_powers[-k - TJ_FLOAT_POWER_MIN];
    uint64_t unused, parts, carried = tj_multiply(power[1], fraction << shift, &unused);
    uint64_t below = tj_multiply(power[0], fraction << shift, &parts);
    parts += carried;
    below += parts < carried;

    uint64_t tens = below / 10, above_tens = (below - 10 * tens) << 60 | parts >> 4;
    uint64_t half_gap = power[0] >> (5 - shift);
    uint64_t to_next = (10ull << 60) - above_tens,
             to_nearest = above_tens < to_next ? above_tens : to_next;
    /* Each of the three has an error below 3. half_gap is at most 5 << 60: if it is near the
     * farther multiple of ten, it is near both. */
    if (TJ_UNLIKELY((to_nearest - half_gap + 9 <= 18) | (parts - (1ull << 63) + 3 <= 6)))
        return false;
    uint64_t next = to_next < half_gap, short_form = to_nearest < half_gap;
    /* No branch: which of the two it is differs from value to value, so half the branches would be
     * mispredicted. */
    uint64_t last = (below - 10 * tens + (parts >> 63)) & (short_form - 1);
    tens += next;

    /* at least 16 digits, because the fraction alone is above 4 * 10^15 */
    *d = tj_decimal_of(tens, last, k);
    return true;
}

/* Most doubles in real data have at most six digits after the point: the value is whole / 10^6 for
 * an integer `whole`. Division rounds correctly, so if whole / 10^6 gives the value again, this
 * decimal reads back to it. Below 10^9 it has at most fifteen digits. No two decimals of so few
 * digits read as the same normal double, so it is the shortest and the closest. This needs
 * computations in double precision (FLT_EVAL_METHOD). */
#define FEW_BELOW 0x41cdcd6500000000u /* the double 1e9 */
/* 3/2 * 2^52: adding and subtracting this rounds a number below 2^51 to an integer */
#define TO_WHOLE 6755399441055744.0

TJ_INLINE bool has_few_digits(double value, uint64_t bits, tj_decimal *d)
{
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
    double whole = (value * 1e6 + TO_WHOLE) - TO_WHOLE;
    if (!(whole / 1e6 == value && bits < FEW_BELOW)) return false;
    uint64_t digits = (uint64_t)(int64_t)(whole < 0 ? -whole : whole);
    /* the digits of the power of two below it, or one more */
    unsigned at_least = (unsigned)(64 - __builtin_clzll(digits)) * 1233 >> 12;
    unsigned count = at_least + (digits >= tj_powers_of_10[at_least]);
    *d = (tj_decimal){digits * 10 * tj_powers_of_10[15 - count], 0, (int)count - 6};
    return true;
#else
    (void)value, (void)bits, (void)d;
    return false;
#endif
}

/* Writes a number with an exponent: "1.0e-05", "1.2345e+100". Writes 23 bytes. */
TJ_INLINE uint8_t *write_scientific(uint8_t *at, const tj_lanes *lanes, int last, int exponent)
{
    uint8_t *end = tj_write_mantissa(at, lanes, last);
    at = end == at + 1 ? at + 3 : end; /* "1.0" */
    exponent--;
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent), hundreds = size / 100,
             rest = size % 100;
    at[0] = 'e';
    at[1] = exponent < 0 ? '-' : '+';
    at[2] = (uint8_t)('0' + hundreds);
    at += 2 + (hundreds > 0);
    at[0] = (uint8_t)('0' + rest / 10);
    at[1] = (uint8_t)('0' + rest % 10);
    return at + 2;
}

/* Ruby's rule: no exponent for values below 10^15, and none above if a digit follows the point. */
TJ_INLINE uint8_t *write_as_ruby(uint8_t *at, tj_decimal d)
{
    tj_lanes lanes = tj_lanes_of(d.digits);
    if (TJ_LIKELY((unsigned)d.exponent - 1 < 15u) || (d.exponent == 16 && d.last != 0))
        return tj_write_fixed(at, &lanes, d.last, d.exponent);
    if (d.exponent <= 0 && d.exponent > -4)
        return tj_write_small_fraction(at, &lanes, d.last, d.exponent);
    return write_scientific(at, &lanes, d.last, d.exponent);
}

static TJ_COLD uint8_t *write_cold(uint8_t *at, uint64_t bits)
{
    return write_as_ruby(at, shortest_17_cold(bits));
}

uint8_t *tj_write_whole(uint8_t *at, uint64_t bits)
{
    at = tj_write_uint64(at, bits ? ((bits & (HIDDEN_BIT - 1)) | HIDDEN_BIT) >>
                                        (EXPONENT_BIAS - (bits >> FRACTION_BITS))
                                  : 0);
    memcpy(at, ".0", 2);
    return at + 2;
}

/* The calls in it are tail calls, so no register has to be saved. */
uint8_t *tj_write_double(uint8_t *at, double value)
{
    uint64_t bits = tj_bits_of(value);
    *at = '-';
    at += bits >> 63;
    bits &= INT64_MAX;
    TJ_ASSERT(bits >> FRACTION_BITS < 0x7ff);

    if (tj_is_whole(bits)) return tj_write_whole(at, bits);
    tj_decimal d;
    if (!has_few_digits(value, bits, &d) && TJ_UNLIKELY(!shortest_17(bits, &d)))
        return write_cold(at, bits);
    return write_as_ruby(at, d);
}

/* Finds the digits of both before it writes either, so that the CPU can do both at a time. */
uint8_t *tj_write_two_doubles(uint8_t *at, double first, double second)
{
    uint64_t a = tj_bits_of(first), b = tj_bits_of(second), a_sign = a >> 63, b_sign = b >> 63;
    tj_decimal d, e;
    a &= INT64_MAX;
    b &= INT64_MAX;
    if (!tj_is_whole(a) && !tj_is_whole(b) &&
        (has_few_digits(first, a, &d) || shortest_17(a, &d)) &&
        (has_few_digits(second, b, &e) || shortest_17(b, &e)) && (unsigned)d.exponent - 1 < 15u &&
        (unsigned)e.exponent - 1 < 15u) {
        tj_lanes lanes[2] = {tj_lanes_of(d.digits), tj_lanes_of(e.digits)};
        *at = '-';
        at = tj_write_fixed(at + a_sign, &lanes[0], d.last, d.exponent);
        memcpy(at, ",-", 2);
        return tj_write_fixed(at + 1 + b_sign, &lanes[1], e.last, e.exponent);
    }
    at = tj_write_double(at, first);
    *at = ',';
    return tj_write_double(at + 1, second);
}

int tj_double_digits(double value, uint8_t digits[17], int *count)
{
    uint64_t bits = tj_bits_of(value);
    if (bits << 1 == 0) {
        digits[0] = '0';
        *count = 1;
        return 1;
    }
    tj_decimal d;
    if (!shortest_17(bits, &d)) d = shortest_17_cold(bits);
    tj_lanes lanes = tj_lanes_of(d.digits);
    tj_store_digits(digits, &lanes, d.last);
    *count = tj_digits_shown(&lanes, d.last);
    return d.exponent;
}

uint8_t *tj_write_double_canonical(uint8_t *at, double value)
{
    uint8_t digits[17];
    int count, exponent;
    if (value < 0) {
        *at++ = '-';
        value = -value;
    }
    exponent = tj_double_digits(value == 0 ? 0 : value, digits, &count);
    if (exponent > -6 && exponent <= 0) {
        memcpy(at, "0.000000", 8);
        memcpy(at + 2 - exponent, digits, (size_t)count);
        return at + 2 - exponent + count;
    }
    if (exponent > 0 && exponent <= 21) {
        int whole = count < exponent ? count : exponent;
        memset(at, '0', (size_t)exponent);
        memcpy(at, digits, (size_t)whole);
        at += exponent;
        if (count <= exponent) return at;
        *at++ = '.';
        memcpy(at, digits + exponent, (size_t)(count - exponent));
        return at + count - exponent;
    }
    *at++ = digits[0];
    if (count > 1) {
        *at++ = '.';
        memcpy(at, digits + 1, (size_t)count - 1);
        at += count - 1;
    }
    *at++ = 'e';
    *at++ = --exponent < 0 ? '-' : '+';
    return tj_write_uint64(at, (uint64_t)(exponent < 0 ? -exponent : exponent));
}
