/* Core, private to escape.c. The composed modes. */
#ifndef TJ_ESCAPE_COMPOSED_H
#define TJ_ESCAPE_COMPOSED_H

#include "../kernels/escape_forms.h"

#pragma GCC visibility push(hidden)

/* For the composed modes: writes all of the text; returns the length of the prefix without escapes;
 * writes the one code point at the start of text[0, size), which is escaped. They may overwrite 12
 * bytes. */
uint8_t *tj_escape_composed(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode);
size_t tj_escape_composed_plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode);
uint8_t *tj_escape_composed_one(uint8_t *at, const uint8_t *text, size_t size, size_t *taken);

#pragma GCC visibility pop

#endif
