/* Core. The shortest decimal digits that read back to the same double. */
#ifndef TJ_FLOAT_H
#define TJ_FLOAT_H

#include "../status.h"

#define TJ_FLOAT_SIZE 32

/* Writes the finite `value` with the fewest digits that read back to it, and of those the closest
 * (ties to even). The format is that of Ruby's Float#to_s: 1.0, 0.0001, 1.0e-05,
 * 1234567890123456.8, 1.0e+15, -0.0. Needs TJ_FLOAT_SIZE bytes, all of which it may overwrite.
 * Returns the end. Cannot fail. */
uint8_t *tj_write_double(uint8_t *at, double value);

/* Writes both with a comma between them, faster than two calls. Needs 2 * TJ_FLOAT_SIZE + 1
 * bytes. */
uint8_t *tj_write_two_doubles(uint8_t *at, double first, double second);

/* The same as the json gem writes it (float_grisu.c): 1.0, 0.00001, 1e+15, 1.5e+16, -0.0. One of
 * seven hundred doubles has one digit more than it needs, or a last digit that is not the
 * closest. */
uint8_t *tj_write_double_json(uint8_t *at, double value);

/* The same in the format of ECMAScript's Number::toString, as RFC 8785 requires: 1, 0.000001, 1e-7,
 * 100000000000000000000, 1e+21, and 0 for -0.0. */
uint8_t *tj_write_double_canonical(uint8_t *at, double value);

/* The same in the formats of Oj's modes :compat and :strict (float_oj.c). Whole numbers below 2^63
 * have no exponent: 1e15 is 1000000000000000.0. In :strict others have fifteen digits. */
uint8_t *tj_write_double_oj(uint8_t *at, double value);
uint8_t *tj_write_double_oj_strict(uint8_t *at, double value);

/* The significant digits of `value` and a power of ten. Writes up to 17 digits at `digits`, without
 * leading or trailing zeros ("0" for zero), and their number to *count. Returns the exponent e of
 * value = 0.d1d2d3... * 10^e. `value` must be finite and >= 0. */
int tj_double_digits(double value, uint8_t digits[17], int *count);

#endif
