/* Core. Times and dates as ISO 8601 / RFC 3339 text, in the proleptic Gregorian calendar. */
#ifndef TJ_TIME_H
#define TJ_TIME_H

#include "../status.h"

#define TJ_TIME_SIZE 64

typedef struct {
    int64_t year; /* any year; written with at least four digits, and a minus sign if negative */
    int month, day; /* 1..12, 1..31 */
} tj_civil;

/* The days from 1970-01-01 to a date, and the date of such days. */
int64_t tj_days_from_civil(int64_t year, int month, int day);
tj_civil tj_civil_from_days(int64_t days);

/* Writes "2026-11-20". Needs TJ_TIME_SIZE bytes, returns the end. */
uint8_t *tj_write_date(uint8_t *at, int64_t year, int month, int day);

/* Writes "2026-11-20T10:00:00.000Z" or "...+01:00". `seconds` count from 1970, `nanoseconds` (0 to
 * 999999999) are cut to `digits` fraction digits (0 to 9; 0 writes no point), `offset` is in
 * seconds east. `utc` writes Z and ignores offset. The seconds of an offset are dropped, as Ruby's
 * iso8601 drops them. Needs TJ_TIME_SIZE bytes, returns the end. Cannot fail. */
uint8_t *tj_write_time(uint8_t *at, int64_t seconds, int32_t nanoseconds, int32_t offset, bool utc,
                       int digits);

/* Sets `*milliseconds` to those since 1970. Returns false if they do not fit into 64 bits. */
TJ_INLINE bool tj_milliseconds(int64_t seconds, int32_t nanoseconds, int64_t *milliseconds)
{
    int64_t rest = nanoseconds / 1000000;
    if (seconds < 0) { /* or the product overflows for the first milliseconds of 64 bits */
        seconds++;
        rest -= 1000;
    }
    return !__builtin_mul_overflow(seconds, (int64_t)1000, milliseconds) &&
           !__builtin_add_overflow(*milliseconds, rest, milliseconds);
}

#endif
