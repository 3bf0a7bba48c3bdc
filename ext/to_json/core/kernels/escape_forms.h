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
 * for the modes that escape HTML; row TJ_ESCAPE_JSON is empty. TJ_HALF_LEAD flags e2 and nothing else. */
#define TJ_HALF_LEAD 32
extern const uint8_t tj_escape_low_half[16];
extern const uint8_t tj_escape_high_half[3][16];

/* The letter of each byte below 16 that has a short escape, 0 for the others. */
extern const uint8_t tj_short_letters[16];

/* For each set of escaped bytes among eight: which of sixteen bytes come out, if 0 to 7 are the eight
 * themselves with backslashes for the escaped ones, and 8 to 15 the letters. */
extern uint8_t tj_escape_spread[256][16];
void tj_escape_spread_init(void);

/* Goes on with text[*i, *i + 64), or what there is of it, that has been copied to `at` already: writes
 * the escapes of the bytes that `mask` flags, a bit a byte (a candidate may be none), and what stands
 * behind each once more at its right place. Returns the end and moves *i behind the last byte dealt
 * with, which may be the last of a separator that started in the 64. */
uint8_t *tj_escape_marked(uint8_t *at, const uint8_t *text, size_t size, size_t *i, uint64_t mask, tj_escape_mode mode);
/* The end of the plain prefix of text[from, size), as an index into text. */
size_t tj_escape_plain_rest(const uint8_t *text, size_t size, size_t from, tj_escape_mode mode);

#pragma GCC visibility pop

/* From so many short escapes in 64 bytes on it is faster to write them eight bytes at a time (escape_dense.h) than one after the other: 4 and 8
 * measured the same or worse, 12 half as fast on text with 10. */
#define TJ_DENSE 6

#define TJ_SEPARATOR_LEAD 0xe2 /* of U+2028 and U+2029: e2 80 a8, e2 80 a9 */
#define TJ_SEPARATOR_SIZE 3

/* Whether a separator starts text[0, size), which starts with its lead. */
TJ_INLINE bool tj_is_separator(const uint8_t *text, size_t size)
{
    return size >= TJ_SEPARATOR_SIZE && text[1] == 0x80 && (text[2] | 1) == 0xa9;
}

/* Writes the escape of the byte, or in HTML modes of the separator, at `text`, and sets *taken to the
 * bytes of input that it stands for. Scribbles on 8 bytes. */
TJ_INLINE uint8_t *tj_escape_one(uint8_t *at, const uint8_t *text, size_t *taken, tj_escape_mode mode)
{
    uint8_t byte = *text;
    if (mode != TJ_ESCAPE_JSON && byte == TJ_SEPARATOR_LEAD) {
        uint8_t digit = (uint8_t)(text[2] - 0xa8 + '8');
        memcpy(at, "\\u202", 5);
        at[5] = digit;
        *taken = TJ_SEPARATOR_SIZE;
        return at + 6;
    }
    uint8_t size = tj_escape_forms[byte][7];
    memcpy(at, tj_escape_forms[byte], 8);
    *taken = 1;
    return at + size;
}

#ifdef TJ_SIMD
/* Copies text[from, min(from + 16, size)) to `at`, and scribbles on 16 bytes. from < size. */
TJ_INLINE void tj_copy_16(uint8_t *at, const uint8_t *text, size_t size, size_t from)
{
    if (TJ_LIKELY(from + 16 <= size)) memcpy(at, text + from, 16);
    else tj_piece_store(at, tj_piece_at(text, size, from));
}
#endif

#endif
