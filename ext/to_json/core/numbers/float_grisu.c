/* Core. Doubles with the digits and the format of the json gem.
 *
 * The algorithm is Grisu2 (Florian Loitsch, "Printing floating-point numbers quickly and accurately
 * with integers", 2010) on 64 bits, with a table of every eighth power of ten. Its digits read back
 * to the same double. But one of seven hundred doubles has one digit more than it needs, or a last
 * digit that is not the closest. We write the same digits as json; float.c writes the shortest. */
#include "float.h"

#include "float_decimal.h"
#include "float_grisu_table.h"

/* The scaled upper bound has 32 to 60 fraction bits. */
#define LEAST_EXPONENT (-60)
#define MOST_EXPONENT (-32)

#define MOST_DIGITS 20

typedef struct {
    uint8_t digits[MOST_DIGITS];
    int count, power; /* the value digits * 10^power */
} grisu;

/* a * b / 2^64, rounded. */
TJ_INLINE uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t lower, upper = tj_multiply(a, b, &lower);
    return upper + (lower >> 63);
}

/* The index of the power of ten that scales a number with this binary exponent into range. If two
 * do, it is the one that json's estimate finds first. */
static int power_for(int exponent)
{
    int i = ((int)(-(exponent + TJ_GRISU_POWERS) * 0.30102999566398114) - TJ_GRISU_POWER_MIN) /
            TJ_GRISU_POWER_STEP;
    for (;;) {
        int scaled = exponent +
                     tj_log2_of_power_of_10(TJ_GRISU_POWER_MIN + TJ_GRISU_POWER_STEP * i) - 63 + 64;
        if (scaled < LEAST_EXPONENT) i++;
        else if (scaled > MOST_EXPONENT) i--;
        else return i;
    }
}

/* Lowers the last digit as long as that brings it nearer to the value. `rest` is the distance of
 * the digits so far from the upper bound, `target` that of the value. */
TJ_INLINE void round_last(grisu *g, uint64_t delta, uint64_t rest, uint64_t unit, uint64_t target)
{
    while (rest < target && delta - rest >= unit &&
           (rest + unit < target || target - rest > rest + unit - target)) {
        g->digits[g->count - 1]--;
        rest += unit;
    }
}

/* Writes the fewest digits of `upper` that are above `upper` - `delta`. `shift` is the number of
 * fraction bits. */
TJ_INLINE void generate(grisu *g, uint64_t upper, uint64_t delta, uint64_t target, int shift)
{
    uint64_t whole = upper >> shift, mask = (1ull << shift) - 1, rest = upper & mask,
             unit = 1000000000;
    for (int left = 9; left >= 0; left--, unit /= 10) {
        uint64_t digit = whole / unit;
        if (digit || g->count) g->digits[g->count++] = (uint8_t)('0' + digit);
        whole -= digit * unit;
        uint64_t below = (whole << shift) + rest;
        if (below <= delta) {
            g->power += left;
            round_last(g, delta, below, unit << shift, target);
            return;
        }
    }
    for (int left = -1;; left--) {
        rest *= 10;
        delta *= 10;
        target *= 10;
        uint64_t digit = rest >> shift;
        if (digit || g->count) g->digits[g->count++] = (uint8_t)('0' + digit);
        rest &= mask;
        if (rest < delta) {
            g->power += left;
            round_last(g, delta, rest, 1ull << shift, target);
            return;
        }
    }
}

/* Needs a value > 0. */
TJ_INLINE void digits_of(grisu *g, uint64_t bits)
{
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int exponent = (int)(bits >> FRACTION_BITS);
    if (exponent) fraction |= HIDDEN_BIT;
    else exponent = 1;
    exponent -= EXPONENT_BIAS;

    /* All three get the exponent of the upper bound, whose highest bit is then bit 63. */
    int up = __builtin_clzll(2 * fraction + 1);
    uint64_t upper = (2 * fraction + 1) << up;
    uint64_t value = fraction << (up + 1);
    bool uneven = fraction == HIDDEN_BIT; /* the gap below is half as wide */
    uint64_t lower = uneven ? (4 * fraction - 1) << (up - 1) : (2 * fraction - 1) << up;
    exponent -= up + 1;

    int i = power_for(exponent);
    uint64_t power = tj_grisu_powers[i];
    int ten = TJ_GRISU_POWER_MIN + TJ_GRISU_POWER_STEP * i;
    upper = multiply(upper, power) - 1;
    lower = multiply(lower, power) + 1;
    value = multiply(value, power);
    g->count = 0;
    g->power = -ten;
    generate(g, upper, upper - lower, upper - value, -(exponent + tj_log2_of_power_of_10(ten) + 1));
}

static uint8_t *write_exponent(uint8_t *at, int exponent)
{
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    return tj_write_uint64(at, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

/* Whether json writes `count` digits of 0.ddd * 10^exponent without an exponent. */
TJ_INLINE bool is_fixed(int count, int exponent)
{
    return count > exponent && (exponent > count - 7 || (exponent > -9 && exponent < 11));
}

/* Digit by digit, as the algorithm was published. Needs a value > 0. */
static TJ_COLD uint8_t *write_digit_by_digit(uint8_t *at, uint64_t bits)
{
    grisu g;
    digits_of(&g, bits);
    int exponent = g.power + g.count;
    if (is_fixed(g.count, exponent)) {
        if (exponent <= 0) {
            memset(at, '0', (size_t)(2 - exponent));
            at[1] = '.';
            memcpy(at + 2 - exponent, g.digits, (size_t)g.count);
            return at + 2 - exponent + g.count;
        }
        memcpy(at, g.digits, (size_t)exponent);
        at[exponent] = '.';
        memcpy(at + exponent + 1, g.digits + exponent, (size_t)(g.count - exponent));
        return at + g.count + 1;
    }
    *at++ = g.digits[0];
    if (g.count > 1) {
        *at++ = '.';
        memcpy(at, g.digits + 1, (size_t)g.count - 1);
        at += g.count - 1;
    }
    return write_exponent(at, exponent - 1);
}

/* Finds all digits at once. Returns false for the values that need write_digit_by_digit: subnormal
 * numbers, powers of two, values on an end of the interval, and digits that end with a zero.
 *
 * Let s be the number of fraction bits. `generate` stops after the first n fraction digits whose
 * rest, upper * 10^n mod 2^s, is below delta * 10^n. It stops at the latest when delta * 10^n
 * reaches 2^s. So for that n, upper * 10^n / 2^s contains all digits. If its last digit is below
 * delta, that digit and the zeros before it are too many. Then delta is below one unit, and
 * round_last has nothing to do. Otherwise the loop of round_last is a division by 2^s. The same
 * holds for digits before the point: delta has 11 bits there, and a digit is worth 2^34 or more. */
TJ_INLINE bool digits_at_once(uint64_t bits, tj_decimal *d)
{
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int biased = (int)(bits >> FRACTION_BITS);
    if (TJ_UNLIKELY(biased == 0 || fraction == 0)) return false;
    fraction |= HIDDEN_BIT;

    /* power_for(biased - EXPONENT_BIAS - 11), for 1 to 2046 */
    int i = (2721985 - 1233 * biased) >> 15;
    uint64_t power = tj_grisu_powers[i];
    uint64_t upper = multiply((2 * fraction + 1) << 10, power) - 1;
    uint64_t lower = multiply((2 * fraction - 1) << 10, power) + 1;
    uint64_t value = multiply(fraction << 11, power);
    int ten = TJ_GRISU_POWER_MIN + TJ_GRISU_POWER_STEP * i;
    int shift = EXPONENT_BIAS + 10 - biased - tj_log2_of_power_of_10(ten); /* 34 to 60 */

    uint64_t unit = 1ull << shift, mask = unit - 1, delta = upper - lower; /* 2^10 - 3 to 2^11 */
    if (TJ_UNLIKELY((upper & mask) == delta)) return false;
    int n = ((shift - 11) * 1233 >> 12) + 1; /* the least n with 2^11 * 10^n >= 2^shift */
    n += delta * tj_powers_of_10[n] < unit;
    uint64_t scale = tj_powers_of_10[n], below, above = tj_multiply(upper, scale, &below);
    uint64_t digits = above << (64 - shift) | below >> shift;
    uint64_t rest = below & mask, target = (upper - value) * scale;
    delta *= scale; /* below 10 units */

    uint64_t tens = digits / 10, last = digits - 10 * tens;
    /* Treats the target as if it were at most half a unit below the rest: then nothing is lowered
     * either. */
    uint64_t half = unit >> 1,
             nearer =
                 (target + half - (rest < target + half ? rest : target + half - 1) - 1) >> shift,
             most = (delta - rest) >> shift;
    nearer = nearer < most ? nearer : most;
    uint64_t is_long = last > (delta - rest - 1) >> shift;
    last = (last - nearer) & -is_long;
    if (TJ_UNLIKELY((last | (is_long ^ 1)) == 0)) return false;
    *d = tj_decimal_of(tens, last, -n - ten);
    return true;
}

uint8_t *tj_write_double_json(uint8_t *at, double value)
{
    uint64_t bits = tj_bits_of(value);
    *at = '-';
    at += bits >> 63;
    bits &= INT64_MAX;

    if (tj_is_whole(bits)) return tj_write_whole(at, bits);
    tj_decimal d;
    if (TJ_UNLIKELY(!digits_at_once(bits, &d))) return write_digit_by_digit(at, bits);
    tj_lanes lanes = tj_lanes_of(d.digits);
    int count = tj_digits_shown(&lanes, d.last);
    /* at most 17 digits */
    if (TJ_LIKELY((unsigned)d.exponent - 1 < (unsigned)count - 1))
        return tj_write_fixed(at, &lanes, d.last, d.exponent);
    if (d.exponent <= 0 && is_fixed(count, d.exponent))
        return tj_write_small_fraction(at, &lanes, d.last, d.exponent);
    return write_exponent(tj_write_mantissa(at, &lanes, d.last), d.exponent - 1);
}
