/* Tests of core/numbers/integer.c: every boundary, all short numbers, random long ones against
 * printf. */
#include "harness.h"
#include "integer.h"

/* What follows the promised TJ_INTEGER_SIZE bytes must stay as it was. */
#define FENCE 0xa5

static bool same_int64(int64_t value)
{
    uint8_t out[TJ_INTEGER_SIZE + 1];
    char expected[32];
    out[TJ_INTEGER_SIZE] = FENCE;
    size_t size = (size_t)(tj_write_int64(out, value) - out);
    int expected_size = snprintf(expected, sizeof expected, "%" PRId64, value);
    CASE();
    if (size == (size_t)expected_size && !memcmp(out, expected, size) &&
        out[TJ_INTEGER_SIZE] == FENCE)
        return true;
    return FAIL("%s was written as %.*s", expected, (int)size, (char *)out);
}

static bool same_uint64(uint64_t value)
{
    uint8_t out[TJ_INTEGER_SIZE + 1];
    char expected[32];
    out[TJ_INTEGER_SIZE] = FENCE;
    size_t size = (size_t)(tj_write_uint64(out, value) - out);
    int expected_size = snprintf(expected, sizeof expected, "%" PRIu64, value);
    CASE();
    if (size == (size_t)expected_size && !memcmp(out, expected, size) &&
        out[TJ_INTEGER_SIZE] == FENCE)
        return true;
    return FAIL("%s was written as %.*s", expected, (int)size, (char *)out);
}

TEST("integers around every power of ten and of two are written as printf does")
{
    for (int power = 0; power < 64; power++)
        for (int delta = -2; delta <= 2; delta++) {
            uint64_t value = ((uint64_t)1 << power) + (uint64_t)(int64_t)delta;
            same_uint64(value);
            same_int64((int64_t)value);
            same_int64((int64_t)(0 - value));
        }
    uint64_t ten = 1;
    for (int power = 0; power < 20; power++, ten *= 10)
        for (uint64_t digit = 1; digit < 10; digit++)
            for (int delta = -2; delta <= 2; delta++) {
                uint64_t value = ten * digit + (uint64_t)(int64_t)delta;
                same_uint64(value);
                same_int64((int64_t)value);
                same_int64((int64_t)(0 - value));
            }
    EXPECT_CASES(64 * 5 * 3 + 20 * 9 * 5 * 3);
}

TEST("the limits of the integer types have their exact digits")
{
    static const struct {
        int64_t value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {-1, "-1"},
        {INT32_MAX, "2147483647"},
        {INT32_MIN, "-2147483648"},
        {INT64_MAX, "9223372036854775807"},
        {INT64_MIN, "-9223372036854775808"},
        {((int64_t)1 << 62) - 1, "4611686018427387903"}, /* Ruby's largest Fixnum and smallest */
        {-((int64_t)1 << 62), "-4611686018427387904"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t out[TJ_INTEGER_SIZE];
        EXPECT_TEXT(rows[i].text, out, tj_write_int64(out, rows[i].value));
    }
    uint8_t out[TJ_INTEGER_SIZE];
    EXPECT_TEXT("18446744073709551615", out, tj_write_uint64(out, UINT64_MAX));
}

TEST("every integer of up to six digits is written as printf does, --long: of up to eight")
{
    int64_t end = (int64_t)ROUNDS(1000000, 100000000);
    uint8_t out[TJ_INTEGER_SIZE];
    char expected[] = "\0\0\0\0\0\0\0\0\0000"; /* counts up by itself, without division */
    char *first = expected + sizeof expected - 2;
    for (int64_t value = 0; value < end; value++) {
        size_t size = (size_t)(tj_write_int64(out, value) - out);
        size_t due = (size_t)(expected + sizeof expected - 1 - first);
        if (size != due || memcmp(out, first, due))
            FAIL("%s was written as %.*s", first, (int)size, (char *)out);
        char *digit = expected + sizeof expected - 2;
        while (*digit == '9') *digit-- = '0';
        if (digit < first) *(first = digit) = '1';
        else ++*digit;
    }
    CASES(end);
    EXPECT_CASES(end);
}

TEST("random integers of every length are written as printf does")
{
    uint64_t rounds = ROUNDS(300000, 10000000);
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t value = random_u64() >> random_below(64);
        if (i & 1) same_uint64(value);
        else same_int64(i & 2 ? (int64_t)value : (int64_t)(0 - value));
    }
    EXPECT_CASES(rounds);
}
