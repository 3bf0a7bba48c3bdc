/* Core. Reads dates and times from text of one exact form, in which databases give them. */
#ifndef TJ_TIME_TEXT_H
#define TJ_TIME_TEXT_H

#include "time.h"

/* Read "2026-01-31". Return false for any other form, and for a day that the proleptic Gregorian
 * calendar does not have in the years 1 to 9999. */
bool tj_read_date(const uint8_t *text, size_t size, tj_civil *civil);

/* Reads "2026-01-31 10:11:12" (or with a T) as a time in UTC, with a fraction of 1 to 6 digits or
 * none. Returns false for any other form, and for days and hours that do not exist. */
bool tj_read_time(const uint8_t *text, size_t size, int64_t *seconds, int32_t *nanoseconds);

/* Reads "10:11:12" with such a fraction, also behind any ten characters of the form of a date and
 * a space or T, as seconds of the day. */
bool tj_read_clock(const uint8_t *text, size_t size, int64_t *seconds, int32_t *nanoseconds);

#endif
