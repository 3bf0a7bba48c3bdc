/* Tests of the native core, layer 1: the kernels to compare, and text to give them. */
#ifndef TJ_TEXT_H
#define TJ_TEXT_H

#include "escape.h"
#include "harness.h"

/* The levels that tj_simd_init knows. Those that this CPU lacks are left out by each_level. */
static const char *const all_levels[] = {"scalar", "sse2", "ssse3", "avx2", "neon"};

/* For each level that this machine runs, with that level chosen: for (each_level(name)). The
 * fastest one is in use afterwards. The escape kernels of ssse3 are those of sse2. */
#define each_level(name) \
    const char *name = NULL; (name = next_level(name, ""));
#define each_escape_level(name) \
    const char *name = NULL; (name = next_level(name, "ssse3"));

static inline const char *next_level(const char *last, const char *without)
{
    size_t i = 0, count = sizeof all_levels / sizeof *all_levels;
    while (last && strcmp(all_levels[i++], last)) continue;
    for (; i < count; i++)
        if (strcmp(all_levels[i], without) && !strcmp(tj_simd_init(all_levels[i]), all_levels[i]))
            return all_levels[i];
    tj_simd_init(NULL);
    return NULL;
}

/* Writes one code point (surrogates too, as the three bytes that they would be); returns its size.
 */
static inline size_t put_code_point(uint8_t *at, uint32_t c)
{
    if (c < 0x80) return at[0] = (uint8_t)c, 1;
    if (c < 0x800) return at[0] = (uint8_t)(0xc0 | c >> 6), at[1] = (uint8_t)(0x80 | (c & 63)), 2;
    if (c < 0x10000) {
        at[0] = (uint8_t)(0xe0 | c >> 12), at[1] = (uint8_t)(0x80 | (c >> 6 & 63)),
        at[2] = (uint8_t)(0x80 | (c & 63));
        return 3;
    }
    at[0] = (uint8_t)(0xf0 | c >> 18), at[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    at[2] = (uint8_t)(0x80 | (c >> 6 & 63)), at[3] = (uint8_t)(0x80 | (c & 63));
    return 4;
}

static inline uint32_t random_code_point(void)
{
    static const uint32_t edges[] = {0x7f,   0x80,   0x7ff,   0x800,   0xfff,    0x1000,
                                     0x2027, 0x2028, 0x2029,  0x202a,  0xd7ff,   0xe000,
                                     0xfffd, 0xffff, 0x10000, 0xfffff, 0x100000, 0x10ffff};
    switch (random_below(6)) {
    case 0: return edges[random_below(sizeof edges / sizeof *edges)];
    case 1: return 0x80 + (uint32_t)random_below(0x780);
    case 2:
        return 0x2000 + (uint32_t)random_below(0x70); /* leads 0xe2 0x80, as the separators have */
    case 3: return 0x3040 + (uint32_t)random_below(0x6000);
    case 4: return 0x10000 + (uint32_t)random_below(0x100000);
    default: return (uint32_t)random_below(0x80);
    }
}

/* Fills text[0, size) with well-formed UTF-8 of one of several mixes, from plain ASCII to nothing
 * but what must be escaped. */
static inline void random_text(uint8_t *text, size_t size)
{
    static const char specials[] = "\"\\\n\t\b\f\r\x01\x1f<>&\x7f/";
    uint64_t mix = random_below(10);
    static const unsigned special_share[] = {0,   0,    2, 10,  100,
                                             400, 1000, 5, 300, 1000}; /* of a thousand */
    static const unsigned wide_share[] = {0, 1000, 300, 0, 30, 500, 0, 5, 100, 0};
    size_t kinds = mix < 8 ? sizeof specials /* NUL too */ : 7 /* the short ones */;
    for (size_t i = 0; i < size;) {
        uint64_t dice = random_below(1000);
        if (dice < special_share[mix]) {
            text[i++] = (uint8_t)specials[random_below(kinds)];
        } else if (random_below(1000) < wide_share[mix]) {
            uint8_t bytes[4];
            size_t n = put_code_point(bytes, random_code_point());
            if (n > size - i) text[i++] = 'x';
            else memcpy(text + i, bytes, n), i += n;
        } else {
            text[i++] = (uint8_t)(' ' + random_below(95));
        }
    }
}

#endif
