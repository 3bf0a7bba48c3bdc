/* Glue. Time, Date, DateTime and TimeWithZone under the time: rule. */
#ifndef TJ_TIME_VALUE_H
#define TJ_TIME_VALUE_H

#include "writer.h"

void tj_time_value_init(void);
void tj_write_time_value(tj_writer *w, VALUE time);         /* a Time or a subclass */
void tj_write_date_value(tj_writer *w, VALUE date);   /* a Date, no DateTime */
void tj_write_date_time(tj_writer *w, VALUE date_time);
void tj_write_time_with_zone(tj_writer *w, VALUE time);

#endif
