/* Tests of core/numbers/float_oj.c in a process whose locale has another decimal point. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

static const char *point = ",";

/* snprintf as under such a locale. */
static int localized(char *at, size_t size, const char *format, double value)
{
    char text[64];
    int count = 0;
    snprintf(text, sizeof text, format, value);
    for (const char *from = text; *from; from++)
        count += *from == '.' ? sprintf(at + count, "%s", point) : sprintf(at + count, "%c", *from);
    EXPECT((size_t)count < size);
    return count;
}

#define snprintf localized
#define tj_write_double_oj localized_double_oj
#define tj_write_double_oj_strict localized_double_oj_strict
#include "float_oj.c"
#undef snprintf

TEST("the fifteen digits of :oj_strict have a point in any locale")
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{1.5e-5, "1.5e-05"}, {1.23456789012345678, "1.23456789012346"},
                 {-123456789.123456789, "-123456789.123457"}, {1e-7, "1e-07"}, {1e300, "1e+300"},
                 {0.1 + 0.2, "0.3"}};
    static const char *const points[] = {".", ",", "\xd9\xab"};
    for (size_t p = 0; p < 3; p++) {
        point = points[p];
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            uint8_t out[TJ_FLOAT_SIZE];
            uint8_t *end = localized_double_oj_strict(out, cases[i].value);
            harness_context("%s with %s", cases[i].text, point);
            EXPECT_UINT(strlen(cases[i].text), (size_t)(end - out));
            EXPECT(memcmp(out, cases[i].text, (size_t)(end - out)) == 0);
        }
    }
}
