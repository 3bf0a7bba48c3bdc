/* Core. A strict RFC 8259 validator: one JSON value, nothing but white space around it. */
#ifndef TJ_VALIDATE_H
#define TJ_VALIDATE_H

#include "../status.h"

typedef struct {
    size_t offset;       /* the byte where it went wrong (the size, where the text ended too soon) */
    const char *message; /* what was due there, static text, such as "expected ',' or ']'" */
} tj_defect;

/* Tells whether text[0, size) is one JSON value in UTF-8 nested at most max_nesting deep.
 * TJ_OK, TJ_INVALID_JSON, TJ_INVALID_UTF8 or TJ_TOO_DEEP; *defect (may be NULL) is set unless TJ_OK.
 * Uses no recursion and no heap: memory is one bit per level, so max_nesting is at most
 * TJ_VALIDATE_MAX_NESTING. Reads exactly text[0, size). Strings are scanned with SIMD. */
#define TJ_VALIDATE_MAX_NESTING 100000
tj_status tj_validate(const uint8_t *text, size_t size, size_t max_nesting, tj_defect *defect);

#endif
