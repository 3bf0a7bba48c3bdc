/* Tests of core/numbers/time_text.c, by what core/numbers/time.c writes. */
#include "harness.h"
#include "time_text.h"

#define DAYS_OF_YEAR_1 (-719162)   /* 0001-01-01 */
#define DAYS_OF_YEAR_9999 2932896 /* 9999-12-31 */

TEST("every date of the years 1 to 9999 is read as the day that it was written for")
{
    uint8_t text[TJ_TIME_SIZE];
    for (int64_t days = DAYS_OF_YEAR_1; days <= DAYS_OF_YEAR_9999; days++) {
        tj_civil written = tj_civil_from_days(days), read;
        uint8_t *end = tj_write_date(text, written.year, written.month, written.day);
        CASE();
        if (!tj_read_date(text, (size_t)(end - text), &read) || read.year != written.year ||
            read.month != written.month || read.day != written.day)
            FAIL("day %" PRId64 ": %.*s", days, (int)(end - text), text);
    }
    EXPECT_CASES(3652059);
}

TEST("a date that the calendar does not have, or that is not of the form, is refused")
{
    static const char *const texts[] = {
        "",           "2026-01-3",   "2026-01-311", "2026-02-29", "1900-02-29", "2026-04-31",
        "2026-00-10", "2026-13-10",  "2026-01-00",  "2026-01-32", "0000-01-01", "2026/01/31",
        "2026-1-311", "+026-01-31",  "2026-01 31",  "2O26-01-31", "2026-01-3 ", "20260131..",
        "-026-01-31", "2026-01-31\n"};
    tj_civil civil;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!EXPECT(!tj_read_date((const uint8_t *)texts[i], strlen(texts[i]), &civil)))
            FAIL("%s", texts[i]);
}

/* Writes the time with a space for the T and without the Z. */
static size_t text_of(uint8_t *text, int64_t seconds, int32_t nanoseconds, int digits)
{
    uint8_t *end = tj_write_time(text, seconds, nanoseconds, 0, true, digits);
    text[10] = seconds % 2 ? ' ' : 'T';
    return (size_t)(end - text) - 1;
}

TEST("random times are read as the moment that they were written for")
{
    static const int32_t units[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000};
    uint8_t text[TJ_TIME_SIZE];
    for (int i = 0; i < 100000; i++) {
        const int64_t days = DAYS_OF_YEAR_9999 - DAYS_OF_YEAR_1;
        int64_t seconds =
                    DAYS_OF_YEAR_1 * 86400LL + (int64_t)(random_u64() % (uint64_t)(days * 86400)),
                read = 0;
        int digits = (int)(random_u64() % 7);
        int32_t nanoseconds = (int32_t)(random_u64() % 1000000000), fraction = 0;
        nanoseconds -= nanoseconds % units[digits];
        size_t size = text_of(text, seconds, nanoseconds, digits);
        CASE();
        if (!tj_read_time(text, size, &read, &fraction) || read != seconds ||
            fraction != nanoseconds)
            FAIL("%.*s: %" PRId64 ".%09d", (int)size, text, read, (int)fraction);
        int64_t clock = (seconds % 86400 + 86400) % 86400;
        bool whole = tj_read_clock(text, size, &read, &fraction);
        if (!whole || read != clock || fraction != nanoseconds) FAIL("%.*s", (int)size, text);
        whole = tj_read_clock(text + 11, size - 11, &read, &fraction);
        if (!whole || read != clock || fraction != nanoseconds) FAIL("%.*s", (int)size, text + 11);
    }
    EXPECT_CASES(100000);
}

TEST("a time of any other form is refused")
{
    static const char *const texts[] = {
        "2026-01-31",          "2026-01-31 ",          "2026-01-31 10:11",
        "2026-01-31 10:11:1",  "2026-01-31 24:00:00",  "2026-01-31 10:60:00",
        "2026-01-31 10:11:60", "2026-01-31 10:11:12.", "2026-01-31 10:11:12.1234567",
        "2026-01-31 10:11:12Z", "2026-01-31t10:11:12", "2026-02-30 10:11:12",
        "2026-01-31 1O:11:12", "2026-01-31 10-11-12",  "2026-01-31 10:11:12.12a"};
    int64_t seconds;
    int32_t nanoseconds;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const uint8_t *text = (const uint8_t *)texts[i];
        size_t size = strlen(texts[i]);
        if (!EXPECT(!tj_read_time(text, size, &seconds, &nanoseconds))) FAIL("%s", texts[i]);
        /* of a clock, the date need not exist */
        if (memcmp(text, "2026-02-30", 10) != 0 &&
            !EXPECT(!tj_read_clock(text, size, &seconds, &nanoseconds)))
            FAIL("%s", texts[i]);
    }
    EXPECT(!tj_read_clock((const uint8_t *)"20x6-01-31 10:11:12", 19, &seconds, &nanoseconds));
}
