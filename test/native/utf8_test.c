/* Tests of core/utf8*.c: every kernel against a table of what RFC 3629 allows, byte by byte. */
#include "text.h"
#include "utf8.h"

/* The oracle: the rows of RFC 3629, section 4, as they stand there. */
static size_t naive_sequence(const uint8_t *text, size_t left)
{
    static const struct {
        uint8_t from[4], to[4];
    } rows[] = {
        {{0x00}, {0x7f}},
        {{0xc2, 0x80}, {0xdf, 0xbf}},
        {{0xe0, 0xa0, 0x80}, {0xe0, 0xbf, 0xbf}},
        {{0xe1, 0x80, 0x80}, {0xec, 0xbf, 0xbf}},
        {{0xed, 0x80, 0x80}, {0xed, 0x9f, 0xbf}},
        {{0xee, 0x80, 0x80}, {0xef, 0xbf, 0xbf}},
        {{0xf0, 0x90, 0x80, 0x80}, {0xf0, 0xbf, 0xbf, 0xbf}},
        {{0xf1, 0x80, 0x80, 0x80}, {0xf3, 0xbf, 0xbf, 0xbf}},
        {{0xf4, 0x80, 0x80, 0x80}, {0xf4, 0x8f, 0xbf, 0xbf}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        size_t n = 0;
        while (n < 4 && (n == 0 || rows[r].to[n]) && n < left && text[n] >= rows[r].from[n] &&
               text[n] <= rows[r].to[n])
            n++;
        if (n == 4 || (n > 0 && !rows[r].to[n])) return n;
    }
    return 0;
}

static size_t naive_prefix(const uint8_t *text, size_t size, bool *ascii)
{
    size_t i = 0, n;
    *ascii = true;
    for (; i < size && (n = naive_sequence(text + i, size - i)); i += n)
        if (n > 1) *ascii = false;
    return i;
}

static bool same(const uint8_t *text, size_t size, const char *level)
{
    bool ascii, expected_ascii;
    size_t expected = naive_prefix(text, size, &expected_ascii);
    size_t actual = tj_utf8_valid_prefix(text, size, &ascii);
    CASE();
    if (actual == expected && ascii == expected_ascii) return true;
    return FAIL("%s, %zu bytes: expected %zu (ascii %d), got %zu (ascii %d)", level, size, expected,
                expected_ascii, actual, ascii);
}

TEST("every code point is text, and every surrogate is not, under every kernel")
{
    for (each_level(level))
        for (uint32_t c = 0; c < 0x110000; c++) {
            uint8_t text[4];
            bool ascii, surrogate = c >= 0xd800 && c < 0xe000;
            size_t size = put_code_point(text, c);
            size_t prefix = tj_utf8_valid_prefix(text, size, &ascii);
            CASE();
            if (prefix != (surrogate ? 0 : size) || ascii != (surrogate || c < 0x80))
                FAIL("%s: U+%04x: valid %zu, ascii %d", level, c, prefix, ascii);
        }
    EXPECT_CASES(2 * 0x110000);
}

/* At the start and across the edges of the vectors; behind them stands what completes a sequence,
 * or not. By default those that start with a lead, each at one place; all the others start with
 * ASCII or a stray continuation, and then a pair decides: see the next test. */
TEST(
    "every three bytes are told apart as RFC 3629 does, under every kernel, --long: at every place")
{
    static const size_t places[] = {0, 14, 30, 62};
    uint8_t text[128];
    memset(text, 'a', sizeof text);
    for (each_level(level))
        for (uint32_t three = harness_long ? 0 : 0xc00000; three < 0x1000000; three++) {
            uint8_t a = (uint8_t)(three >> 16), b = (uint8_t)(three >> 8), c = (uint8_t)three;
            size_t p = harness_long ? 0 : (a + b + c) % 4, end = harness_long ? 4 : p + 1;
            for (; p < end; p++) {
                uint8_t *at = text + places[p];
                at[0] = a, at[1] = b, at[2] = c, at[3] = c & 1 ? 0x80 : 'z';
                bool ascii, expected_ascii;
                size_t expected = naive_prefix(at, 5, &expected_ascii);
                size_t actual = tj_utf8_valid_prefix(text, places[p] + 40, &ascii);
                expected = expected == 5 ? places[p] + 40 : places[p] + expected;
                if (actual != expected || ascii != expected_ascii)
                    FAIL("%s: %02x %02x %02x at %zu: expected %zu, got %zu", level, a, b, c,
                         places[p], expected, actual);
                CASE();
                memset(at, 'a', 4);
            }
        }
    EXPECT_CASES(2 * ROUNDS(0x400000, 0x4000000));
}

TEST("every pair of bytes is told apart alone and at the end of a text, under every kernel")
{
    static const size_t before[] = {0,  1,  5,  6,  13, 14, 15,  29, 30,
                                    31, 46, 61, 62, 63, 94, 126, 190};
    uint8_t text[256];
    memset(text, 'a', sizeof text);
    for (each_level(level))
        for (size_t p = 0; p < sizeof before / sizeof *before; p++)
            for (uint32_t pair = 0; pair < 0x10000; pair++) {
                uint8_t *at = text + before[p];
                at[0] = (uint8_t)(pair >> 8), at[1] = (uint8_t)pair;
                bool ascii, expected_ascii;
                size_t expected = before[p] + naive_prefix(at, 2, &expected_ascii);
                CASE();
                if (tj_utf8_valid_prefix(text, before[p] + 2, &ascii) != expected ||
                    ascii != expected_ascii)
                    FAIL("%s: %04x after %zu bytes, expected %zu", level, pair, before[p],
                         expected);
                at[0] = at[1] = 'a';
            }
    EXPECT_CASES(2 * 17 * 0x10000);
}

TEST("a sequence cut off by the end of the text ends the prefix before its first byte")
{
    static const uint32_t points[] = {0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff};
    for (each_level(level))
        for (size_t before = 0; before < 200; before++)
            for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
                uint8_t bytes[4];
                size_t whole = put_code_point(bytes, points[p]);
                for (size_t n = 0; n <= whole; n++) {
                    uint8_t *text = guard_alloc(before + n + 1) + 1;
                    memset(text, 'a', before);
                    memcpy(text + before, bytes, n);
                    bool ascii;
                    EXPECT_UINT(before + (n == whole ? n : 0),
                                tj_utf8_valid_prefix(text, before + n, &ascii));
                    EXPECT_INT(n < whole, ascii);
                    guard_free(text - 1, before + n + 1);
                }
            }
}

TEST("one wrong byte at any place of any short text is found where it is")
{
    static const uint8_t wrong[] = {0x80, 0xbf, 0xc0, 0xc1, 0xf5, 0xff, 0xe3, 0xf0, 0xc3};
    uint8_t text[160], random[160];
    for (each_level(level))
        for (size_t size = 1; size < 150; size++) {
            random_text(random, size);
            for (size_t place = 0; place < size; place++)
                for (size_t w = 0; w < sizeof wrong; w++) {
                    memset(text, 'a', size);
                    text[place] = wrong[w];
                    same(text, size, level);
                    memcpy(text, random, size);
                    text[place] = wrong[w];
                    same(text, size, level);
                }
        }
    EXPECT_CASES(2 * 9 * 2 * 149 * 75);
}

#define LONGEST 300
#define ALIGNMENTS 64

/* Lengths 0 to 300, alignments 0 to 63, at a guard page. */
TEST("random text of every length and alignment, before a guard page, gives what the table gives")
{
    uint64_t rounds = ROUNDS(60000, 10000000);
    uint8_t *page = guard_alloc(4096), *end = page + 4096;
    for (each_level(level))
        for (uint64_t round = 0; round < rounds; round++) {
            size_t size = random_below(LONGEST + 1);
            /* half of the texts end where the page ends, the others stand at any alignment */
            uint8_t *text = round & 1 ? end - size : page + random_below(ALIGNMENTS);
            random_text(text, size);
            for (uint64_t harm = random_below(4); harm > 1 && size; harm--)
                text[random_below(size)] = (uint8_t)(harm & 1 ? random_u64() : random_u64() | 0x80);
            same(text, size, level);
        }
    guard_free(page, 4096);
    EXPECT_CASES(2 * rounds);
}

/* Chinese, Japanese or Korean, with something else now and then: next to nothing, or a lot. */
static void fill_with_threes(uint8_t *text, size_t size)
{
    static const char *const others[] = {"a",
                                         "\xc3\xa9",
                                         "\xef\xbd\xb1",
                                         "\xe0\xa4\x85",
                                         "\xed\x9e\xa3",
                                         "\xf0\x9f\x98\x80",
                                         "abcdefghijklmnopqrstuvwxyz",
                                         "\n"};
    size_t i = 0, seldom = 1 + random_below(400);
    while (i < size) {
        uint8_t next[32];
        size_t n;
        if (random_below(seldom) == 0) {
            const char *other = others[random_below(sizeof others / sizeof *others)];
            memcpy(next, other, n = strlen(other));
        } else n = put_code_point(next, 0x3040 + (uint32_t)random_below(0x6000));
        if (i + n > size) memset(next, '.', n = size - i);
        memcpy(text + i, next, n);
        i += n;
    }
}

TEST("long text of three bytes a character is told apart byte by byte, whatever stands in it or is "
     "wrong with it")
{
    uint64_t rounds = ROUNDS(60000, 3000000);
    uint8_t *page = guard_alloc(4096), *end = page + 4096;
    for (each_level(level))
        for (uint64_t round = 0; round < rounds; round++) {
            size_t size = 90 + random_below(900);
            uint8_t *text = round & 1 ? end - size : page + random_below(ALIGNMENTS);
            fill_with_threes(text, size);
            for (uint64_t harm = random_below(3); harm > 0; harm--)
                text[random_below(size)] = (uint8_t)(harm & 1 ? random_u64() | 0x80 : random_u64());
            same(text, size - random_below(4), level);
        }
    guard_free(page, 4096);
    EXPECT_CASES(2 * rounds);
}
