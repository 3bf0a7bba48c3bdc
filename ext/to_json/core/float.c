/* Core. Doubles as the fewest decimal digits that read back to the same double.
 *
 * The algorithm is Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2021): the
 * value and the two ends of its rounding interval are scaled by one 128-bit power of ten, so that
 * at most one multiple of ten and at most a few integers lie within, and the choice among them is a
 * handful of comparisons. */
#include "float.h"

#include "float_lanes.h"
#include "float_table.h"
#include "integer.h"

#define FRACTION_BITS 52
#define HIDDEN_BIT (1ull << FRACTION_BITS)
#define ONE_EXPONENT 1023  /* the biased exponent of 1.0 */
#define EXPONENT_BIAS 1075 /* of the value taken as an integer times a power of two */
#define TEN_TO_15 1000000000000000u
#define TEN_TO_16 10000000000000000u
#define BITS_OF_10_TO_15 0x430c6bf526340000u /* of the double 1e15: whole numbers from there on have an exponent */

/* digits * 10^power. */
typedef struct {
    uint64_t digits; /* at most 17 of them */
    int power;
} decimal;

/* 17 digits: 16 of them in `digits`, above 10^15, and the last. The value is 0.d1d2d3... * 10^exponent. */
typedef struct {
    uint64_t digits;
    int last, exponent;
} decimal_17;

/* floor(log10(2^q)), floor(log10(3/4 * 2^q)) and floor(log2(10^p)), for |q| <= 1500, |p| <= 1233. */
TJ_INLINE int log10_of_power_of_2(int q) { return (q * 1262611) >> 22; }
TJ_INLINE int log10_of_three_quarters_of_power_of_2(int q) { return (q * 1262611 - 524031) >> 22; }
TJ_INLINE int log2_of_power_of_10(int p) { return (p * 1741647) >> 19; }

/* The upper half of a * b, the lower one in *lower. */
TJ_INLINE uint64_t multiply(uint64_t a, uint64_t b, uint64_t *lower)
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

/* `condition` (1 or 0) ? yes : no, without a branch; the compilers turn the plain expression into one. */
TJ_INLINE uint64_t choose(uint64_t condition, uint64_t yes, uint64_t no) { return no ^ ((yes ^ no) & -condition); }

/* floor(power * factor / 2^128), its lowest bit set too when the remainder counts: rounding to odd, which keeps
 * every later comparison with an even number exact (Giulietti, section 9). */
TJ_INLINE uint64_t scale_to_odd(const uint64_t power[2], uint64_t factor)
{
    uint64_t unused, middle, carried = multiply(power[1], factor, &unused);
    uint64_t upper = multiply(power[0], factor, &middle);
    middle += carried;
    upper += middle < carried;
    return upper | (middle > 1);
}

/* The shortest decimal within the rounding interval of fraction * 2^q: Giulietti's algorithm as
 * published. At the lower end of a binade (`uneven`) the gap below is half as wide. */
static TJ_NOINLINE decimal shortest(uint64_t fraction, int q, bool uneven)
{
    int k = uneven ? log10_of_three_quarters_of_power_of_2(q) : log10_of_power_of_2(q);
    int shift = q + log2_of_power_of_10(-k) + 1;
    const uint64_t *power = tj_float_powers[-k - TJ_FLOAT_POWER_MIN];
    uint64_t open = fraction & 1; /* an odd fraction does not own the ends of its interval */

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

static TJ_COLD decimal_17 shortest_17_cold(uint64_t fraction, int q, bool uneven)
{
    decimal d = shortest(fraction, q, uneven);
    while (d.digits < TEN_TO_16) {
        d.digits *= 10;
        d.power--;
    }
    return (decimal_17){d.digits / 10, (int)(d.digits % 10), d.power + 17};
}

/* Of a positive value. The same choice made on one product, 4 bits of integer and 60 of fraction wide. What
 * is too close to call at that width (ends of intervals, ties) goes the published way. */
TJ_INLINE decimal_17 shortest_17(uint64_t bits)
{
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int exponent = (int)(bits >> FRACTION_BITS);
    if (TJ_UNLIKELY(exponent == 0)) return shortest_17_cold(fraction, 1 - EXPONENT_BIAS, false);
    int q = exponent - EXPONENT_BIAS;
    if (TJ_UNLIKELY(fraction == 0)) return shortest_17_cold(HIDDEN_BIT, q, true);
    fraction |= HIDDEN_BIT;

    int k = log10_of_power_of_2(q);
    int shift = q + log2_of_power_of_10(-k) + 1; /* 1..4 */
    const uint64_t *power = tj_float_powers[-k - TJ_FLOAT_POWER_MIN];
    uint64_t unused, parts, carried = multiply(power[1], fraction << shift, &unused);
    uint64_t below = multiply(power[0], fraction << shift, &parts);
    parts += carried;
    below += parts < carried;

    uint64_t tens = below / 10, above_tens = (below - 10 * tens) << 60 | parts >> 4;
    uint64_t half_gap = power[0] >> (5 - shift);
    uint64_t to_next = (10ull << 60) - above_tens;
    /* Each of the three is off by less than 3. */
    if (TJ_UNLIKELY((above_tens - half_gap + 3 <= 6) | (to_next - half_gap + 3 <= 6) | (parts - (1ull << 63) + 3 <= 6)))
        return shortest_17_cold(fraction, q, false);
    uint64_t next = to_next < half_gap, short_form = (above_tens < half_gap) | next;
    /* Which of the two it is changes from value to value: a branch would be mispredicted every other time. */
    uint64_t last = (below - 10 * tens + (parts >> 63)) & (short_form - 1);
    tens += next;

    uint64_t has_15 = tens < TEN_TO_15; /* never fewer: fraction alone is above 4 * 10^15 */
    tens = choose(has_15, 10 * tens + last, tens);
    last &= has_15 - 1;
    return (decimal_17){tens, (int)last, k + 17 - (int)has_15};
}

/* The number of digits that show: without trailing zeros. */
TJ_INLINE int count_of(const tj_lanes *lanes, int last) { return (int)choose(last > 0, 17, (uint64_t)lanes->count); }

TJ_INLINE void store_digits(uint8_t *at, const tj_lanes *lanes, int last)
{
    tj_lanes_store(at, lanes);
    at[16] = (uint8_t)('0' + last);
}

/* A digit follows the point, 1 <= exponent <= 16: "123.45". Writes 18 bytes. */
TJ_INLINE uint8_t *write_fixed(uint8_t *at, const tj_lanes *lanes, int last, int exponent)
{
    tj_lanes_store_with_point(at, lanes, exponent);
    at[17] = (uint8_t)('0' + last);
    return at + 1 + count_of(lanes, last);
}

/* -3 <= exponent <= 0: "0.00012345". Writes 22 bytes. */
TJ_INLINE uint8_t *write_small(uint8_t *at, const tj_lanes *lanes, int last, int exponent)
{
    memcpy(at, "0.000000", 8);
    at += 2 - exponent;
    store_digits(at, lanes, last);
    return at + count_of(lanes, last);
}

/* All others: "1.0e-05", "1.2345e+100". Writes 23 bytes. */
TJ_INLINE uint8_t *write_scientific(uint8_t *at, const tj_lanes *lanes, int last, int exponent)
{
    tj_lanes_store_with_point(at, lanes, 1);
    at[17] = (uint8_t)('0' + last);
    int count = count_of(lanes, last);
    at += 1 + (count > 1 ? count : 2);
    exponent--;
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent), hundreds = size / 100, rest = size % 100;
    at[0] = 'e';
    at[1] = exponent < 0 ? '-' : '+';
    at[2] = (uint8_t)('0' + hundreds);
    at += 2 + (hundreds > 0);
    at[0] = (uint8_t)('0' + rest / 10);
    at[1] = (uint8_t)('0' + rest % 10);
    return at + 2;
}

TJ_INLINE uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}

uint8_t *tj_write_double(uint8_t *at, double value)
{
    uint64_t bits = bits_of(value);
    *at = '-';
    at += bits >> 63;
    bits &= INT64_MAX;
    TJ_ASSERT(bits >> FRACTION_BITS < 0x7ff);

    unsigned scale = (unsigned)(bits >> FRACTION_BITS) - ONE_EXPONENT; /* 2^scale <= value < 2^(scale + 1) */
    if (bits < BITS_OF_10_TO_15 && scale <= FRACTION_BITS && (bits << 12) << scale == 0) { /* an integer is its own shortest form */
        at = tj_write_uint64(at, ((bits & (HIDDEN_BIT - 1)) | HIDDEN_BIT) >> (FRACTION_BITS - scale));
        memcpy(at, ".0", 2);
        return at + 2;
    }
    if (TJ_UNLIKELY(bits == 0)) {
        memcpy(at, "0.0", 3);
        return at + 3;
    }
    decimal_17 d = shortest_17(bits);
    tj_lanes lanes = tj_lanes_of(d.digits);
    /* Ruby's rule: no exponent below 10^15, nor above while a digit follows the point. */
    if (TJ_LIKELY(d.exponent > 0 && d.exponent <= 15 + (d.last != 0))) return write_fixed(at, &lanes, d.last, d.exponent);
    if (d.exponent <= 0 && d.exponent > -4) return write_small(at, &lanes, d.last, d.exponent);
    return write_scientific(at, &lanes, d.last, d.exponent);
}

int tj_double_digits(double value, uint8_t digits[17], int *count)
{
    uint64_t bits = bits_of(value);
    if (bits << 1 == 0) {
        digits[0] = '0';
        *count = 1;
        return 1;
    }
    decimal_17 d = shortest_17(bits);
    tj_lanes lanes = tj_lanes_of(d.digits);
    store_digits(digits, &lanes, d.last);
    *count = count_of(&lanes, d.last);
    return d.exponent;
}
