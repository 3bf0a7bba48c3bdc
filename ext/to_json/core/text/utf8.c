/* Core. Validates UTF-8: short ASCII here, everything else in the kernel. */
#include "utf8.h"

#include "../kernels/simd.h"

#define HIGHS 0x8080808080808080u

size_t tj_utf8_valid_prefix(const uint8_t *text, size_t size, bool *ascii)
{
    uint64_t high;
    if (size >= TJ_LONG) return tj_simd.utf8(text, size, ascii);
    if (size >= 16) {
        high = tj_load8(text) | tj_load8(text + 8) | tj_load8(text + size - 16) |
               tj_load8(text + size - 8);
    } else if (size >= 8) {
        high = tj_load8(text) | tj_load8(text + size - 8);
    } else if (size >= 4) {
        high = tj_load4(text) | tj_load4(text + size - 4);
    } else {
        high = size ? text[0] | text[size / 2] | text[size - 1] : 0;
    }
    if (TJ_UNLIKELY(high & HIGHS)) return tj_simd.utf8(text, size, ascii);
    *ascii = true;
    return size;
}
