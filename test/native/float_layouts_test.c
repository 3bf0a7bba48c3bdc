/* Tests of the other layouts of floats: core/numbers/float_grisu.c and tj_write_double_canonical.
 * That json's bytes are json's, the live library tells (test/dialects, test/fuzz/dialects); here:
 * known values, that all read back, and the room. */
#include "harness.h"

#define tj_write_double_json \
    json_write_double /* this copy's, whose other way of finding digits is at hand here */
#include "float_grisu.c"
#undef tj_write_double_json

#include <math.h>

uint8_t *tj_write_double_json(uint8_t *at, double value);

typedef struct {
    double value;
    const char *json, *canonical;
} form;

static const form forms[] = {
    {0.0, "0.0", "0"},
    {-0.0, "-0.0", "0"},
    {1.0, "1.0", "1"},
    {-1.5, "-1.5", "-1.5"},
    {100.0, "100.0", "100"},
    {0.1, "0.1", "0.1"},
    {0.001, "0.001", "0.001"},
    {1e-5, "0.00001", "0.00001"},
    {1e-6, "0.000001", "0.000001"},
    {1e-7, "0.0000001", "1e-7"},
    {1.5e-7, "0.00000015", "1.5e-7"},
    {1e-9, "0.000000001", "1e-9"},
    {1e-10, "1e-10", "1e-10"},
    {1e14, "100000000000000.0", "100000000000000"},
    {1e15, "1e+15", "1000000000000000"},
    {1e20, "1e+20", "100000000000000000000"},
    {1e21, "1e+21", "1e+21"},
    {1.5e300, "1.5e+300", "1.5e+300"},
    {5e-324, "5e-324", "5e-324"},
    {1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"},
    {123456789012345680.0, "1.2345678901234568e+17", "123456789012345680"},
    {0.30000000000000004, "0.30000000000000004", "0.30000000000000004"},
    {-4.914633095807629e-46, "-4.9146330958076294e-46",
     "-4.914633095807629e-46"},                                    /* a digit more than it needs */
    {81401743412524.12, "81401743412524.13", "81401743412524.12"}, /* another last one */
};

TEST("a float is written as json and as ECMAScript write it")
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        uint8_t text[TJ_FLOAT_SIZE];
        EXPECT_TEXT(forms[i].json, text, tj_write_double_json(text, forms[i].value));
        EXPECT_TEXT(forms[i].canonical, text, tj_write_double_canonical(text, forms[i].value));
    }
}

TEST("floats of random bits, decimals and powers of two read back from both layouts, inside "
     "TJ_FLOAT_SIZE")
{
    uint64_t random = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 300000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = random ^ random >> 29;
        double value;
        if (i % 3 == 0) memcpy(&value, &bits, 8);
        else if (i % 3 == 1) value = (double)(bits >> 34) / 1000;
        else value = ldexp(1.0, (int)(bits % 2098) - 1074);
        if (!isfinite(value)) continue;
        for (int k = 0; k < 2; k++) {
            uint8_t text[TJ_FLOAT_SIZE + 8];
            memset(text, 0x5a, sizeof text);
            uint8_t *end = (k ? tj_write_double_canonical : tj_write_double_json)(text, value);
            EXPECT(end <= text + TJ_FLOAT_SIZE);
            for (int j = TJ_FLOAT_SIZE; j < TJ_FLOAT_SIZE + 8; j++) EXPECT(text[j] == 0x5a);
            char copy[TJ_FLOAT_SIZE + 1] = {0};
            memcpy(copy, text, (size_t)(end - text));
            EXPECT(strtod(copy, NULL) == value);
        }
    }
}

/* By both ways, the sign left out: whole numbers have a way of their own. */
static bool expect_digit_by_digit(double value)
{
    char expected[TJ_FLOAT_SIZE + 1] = {0};
    uint8_t text[TJ_FLOAT_SIZE];
    value = fabs(value);
    if (!isfinite(value) || value == 0 || (value < 1e15 && value == floor(value))) return false;
    write_digit_by_digit((uint8_t *)expected, tj_bits_of(value));
    EXPECT_TEXT(expected, text, tj_write_double_json(text, value));
    tj_decimal unused;
    return digits_at_once(tj_bits_of(value), &unused);
}

TEST("all digits at once are what json's algorithm finds one by one")
{
    uint64_t random = 2463534242u, at_once = 0, all = ROUNDS(600000, 20000000);
    for (uint64_t i = 0; i < all; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = random ^ random >> 29;
        double value;
        if (i % 3 == 0) memcpy(&value, &bits, 8);
        else if (i % 3 == 1) value = (double)(bits >> bits % 60) / tj_powers_of_10[bits >> 8 & 15];
        else value = (double)(bits >> (40 + bits % 20)) * ldexp(1.0, (int)(bits >> 20 & 511) - 256);
        at_once += expect_digit_by_digit(value);
    }
    EXPECT(at_once > all / 4);
    for (uint64_t exponent = 0; exponent < 2047; exponent++) {
        for (uint64_t k = 0; k < 200; k++) { /* both sides of every power of two, and of every sum
                                                of one with a smaller one */
            double value;
            uint64_t bits = (exponent << FRACTION_BITS) + k - (exponent ? 100 : 0);
            memcpy(&value, &bits, 8);
            expect_digit_by_digit(value);
            if (k > FRACTION_BITS - 1) continue;
            bits = exponent << FRACTION_BITS | 1ull << k;
            memcpy(&value, &bits, 8);
            expect_digit_by_digit(value);
        }
    }
    for (int exponent = -330; exponent < 309; exponent++) {
        for (int digits = 1; digits < 1000; digits += 7) {
            char text[16];
            snprintf(text, sizeof text, "%de%d", digits, exponent);
            expect_digit_by_digit(strtod(text, NULL));
        }
    }
}

/* Oj's way: whole numbers of int64_t by "%.1f", the rest by "%.15g" unless rounding shows. */
static int naive_oj_strict(char *at, double value)
{
    if (value >= -9223372036854775808.0 && value < 9223372036854775808.0 &&
        value == (double)(int64_t)value)
        return snprintf(at, TJ_FLOAT_SIZE, "%.1f", value == 0 ? 0.0 : value);
    int size = snprintf(at, TJ_FLOAT_SIZE, "%0.15g", value);
    if (size >= 17 &&
        (memcmp(at + size - 4, "0001", 4) == 0 || memcmp(at + size - 4, "9999", 4) == 0))
        size = (int)(tj_write_double((uint8_t *)at, value) - (uint8_t *)at);
    return size;
}

static void expect_as_oj(double value)
{
    char expected[TJ_FLOAT_SIZE + 1] = {0};
    uint8_t text[TJ_FLOAT_SIZE];
    expected[naive_oj_strict(expected, value)] = 0;
    EXPECT_TEXT(expected, text, tj_write_double_oj_strict(text, value));
    bool whole = value >= -9223372036854775808.0 && value < 9223372036854775808.0 &&
                 value == (double)(int64_t)value;
    expected[whole ? snprintf(expected, TJ_FLOAT_SIZE, "%.1f", value)
                   : (int)(tj_write_double((uint8_t *)expected, value) - (uint8_t *)expected)] = 0;
    EXPECT_TEXT(expected, text, tj_write_double_oj(text, value));
}

TEST("a float is written as Oj writes it, whatever its size and count of digits")
{
    const double edges[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            1e-4,
                            9.99999999999999e-5,
                            1e-5,
                            0.1,
                            0.01,
                            0.001,
                            0.00012345678901234,
                            1e15,
                            1e15 - 0.5,
                            999999999999999.0,
                            123456789012345.6,
                            1e18,
                            9223372036854775807.0,
                            9223372036854775808.0,
                            -9223372036854775808.0,
                            1e19,
                            5e-324,
                            2.2250738585072014e-308,
                            0.30000000000000004,
                            1.0000000000000001,
                            2.9999999999999996,
                            1e-300,
                            1e300,
                            65.613616999999977,
                            7.91,
                            1e23};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        expect_as_oj(edges[i]);
        expect_as_oj(-edges[i]);
    }
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 300000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = random ^ random >> 29;
        double value;
        if (i % 4 == 0) memcpy(&value, &bits, 8);
        else if (i % 4 == 1) value = (double)(bits >> 34) / 1000;
        else if (i % 4 == 2) value = (double)(bits >> 20) / pow(10, (int)(bits % 20));
        else value = ldexp((double)(bits >> 12), (int)(bits % 120) - 110);
        if (isfinite(value)) expect_as_oj(value);
    }
}
