/* Core. Writes text as the inside of a JSON string (RFC 8259 section 7).
 *
 * Input is well-formed UTF-8 (utf8.h tells); output is UTF-8. `"` `\` and U+0000..U+001F are
 * escaped: \b \t \n \f \r \" \\ in their short form, the rest as \u00xx with lower-case digits. U+007F and
 * everything above stays as it is. Kernels: scalar, SSE2, AVX2, NEON; chosen once at load by
 * tj_escape_init. */
#ifndef TJ_ESCAPE_H
#define TJ_ESCAPE_H

#include "status.h"

typedef enum {
    TJ_ESCAPE_JSON = 0,   /* what RFC 8259 demands and no more */
    TJ_ESCAPE_HTML = 1,   /* the same, and < > & U+2028 U+2029 as \u003c \u003e \u0026 \u2028 \u2029 */
    TJ_ESCAPE_SPLICE = 2, /* only < > & U+2028 U+2029: for JSON text that is already encoded */
    /* From here on what RFC 8259 demands and any of the following, without kernels (escape_composed.c). */
    TJ_ESCAPE_COMPOSED = 8,
    TJ_ESCAPE_SLASH = 16,      /* / as \/ */
    TJ_ESCAPE_SEPARATORS = 32, /* U+2028 and U+2029 as \u2028 and \u2029 */
    TJ_ESCAPE_MARKUP = 64,     /* < > & as \u003c \u003e \u0026 */
    TJ_ESCAPE_NON_ASCII = 128  /* all that is not ASCII as \uxxxx, with surrogates above U+FFFF */
} tj_escape_mode;

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

/* Picks the fastest kernels that this CPU runs, also for utf8.h. Call once before anything else.
 * `most` caps the choice: "scalar", "sse2", "ssse3" (SSE2, and SSSE3 for UTF-8), "avx2", "neon"; NULL
 * or any other text is no cap (the environment's TO_JSON_SIMD, read by the caller). Returns the name
 * of the one chosen. */
const char *tj_simd_init(const char *most);
const char *tj_simd_name(void);

#endif
