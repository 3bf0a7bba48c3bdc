/* Tests of core/numbers/decimal_text.c. */
#include "decimal_text.h"
#include "harness.h"

static const tj_decimal_limits none = {TJ_DECIMAL_SIZE, TJ_DECIMAL_SIZE, TJ_DECIMAL_SIZE};

static void check_text(const char *given, const char *expected, tj_decimal_limits limits)
{
    uint8_t text[TJ_DECIMAL_SIZE],
        *end = tj_plain_text(text, (const uint8_t *)given, strlen(given), limits);
    if (!expected) {
        if (!EXPECT(end == NULL)) FAIL("%s", given);
    } else if (!end) FAIL("%s is refused", given);
    else EXPECT_TEXT(expected, text, end);
}

TEST("a decimal text loses zeros at its end, and keeps one behind the point")
{
    static const char *const pairs[][2] = {
        {"12.50", "12.5"}, {"12", "12.0"},         {"12.00", "12.0"}, {"0", "0.0"},
        {"0.0", "0.0"},    {"-0.5", "-0.5"},       {"-7", "-7.0"},    {"100", "100.0"},
        {"0.001", "0.001"}, {"10.010", "10.01"},
        {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678.0"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_text(pairs[i][0], pairs[i][1], none);
}

TEST("what is no plain decimal text is refused")
{
    static const char *const texts[] = {
        "", "-", ".", "-.5", ".5", "5.", "1e5", "+1", "01", "00", "-0", "-0.00", "1 ", " 1", "1_0",
        "1.2.3", "--1", "NaN", "Infinity", "0x1", "1,5", "123456789012345678901234567890123456789"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_text(texts[i], NULL, none);
}

TEST("more digits than the limits are refused")
{
    tj_decimal_limits limits = {.digits = 5, .whole = 3, .fraction = 2};
    check_text("123.45", "123.45", limits);
    check_text("123.450", "123.45", limits);
    check_text("1234", NULL, limits);
    check_text("1.234", NULL, limits);
    check_text("123.4", "123.4", limits);
    uint8_t text[TJ_DECIMAL_SIZE];
    EXPECT(tj_plain_integer(text, 999, limits) != NULL);
    EXPECT(tj_plain_integer(text, -999, limits) != NULL);
    EXPECT(tj_plain_integer(text, 1000, limits) == NULL);
    EXPECT(tj_plain_double(text, 999.25, limits) != NULL);
    EXPECT(tj_plain_double(text, 999.255, limits) == NULL);
    EXPECT(tj_plain_double(text, 1000.5, limits) == NULL);
    EXPECT(tj_plain_double(text, 0.001, limits) == NULL);
}

TEST("integers and doubles are written without an exponent")
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.0, "0.0"},       {1.0, "1.0"},         {-12.5, "-12.5"}, {1e-7, "0.0000001"},
                {123456.0, "123456.0"}, {1e16, "10000000000000000.0"}, {0.1, "0.1"},
                {1.5e15, "1500000000000000.0"}};
    uint8_t text[TJ_DECIMAL_SIZE], *end;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        end = tj_plain_double(text, rows[i].value, none);
        if (!end) FAIL("%s is refused", rows[i].text);
        else EXPECT_TEXT(rows[i].text, text, end);
    }
    end = tj_plain_integer(text, INT64_MIN, none);
    EXPECT_TEXT("-9223372036854775808.0", text, end);
    EXPECT(tj_plain_double(text, -0.0, none) == NULL);
    EXPECT(tj_plain_double(text, 1e17, none) == NULL);
    EXPECT(tj_plain_double(text, 1e-19, none) == NULL);
    EXPECT(tj_plain_double(text, 1.0 / 0.0, none) == NULL);
    EXPECT(tj_plain_double(text, 0.0 / 0.0, none) == NULL);
}

TEST("random doubles of up to 15 digits read back")
{
    uint8_t text[TJ_DECIMAL_SIZE + 1], *end;
    tj_decimal_limits limits = {15, 15, 15};
    for (int i = 0; i < 100000; i++) {
        int64_t units = (int64_t)(random_u64() % 1000000000000000);
        double value = (double)units;
        for (int zeros = (int)(random_u64() % 16); zeros > 0; zeros--) value /= 10;
        CASE();
        end = tj_plain_double(text, value, limits);
        if (!end) continue;
        *end = 0;
        if (strtod((char *)text, NULL) != value) FAIL("%.17g: %s", value, text);
    }
    EXPECT_CASES(100000);
}
