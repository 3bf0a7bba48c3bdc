/* Core. Tells how much of a byte string is UTF-8 (RFC 3629), at SIMD speed. */
#ifndef TJ_UTF8_H
#define TJ_UTF8_H

#include "../status.h"

/* The length of the longest prefix of text[0, size) that is well-formed UTF-8: size itself when all
 * is text. A sequence cut off by the end is not well-formed; the prefix ends before its first byte.
 * *ascii tells whether the whole of that prefix is ASCII. Reads exactly text[0, size). Cannot fail. */
size_t tj_utf8_valid_prefix(const uint8_t *text, size_t size, bool *ascii);

#endif
