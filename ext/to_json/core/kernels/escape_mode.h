/* Core. Which bytes of a text are escaped, and how. */
#ifndef TJ_ESCAPE_MODE_H
#define TJ_ESCAPE_MODE_H

typedef enum {
    TJ_ESCAPE_JSON = 0,   /* what RFC 8259 requires */
    /* the same, and < > & U+2028 U+2029 as \u003c \u003e \u0026 \u2028 \u2029 */
    TJ_ESCAPE_HTML = 1,
    TJ_ESCAPE_HTML_IN_JSON = 2, /* only < > & U+2028 U+2029: for text that is JSON already */
    /* From here on: what RFC 8259 requires, and any of the following. text/escape_composed.c writes
     * these modes; there are no kernels for them. */
    TJ_ESCAPE_COMPOSED = 8,
    TJ_ESCAPE_SLASH = 16,      /* / as \/ */
    TJ_ESCAPE_SEPARATORS = 32, /* U+2028 and U+2029 as \u2028 and \u2029 */
    TJ_ESCAPE_MARKUP = 64,     /* < > & as \u003c \u003e \u0026 */
    TJ_ESCAPE_NON_ASCII = 128  /* everything above ASCII as \uxxxx, with surrogates above U+FFFF */
} tj_escape_mode;

#endif
