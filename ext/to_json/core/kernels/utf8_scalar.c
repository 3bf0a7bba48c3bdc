/* Core. Validates UTF-8 one sequence at a time; the vector kernels use this after an error. */
#include "simd.h"

#define HIGHS 0x8080808080808080u

TJ_INLINE bool continues(uint8_t byte) { return (byte & 0xc0) == 0x80; }

/* The size of the sequence at text[0, left), or 0 if it is invalid (RFC 3629 section 4). left >
 * 0. */
TJ_INLINE size_t sequence_size(const uint8_t *text, size_t left)
{
    uint8_t lead = text[0];
    if (lead < 0x80) return 1;
    /* a continuation, an overlong form, or beyond U+10FFFF */
    if (lead < 0xc2 || lead > 0xf4) return 0;
    if (lead < 0xe0) return left >= 2 && continues(text[1]) ? 2 : 0;

    uint8_t lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;  /* below this: overlong */
    /* above this: a surrogate, or beyond U+10FFFF */
    uint8_t highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (left < 3 || text[1] < lowest || text[1] > highest || !continues(text[2])) return 0;
    if (lead < 0xf0) return 3;
    return left >= 4 && continues(text[3]) ? 4 : 0;
}

size_t tj_utf8_scalar(const uint8_t *text, size_t size, bool *ascii)
{
    size_t i = 0;
    uint8_t seen = 0;
    while (i < size) {
        if (size - i >= 8 && !(tj_load8(text + i) & HIGHS)) {
            i += 8;
            continue;
        }
        size_t n = sequence_size(text + i, size - i);
        if (!n) break;
        seen |= text[i];
        i += n;
    }
    *ascii = seen < 0x80;
    return i;
}

size_t tj_utf8_rescan(const uint8_t *text, size_t size, size_t good, bool *ascii)
{
    size_t i = good;
    /* back to the start of the sequence that `good` may cut */
    while (i > 0 && good - i < 3 && continues(text[i - 1])) i--;
    if (i > 0 && text[i - 1] >= 0xc0) i--;
    size_t valid = i + tj_utf8_scalar(text + i, size - i, ascii);
    for (size_t k = 0; *ascii && k < i; k++) *ascii = text[k] < 0x80;
    return valid;
}
