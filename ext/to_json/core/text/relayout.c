/* Core. Changes the white space of valid JSON text, token by token, without a stack: only the depth
 * counts.
 *
 * A token is written together with the white space before it. Strings and words are copied eight
 * bytes at a time while their end is looked for, as long as text and room have SPARE bytes. What
 * does not fit is noted in `lead` and `copy` for the next call, so that a chunk may end in the
 * middle of a string or of an indentation. */
#include "relayout.h"

TJ_INLINE bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* The length of the string whose opening quote is text[0]. For each quote it counts the backslashes
 * before it; no backslash is counted twice, because the runs are apart. */
static size_t string_size(const uint8_t *text, size_t size)
{
    size_t at = 1;
    for (;;) {
        const uint8_t *quote = memchr(text + at, '"', size - at);
        TJ_ASSERT(quote);
        size_t backslashes = 0;
        while (quote[-1 - (ptrdiff_t)backslashes] == '\\') backslashes++;
        at = (size_t)(quote - text) + 1;
        if (backslashes % 2 == 0) return at;
    }
}

/* The length of the number, true, false or null at text[0]. */
static size_t word_size(const uint8_t *text, size_t size)
{
    size_t at = 1;
    while (at < size && text[at] > ' ' && text[at] != ',' && text[at] != ']' && text[at] != '}')
        at++;
    return at;
}

/* -- eight bytes at a time --------------------------------------------------------------------- */

#define ONES 0x0101010101010101u
/* bytes after the cursors that may be read and overwritten: a word of eight, and an escape */
#define SPARE 16

/* Loads eight bytes, the first as the lowest. */
TJ_INLINE uint64_t load(const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The lowest bit set is that of the first byte of `word` that equals `byte`. Higher bits may be
 * wrong. */
TJ_INLINE uint64_t first_of(uint64_t word, uint8_t byte)
{
    word ^= ONES * byte;
    return (word - ONES) & ~word & ONES * 0x80;
}

typedef struct {
    const uint8_t *from;
    uint8_t *to; /* NULL: the end of the token was not reached */
} cursors;

/* Copies the string at `from`. */
TJ_INLINE cursors copy_string(const uint8_t *from, const uint8_t *end, uint8_t *to,
                              const uint8_t *limit)
{
    *to++ = *from++;
    while (end - from >= SPARE && limit - to >= SPARE) {
        uint64_t word = load(from), stops = first_of(word, '"') | first_of(word, '\\');
        memcpy(to, from, 8);
        size_t plain = stops ? (size_t)__builtin_ctzll(stops) / 8 : 8;
        from += plain;
        to += plain;
        if (!stops) continue;
        *to++ = *from++;
        if (from[-1] == '"') return (cursors){from, to};
        *to++ = *from++; /* the byte after the backslash */
    }
    return (cursors){from, NULL};
}

/* Copies the number, true, false or null at `from`. */
TJ_INLINE cursors copy_word(const uint8_t *from, const uint8_t *end, uint8_t *to,
                            const uint8_t *limit)
{
    while (end - from >= SPARE && limit - to >= SPARE) {
        uint64_t word = load(from);
        /* These may follow one: `,` `]` `}`, a space, or white space below the space. */
        uint64_t stops = first_of(word, ',') | first_of(word | ONES * 0x20, '}') |
                         first_of(word, ' ') | first_of(word & ONES * 0xE0, 0);
        memcpy(to, from, 8);
        size_t plain = stops ? (size_t)__builtin_ctzll(stops) / 8 : 8;
        from += plain;
        to += plain;
        if (stops) return (cursors){from, to};
    }
    return (cursors){from, NULL};
}

/* -- tokens ------------------------------------------------------------------------------------ */

/* Writes what is due and returns the new cursor. r->lead and r->copy are 0 unless the room has
 * ended. */
TJ_INLINE uint8_t *write_due(tj_relayout *r, const uint8_t *text, uint8_t *at, const uint8_t *limit)
{
    if (r->lead) {
        size_t part = (size_t)(limit - at) < r->lead ? (size_t)(limit - at) : r->lead;
        if (part == 0) return at;
        memset(at, r->filler, part);
        *at = r->opener;
        r->opener = r->filler;
        r->lead -= part;
        at += part;
        if (r->lead) return at;
    }
    if (r->copy == 1 && at < limit) { /* most are one byte */
        *at = text[r->at++];
        r->copy = 0;
        return at + 1;
    }
    size_t part = (size_t)(limit - at) < r->copy ? (size_t)(limit - at) : r->copy;
    memcpy(at, text + r->at, part);
    r->at += part;
    r->copy -= part;
    return at + part;
}

/* Notes a line end and the indentation of the depth; nothing if the layout has no lines. */
TJ_INLINE void begin_line(tj_relayout *r)
{
    if (r->layout != TJ_LAYOUT_PRETTY) return;
    r->opener = '\n';
    r->lead = 1 + r->depth * r->indent;
}

/* Notes what is due for the token at r->at, which is not white space. */
TJ_INLINE void take_token(tj_relayout *r, uint8_t byte)
{
    uint8_t before = r->before;
    bool closes = byte == ']' || byte == '}', opens = byte == '[' || byte == '{';
    bool after_opener = before == '[' || before == '{';

    if (closes) r->depth--;
    if (before == ',' || (after_opener ? !closes : closes)) begin_line(r);
    else if (before == ':' && r->layout == TJ_LAYOUT_PRETTY) {
        r->opener = ' ';
        r->lead = 1;
    }
    r->copy = 1;
    if (opens) {
        if (r->layout == TJ_LAYOUT_LINES && r->depth == 0 && byte == '[') r->split = true;
        if (r->split && r->depth == 0) r->copy = 0;
        r->depth++;
    } else if (closes) {
        if (r->split && r->depth == 0) r->copy = 0;
    } else if (byte == ',') {
        if (r->split && r->depth == 1) {
            r->copy = 0;
            r->opener = '\n';
            r->lead = 1;
        }
    }
    r->before = opens || closes || byte == ',' || byte == ':' ? byte : 0;
    if (r->copy == 0) r->at++; /* a bracket or comma that was written with the line ends */
}

/* Writes the string or word that take_token found, or notes all of it as due. */
TJ_INLINE uint8_t *write_scalar(tj_relayout *r, const uint8_t *text, size_t size, uint8_t *at,
                                const uint8_t *limit)
{
    const uint8_t *from = text + r->at, *end = text + size;
    bool string = *from == '"';
    if (r->lead < (size_t)(limit - at)) {
        r->copy = 0;
        at = write_due(r, text, at, limit);
        cursors done = string ? copy_string(from, end, at, limit) : copy_word(from, end, at, limit);
        if (done.to) {
            r->at = (size_t)(done.from - text);
            return done.to;
        }
    }
    r->copy = string ? string_size(from, size - r->at) : word_size(from, size - r->at);
    return at;
}

size_t tj_relayout_write(tj_relayout *state, const uint8_t *text, size_t size, uint8_t *out,
                         size_t room)
{
    tj_relayout r = *state; /* a copy, so that it can stay in registers while bytes are written */
    uint8_t *at = out;
    const uint8_t *limit = out + room;
    for (;;) {
        at = write_due(&r, text, at, limit);
        if (at == limit) break;
        while (r.at < size && is_space(text[r.at])) r.at++;
        if (r.at == size) break;
        take_token(&r, text[r.at]);
        if (!r.before) at = write_scalar(&r, text, size, at, limit);
    }
    *state = r;
    return (size_t)(at - out);
}
