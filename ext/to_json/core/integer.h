/* Core. Integers in decimal. */
#ifndef TJ_INTEGER_H
#define TJ_INTEGER_H

#include "status.h"

#define TJ_INTEGER_SIZE 20 /* "-9223372036854775808", "18446744073709551615" */

/* Write `value` in decimal at `at`. Need TJ_INTEGER_SIZE bytes, all of which may be scribbled on;
 * return the end. Cannot fail. */
uint8_t *tj_write_int64(uint8_t *at, int64_t value);
uint8_t *tj_write_uint64(uint8_t *at, uint64_t value);

#endif
