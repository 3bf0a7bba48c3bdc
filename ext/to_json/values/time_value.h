/* Values. Writes Time, Date, DateTime and TimeWithZone as the Rules' time: says. */
#ifndef TJ_TIME_VALUE_H
#define TJ_TIME_VALUE_H

#include "../writer/writer.h"

void tj_time_value_init(void);
/* Whether an exact Time is in UTC and counts whole nanoseconds in a Fixnum. Calls no method to
 * find out. Writing such a Time runs no Ruby, not even methods of Rational, and raises nothing. */
bool tj_time_runs_no_ruby(VALUE time);
/* Writes an exact Time with its quotes at `at` and returns the end. Needs TJ_TIME_SIZE + 2 bytes.
 * Returns NULL under Rules other than :iso8601 and :utc, or if a redefined method of Time wrote
 * meanwhile. May raise. */
uint8_t *tj_try_time(tj_writer *w, uint8_t *at, VALUE time);
/* As tj_try_time, but under `rule` instead of that of the Rules; also :unix and :unix_ms. */
uint8_t *tj_try_time_as(tj_writer *w, uint8_t *at, VALUE time, enum tj_time_rule rule);
void tj_write_time_value(tj_writer *w, VALUE time);         /* a Time or a subclass */
void tj_write_date_value(tj_writer *w, VALUE date);   /* a Date, no DateTime */
void tj_write_date_time(tj_writer *w, VALUE date_time);
void tj_write_time_with_zone(tj_writer *w, VALUE time);

/* Write as Time#xmlschema(digits) does, 0 to 9 digits, whatever time: says. Return false and write
 * nothing if the year has not four digits. tj_write_zoned_xmlschema is for an
 * ActiveSupport::TimeWithZone, tj_write_moment for the parts of a time that is no object yet. */
bool tj_write_xmlschema(tj_writer *w, VALUE time, int digits);
bool tj_write_zoned_xmlschema(tj_writer *w, VALUE time, int digits);
bool tj_write_moment(tj_writer *w, struct timespec moment, int32_t offset, bool utc, int digits);

#endif
