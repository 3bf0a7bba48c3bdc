/* Core. The escape kernels for any CPU: eight bytes at a time while nothing needs an escape. And
 * the tables of escape_forms.h. */
#include "escape_forms.h"

#define SHORT(letter) {'\\', letter, 0, 0, 0, 0, 0, 2}
#define LONG(high, low) {'\\', 'u', '0', '0', high, low, 0, 6}

const uint8_t tj_escape_forms['\\' + 1][8] = {
    LONG('0', '0'), LONG('0', '1'), LONG('0', '2'), LONG('0', '3'), /* 00 */
    LONG('0', '4'), LONG('0', '5'), LONG('0', '6'), LONG('0', '7'),
    SHORT('b'),     SHORT('t'),     SHORT('n'),     LONG('0', 'b'), /* 08 */
    SHORT('f'),     SHORT('r'),     LONG('0', 'e'), LONG('0', 'f'),
    LONG('1', '0'), LONG('1', '1'), LONG('1', '2'), LONG('1', '3'), /* 10 */
    LONG('1', '4'), LONG('1', '5'), LONG('1', '6'), LONG('1', '7'),
    LONG('1', '8'), LONG('1', '9'), LONG('1', 'a'), LONG('1', 'b'), /* 18 */
    LONG('1', 'c'), LONG('1', 'd'), LONG('1', 'e'), LONG('1', 'f'),
    ['"'] = SHORT('"'),
    ['\\'] = SHORT('\\'),
    ['&'] = LONG('2', '6'),
    ['<'] = LONG('3', 'c'),
    ['>'] = LONG('3', 'e'),
};

#define JSON (1 << TJ_ESCAPE_JSON)
#define HTML (1 << TJ_ESCAPE_HTML)
#define HTML_IN_JSON (1 << TJ_ESCAPE_HTML_IN_JSON)
#define CONTROLS_8                                                                             \
    JSON | HTML, JSON | HTML, JSON | HTML, JSON | HTML, JSON | HTML, JSON | HTML, JSON | HTML, \
        JSON | HTML

const uint8_t tj_escape_class[256] = {
    CONTROLS_8, CONTROLS_8, CONTROLS_8, CONTROLS_8,
    ['"'] = JSON | HTML,
    ['\\'] = JSON | HTML,
    ['&'] = HTML | HTML_IN_JSON,
    ['<'] = HTML | HTML_IN_JSON,
    ['>'] = HTML | HTML_IN_JSON,
    [TJ_SEPARATOR_LEAD] = HTML | HTML_IN_JSON,
};

/* The sets of high halves. The comments list the bytes of each set that are escaped. */
#define H01 1    /* 00..1f: with any low half */
#define H2 2     /* 22 " 26 & */
#define H2AND 4  /* 26 & alone */
#define H3 8     /* 3c < 3e > */
#define H5 16    /* 5c \ */
#define HE TJ_HALF_LEAD

const uint8_t tj_escape_low_half[16] = {
    H01, H01, H01 | H2 | HE, H01, H01, H01, H01 | H2 | H2AND, H01,
    H01, H01, H01, H01, H01 | H3 | H5, H01, H01 | H3, H01,
};

const uint8_t tj_escape_high_half[3][16] = {
    [TJ_ESCAPE_HTML] = {[0x0] = H01, [0x1] = H01, [0x2] = H2, [0x3] = H3, [0x5] = H5, [0xe] = HE},
    [TJ_ESCAPE_HTML_IN_JSON] = {[0x2] = H2AND, [0x3] = H3, [0xe] = HE},
};

const uint8_t tj_short_letters[16] = {
    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};

uint8_t tj_escape_spread[256][16];

void tj_escape_spread_init(void)
{
    for (unsigned set = 0; set < 256; set++) {
        uint8_t *next = tj_escape_spread[set];
        for (uint8_t byte = 0; byte < 8; byte++) {
            *next++ = byte;
            if (set >> byte & 1) *next++ = byte + 8;
        }
    }
}

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Not 0 if some byte of `word` equals `byte`. The bits do not tell reliably which byte. */
TJ_INLINE uint64_t some_equal(uint64_t word, uint8_t byte)
{
    uint64_t difference = word ^ ONES * byte;
    return (difference - ONES) & ~difference & HIGHS;
}

/* Whether one of the eight bytes may need an escape under `mode`. May return true if none does. */
TJ_INLINE bool some_escape(uint64_t word, tj_escape_mode mode)
{
    uint64_t found = 0;
    if (mode != TJ_ESCAPE_HTML_IN_JSON)
        found |=
            ((word - ONES * 0x20) & ~word & HIGHS) | some_equal(word, '"') | some_equal(word, '\\');
    if (mode != TJ_ESCAPE_JSON)
        found |= some_equal(word | ONES * 2, '>') | some_equal(word, '&') |
                 some_equal(word, TJ_SEPARATOR_LEAD);
    return found != 0;
}

TJ_INLINE bool escapes(const uint8_t *text, size_t size, tj_escape_mode mode)
{
    if (TJ_LIKELY(!(tj_escape_class[*text] & (1 << mode)))) return false;
    return *text != TJ_SEPARATOR_LEAD || tj_is_separator(text, size);
}

TJ_INLINE uint8_t *escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    size_t i = 0;
    while (i < size) {
        if (size - i >= 8) {
            uint64_t word = tj_load8(text + i);
            if (!some_escape(word, mode)) {
                tj_store8(at, word);
                at += 8;
                i += 8;
                continue;
            }
        }
        for (size_t end = size - i >= 8 ? i + 8 : size; i < end;) {
            if (escapes(text + i, size - i, mode)) {
                size_t taken;
                at = tj_escape_one(at, text + i, &taken, mode);
                i += taken;
            } else {
                *at++ = text[i++];
            }
        }
    }
    return at;
}

TJ_INLINE size_t plain_prefix(const uint8_t *text, size_t size, tj_escape_mode mode)
{
    size_t i = 0;
    while (size - i >= 8) {
        if (some_escape(tj_load8(text + i), mode)) {
            for (size_t end = i + 8; i < end; i++)
                if (escapes(text + i, size - i, mode)) return i;
        } else {
            i += 8;
        }
    }
    while (i < size && !escapes(text + i, size - i, mode)) i++;
    return i;
}

TJ_INLINE size_t copy_plain(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode)
{
    size_t plain = plain_prefix(text, size, mode);
    memcpy(at, text, plain);
    return plain;
}

#include "escape_modes.h"

const tj_escape_kernels tj_escape_scalar = TJ_ESCAPE_KERNELS;
