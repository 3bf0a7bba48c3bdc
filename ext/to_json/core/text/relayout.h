/* Core. Lays valid JSON text out anew: tokens stay byte for byte, the white space between them changes. */
#ifndef TJ_RELAYOUT_H
#define TJ_RELAYOUT_H

#include "../status.h"

typedef enum {
    TJ_LAYOUT_PLAIN,  /* no white space */
    TJ_LAYOUT_PRETTY, /* a line for each value, indented, as ToJson.pretty_generate lays it out */
    TJ_LAYOUT_LINES   /* plain, a line for each element of the root where that is an array */
} tj_layout;

typedef struct {
    tj_layout layout;
    size_t indent;   /* TJ_LAYOUT_PRETTY: how many of `filler` a level */
    uint8_t filler;  /* a space or a tab */
    /* What follows is this file's; zero at the beginning. */
    size_t at;       /* the first byte of the text that was not looked at, or of the token in `copy` */
    size_t copy;     /* bytes of a token that are due still, after `lead` bytes of white space */
    size_t lead;
    uint8_t opener;  /* the first byte of that white space: a line end, or a space */
    size_t depth;    /* containers open */
    uint8_t before;  /* the token before this one: its structural character, 0 for others */
    bool split;      /* TJ_LAYOUT_LINES, and the root is an array */
} tj_relayout;

/* Writes at most `room` bytes at `out` and returns how many: fewer than `room` only at the end of the text. Call again,
 * with the same text (it may have moved), until it returns 0. text[0, size) must have passed tj_validate. Cannot fail. */
size_t tj_relayout_write(tj_relayout *r, const uint8_t *text, size_t size, uint8_t *out, size_t room);

#endif
