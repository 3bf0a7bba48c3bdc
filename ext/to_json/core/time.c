/* Core. Civil dates from day numbers, and both as ISO 8601 text.
 *
 * The calendar arithmetic is that of Cassio Neri and Lorenz Schneider, "Euclidean affine functions
 * and their application to calendar algorithms" (2022): years begin in March, so that the leap day is the
 * last, and each division is a multiplication and a shift that are exact in their range. */
#include "time.h"

#include "integer.h"

#define DAYS_OF_ERA 146097 /* of 400 years, after which the calendar repeats */
#define YEARS_OF_ERA 400
#define MARCH_1_OF_YEAR_0 (-719468) /* in days from 1970-01-01 */
#define SECONDS_OF_DAY 86400
#define DAYS_BEFORE_JANUARY 306 /* from March 1 on */

/* The fast range: this many eras before the one of year 0, as many after it. 4 * days fits 32 bits. */
#define ERAS 3000

/* floor(value / by), and what remains, 0 or above. */
TJ_INLINE int64_t floor_divide(int64_t value, int64_t by, int64_t *rest)
{
    int64_t quotient = value / by;
    *rest = value - quotient * by;
    if (*rest >= 0) return quotient;
    *rest += by;
    return quotient - 1;
}

/* `days` from March 1 of a year that is a multiple of 400, below 2^30; year counted from there too. */
TJ_INLINE tj_civil civil_of(uint32_t days)
{
    uint32_t quarters = 4 * days + 3;
    uint32_t century = quarters / DAYS_OF_ERA, day_of_century = quarters % DAYS_OF_ERA / 4;
    /* / 1461, by 2939745 = ceil(2^32 / 1461): the year above, its part that has gone by below */
    uint64_t product = (uint64_t)2939745 * (4 * day_of_century + 3);
    uint32_t year_of_century = (uint32_t)(product >> 32), day_of_year = (uint32_t)product / 2939745 / 4;
    uint32_t month_and_day = 2141 * day_of_year + 197913; /* 30.6 days a month, from March = 3 on */
    uint32_t month = month_and_day >> 16, day = (month_and_day & 0xffff) / 2141;
    bool is_next_year = day_of_year >= DAYS_BEFORE_JANUARY;
    return (tj_civil){.year = (int64_t)(100 * century + year_of_century) + is_next_year,
                      .month = (int)(is_next_year ? month - 12 : month),
                      .day = (int)day + 1};
}

static TJ_COLD tj_civil civil_from_days_cold(int64_t days)
{
    int64_t day_of_era, era = floor_divide(days, DAYS_OF_ERA, &day_of_era); /* an era from 1970-01-01 on */
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
    int64_t day_of_year = (979 * month - 2919) / 32 + day - 1; /* 30.6 days a month, from March = 3 on */
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_OF_ERA + day_of_era + MARCH_1_OF_YEAR_0;
}

/* The day that `offset` seconds east puts `seconds` in, and the second of that day. No sum overflows. */
TJ_INLINE int64_t local_day(int64_t seconds, int32_t offset, uint32_t *second_of_day)
{
    int64_t rest, days = floor_divide(seconds, SECONDS_OF_DAY, &rest);
    rest += offset;
    if (TJ_UNLIKELY((uint64_t)rest >= SECONDS_OF_DAY)) days += floor_divide(rest, SECONDS_OF_DAY, &rest);
    *second_of_day = (uint32_t)rest;
    return days;
}

tj_civil tj_civil_from_unix(int64_t seconds, int32_t offset)
{
    uint32_t second;
    tj_civil civil = civil_from_days(local_day(seconds, offset, &second));
    civil.hour = (int)(second / 3600);
    civil.minute = (int)(second / 60 % 60);
    civil.second = (int)(second % 60);
    return civil;
}

/* Four numbers 0..99, in 16 bits each, as the ASCII of two digits each; the lowest comes first. */
TJ_INLINE uint64_t pairs_to_ascii(uint64_t pairs)
{
    uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000full; /* x / 10 for x < 100 */
    return (tens | (pairs - 10 * tens) << 8) | 0x3030303030303030ull;
}

/* The `count` lowest bytes of a word, the lowest first. */
TJ_INLINE uint8_t *store(uint8_t *at, uint64_t word, int count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, 8); /* scribbles; a store of 8 is cheaper than one of `count` */
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
    return store(at, pairs_to_ascii(size / 100 | size % 100 << 16), 4);
}

/* Scribbles on 6 bytes past the end. */
TJ_INLINE uint8_t *write_date(uint8_t *at, int64_t year, uint32_t month, uint32_t day)
{
    uint64_t century = (uint64_t)year / 100, rest = (uint64_t)year % 100;
    if (TJ_UNLIKELY((uint64_t)year > 9999)) {
        at = write_year_cold(at, year);
        century = rest = 0;
    }
    uint64_t digits = pairs_to_ascii(century | rest << 16 | (uint64_t)month << 32 | (uint64_t)day << 48);
    if (TJ_LIKELY((uint64_t)year <= 9999)) at = store(at, digits, 4);
    *at++ = '-';
    at = store(at, digits >> 32, 2);
    *at++ = '-';
    return store(at, digits >> 48, 2);
}

uint8_t *tj_write_date(uint8_t *at, int64_t year, int month, int day)
{
    return write_date(at, year, (uint32_t)month, (uint32_t)day);
}

/* ".123456789" cut to 1..9 digits. */
TJ_INLINE uint8_t *write_fraction(uint8_t *at, uint32_t nanoseconds, int digits)
{
    *at++ = '.';
    if (TJ_LIKELY(digits == 3)) {
        uint32_t milliseconds = nanoseconds / 1000000;
        return store(at, pairs_to_ascii(milliseconds / 10 | (uint64_t)(milliseconds % 10 * 10) << 16), 3);
    }
    uint32_t upper = nanoseconds / 100000, lower = nanoseconds % 100000; /* four digits and five */
    uint64_t pairs = upper / 100 | (uint64_t)(upper % 100) << 16 | (uint64_t)(lower / 1000) << 32 | (uint64_t)(lower / 10 % 100) << 48;
    store(at, pairs_to_ascii(pairs), 8);
    at[8] = (uint8_t)('0' + lower % 10);
    return at + digits;
}

uint8_t *tj_write_time(uint8_t *at, int64_t seconds, int32_t nanoseconds, int32_t offset, bool utc, int digits)
{
    uint32_t second;
    tj_civil civil = civil_from_days(local_day(seconds, utc ? 0 : offset, &second));
    at = write_date(at, civil.year, (uint32_t)civil.month, (uint32_t)civil.day);

    uint32_t minute = second / 60, hour = second / 3600;
    uint64_t clock = pairs_to_ascii(hour | (uint64_t)(minute - hour * 60) << 16 | (uint64_t)(second - minute * 60) << 32);
    *at++ = 'T';
    at = store(at, clock, 2);
    *at++ = ':';
    at = store(at, clock >> 16, 2);
    *at++ = ':';
    at = store(at, clock >> 32, 2);
    if (digits > 0) at = write_fraction(at, (uint32_t)nanoseconds, digits);
    if (utc) {
        *at = 'Z';
        return at + 1;
    }
    uint32_t east = (offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset) / 60;
    uint64_t zone = pairs_to_ascii(east / 60 | (uint64_t)(east % 60) << 16);
    *at++ = offset < 0 ? '-' : '+';
    at = store(at, zone, 2);
    *at++ = ':';
    return store(at, zone >> 16, 2);
}
