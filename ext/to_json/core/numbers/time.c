/* Core. Converts between dates and day numbers, and writes dates and times as ISO 8601 text.
 *
 * The calendar arithmetic is that of Cassio Neri and Lorenz Schneider, "Euclidean affine functions
 * and their application to calendar algorithms" (2022). Years begin in March, so that the leap day
 * is the last day. Each division is a multiplication and a shift that are exact in their range. */
#include "time.h"

#include "integer.h"

#define DAYS_OF_ERA 146097 /* 400 years, after which the calendar repeats */
#define YEARS_OF_ERA 400
#define MARCH_1_OF_YEAR_0 (-719468) /* in days since 1970-01-01 */
#define DAYS_TO_YEAR_10000 3652365 /* since March 1 of year 0 */
#define SECONDS_OF_DAY 86400
#define DAYS_BEFORE_JANUARY 306 /* since March 1 */

/* The fast path covers so many eras before that of year 0, and as many after it: 4 * days fits into
 * 32 bits. */
#define ERAS 3000

/* Returns floor(value / by), and sets *rest to the remainder, which is not negative. */
TJ_INLINE int64_t floor_divide(int64_t value, int64_t by, int64_t *rest)
{
    int64_t quotient = value / by;
    *rest = value - quotient * by;
    if (*rest >= 0) return quotient;
    *rest += by;
    return quotient - 1;
}

/* The date of a number of days since March 1 of a year that is a multiple of 400. days < 2^30. The
 * year counts from there. */
TJ_INLINE tj_civil civil_of(uint32_t days)
{
    uint32_t quarters = 4 * days + 3;
    uint32_t century = quarters / DAYS_OF_ERA, day_of_century = quarters % DAYS_OF_ERA / 4;
    /* Divides by 1461: 2939745 is ceil(2^32 / 1461). The upper half is the year, the lower half the
     * part of it that has passed. */
    uint64_t product = (uint64_t)2939745 * (4 * day_of_century + 3);
    uint32_t year_of_century = (uint32_t)(product >> 32),
             day_of_year = (uint32_t)product / 2939745 / 4;
    uint32_t month_and_day = 2141 * day_of_year + 197913; /* 30.6 days in a month; March is 3 */
    uint32_t month = month_and_day >> 16, day = (month_and_day & 0xffff) / 2141;
    bool is_next_year = day_of_year >= DAYS_BEFORE_JANUARY;
    return (tj_civil){.year = (int64_t)(100 * century + year_of_century) + is_next_year,
                      .month = (int)(is_next_year ? month - 12 : month),
                      .day = (int)day + 1};
}

static TJ_COLD tj_civil civil_from_days_cold(int64_t days)
{
    /* eras since 1970-01-01 */
    int64_t day_of_era, era = floor_divide(days, DAYS_OF_ERA, &day_of_era);
    tj_civil civil = civil_of((uint32_t)(day_of_era - MARCH_1_OF_YEAR_0));
    civil.year += era * YEARS_OF_ERA;
    return civil;
}

TJ_INLINE tj_civil civil_from_days(int64_t days)
{
    uint64_t shifted = (uint64_t)days - (uint64_t)(MARCH_1_OF_YEAR_0 - (int64_t)ERAS * DAYS_OF_ERA);
    if (TJ_UNLIKELY(shifted >= 2ull * ERAS * DAYS_OF_ERA)) return civil_from_days_cold(days);
    tj_civil civil = civil_of((uint32_t)shifted);
    civil.year -= ERAS * YEARS_OF_ERA;
    return civil;
}

tj_civil tj_civil_from_days(int64_t days) { return civil_from_days(days); }

int64_t tj_days_from_civil(int64_t year, int month, int day)
{
    if (month < 3) {
        year--;
        month += 12;
    }
    int64_t year_of_era, era = floor_divide(year, YEARS_OF_ERA, &year_of_era);
    /* 30.6 days in a month; March is 3 */
    int64_t day_of_year = (979 * month - 2919) / 32 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_OF_ERA + day_of_era + MARCH_1_OF_YEAR_0;
}

/* The day of `seconds` at `offset` seconds east, and the second of that day. No sum overflows. */
TJ_INLINE int64_t local_day(int64_t seconds, int32_t offset, uint32_t *second_of_day)
{
    int64_t rest, days = floor_divide(seconds, SECONDS_OF_DAY, &rest);
    rest += offset;
    if (TJ_UNLIKELY((uint64_t)rest >= SECONDS_OF_DAY))
        days += floor_divide(rest, SECONDS_OF_DAY, &rest);
    *second_of_day = (uint32_t)rest;
    return days;
}

/* Four numbers 0 to 99, in 16 bits each, become two digits 0 to 9 each, the first in the lower
 * byte. */
TJ_INLINE uint64_t digits_of_pairs(uint64_t pairs)
{
    uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000full; /* x / 10 for x < 100 */
    return tens | (pairs - 10 * tens) << 8;
}

/* Eight characters as a word, the first in the lowest byte. */
#define TEXT(a, b, c, d, e, f, g, h)                                                  \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 | \
     (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)

/* Stores the `count` lowest bytes of a word, the lowest first. */
TJ_INLINE uint8_t *store(uint8_t *at, uint64_t word, int count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, 8); /* may overwrite more than `count` bytes; a store of 8 is cheaper */
    return at + count;
}

static TJ_COLD uint8_t *write_year_cold(uint8_t *at, int64_t year)
{
    uint64_t size = (uint64_t)year;
    if (year < 0) {
        *at++ = '-';
        size = -size;
    }
    if (size >= 10000) return tj_write_uint64(at, size);
    return store(
        at, digits_of_pairs(size / 100 | size % 100 << 16) | TEXT('0', '0', '0', '0', 0, 0, 0, 0),
        4);
}

/* Writes "YYYY-MM-" and sets *day_digits to the two digits of the day. */
TJ_INLINE uint8_t *write_year_and_month(uint8_t *at, int64_t year, uint32_t month, uint32_t day,
                                        uint64_t *day_digits)
{
    bool four_digits = (uint64_t)year <= 9999;
    /* / 100 for x < 43699 */
    uint32_t shown = four_digits ? (uint32_t)year : 0, century = shown * 5243 >> 19;
    uint64_t digits = digits_of_pairs(century | (uint64_t)(shown - 100 * century) << 16 |
                                      (uint64_t)month << 32 | (uint64_t)day << 48);
    uint64_t word = (uint32_t)digits | (digits >> 32 & 0xffff) << 40 |
                    TEXT('0', '0', '0', '0', '-', '0', '0', '-');
    *day_digits = digits >> 48;
    if (TJ_LIKELY(four_digits)) return store(at, word, 8);
    return store(write_year_cold(at, year), word >> 32, 4);
}

uint8_t *tj_write_date(uint8_t *at, int64_t year, int month, int day)
{
    uint64_t day_digits;
    at = write_year_and_month(at, year, (uint32_t)month, (uint32_t)day, &day_digits);
    return store(at, day_digits | TEXT('0', '0', 0, 0, 0, 0, 0, 0), 2);
}

/* Writes ".123456789", cut to `digits` of 1 to 9. */
TJ_INLINE uint8_t *write_fraction(uint8_t *at, uint32_t nanoseconds, int digits)
{
    uint32_t upper = nanoseconds / 100000, lower = nanoseconds % 100000; /* four digits and five */
    uint64_t pairs = upper / 100 | (uint64_t)(upper % 100) << 16 | (uint64_t)(lower / 1000) << 32 |
                     (uint64_t)(lower / 10 % 100) << 48;
    *at++ = '.';
    store(at, digits_of_pairs(pairs) | TEXT('0', '0', '0', '0', '0', '0', '0', '0'), 8);
    at[8] = (uint8_t)('0' + lower % 10);
    return at + digits;
}

/* Writes "+01:00". */
TJ_INLINE uint8_t *write_offset(uint8_t *at, int32_t offset)
{
    uint32_t minutes = (offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset) / 60;
    uint64_t digits = digits_of_pairs(minutes / 60 | (uint64_t)(minutes % 60) << 16);
    char sign = offset < 0 ? '-' : '+';
    return store(at,
                 (digits & 0xffff) << 8 | (digits >> 16) << 32 |
                     TEXT(sign, '0', '0', ':', '0', '0', 0, 0),
                 6);
}

uint8_t *tj_write_time(uint8_t *at, int64_t seconds, int32_t nanoseconds, int32_t offset, bool utc,
                       int digits)
{
    uint32_t second;
    tj_civil civil;
    /* From March 1 of year 0 to the end of 9999 one sum and one division are enough. */
    uint64_t shifted = (uint64_t)seconds + (uint64_t)(int64_t)(utc ? 0 : offset) -
                       MARCH_1_OF_YEAR_0 * (int64_t)SECONDS_OF_DAY;
    if (TJ_LIKELY(shifted < DAYS_TO_YEAR_10000 * (uint64_t)SECONDS_OF_DAY)) {
        uint32_t days = (uint32_t)(shifted / SECONDS_OF_DAY);
        second = (uint32_t)(shifted - days * (uint64_t)SECONDS_OF_DAY);
        civil = civil_of(days);
    } else {
        civil = civil_from_days(local_day(seconds, utc ? 0 : offset, &second));
    }
    uint64_t day_digits;
    at = write_year_and_month(at, civil.year, (uint32_t)civil.month, (uint32_t)civil.day,
                              &day_digits);

    uint32_t minute = second / 60, hour = second / 3600,
             milliseconds = (uint32_t)nanoseconds / 1000000, hundredths = milliseconds / 10;
    uint64_t clock =
        digits_of_pairs(hour | (uint64_t)(minute - hour * 60) << 16 |
                        (uint64_t)(second - minute * 60) << 32 | (uint64_t)hundredths << 48);
    at = store(at,
               day_digits | (clock & 0xffff) << 24 | (clock >> 16 & 0xffff) << 48 |
                   TEXT('0', '0', 'T', '0', '0', ':', '0', '0'),
               8);
    uint64_t thousandths = milliseconds - 10 * hundredths;
    store(at,
          (clock >> 32 & 0xffff) << 8 | (clock >> 48) << 32 | thousandths << 48 |
              TEXT(':', '0', '0', '.', '0', '0', '0', 0),
          8);
    if (TJ_LIKELY(digits == 3)) at += 7;
    else if (digits == 0) at += 3;
    else at = write_fraction(at + 3, (uint32_t)nanoseconds, digits);
    if (!utc) return write_offset(at, offset);
    *at = 'Z';
    return at + 1;
}
