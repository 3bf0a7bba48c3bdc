/* Core, private to escape*.c. Which bytes each mode escapes, and how. All kernels use these
 * tables. */
#ifndef TJ_ESCAPE_FORMS_H
#define TJ_ESCAPE_FORMS_H

#include "simd.h"

#pragma GCC visibility push(hidden)

/* The escape of each byte up to '\\', or zeros: up to 7 bytes of text, and the length in the last
 * byte. So one store of 8 bytes writes it. */
extern const uint8_t tj_escape_forms['\\' + 1][8];

/* Bit (1 << mode) of entry b: the mode escapes byte b. 0xe2 is only a candidate: it may begin
 * U+2028 or U+2029. */
extern const uint8_t tj_escape_class[256];

/* The same sets for a vector lookup in tables of 16 bytes: byte b is flagged if low_half[b & 15] &
 * high_half[mode][b >> 4] is not 0. Each bit is one set of high halves. These tables are only for
 * the modes that escape HTML; the row of TJ_ESCAPE_JSON is empty. Only e2 has the flag
 * TJ_HALF_LEAD. */
#define TJ_HALF_LEAD 32
extern const uint8_t tj_escape_low_half[16];
extern const uint8_t tj_escape_high_half[3][16];

/* The letter of each byte below 16 that has a short escape, 0 for the others. */
extern const uint8_t tj_short_letters[16];

/* An index for each set of escaped bytes among eight: the order of the 16 bytes to write. Index 0
 * to 7 is a byte of the first copy (escape_dense.h), 8 to 15 one of the second. */
extern uint8_t tj_escape_spread[256][16];
void tj_escape_spread_init(void);

/* Continues with the 64 bytes (or fewer, at the end) of the text at *i, which stand at `at`
 * already. Writes the escape of each byte that has a bit in `mask`, and copies what follows it to
 * its place. Candidates are checked. Returns the end, and moves *i after the last byte that was
 * written. That may be the end of a U+2028 that begins in the 64 bytes. */
uint8_t *tj_escape_marked(uint8_t *at, const uint8_t *text, size_t size, size_t *i, uint64_t mask,
                          tj_escape_mode mode);
/* The end of the plain prefix of text[from, size), as an index into text. */
size_t tj_escape_plain_rest(const uint8_t *text, size_t size, size_t from, tj_escape_mode mode);

#pragma GCC visibility pop

/* With so many short escapes in 64 bytes escape_dense.h is faster than one escape after the other.
 * 4 and 8 measured the same or worse; 12 was half as fast on text with 10. */
#define TJ_DENSE 6

#define TJ_SEPARATOR_LEAD 0xe2 /* first byte of U+2028 (e2 80 a8) and U+2029 (e2 80 a9) */
#define TJ_SEPARATOR_SIZE 3

/* Whether text[0, size) begins with U+2028 or U+2029; its first byte is TJ_SEPARATOR_LEAD. */
TJ_INLINE bool tj_is_separator(const uint8_t *text, size_t size)
{
    return size >= TJ_SEPARATOR_SIZE && text[1] == 0x80 && (text[2] | 1) == 0xa9;
}

/* Writes the escape of the byte at `text`, or in HTML modes of U+2028 or U+2029. Sets *taken to the
 * number of bytes of text that it stands for. May overwrite 8 bytes. */
TJ_INLINE uint8_t *tj_escape_one(uint8_t *at, const uint8_t *text, size_t *taken,
                                 tj_escape_mode mode)
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
/* Copies text[from, min(from + 16, size)) to `at`. from < size. May overwrite 16 bytes. */
TJ_INLINE void tj_copy_16(uint8_t *at, const uint8_t *text, size_t size, size_t from)
{
    if (TJ_LIKELY(from + 16 <= size)) memcpy(at, text + from, 16);
    else tj_piece_store(at, tj_piece_at(text, size, from));
}
#endif

#endif
