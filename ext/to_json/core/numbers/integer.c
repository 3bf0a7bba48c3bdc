/* Core. Integers in decimal: up to four digits as pairs from a table, longer ones eight digits at a
 * time in one word. No branch distinguishes 3 digits from 4, or 5 from 8. */
#include "integer.h"

#define DIGITS_8 100000000u
#define DIGITS_16 10000000000000000u
#define ZEROS 0x3030303030303030u /* "00000000" */

/* The eight digits of `value` < 10^8 in the bytes of one word, 0 to 9 each, the first in the lowest
 * byte. Splits 8 digits into 2 x 4, 4 x 2 and 8 x 1 inside the word. Each division is a
 * multiplication and a shift that are exact in their range: x / 100 = x * 10486 >> 20 for x < 10^4,
 * x / 10 = x * 103 >> 10 for x < 100 (integer_test.c checks every value). */
TJ_INLINE uint64_t digits_of(uint32_t value)
{
    uint64_t fours = (uint64_t)(value % 10000) << 32 | value / 10000;
    uint64_t tops = (fours * 10486 >> 20) & 0x0000007f0000007fu;
    uint64_t twos = tops + ((fours - 100 * tops) << 16);
    uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000fu;
    return tens + ((twos - 10 * tens) << 8);
}

TJ_INLINE void store(uint8_t *at, uint64_t digits)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    digits = __builtin_bswap64(digits);
#endif
    memcpy(at, &digits, 8);
}

/* Writes all eight digits, with leading zeros. */
TJ_INLINE uint8_t *write_8(uint8_t *at, uint32_t value)
{
    store(at, digits_of(value) + ZEROS);
    return at + 8;
}

/* Writes 1 to 8 digits. May overwrite 8 bytes. The bit in the topmost byte keeps the last digit of
 * 0. */
TJ_INLINE uint8_t *write_1_to_8(uint8_t *at, uint32_t value)
{
    uint64_t digits = digits_of(value);
    unsigned leading = (unsigned)__builtin_ctzll(digits | (uint64_t)1 << 56) & ~7u;
    store(at, (digits + ZEROS) >> leading);
    return at + (8 - leading / 8);
}

#define PAIRS(tens) \
    {tens, '0'}, {tens, '1'}, {tens, '2'}, {tens, '3'}, {tens, '4'}, \
    {tens, '5'}, {tens, '6'}, {tens, '7'}, {tens, '8'}, {tens, '9'}

static const uint8_t pairs[100][2] = {
    PAIRS('0'), PAIRS('1'), PAIRS('2'), PAIRS('3'), PAIRS('4'),
    PAIRS('5'), PAIRS('6'), PAIRS('7'), PAIRS('8'), PAIRS('9'),
};

#define ONES(last) {last, 0, 0, 1}
#define TENS(ten) \
    {ten, '0', 0, 2}, {ten, '1', 0, 2}, {ten, '2', 0, 2}, {ten, '3', 0, 2}, {ten, '4', 0, 2}, \
    {ten, '5', 0, 2}, {ten, '6', 0, 2}, {ten, '7', 0, 2}, {ten, '8', 0, 2}, {ten, '9', 0, 2}
#define TEN_OF(hundred, ten)                                                    \
    {hundred, ten, '0', 3}, {hundred, ten, '1', 3}, {hundred, ten, '2', 3},     \
        {hundred, ten, '3', 3}, {hundred, ten, '4', 3}, {hundred, ten, '5', 3}, \
        {hundred, ten, '6', 3}, {hundred, ten, '7', 3}, {hundred, ten, '8', 3}, \
    {                                                                           \
        hundred, ten, '9', 3                                                    \
    }
#define HUNDREDS(hundred)                                                                       \
    TEN_OF(hundred, '0'), TEN_OF(hundred, '1'), TEN_OF(hundred, '2'), TEN_OF(hundred, '3'),     \
        TEN_OF(hundred, '4'), TEN_OF(hundred, '5'), TEN_OF(hundred, '6'), TEN_OF(hundred, '7'), \
        TEN_OF(hundred, '8'), TEN_OF(hundred, '9')

const uint8_t tj_small_integers[TJ_SMALL_INTEGERS][4] = {
    ONES('0'),     ONES('1'),     ONES('2'),     ONES('3'),     ONES('4'),     ONES('5'),
    ONES('6'),     ONES('7'),     ONES('8'),     ONES('9'),     TENS('1'),     TENS('2'),
    TENS('3'),     TENS('4'),     TENS('5'),     TENS('6'),     TENS('7'),     TENS('8'),
    TENS('9'),     HUNDREDS('1'), HUNDREDS('2'), HUNDREDS('3'), HUNDREDS('4'), HUNDREDS('5'),
    HUNDREDS('6'), HUNDREDS('7'), HUNDREDS('8'), HUNDREDS('9'),
};

/* Writes one or two digits of `value` < 100. May overwrite 2 bytes. */
TJ_INLINE uint8_t *write_1_to_2(uint8_t *at, uint32_t value)
{
    uint32_t single = value < 10;
    at[0] = pairs[value][single];
    at[1] = pairs[value][1];
    return at + 2 - single;
}

TJ_INLINE uint8_t *write_unsigned(uint8_t *at, uint64_t value)
{
    if (value < 100) return write_1_to_2(at, (uint32_t)value);
    if (value < 10000) {
        at = write_1_to_2(at, (uint32_t)value / 100);
        memcpy(at, pairs[value % 100], 2);
        return at + 2;
    }
    if (TJ_LIKELY(value < DIGITS_8)) return write_1_to_8(at, (uint32_t)value);
    uint64_t rest = value;
    if (value < DIGITS_16) {
        at = write_1_to_8(at, (uint32_t)(value / DIGITS_8));
    } else {
        rest = value % DIGITS_16;
        at = write_1_to_8(at, (uint32_t)(value / DIGITS_16)); /* at most 1844 */
        at = write_8(at, (uint32_t)(rest / DIGITS_8));
    }
    return write_8(at, (uint32_t)(rest % DIGITS_8));
}

uint8_t *tj_write_uint64(uint8_t *at, uint64_t value) { return write_unsigned(at, value); }

uint8_t *tj_write_int64(uint8_t *at, int64_t value)
{
    *at = '-';
    at += value < 0;
    return write_unsigned(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}
