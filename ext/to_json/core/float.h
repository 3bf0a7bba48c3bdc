/* Core. The shortest decimal digits that read back to the same double. */
#ifndef TJ_FLOAT_H
#define TJ_FLOAT_H

#include "status.h"

#define TJ_FLOAT_SIZE 32

/* Writes finite `value` at `at` with the fewest digits that round-trip (and of those the closest to
 * the value, ties to even), laid out as Ruby's Float#to_s does: 1.0, 0.0001, 1.0e-05,
 * 1234567890123456.8, 1.0e+15, -0.0. Needs TJ_FLOAT_SIZE bytes, all of which may be scribbled on;
 * returns the end. Cannot fail; `value` must be finite. */
uint8_t *tj_write_double(uint8_t *at, double value);

/* The same value as significant digits and a power of ten, for other layouts: writes up to 17
 * digits (no leading or trailing zero, except "0" for zero) at `digits`, their count in *count, and
 * returns the exponent e such that value = 0.d1d2d3... * 10^e. `value` must be finite and >= 0. */
int tj_double_digits(double value, uint8_t digits[17], int *count);

#endif
