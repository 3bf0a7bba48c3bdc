/* Core. Points in time and dates as ISO 8601 / RFC 3339 text, by the proleptic Gregorian calendar. */
#ifndef TJ_TIME_H
#define TJ_TIME_H

#include "../status.h"

#define TJ_TIME_SIZE 64

typedef struct {
    int64_t year; /* any; written with at least four digits, a minus sign before years below zero */
    int month, day; /* 1..12, 1..31 */
    int hour, minute, second; /* 0..23, 0..59, 0..60 */
} tj_civil;

/* The civil date and time of `seconds` since 1970-01-01T00:00:00Z, at `offset` seconds east of UTC.
 * Defined for every int64_t whose sum with offset does not overflow. */
tj_civil tj_civil_from_unix(int64_t seconds, int32_t offset);

/* The days from 1970-01-01 to year-month-day, and back (hour, minute, second zero). */
int64_t tj_days_from_civil(int64_t year, int month, int day);
tj_civil tj_civil_from_days(int64_t days);

/* "2026-11-20". Needs TJ_TIME_SIZE bytes, returns the end. */
uint8_t *tj_write_date(uint8_t *at, int64_t year, int month, int day);

/* "2026-11-20T10:00:00.000Z" or "...+01:00": `seconds` since the epoch, `nanoseconds` 0..999999999
 * truncated to `digits` fraction digits (0 to 9; 0 writes no point), at `offset` seconds east. `utc`
 * writes Z and ignores offset; an offset that is no whole minute loses its seconds, as Ruby's
 * iso8601 does. Needs TJ_TIME_SIZE bytes, returns the end. Cannot fail. */
uint8_t *tj_write_time(uint8_t *at, int64_t seconds, int32_t nanoseconds, int32_t offset, bool utc, int digits);

#endif
