/* Tests of core/numbers/time.c. The reference is a calendar that counts: one day after the other,
 * with the rule for leap years and the lengths of the months; and gmtime_r. */
#include "harness.h"
#include "time.h"

#include <time.h>

typedef struct {
    int64_t year;
    int month, day;
} date;

static bool leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_of_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && leap(year));
}

static date next_day(date d)
{
    if (++d.day <= days_of_month(d.year, d.month)) return d;
    d.day = 1;
    if (++d.month <= 12) return d;
    return (date){d.year + 1, 1, 1};
}

/* Days from 1970-01-01 to January 1 of `year`, year by year. */
static int64_t naive_days_to(int64_t year)
{
    int64_t days = 0;
    for (int64_t y = 1970; y < year; y++) days += 365 + leap(y);
    for (int64_t y = year; y < 1970; y++) days -= 365 + leap(y);
    return days;
}

static void check_day(int64_t days, date d)
{
    CASE();
    tj_civil civil = tj_civil_from_days(days);
    if (civil.year != d.year || civil.month != d.month || civil.day != d.day)
        FAIL("day %" PRId64 ": expected %" PRId64 "-%d-%d, got %" PRId64 "-%d-%d", days, d.year,
             d.month, d.day, civil.year, civil.month, civil.day);
    if (tj_days_from_civil(d.year, d.month, d.day) != days)
        FAIL("%" PRId64 "-%d-%d is not day %" PRId64, d.year, d.month, d.day, days);
}

TEST("every day from 1900 to 2100 is where counting puts it")
{
    date d = {1900, 1, 1};
    for (int64_t days = naive_days_to(1900); d.year <= 2100; days++, d = next_day(d))
        check_day(days, d);
    EXPECT_CASES(73414);
}

TEST("days of the years -10 to 10000 are where counting puts them")
{
    date d = {-10, 1, 1};
    uint64_t step = ROUNDS(7, 1), skipped = 0;
    for (int64_t days = naive_days_to(-10); d.year <= 10000; days++, d = next_day(d))
        if (++skipped >= step || d.day == 1 || d.day >= 28) {
            check_day(days, d);
            skipped = 0;
        }
    EXPECT_CASES(890000);
}

TEST("far away days go there and back")
{
    static const int64_t edges[] = {-719468 - 146097LL * 3000,
                                    -719468 + 146097LL * 3000,
                                    INT32_MIN,
                                    INT32_MAX,
                                    1ll << 50,
                                    -(1ll << 50)};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int64_t days = edges[i] - 2000; days < edges[i] + 2000; days++) {
            tj_civil a = tj_civil_from_days(days), b = tj_civil_from_days(days + 1);
            date next = next_day((date){a.year, a.month, a.day});
            if (!EXPECT(next.year == b.year && next.month == b.month && next.day == b.day)) return;
            EXPECT_INT(days, tj_days_from_civil(a.year, a.month, a.day));
        }
    EXPECT_INT(25252734927768524,
               tj_civil_from_days(INT64_MAX).year); /* (2^63 - 1) / 365.2425 + 1970 */
    EXPECT_INT(-25252734927764585, tj_civil_from_days(INT64_MIN).year);
}

TEST("instants of the years -290000 to 290000 are where gmtime_r puts them")
{
    for (uint64_t i = 0; i < ROUNDS(100000, 5000000); i++) {
        time_t seconds = (time_t)(random_u64() >> (20 + random_below(20))) -
                         (time_t)(random_u64() >> (20 + random_below(20)));
        struct tm tm;
        gmtime_r(&seconds, &tm);
        char expected[128];
        int year = tm.tm_year + 1900,
            size = snprintf(expected, sizeof expected, "%s%04d-%02d-%02dT%02d:%02d:%02dZ",
                            year < 0 ? "-" : "", abs(year), tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
                            tm.tm_min, tm.tm_sec);
        uint8_t out[TJ_TIME_SIZE];
        EXPECT_BYTES(expected, size, out, tj_write_time(out, seconds, 0, 0, true, 0) - out);
    }
}

TEST("the calendar repeats after 400 years, before year 0 too")
{
    for (uint64_t i = 0; i < ROUNDS(100000, 5000000); i++) {
        int64_t days = (int64_t)(random_u64() >> (2 + random_below(40))) -
                       (int64_t)(random_u64() >> (2 + random_below(40)));
        tj_civil a = tj_civil_from_days(days), b = tj_civil_from_days(days - 146097);
        CASE();
        if (a.year != b.year + 400 || a.month != b.month || a.day != b.day)
            FAIL("day %" PRId64, days);
    }
}

/* Text of a time by printf and the counted calendar; only for small years and offsets. */
static int naive_time(char *out, int64_t seconds, int nanoseconds, int offset, bool utc, int digits)
{
    int64_t local = seconds + (utc ? 0 : offset), days = local / 86400, second = local % 86400;
    if (second < 0) {
        second += 86400;
        days--;
    }
    int64_t year = 1970;
    while (days < 0) days += 365 + leap(--year);
    while (days >= 365 + leap(year)) days -= 365 + leap(year++);
    int month = 1;
    while (days >= days_of_month(year, month)) days -= days_of_month(year, month++);
    char fraction[16] = "", zone[16] = "Z";
    snprintf(fraction, sizeof fraction, ".%09d", nanoseconds);
    fraction[digits ? digits + 1 : 0] = 0;
    int east = abs(offset) / 60;
    if (!utc)
        snprintf(zone, sizeof zone, "%c%02d:%02d", offset < 0 ? '-' : '+', east / 60 % 100,
                 east % 60);
    return sprintf(out, "%s%04d-%02d-%02dT%02d:%02d:%02d%s%s", year < 0 ? "-" : "",
                   (int)(year < 0 ? -year : year), month, (int)days + 1, (int)(second / 3600),
                   (int)(second / 60 % 60), (int)(second % 60), fraction, zone);
}

static void check_time(int64_t seconds, int nanoseconds, int offset, bool utc, int digits)
{
    char expected[128];
    int size = naive_time(expected, seconds, nanoseconds, offset, utc, digits);
    uint8_t out[TJ_TIME_SIZE];
    uint8_t *end = tj_write_time(out, seconds, nanoseconds, offset, utc, digits);
    EXPECT_BYTES(expected, size, out, end - out);
}

TEST("random times are written as printf writes them")
{
    for (uint64_t i = 0; i < ROUNDS(20000, 500000); i++) {
        int64_t seconds = (int64_t)random_below(400000000000) -
                          90000000000; /* years -882 to 11793 */
        int offset = (int)random_below(2 * 86400 - 1) - 86399;
        if (random_below(2)) offset = offset / 900 * 900;
        check_time(seconds, (int)random_below(1000000000), offset, random_below(3) == 0,
                   (int)random_below(10));
    }
}

TEST("times around midnight, new year and the epoch are written as printf writes them")
{
    static const int64_t moments[] = {0,
                                      -1,
                                      951782400 /* 2000-02-29 */,
                                      951868800,
                                      1709164800,
                                      4107542400,
                                      253402300800,
                                      -62167219200,
                                      -62135596800};
    static const int offsets[] = {0,    1,     -1,    59,    -59,    60,    -60,
                                  3600, -3600, 19800, 20700, -12600, 86399, -86399};
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++)
        for (size_t j = 0; j < sizeof offsets / sizeof *offsets; j++)
            for (int around = -2; around <= 2; around++)
                check_time(moments[i] + around, 999999999, offsets[j], false, 3);
}

static const struct {
    int64_t seconds;
    int nanoseconds, offset;
    bool utc;
    int digits;
    const char *text;
} known[] = {
    {1795168800, 0, 0, true, 3, "2026-11-20T10:00:00.000Z"},
    {1795168800, 0, 3600, false, 3, "2026-11-20T11:00:00.000+01:00"},
    {1795168800, 999999999, 0, true, 3, "2026-11-20T10:00:00.999Z"},
    {1795168800, 123456789, 0, true, 0, "2026-11-20T10:00:00Z"},
    {1795168800, 123456789, 0, true, 1, "2026-11-20T10:00:00.1Z"},
    {1795168800, 123456789, 0, true, 2, "2026-11-20T10:00:00.12Z"},
    {1795168800, 123456789, 0, true, 4, "2026-11-20T10:00:00.1234Z"},
    {1795168800, 123456789, 0, true, 5, "2026-11-20T10:00:00.12345Z"},
    {1795168800, 123456789, 0, true, 6, "2026-11-20T10:00:00.123456Z"},
    {1795168800, 123456789, 0, true, 7, "2026-11-20T10:00:00.1234567Z"},
    {1795168800, 123456789, 0, true, 8, "2026-11-20T10:00:00.12345678Z"},
    {1795168800, 123456789, 0, true, 9, "2026-11-20T10:00:00.123456789Z"},
    {1795168800, 1, 0, true, 9, "2026-11-20T10:00:00.000000001Z"},
    {1795168800, 9999999, 0, true, 3, "2026-11-20T10:00:00.009Z"},
    {1795168800, 0, 20700, false, 0, "2026-11-20T15:45:00+05:45"},
    {1795168800, 0, -34200, false, 0, "2026-11-20T00:30:00-09:30"},
    {1795168800, 0, 0, false, 0, "2026-11-20T10:00:00+00:00"},
    {1795168800, 0, 86399, true, 0, "2026-11-20T10:00:00Z"}, /* utc ignores the offset */
    {0, 0, -30, false, 3,
     "1969-12-31T23:59:30.000-00:00"}, /* the offset loses its seconds, the time keeps them */
    {0, 0, 90, false, 3, "1970-01-01T00:01:30.000+00:01"},
    {0, 0, -86399, false, 3, "1969-12-31T00:00:01.000-23:59"},
    {-1, 999000000, 0, true, 3, "1969-12-31T23:59:59.999Z"},
    {253402300799, 0, 0, true, 0, "9999-12-31T23:59:59Z"},
    {253402300800, 0, 0, true, 0, "10000-01-01T00:00:00Z"},
    {700000000000, 0, 0, true, 0, "24152-02-12T20:26:40Z"},
    {-62135596800, 0, 0, true, 0, "0001-01-01T00:00:00Z"},
    {-62167219200, 0, 0, true, 0, "0000-01-01T00:00:00Z"},
    {-62167219201, 0, 0, true, 0, "-0001-12-31T23:59:59Z"},
    {-70000000000, 0, 0, true, 0, "-0249-10-15T19:33:20Z"},
    {-70000000000000, 0, 0, true, 0, "-2216242-04-21T19:33:20Z"},
    {INT64_MAX, 0, 0, true, 0, "292277026596-12-04T15:30:07Z"},
    {INT64_MIN, 0, 0, true, 0, "-292277022657-01-27T08:29:52Z"},
    {INT64_MAX, 999999999, 86399, false, 9, "292277026596-12-05T15:30:06.999999999+23:59"},
    {INT64_MIN, 0, -86399, false, 9, "-292277022657-01-26T08:29:53.000000000-23:59"},
};

TEST("a time is written as Time#iso8601 writes it")
{
    uint8_t *room = guard_alloc(TJ_TIME_SIZE);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        harness_context("row %zu", i);
        uint8_t *end = tj_write_time(room, known[i].seconds, known[i].nanoseconds, known[i].offset,
                                     known[i].utc, known[i].digits);
        EXPECT_TEXT(known[i].text, room, end);
    }
    guard_free(room, TJ_TIME_SIZE);
}

TEST("a date is written with at least four digits of year")
{
    static const struct {
        int64_t year;
        int month, day;
        const char *text;
    } rows[] = {
        {2026, 11, 20, "2026-11-20"},
        {1, 2, 3, "0001-02-03"},
        {0, 1, 1, "0000-01-01"},
        {-1, 12, 31, "-0001-12-31"},
        {9999, 12, 31, "9999-12-31"},
        {10000, 1, 1, "10000-01-01"},
        {-9999, 1, 1, "-9999-01-01"},
        {-10000, 10, 9, "-10000-10-09"},
        {INT64_MAX, 1, 1, "9223372036854775807-01-01"},
        {INT64_MIN, 1, 1, "-9223372036854775808-01-01"},
    };
    uint8_t *room = guard_alloc(TJ_TIME_SIZE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT_TEXT(rows[i].text, room,
                    tj_write_date(room, rows[i].year, rows[i].month, rows[i].day));
    guard_free(room, TJ_TIME_SIZE);
}
