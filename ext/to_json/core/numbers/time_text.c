/* Core. Reads dates and times. Digits are checked by adding up what is wrong, without a branch for
 * each. */
#include "time_text.h"

#define DATE_SIZE 10  /* "2026-01-31" */
#define CLOCK_SIZE 8  /* "10:11:12" */
#define MOST_DIGITS 6 /* of a fraction; Rails ignores further ones, or does not, by its version */

/* The number that two digits stand for. Sets a bit of *wrong if they are none. */
TJ_INLINE uint32_t two_digits(const uint8_t *at, uint32_t *wrong)
{
    uint32_t tens = at[0] - (uint32_t)'0', ones = at[1] - (uint32_t)'0';
    *wrong |= (tens > 9) | (ones > 9);
    return 10 * tens + ones;
}

TJ_INLINE uint32_t date_digits(const uint8_t *at, tj_civil *civil)
{
    uint32_t wrong = (at[4] != '-') | (at[7] != '-');
    uint32_t century = two_digits(at, &wrong), year = two_digits(at + 2, &wrong);
    civil->year = 100 * century + year;
    civil->month = (int)two_digits(at + 5, &wrong);
    civil->day = (int)two_digits(at + 8, &wrong);
    return wrong;
}

static bool exists(const tj_civil *civil)
{
    static const uint8_t days[] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (civil->year < 1 || civil->month < 1 || civil->month > 12 || civil->day < 1) return false;
    bool leap = civil->year % 4 == 0 && (civil->year % 100 != 0 || civil->year % 400 == 0);
    return civil->day <= days[civil->month] + (civil->month == 2 && leap);
}

bool tj_read_date(const uint8_t *text, size_t size, tj_civil *civil)
{
    *civil = (tj_civil){0};
    return size == DATE_SIZE && date_digits(text, civil) == 0 && exists(civil);
}

static bool read_clock(const uint8_t *at, size_t size, int64_t *seconds, int32_t *nanoseconds)
{
    if (size < CLOCK_SIZE) return false;
    uint32_t wrong = (at[2] != ':') | (at[5] != ':');
    uint32_t hour = two_digits(at, &wrong), minute = two_digits(at + 3, &wrong),
             second = two_digits(at + 6, &wrong), fraction = 0;
    if (size > CLOCK_SIZE) {
        size_t digits = size - CLOCK_SIZE - 1;
        if (at[CLOCK_SIZE] != '.' || digits < 1 || digits > MOST_DIGITS) return false;
        for (size_t i = 0; i < MOST_DIGITS; i++) {
            uint32_t digit = i < digits ? at[CLOCK_SIZE + 1 + i] - (uint32_t)'0' : 0;
            wrong |= digit > 9;
            fraction = 10 * fraction + digit;
        }
    }
    if (wrong || hour > 23 || minute > 59 || second > 59) return false;
    *seconds = hour * 3600 + minute * 60 + second;
    *nanoseconds = (int32_t)fraction * 1000;
    return true;
}

static bool is_between(uint8_t byte) { return byte == ' ' || byte == 'T'; }

bool tj_read_time(const uint8_t *text, size_t size, int64_t *seconds, int32_t *nanoseconds)
{
    tj_civil civil;
    int64_t second;
    if (size <= DATE_SIZE || !is_between(text[DATE_SIZE]) ||
        !tj_read_date(text, DATE_SIZE, &civil) ||
        !read_clock(text + DATE_SIZE + 1, size - DATE_SIZE - 1, &second, nanoseconds))
        return false;
    *seconds = tj_days_from_civil(civil.year, civil.month, civil.day) * 86400 + second;
    return true;
}

bool tj_read_clock(const uint8_t *text, size_t size, int64_t *seconds, int32_t *nanoseconds)
{
    tj_civil civil;
    if (size > DATE_SIZE + CLOCK_SIZE && is_between(text[DATE_SIZE])) {
        if (date_digits(text, &civil)) return false;
        text += DATE_SIZE + 1;
        size -= DATE_SIZE + 1;
    }
    return read_clock(text, size, seconds, nanoseconds);
}
