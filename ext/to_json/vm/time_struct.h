/* Vm. Reads the struct of a Time from its memory: whether the Time is in UTC, and whether it stores
 * whole nanoseconds in a Fixnum. */
#ifndef TJ_TIME_STRUCT_H
#define TJ_TIME_STRUCT_H

#include "vm.h"

#include <string.h>

#if TJ_RUBY_AT_MOST(3, 2)
#define TJ_TIME_BYTES(time) ((const uint8_t *)RTYPEDDATA_DATA(time))
#else /* the struct may be embedded in the object */
#define TJ_TIME_BYTES(time) ((const uint8_t *)RTYPEDDATA_GET_DATA(time))
#endif

/* The bit that `utc?` reads, and the byte that has it. 0 if the struct does not look as expected.
 * Set at load. */
extern uint8_t tj_utc_bit;
extern size_t tj_utc_byte;
void tj_time_struct_init(void);

static inline bool tj_times_readable(void) { return tj_utc_bit != 0; }

/* For an exact Time, if tj_times_readable(). They run no Ruby. */
static inline bool tj_time_in_utc(VALUE time)
{
    return (TJ_TIME_BYTES(time)[tj_utc_byte] & tj_utc_bit) != 0;
}

static inline bool tj_time_in_nanoseconds(VALUE time)
{
    VALUE nanoseconds; /* since 1970; an Integer of any size, or a Rational */
    memcpy(&nanoseconds, TJ_TIME_BYTES(time), sizeof nanoseconds);
    return FIXNUM_P(nanoseconds);
}

#endif
