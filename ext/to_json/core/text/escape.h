/* Core. Writes text as the inside of a JSON string (RFC 8259 section 7).
 *
 * Input is well-formed UTF-8 (utf8.h tells); output is UTF-8. `"` `\` and U+0000..U+001F are
 * escaped: \b \t \n \f \r \" \\ in their short form, the rest as \u00xx with lower-case digits. U+007F and
 * everything above stays as it is. Kernels: scalar, SSE2, AVX2, NEON; chosen once at load by
 * tj_simd_init. */
#ifndef TJ_ESCAPE_H
#define TJ_ESCAPE_H

#include "../kernels/escape_mode.h"
#include "../kernels/kernels.h"
#include "../status.h"

/* The most bytes that one byte of input can become ("\u0000"), and the room past the last byte
 * written that the kernels may scribble on. */
#define TJ_ESCAPE_GROWTH 6
#define TJ_ESCAPE_SLACK 32

/* Writes all of text[0, size) at `at` and returns the end. Unsafe because it does not look at the
 * room: the caller owes TJ_ESCAPE_GROWTH * size + TJ_ESCAPE_SLACK bytes. Reads exactly
 * text[0, size). Cannot fail. */
uint8_t *tj_unsafe_escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode);

/* Writes as much of text[*done, size) as fits into [*at, limit), never past limit, advances *at and
 * *done, and returns TJ_OK when all is written or TJ_FULL when room is missing. *done always stands
 * between two code points. With at least 64 bytes of room it always makes progress. */
tj_status tj_escape(uint8_t **at, const uint8_t *limit, const uint8_t *text, size_t size, size_t *done,
                    tj_escape_mode mode);

/* The length of the prefix of text[0, size) that needs no escape under `mode`. */
size_t tj_escape_plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode);

#endif
