/* Core. How much of a byte string is UTF-8 (RFC 3629), with SIMD. */
#ifndef TJ_UTF8_H
#define TJ_UTF8_H

#include "../status.h"

/* The length of the longest prefix of text[0, size) that is valid UTF-8; size if all of it is. If
 * the end cuts a sequence, the prefix ends before its first byte. *ascii: whether that prefix is
 * all ASCII. Reads exactly text[0, size). Cannot fail. */
size_t tj_utf8_valid_prefix(const uint8_t *text, size_t size, bool *ascii);

#endif
