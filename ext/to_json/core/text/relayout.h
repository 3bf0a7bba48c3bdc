/* Core. Changes the white space of valid JSON text. The tokens stay the same, byte for byte. */
#ifndef TJ_RELAYOUT_H
#define TJ_RELAYOUT_H

#include "../status.h"

typedef enum {
    TJ_LAYOUT_PLAIN,  /* no white space */
    TJ_LAYOUT_PRETTY, /* a line for each value, indented as by ToJson.pretty_generate */
    TJ_LAYOUT_LINES   /* no white space, but a line for each element of an array at the root */
} tj_layout;

typedef struct {
    tj_layout layout;
    size_t indent;   /* of TJ_LAYOUT_PRETTY: how often `filler` is written for each level */
    uint8_t filler;  /* a space or a tab */
    /* The rest is private to relayout.c, and zero at the start. */
    size_t at;       /* the first byte of the text that was not read, or of the token in `copy` */
    size_t copy;     /* bytes of a token that are still due, after `lead` bytes of white space */
    size_t lead;
    uint8_t opener;  /* the first byte of that white space: a line end or a space */
    size_t depth;    /* open containers */
    uint8_t before;  /* the token before this one: its structural character, or 0 */
    bool split;      /* TJ_LAYOUT_LINES, and the root is an array */
} tj_relayout;

/* Writes at most `room` bytes at `out` and returns how many. It writes fewer than `room` only at
 * the end of the text. Call it again with the same text (which may have moved) until it returns 0.
 * text[0, size) must be valid for tj_validate. Cannot fail. */
size_t tj_relayout_write(tj_relayout *r, const uint8_t *text, size_t size, uint8_t *out,
                         size_t room);

#endif
