/* Values. Time, Date, DateTime and TimeWithZone under the time: rule. */
#ifndef TJ_TIME_VALUE_H
#define TJ_TIME_VALUE_H

#include "../writer/writer.h"

void tj_time_value_init(void);
/* Writes an exact Time with its quotes at `at` (TJ_TIME_SIZE + 2) and returns the end; NULL under Rules other
 * than :iso8601 and :utc, or where Ruby code patched into Time wrote meanwhile. May raise. */
uint8_t *tj_flat_time(tj_writer *w, uint8_t *at, VALUE time);
/* Whether an exact Time is known to be in UTC, in whole nanoseconds that are a Fixnum, without asking it: writing it runs no
 * Ruby, not even Rational's, and raises nothing. */
bool tj_time_is_plain(VALUE time);
/* The same under another rule than the Rules', :unix and :unix_ms too. */
uint8_t *tj_flat_time_as(tj_writer *w, uint8_t *at, VALUE time, enum tj_time_rule rule);
void tj_write_time_value(tj_writer *w, VALUE time);         /* a Time or a subclass */
void tj_write_date_value(tj_writer *w, VALUE date);   /* a Date, no DateTime */
void tj_write_date_time(tj_writer *w, VALUE date_time);
void tj_write_time_with_zone(tj_writer *w, VALUE time);

/* As Time#xmlschema(digits) has it, 0 to 9 digits, whatever the Rules' time:. False, and nothing is written, for years that
 * have no four digits. The second for an ActiveSupport::TimeWithZone. */
bool tj_write_xmlschema(tj_writer *w, VALUE time, int digits);
bool tj_write_zoned_xmlschema(tj_writer *w, VALUE time, int digits);

#endif
