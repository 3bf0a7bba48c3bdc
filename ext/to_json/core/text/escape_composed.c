/* Core. The composed modes of escaping. They are rare, so they have no kernels: eight bytes at a
 * time while nothing is escaped, then one code point after the other. */
#include "escape_composed.h"

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Not 0 if some byte of `word` is below `limit` or above 0x7f; if some byte equals `byte`. The bits
 * do not tell reliably which byte. */
TJ_INLINE uint64_t some_below(uint64_t word, uint8_t limit)
{
    return (word - ONES * limit) & ~word & HIGHS;
}
TJ_INLINE uint64_t some_equal(uint64_t word, uint8_t byte)
{
    return some_below(word ^ ONES * byte, 1);
}

/* Whether no composed mode escapes any of the bytes: ASCII from 0x20 on except " & / < > and \. */
TJ_INLINE bool all_plain(uint64_t word)
{
    return !((word & HIGHS) | some_below(word, 0x20) | some_equal(word, '"') |
             some_equal(word, '\\') | some_equal(word, '/') | some_equal(word, '&') |
             some_equal(word | ONES * 2, '>'));
}

static bool escapes(const uint8_t *text, size_t size, tj_escape_mode mode)
{
    switch (*text) {
    case '"': case '\\': return true;
    case '/': return mode & TJ_ESCAPE_SLASH;
    case '<': case '>': case '&': return mode & TJ_ESCAPE_MARKUP;
    default:
        if (*text < 0x20) return true;
        if (*text < 0x80) return false;
        if (mode & TJ_ESCAPE_NON_ASCII) return (*text & 0xc0) != 0x80;
        return mode & TJ_ESCAPE_SEPARATORS && *text == TJ_SEPARATOR_LEAD &&
               tj_is_separator(text, size);
    }
}

static uint8_t *write_unit(uint8_t *at, uint32_t unit)
{
    static const uint8_t digits[] = "0123456789abcdef";
    *at++ = '\\';
    *at++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) *at++ = digits[unit >> shift & 15];
    return at;
}

uint8_t *tj_escape_composed_one(uint8_t *at, const uint8_t *text, size_t size, size_t *taken)
{
    uint8_t byte = *text;
    *taken = 1;
    if (byte == '/') {
        at[0] = '\\';
        at[1] = '/';
        return at + 2;
    }
    if (byte < 0x80) {
        memcpy(at, tj_escape_forms[byte], 8);
        return at + tj_escape_forms[byte][7];
    }
    size_t bytes = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (bytes > size) bytes = size; /* invalid UTF-8: the result does not matter */
    uint32_t code = byte & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) code = code << 6 | (text[i] & 0x3f);
    *taken = bytes;
    if (code < 0x10000) return write_unit(at, code);
    return write_unit(write_unit(at, 0xd7c0 + (code >> 10)), 0xdc00 | (code & 0x3ff));
}

size_t tj_escape_composed_plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode)
{
    size_t i = 0;
    while (i < size) {
        if (size - i >= 8 && all_plain(tj_load8(text + i))) i += 8;
        else if (escapes(text + i, size - i, mode)) return i;
        else i++;
    }
    return i;
}

uint8_t *tj_escape_composed(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    for (size_t i = 0, taken; i < size;) {
        size_t plain = tj_escape_composed_plain_prefix(text + i, size - i, mode);
        memcpy(at, text + i, plain);
        at += plain;
        i += plain;
        if (i == size) break;
        at = tj_escape_composed_one(at, text + i, size - i, &taken);
        i += taken;
    }
    return at;
}
