/* Tests of core/numbers/float.c, and of its portable half on machines that have the other one.
 *
 * The references: strtod reads every text back; printf with 1 to 17 digits finds the fewest that
 * read back; a layout written here from Float#to_s's description, digit by digit. */
#include "harness.h"

#define TJ_PORTABLE
#define tj_write_double portable_write_double
#define tj_double_digits portable_double_digits
#define tj_write_double_canonical portable_write_double_canonical
#define tj_write_whole portable_write_whole
#define tj_write_two_doubles portable_write_two_doubles
#include "float.c"
#undef tj_write_double
#undef tj_double_digits
#undef tj_write_double_canonical
#undef tj_write_whole
#undef tj_write_two_doubles

uint8_t *tj_write_double(uint8_t *at, double value);
uint8_t *tj_write_two_doubles(uint8_t *at, double first, double second);
int tj_double_digits(double value, uint8_t digits[17], int *count);

static double of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

#define INFINITY_BITS 0x7ff0000000000000u

/* 0.d1d2... * 10^exponent in the layout of Float#to_s; returns the size. */
static int naive_layout(char *out, const char *digits, int exponent)
{
    int count = (int)strlen(digits);
    char *at = out;
    if (exponent > 16 || (exponent == 16 && count <= 16) || exponent <= -4)
        return sprintf(out, "%c.%se%c%02d", digits[0], count > 1 ? digits + 1 : "0",
                       exponent > 0 ? '+' : '-', abs(exponent - 1));
    if (exponent <= 0) {
        at += sprintf(at, "0.");
        for (int i = exponent; i < 0; i++) *at++ = '0';
        return (int)(at - out) + sprintf(at, "%s", digits);
    }
    for (int i = 0; i < exponent; i++) *at++ = i < count ? digits[i] : '0';
    return (int)(at - out) + sprintf(at, ".%s", count > exponent ? digits + exponent : "0");
}

/* The fewest digits that read back, and of those the closest: printf rounds correctly, so the first
 * precision whose text reads back has them. It may miss a shorter one that is not the nearest of
 * its length (2^-44, 5e-324 print so); then the neighbours one unit up or down are tried at each
 * length first. */
static int naive_shortest(double value, char digits[32])
{
    for (int count = 1; count <= 17; count++) {
        char text[40];
        snprintf(text, sizeof text, "%.*e", count - 1, value);
        char *e = strchr(text, 'e');
        int exponent = atoi(e + 1);
        char plain[32];
        int n = 0;
        for (char *c = text; c < e; c++)
            if (*c != '.') plain[n++] = *c;
        plain[n] = 0;
        uint64_t nearest = strtoull(plain, NULL, 10);
        for (int step = 0; step < 3; step++) { /* the nearest, then its neighbours */
            uint64_t tried = nearest + (uint64_t)(step == 1) - (uint64_t)(step == 2);
            snprintf(text, sizeof text, "%" PRIu64 "e%d", tried, exponent - (count - 1));
            if (strtod(text, NULL) != value) continue;
            n = sprintf(digits, "%" PRIu64, tried);
            int point = exponent + 1 + (n - count);
            while (n > 1 && digits[n - 1] == '0') n--;
            digits[n] = 0;
            return point;
        }
    }
    return 0;
}

/* Positive finite values through every way out. */
static void check(double value, bool against_printf)
{
    CASE();
    uint8_t out[TJ_FLOAT_SIZE + 1], other[TJ_FLOAT_SIZE + 1], digits[18];
    uint8_t *end = tj_write_double(out, value), *other_end = portable_write_double(other, value);
    *end = *other_end = 0;
    if (strcmp((char *)out, (char *)other))
        FAIL("%a: \"%s\", but portably \"%s\"", value, out, other);
    if (strtod((char *)out, NULL) != value) FAIL("%a: \"%s\" does not read back", value, out);

    int count, point = tj_double_digits(value, digits, &count);
    digits[count] = 0;
    char laid_out[64], wanted[32];
    int size = naive_layout(laid_out, (char *)digits, point);
    if (size != end - out || memcmp(laid_out, out, (size_t)size))
        FAIL("%a: \"%s\", but its digits lay out as \"%s\"", value, out, laid_out);

    if (against_printf) {
        int wanted_point = naive_shortest(value, wanted);
        if (wanted_point != point || strcmp(wanted, (char *)digits))
            FAIL("%a: 0.%s * 10^%d, but the shortest is 0.%s * 10^%d", value, digits, point, wanted,
                 wanted_point);
    }
    uint8_t negative[TJ_FLOAT_SIZE];
    uint8_t *negative_end = tj_write_double(negative, -value);
    if (negative[0] != '-' || negative_end - negative != size + 1 ||
        memcmp(negative + 1, out, (size_t)size))
        FAIL("-%a differs from %a", value, value);
}

/* A value and its neighbours at both sides. */
static void check_around(double value, int neighbours)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    for (int i = -neighbours; i <= neighbours; i++) {
        uint64_t near = bits + (uint64_t)(int64_t)i;
        if (near < INFINITY_BITS && near > 0) check(of_bits(near), true);
    }
}

static const struct {
    double value;
    const char *text;
} known[] = {
    {0.0, "0.0"},
    {-0.0, "-0.0"},
    {1.0, "1.0"},
    {-1.0, "-1.0"},
    {42.0, "42.0"},
    {0.1, "0.1"},
    {0.3, "0.3"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1.5, "1.5"},
    {100.0, "100.0"},
    {120.5, "120.5"},
    {1234567.891, "1234567.891"},
    {0.01, "0.01"},
    {0.001, "0.001"},
    {0.0001, "0.0001"},
    {0.00012345, "0.00012345"},
    {0.00009999, "9.999e-05"},
    {0.00001, "1.0e-05"},
    {-0.00001, "-1.0e-05"},
    {1e-7, "1.0e-07"},
    {1.25e-7, "1.25e-07"},
    {1e14, "100000000000000.0"},
    {999999999999999.9, "999999999999999.9"},
    {1e15, "1.0e+15"},
    {-1e15, "-1.0e+15"},
    {123456789012345680.0, "1.2345678901234568e+17"},
    {1234567890123456.7, "1234567890123456.8"},
    {-1234567890123456.7, "-1234567890123456.8"},
    {9007199254740991.0, "9.007199254740991e+15"},
    {9007199254740992.0, "9.007199254740992e+15"},
    {9007199254740994.0, "9.007199254740994e+15"},
    {9999999999999998.0, "9.999999999999998e+15"},
    {1e16, "1.0e+16"},
    {1e22, "1.0e+22"},
    {1e23, "1.0e+23"},
    {9.5e-99, "9.5e-99"},
    {1e99, "1.0e+99"},
    {1e100, "1.0e+100"},
    {1e-100, "1.0e-100"},
    {5e-324, "5.0e-324"},
    {1e-323, "1.0e-323"},
    {1.5e-323, "1.5e-323"},
    {2.2250738585072011e-308, "2.225073858507201e-308"},
    {2.2250738585072014e-308, "2.2250738585072014e-308"},
    {1.7976931348623157e308, "1.7976931348623157e+308"},
    {-1.7976931348623157e308, "-1.7976931348623157e+308"},
    {2e-44, "2.0e-44"},
    {9007199254740993e3, "9.007199254740993e+18"},
    {4.35, "4.35"},
    {2.675, "2.675"},
    {-65.613616999999977, "-65.61361699999998"},
    {8.41e21, "8.41e+21"},
    {2.0919495182368195e19, "2.0919495182368195e+19"},
    {4.708356024711512e18, "4.708356024711512e+18"},
    {9409340012568248e3, "9.409340012568248e+18"},
};

TEST("a float is written as Float#to_s writes it")
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint8_t out[TJ_FLOAT_SIZE], other[TJ_FLOAT_SIZE];
        harness_context("%a", known[i].value);
        EXPECT_TEXT(known[i].text, out, tj_write_double(out, known[i].value));
        EXPECT_TEXT(known[i].text, other, portable_write_double(other, known[i].value));
    }
}

TEST("the digits of zero are one zero")
{
    uint8_t digits[17];
    int count = 0;
    EXPECT_INT(1, tj_double_digits(0.0, digits, &count));
    EXPECT_BYTES("0", 1, digits, count);
}

TEST("two floats at a time are written as one by one")
{
    const double some[] = {0.0,
                           -0.0,
                           1.0,
                           -2.0,
                           0.1,
                           -0.1,
                           65.613616999999977,
                           -43.420273000000009,
                           1e15,
                           1.5e15,
                           1234567890123456.7,
                           5e-324,
                           -1e300,
                           0.001,
                           1e-5,
                           2.5,
                           4503599627370496.5,
                           1.7976931348623157e308};
    size_t count = sizeof some / sizeof *some;
    for (size_t i = 0; i < ROUNDS(100000, 10000000); i++) {
        double first = i < count * count ? some[i / count] : of_bits(random_u64()),
               second = i < count * count ? some[i % count]
                                          : (double)(random_u64() >> 11) * 0x1p-50;
        if (first - first != 0) continue;
        if (random_below(2)) {
            double other = first;
            first = second;
            second = other;
        }
        uint8_t text[2 * TJ_FLOAT_SIZE + 1], expected[2 * TJ_FLOAT_SIZE + 1];
        uint8_t *at = tj_write_double(expected, first);
        *at = ',';
        at = tj_write_double(at + 1, second);
        EXPECT_BYTES(expected, (size_t)(at - expected), text,
                     (size_t)(tj_write_two_doubles(text, first, second) - text));
    }
}

TEST("the digits of a float have no zeros at their ends")
{
    static const struct {
        double value;
        const char *digits;
        int point;
    } rows[] = {{1, "1", 1},      {10, "1", 2},           {1200, "12", 4},    {0.05, "5", -1},
                {1e-10, "1", -9}, {123.456, "123456", 3}, {5e-324, "5", -323}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t digits[17];
        int count;
        harness_context("%g", rows[i].value);
        EXPECT_INT(rows[i].point, tj_double_digits(rows[i].value, digits, &count));
        EXPECT_BYTES(rows[i].digits, strlen(rows[i].digits), digits, count);
    }
}

TEST("floats of random bits read back from the fewest digits")
{
    uint64_t rounds = ROUNDS(100000, 10000000);
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t bits = random_u64() & INT64_MAX;
        check(of_bits(bits >= INFINITY_BITS ? bits >> 1 : bits), true);
    }
    EXPECT_CASES(rounds);
}

TEST("subnormal floats read back from the fewest digits")
{
    for (uint64_t bits = 1; bits <= 2000; bits++) check(of_bits(bits), true);
    for (uint64_t i = 0; i < ROUNDS(10000, 200000); i++)
        check(of_bits(1 + (random_u64() >> (12 + random_below(51)))), true);
    check_around(0x1p-1022, 1000);
}

TEST("powers of two and their neighbours read back from the fewest digits")
{
    for (int power = -1074; power <= 1023; power++) check_around(__builtin_ldexp(1, power), 8);
    EXPECT_CASES(2000 * 17);
}

TEST("powers of ten, their multiples and neighbours read back from the fewest digits")
{
    for (int power = -323; power <= 308; power++)
        for (int digit = 1; digit <= 9; digit++) {
            char text[32];
            snprintf(text, sizeof text, "%de%d", digit, power);
            double value = strtod(text, NULL);
            if (value < 0x1.fffffffffffffp1023) check_around(value, digit == 1 ? 8 : 1);
        }
    EXPECT_CASES(20000);
}

/* Halves of the last decimal unit, and ends of rounding intervals that are short decimals: where
 * the quick choice of float.c is too close to call. */
TEST("ties read back from the fewest digits, the even one where two are as close")
{
    for (uint64_t i = 0; i < ROUNDS(20000, 1000000); i++) {
        uint64_t odd = (1ull << 53) - 1 - 2 * random_below(1ull << 51);
        check((double)odd * __builtin_ldexp(1, (int)random_below(12)),
              true); /* integers above 2^53 */
        check((double)(random_below(1000000) * 2 + 1) * __builtin_ldexp(1, -(int)random_below(30)),
              true); /* x.5, x.25 ... */
        check(__builtin_ldexp((double)((1ull << 52) + 5 * random_below(1ull << 48)),
                              (int)random_below(70) - 10),
              true);
    }
}

TEST("short decimals are written as they were read")
{
    for (uint64_t i = 0; i < ROUNDS(50000, 3000000); i++) {
        uint64_t digits = random_u64() >> (14 + random_below(50)); /* at most 15 digits */
        char text[40];
        snprintf(text, sizeof text, "%" PRIu64 "e-%d", digits % 1000000000000000u,
                 (int)random_below(20));
        double value = strtod(text, NULL);
        if (value > 0) check(value, true);
    }
}

TEST("decimals of up to seven places and their neighbours read back from the fewest digits")
{
    const double edges[] = {1e-6,
                            1.5e-6,
                            9.99999e-4,
                            0.000001,
                            0.999999,
                            1.000001,
                            999999999.999999,
                            999999999.9999995,
                            1e9,
                            1000000000.000001,
                            0.0000015,
                            4e-7};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) check_around(edges[i], 16);
    for (uint64_t i = 0; i < ROUNDS(10000, 1000000); i++) {
        uint64_t digits = 1 + (random_u64() >> (14 + random_below(50))) % 1000000000000000u;
        char text[40];
        snprintf(text, sizeof text, "%" PRIu64 "e-%d", digits, (int)random_below(8));
        check_around(strtod(text, NULL), 2);
    }
}

TEST("whole floats keep all their digits below 10^15, and read back from the fewest up to 2^53")
{
    for (uint64_t i = 0; i < ROUNDS(50000, 1000000); i++) {
        uint64_t value = i < 10000 ? i : random_u64() % 1000000000000000 >> random_below(50);
        uint8_t out[TJ_FLOAT_SIZE];
        char expected[40];
        snprintf(expected, sizeof expected, "%" PRIu64 ".0", value);
        EXPECT_TEXT(expected, out, tj_write_double(out, (double)value));
    }
    for (uint64_t i = 0; i < ROUNDS(20000, 1000000); i++)
        check((double)(1 + (random_u64() >> (11 + random_below(53)))), true);
}

TEST("a float never writes outside TJ_FLOAT_SIZE bytes")
{
    uint8_t *room = guard_alloc(TJ_FLOAT_SIZE);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        EXPECT(tj_write_double(room, known[i].value) <= room + TJ_FLOAT_SIZE);
        EXPECT(portable_write_double(room, known[i].value) <= room + TJ_FLOAT_SIZE);
    }
    for (int power = -1074; power <= 1023; power++) {
        EXPECT(tj_write_double(room, -__builtin_ldexp(4.0 / 3, power)) <= room + TJ_FLOAT_SIZE);
        EXPECT(portable_write_double(room, -__builtin_ldexp(4.0 / 3, power)) <=
               room + TJ_FLOAT_SIZE);
    }
    guard_free(room, TJ_FLOAT_SIZE);
}

/* Schoolbook arithmetic in base 2^32, enough for 10^324 * 2^128. */
#define LIMBS 40

static void multiply_by(uint32_t limbs[LIMBS], uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)limbs[i] * factor;
        limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void add_shifted(uint32_t sum[LIMBS], const uint32_t limbs[LIMBS], int by)
{
    uint64_t carry = 0;
    for (int i = by; i < LIMBS; i++) {
        carry += (uint64_t)sum[i] + limbs[i - by];
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static int highest_bit(const uint32_t limbs[LIMBS])
{
    int bit = LIMBS * 32 - 1;
    while (!(limbs[bit / 32] >> bit % 32 & 1)) bit--;
    return bit;
}

static int compare(const uint32_t a[LIMBS], const uint32_t b[LIMBS])
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

TEST("the table holds 10^p rounded up to 128 bits for every p from 0 up")
{
    uint32_t ten_to_p[LIMBS] = {1};
    for (int power = 0; power <= TJ_FLOAT_POWER_MAX; power++, multiply_by(ten_to_p, 10)) {
        int top = highest_bit(ten_to_p);
        uint64_t upper = 0, lower = 0;
        for (int bit = top; bit > top - 128; bit--) {
            upper = upper << 1 | lower >> 63;
            lower = lower << 1 | (bit >= 0 ? ten_to_p[bit / 32] >> bit % 32 & 1 : 0);
        }
        bool rest = false;
        for (int bit = 0; bit <= top - 128; bit++) rest |= ten_to_p[bit / 32] >> bit % 32 & 1;
        lower += rest;
        upper += rest && !lower;
        harness_context("10^%d", power);
        EXPECT_UINT(upper, tj_float_powers[power - TJ_FLOAT_POWER_MIN][0]);
        EXPECT_UINT(lower, tj_float_powers[power - TJ_FLOAT_POWER_MIN][1]);
    }
}

/* t is 2^s / 10^p rounded up when 2^s <= t * 10^p < 2^s + 10^p. */
TEST("the table holds 10^p rounded up to 128 bits for every p below 0")
{
    uint32_t ten_to_p[LIMBS] = {10};
    for (int power = 1; power <= -TJ_FLOAT_POWER_MIN; power++, multiply_by(ten_to_p, 10)) {
        const uint64_t *entry = tj_float_powers[-power - TJ_FLOAT_POWER_MIN];
        uint32_t product[LIMBS] = {0};
        for (int i = 0; i < 4; i++) {
            uint32_t part[LIMBS];
            memcpy(part, ten_to_p, sizeof part);
            multiply_by(part, (uint32_t)(entry[1 - i / 2] >> (i % 2 ? 32 : 0)));
            add_shifted(product, part, i);
        }
        int top = highest_bit(product);
        product[top / 32] -= 1u << top % 32;
        harness_context("10^-%d", power);
        EXPECT(entry[0] >> 63 == 1);
        EXPECT(compare(product, ten_to_p) < 0);
    }
}
