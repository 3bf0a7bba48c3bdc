/* Core, private to escape*.c. Which bytes a mode escapes, and what becomes of them: one truth for all
 * kernels. */
#ifndef TJ_ESCAPE_FORMS_H
#define TJ_ESCAPE_FORMS_H

#include "simd.h"

#pragma GCC visibility push(hidden)

/* The escape of each byte up to '\\' (zeros: it has none): its text, and its length in the last byte,
 * so that one 8-byte store writes it. */
extern const uint8_t tj_escape_forms['\\' + 1][8];

/* A bit per mode (1 << mode): the mode escapes this byte. 0xe2 is a candidate, see below. */
extern const uint8_t tj_escape_class[256];

/* The same sets for vectors with a 16-byte table lookup: byte b is flagged when
 * low_half[b & 15] & high_half[mode][b >> 4] is not 0. A bit stands for a set of high halves. Only
 * for the modes that escape HTML; row TJ_ESCAPE_JSON is empty. */
extern const uint8_t tj_escape_low_half[16];
extern const uint8_t tj_escape_high_half[3][16];

/* Writes text[from, size) as tj_unsafe_escape does, 16 bytes at a time: for the ends of long text and
 * for short text that has something to escape. from < size. */
uint8_t *tj_escape_rest(uint8_t *at, const uint8_t *text, size_t size, size_t from, tj_escape_mode mode);
/* The end of the plain prefix of text[from, size), as an index into text. */
size_t tj_escape_plain_rest(const uint8_t *text, size_t size, size_t from, tj_escape_mode mode);

#pragma GCC visibility pop

#define TJ_SEPARATOR_LEAD 0xe2 /* of U+2028 and U+2029: e2 80 a8, e2 80 a9 */
#define TJ_SEPARATOR_SIZE 3

TJ_INLINE bool tj_is_separator(const uint8_t *text, size_t size)
{
    return size >= TJ_SEPARATOR_SIZE && text[0] == TJ_SEPARATOR_LEAD && text[1] == 0x80 && (text[2] | 1) == 0xa9;
}

/* Writes the escape of the byte, or of the separator, at `text`. Scribbles on 8 bytes. */
TJ_INLINE uint8_t *tj_escape_one(uint8_t *at, const uint8_t *text)
{
    if (*text == TJ_SEPARATOR_LEAD) {
        memcpy(at, "\\u202", 5);
        at[5] = (uint8_t)(text[2] - 0xa8 + '8');
        return at + 6;
    }
    memcpy(at, tj_escape_forms[*text], 8);
    return at + tj_escape_forms[*text][7];
}

/* How many bytes of input tj_escape_one takes. */
TJ_INLINE size_t tj_escape_taken(const uint8_t *text) { return *text == TJ_SEPARATOR_LEAD ? TJ_SEPARATOR_SIZE : 1; }

#endif
