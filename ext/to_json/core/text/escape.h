/* Core. Writes text as the content of a JSON string (RFC 8259 section 7).
 *
 * The input is valid UTF-8 (see utf8.h), the output is UTF-8. `"` `\` and U+0000..U+001F are
 * escaped: \b \t \n \f \r \" \\ in the short form, the rest as \u00xx with lower-case digits. All
 * else, including U+007F, is copied. Kernels exist for scalar code, SSE2, AVX2 and NEON;
 * tj_simd_init chooses one at load. */
#ifndef TJ_ESCAPE_H
#define TJ_ESCAPE_H

#include "../kernels/escape_mode.h"
#include "../kernels/kernels.h"
#include "../status.h"

/* GROWTH: the most bytes that one byte of input becomes ("\u0000"). SLACK: how many bytes after the
 * last one written the kernels may overwrite. */
#define TJ_ESCAPE_GROWTH 6
#define TJ_ESCAPE_SLACK 32

/* Writes all of text[0, size) at `at` and returns the end. Unsafe because it does not check the
 * room: the caller provides TJ_ESCAPE_GROWTH * size + TJ_ESCAPE_SLACK bytes. Reads exactly text[0,
 * size). Cannot fail. */
uint8_t *tj_unsafe_escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode);

/* Writes as much of text[*done, size) as fits into [*at, limit), and advances *at and *done.
 * Returns TJ_OK if all is written, TJ_FULL if there is no room for the rest. *done is always
 * between two code points. With 64 bytes of room or more it always makes progress. */
tj_status tj_escape(uint8_t **at, const uint8_t *limit, const uint8_t *text, size_t size,
                    size_t *done, tj_escape_mode mode);

/* The length of the prefix of text[0, size) that `mode` does not escape. */
size_t tj_escape_plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode);

#endif
