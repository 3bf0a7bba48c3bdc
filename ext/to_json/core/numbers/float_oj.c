/* Core. Floats in the formats of Oj: :compat is Float#to_s except for whole numbers, :strict has
 * fifteen digits. */
#include "float.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "integer.h"

/* Writes whole numbers that fit into int64_t. Returns NULL for others. */
TJ_INLINE uint8_t *write_whole(uint8_t *at, double value)
{
    if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0) ||
        value != (double)(int64_t)value)
        return NULL;
    uint64_t bits;
    memcpy(&bits, &value, 8);
    *at = '-';
    at += bits >> 63;
    int64_t whole = (int64_t)value;
    at = tj_write_uint64(at, whole < 0 ? 0 - (uint64_t)whole : (uint64_t)whole);
    memcpy(at, ".0", 2);
    return at + 2;
}

uint8_t *tj_write_double_oj(uint8_t *at, double value)
{
    uint8_t *end = write_whole(at, value);
    return end ? end : tj_write_double(at, value);
}

/* Writes a point where the locale of the process has something else, which may be several bytes.
 * Oj does not: its text is no JSON there. Returns the end. */
static uint8_t *with_point(uint8_t *at, uint8_t *end)
{
    uint8_t *to = at;
    for (uint8_t *from = at; from < end; from++) {
        bool usual = (*from >= '0' && *from <= '9') || memchr("-+.e", *from, 4);
        if (usual) *to++ = *from;
        else if (to == at || to[-1] != '.') *to++ = '.';
    }
    return to;
}

/* Writes as "%.15g" does. If the shortest form has at most fifteen digits, that is the same,
 * because no two decimals of so few digits read as the same normal double. Ruby and C place the
 * point alike from 0.0001 to 10^15. */
static uint8_t *write_fifteen(uint8_t *at, double value)
{
    double size = value < 0 ? -value : value;
    if (size >= 1e-4 && size < 1e15) {
        /* everything but the digits */
        int lead = (value < 0) + (size >= 1       ? 1
                                  : size >= 0.1   ? 2
                                  : size >= 0.01  ? 3
                                  : size >= 0.001 ? 4
                                                  : 5);
        uint8_t *end = tj_write_double(at, value);
        if (end - at - lead <= DBL_DIG) return end;
    }
    return with_point(at, at + snprintf((char *)at, TJ_FLOAT_SIZE, "%0.15g", value));
}

uint8_t *tj_write_double_oj_strict(uint8_t *at, double value)
{
    uint8_t *end = write_whole(at, value == 0 ? 0.0 : value);
    if (end) return end;
    end = write_fifteen(at, value);
    /* If fifteen digits show a rounding error, Oj writes the shortest form. */
    if (end - at >= 17 && (memcmp(end - 4, "0001", 4) == 0 || memcmp(end - 4, "9999", 4) == 0))
        return tj_write_double(at, value);
    return end;
}
