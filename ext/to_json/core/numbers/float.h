/* Core. The shortest decimal digits that read back to the same double. */
#ifndef TJ_FLOAT_H
#define TJ_FLOAT_H

#include "../status.h"

#define TJ_FLOAT_SIZE 32

/* Writes finite `value` at `at` with the fewest digits that round-trip (and of those the closest to
 * the value, ties to even), laid out as Ruby's Float#to_s does: 1.0, 0.0001, 1.0e-05,
 * 1234567890123456.8, 1.0e+15, -0.0. Needs TJ_FLOAT_SIZE bytes, all of which may be scribbled on;
 * returns the end. Cannot fail; `value` must be finite. */
uint8_t *tj_write_double(uint8_t *at, double value);

/* Both, with a comma between them, in less time than one by one. Needs 2 * TJ_FLOAT_SIZE + 1 bytes. */
uint8_t *tj_write_two_doubles(uint8_t *at, double first, double second);

/* The same as the json gem writes it (float_grisu.c): 1.0, 0.00001, 1e+15, 1.5e+16, -0.0. One in seven hundred doubles
 * has a digit more there than it needs, or another last one. */
uint8_t *tj_write_double_json(uint8_t *at, double value);

/* The same as ECMAScript's Number::toString has it, which RFC 8785 asks for: 1, 0.000001, 1e-7, 100000000000000000000,
 * 1e+21, 0 for -0.0. */
uint8_t *tj_write_double_canonical(uint8_t *at, double value);

/* The same as Oj writes it in its modes :compat and :strict (float_oj.c): whole numbers of less than 64 bits as such, 1e15 as
 * 1000000000000000.0; others as above, in :strict with fifteen digits. */
uint8_t *tj_write_double_oj(uint8_t *at, double value);
uint8_t *tj_write_double_oj_strict(uint8_t *at, double value);

/* The same value as significant digits and a power of ten, for other layouts: writes up to 17
 * digits (no leading or trailing zero, except "0" for zero) at `digits`, their count in *count, and
 * returns the exponent e such that value = 0.d1d2d3... * 10^e. `value` must be finite and >= 0. */
int tj_double_digits(double value, uint8_t digits[17], int *count);

#endif
