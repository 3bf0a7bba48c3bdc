/* Core. Decimal numbers in plain notation, as BigDecimal#to_s("F") has it: "12.5", "100.0",
 * "0.001". */
#ifndef TJ_DECIMAL_TEXT_H
#define TJ_DECIMAL_TEXT_H

#include "../status.h"

/* The longest that these functions write. */
#define TJ_DECIMAL_SIZE 40

/* The most digits that a number may have: in all, before the point (no zero), and behind it. */
typedef struct {
    int digits, whole, fraction;
} tj_decimal_limits;

/* Write a number in plain notation at `at`, which has TJ_DECIMAL_SIZE bytes, and return the end.
 * Return NULL for a number beyond the limits, for one that needs more bytes, and for minus zero.
 * tj_plain_text takes text of the form "-12.50" and returns NULL for any other: with an exponent, a
 * plus sign or a superfluous zero before the point. */
uint8_t *tj_plain_text(uint8_t *at, const uint8_t *text, size_t size, tj_decimal_limits limits);
uint8_t *tj_plain_integer(uint8_t *at, int64_t value, tj_decimal_limits limits);
/* The shortest digits that read back to the double. */
uint8_t *tj_plain_double(uint8_t *at, double value, tj_decimal_limits limits);

#endif
