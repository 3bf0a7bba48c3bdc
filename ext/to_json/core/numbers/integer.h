/* Core. Integers in decimal. */
#ifndef TJ_INTEGER_H
#define TJ_INTEGER_H

#include "../status.h"

#define TJ_INTEGER_SIZE 20 /* "-9223372036854775808", "18446744073709551615" */

/* Write `value` in decimal at `at`. They need TJ_INTEGER_SIZE bytes, all of which they may
 * overwrite. Return the end. Cannot fail. */
uint8_t *tj_write_int64(uint8_t *at, int64_t value);
uint8_t *tj_write_uint64(uint8_t *at, uint64_t value);

/* For 0 to 999: the text, and its length in the fourth byte. */
#define TJ_SMALL_INTEGERS 1000
extern const uint8_t tj_small_integers[TJ_SMALL_INTEGERS][4];

/* Writes `value` < TJ_SMALL_INTEGERS. May overwrite 4 bytes. Inline, because lists of small
 * integers are common. */
TJ_INLINE uint8_t *tj_write_small(uint8_t *at, size_t value)
{
    memcpy(at, tj_small_integers[value], 4);
    return at + tj_small_integers[value][3];
}

#endif
