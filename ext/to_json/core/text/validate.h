/* Core. A strict validator of RFC 8259: one JSON value, with only white space around it. */
#ifndef TJ_VALIDATE_H
#define TJ_VALIDATE_H

#include "../status.h"

typedef struct {
    size_t offset;       /* the byte of the error; the size of the text if it ended too soon */
    const char *message; /* what was expected, such as "expected ',' or ']'"; static text */
} tj_defect;

/* Whether text[0, size) is one JSON value in UTF-8 with at most max_nesting levels. Returns TJ_OK,
 * TJ_INVALID_JSON, TJ_INVALID_UTF8 or TJ_TOO_DEEP, and sets *defect (which may be NULL) unless
 * TJ_OK. It uses one bit for each level, no recursion and no heap, so max_nesting may be at most
 * TJ_VALIDATE_MAX_NESTING. Reads exactly text[0, size). */
#define TJ_VALIDATE_MAX_NESTING 100000
tj_status tj_validate(const uint8_t *text, size_t size, size_t max_nesting, tj_defect *defect);

#endif
