/* Tests of core/escape*.c: every kernel, every mode, against an oracle that knows code points only.
 */
#include "text.h"

static const struct {
    tj_escape_mode mode;
    const char *name;
} modes[] = {
    {TJ_ESCAPE_JSON, "json"},
    {TJ_ESCAPE_HTML, "html"},
    {TJ_ESCAPE_HTML_IN_JSON, "html in json"},
    {TJ_ESCAPE_COMPOSED | TJ_ESCAPE_SLASH | TJ_ESCAPE_SEPARATORS, "script safe"},
    {TJ_ESCAPE_COMPOSED | TJ_ESCAPE_NON_ASCII, "ascii"},
    {TJ_ESCAPE_COMPOSED | TJ_ESCAPE_SEPARATORS, "separators"},
    {TJ_ESCAPE_COMPOSED | TJ_ESCAPE_SLASH | TJ_ESCAPE_SEPARATORS | TJ_ESCAPE_MARKUP |
         TJ_ESCAPE_NON_ASCII,
     "all"},
};
#define MODES (sizeof modes / sizeof *modes)

static const char *name_of(tj_escape_mode mode)
{
    for (size_t m = 0; m < MODES; m++)
        if (modes[m].mode == mode) return modes[m].name;
    return "?";
}

/* The oracle: what stands for code point c, NULL for c itself. The text lives until the next call.
 */
static const char *naive_form(uint32_t c, tj_escape_mode mode)
{
    static char unicode[16];
    bool composed = mode >= TJ_ESCAPE_COMPOSED;
    if (mode != TJ_ESCAPE_HTML_IN_JSON) {
        switch (c) {
        case '\b': return "\\b";
        case '\t': return "\\t";
        case '\n': return "\\n";
        case '\f': return "\\f";
        case '\r': return "\\r";
        case '"': return "\\\"";
        case '\\': return "\\\\";
        }
    }
    bool control = c < 0x20 && mode != TJ_ESCAPE_HTML_IN_JSON;
    if (c == '/' && composed && mode & TJ_ESCAPE_SLASH) return "\\/";
    if (c > 0x7f && composed && mode & TJ_ESCAPE_NON_ASCII) {
        if (c > 0xffff)
            snprintf(unicode, sizeof unicode, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                     0xdc00 + ((c - 0x10000) & 0x3ff));
        else snprintf(unicode, sizeof unicode, "\\u%04x", c);
        return unicode;
    }
    bool separator = c == 0x2028 || c == 0x2029;
    bool html = composed ? (separator && mode & TJ_ESCAPE_SEPARATORS) ||
                               (!separator && mode & TJ_ESCAPE_MARKUP && c < 0x7f &&
                                strchr("<>&", (int)c) && c)
                         : mode != TJ_ESCAPE_JSON &&
                               (c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029);
    if (!control && !html) return NULL;
    snprintf(unicode, sizeof unicode, "\\u%04x", c);
    return unicode;
}

/* The code point at text, and its size; the text is well-formed. */
static uint32_t code_point(const uint8_t *text, size_t *size)
{
    uint8_t lead = *text;
    *size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t c = *size == 1 ? lead : lead & (0x7fu >> *size);
    for (size_t k = 1; k < *size; k++) c = c << 6 | (text[k] & 63);
    return c;
}

/* Also tells in *plain the length of the prefix that has no escape. */
static size_t naive_escape(uint8_t *at, const uint8_t *text, size_t size, tj_escape_mode mode,
                           size_t *plain)
{
    uint8_t *start = at;
    size_t n;
    *plain = size;
    for (size_t i = 0; i < size; i += n) {
        const char *form = naive_form(code_point(text + i, &n), mode);
        if (form && *plain == size) *plain = i;
        size_t written = form ? strlen(form) : n;
        memcpy(at, form ? form : (const char *)text + i, written);
        at += written;
    }
    return (size_t)(at - start);
}

#define LONGEST 300
#define ALIGNMENTS 64
#define ROOM(size) (TJ_ESCAPE_GROWTH * (size) + TJ_ESCAPE_SLACK)

/* Escapes the text at `out`, which has exactly the room that is owed, and compares. */
static bool same(const uint8_t *text, size_t size, tj_escape_mode mode, const char *level,
                 uint8_t *out)
{
    uint8_t expected[ROOM(LONGEST)];
    size_t plain, expected_size = naive_escape(expected, text, size, mode, &plain);
    size_t actual_size = (size_t)(tj_unsafe_escape(out, text, size, mode) - out);
    size_t actual_plain = tj_escape_plain_prefix(text, size, mode);
    CASE();
    if (expected_size == actual_size && !memcmp(expected, out, actual_size) &&
        plain == actual_plain)
        return true;
    harness_context("%s, %s, %zu bytes", level, name_of(mode), size);
    EXPECT_UINT(plain, actual_plain);
    EXPECT_BYTES(expected, expected_size, out, actual_size);
    harness_context(NULL);
    return false;
}

TEST("each short escape, each long one and each HTML escape has its exact form")
{
    static const struct {
        const char *text, *json, *html, *html_in_json;
    } rows[] = {
        {"", "", "", ""},
        {"plain", "plain", "plain", "plain"},
        {"\b\t\n\f\r", "\\b\\t\\n\\f\\r", "\\b\\t\\n\\f\\r", "\b\t\n\f\r"},
        {"say \"hi\"", "say \\\"hi\\\"", "say \\\"hi\\\"", "say \"hi\""},
        {"C:\\dir\\file", "C:\\\\dir\\\\file", "C:\\\\dir\\\\file", "C:\\dir\\file"},
        {"\x01\x0b\x0e\x1b\x1f", "\\u0001\\u000b\\u000e\\u001b\\u001f",
         "\\u0001\\u000b\\u000e\\u001b\\u001f", "\x01\x0b\x0e\x1b\x1f"},
        {"\x7f/'", "\x7f/'", "\x7f/'", "\x7f/'"},
        {"</script>&amp;", "</script>&amp;", "\\u003c/script\\u003e\\u0026amp;",
         "\\u003c/script\\u003e\\u0026amp;"},
        {"a\u2028b\u2029c", "a\u2028b\u2029c", "a\\u2028b\\u2029c", "a\\u2028b\\u2029c"},
        {"\u2027\u202a\u2068\u20a8", "\u2027\u202a\u2068\u20a8", "\u2027\u202a\u2068\u20a8",
         "\u2027\u202a\u2068\u20a8"},
        {"日本語 😀 é", "日本語 😀 é", "日本語 😀 é", "日本語 😀 é"},
    };
    for (each_escape_level(level))
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            const char *due[] = {rows[r].json, rows[r].html, rows[r].html_in_json};
            for (size_t m = 0; m < sizeof due / sizeof *due; m++) {
                uint8_t out[ROOM(64)];
                harness_context("%s, %s, row %zu", level, modes[m].name, r);
                EXPECT_TEXT(due[m], out,
                            tj_unsafe_escape(out, (const uint8_t *)rows[r].text,
                                             strlen(rows[r].text), modes[m].mode));
            }
        }
}

/* The prefixes and suffixes put the code point into the short path, into a block, over the edge of
 * a block, and into the last bytes. All that any mode escapes lies below U+3000. */
TEST("every code point is escaped as its mode says, in short and in long text, under every kernel")
{
    static const struct {
        size_t before, after;
    } places[] = {{0, 0}, {5, 4}, {14, 10}, {31, 0}, {62, 20}, {63, 70}, {64, 2}};
    uint8_t text[256], out[ROOM(256)];
    uint32_t end = (uint32_t)ROUNDS(0x3000, 0x110000);
    for (each_escape_level(level))
        for (size_t m = 0; m < MODES; m++)
            for (uint32_t c = 0; c < end; c++) {
                if (c >= 0xd800 && c < 0xe000) continue;
                for (size_t place = 0; place < sizeof places / sizeof *places; place++) {
                    memset(text, 'a', places[place].before);
                    size_t size = places[place].before +
                                  put_code_point(text + places[place].before, c);
                    memset(text + size, 'z', places[place].after);
                    same(text, size + places[place].after, modes[m].mode, level, out);
                }
            }
    EXPECT_CASES(2 * MODES * 7 * 0x3000);
}

TEST("all code points in their order are escaped as their mode says, under every kernel")
{
    uint8_t text[LONGEST], out[ROOM(LONGEST)];
    for (each_escape_level(level))
        for (size_t m = 0; m < MODES; m++)
            for (uint32_t c = 0; c < 0x110000;) {
                size_t size = 0, count = 0;
                for (; count < 61 && c < 0x110000; c++) {
                    if (c >= 0xd800 && c < 0xe000) continue;
                    size += put_code_point(text + size, c);
                    count++;
                }
                if (same(text, size, modes[m].mode, level, out)) CASES(count - 1);
            }
    EXPECT_CASES(2 * MODES * (0x110000 - 0x800));
}

TEST("every byte at every place of a short text is escaped as its mode says, under every kernel")
{
    uint8_t text[140], out[ROOM(140)];
    for (each_escape_level(level))
        for (size_t m = 0; m < MODES; m++)
            for (size_t size = 1; size < 140; size += size < 40 ? 1 : 11)
                for (size_t place = 0; place < size; place++)
                    for (int byte = 0; byte < 0x80; byte++) {
                        memset(text, 'a', size);
                        text[place] = (uint8_t)byte;
                        same(text, size, modes[m].mode, level, out);
                    }
    EXPECT_CASES(2 * MODES * 128 * 780);
}

TEST("every pair of special bytes at every distance is escaped, under every kernel")
{
    static const uint8_t bytes[] = {'"', '\n', 1, '<', '&', 0xe2, 'a'};
    uint8_t text[220], out[ROOM(220)];
    for (each_escape_level(level))
        for (size_t m = 0; m < MODES; m++)
            for (size_t size = 2; size < 220; size += 31)
                for (size_t i = 0; i + 3 <= size; i++)
                    for (size_t j = i; j + 3 <= size; j++) {
                        uint8_t a = bytes[random_below(sizeof bytes)],
                                b = bytes[random_below(sizeof bytes)];
                        memset(text, 'a', size);
                        text[i] = a;
                        if (a == 0xe2) put_code_point(text + i, 0x2027 + (uint32_t)random_below(4));
                        if (a != 0xe2 || j >= i + 3) {
                            text[j] = b;
                            if (b == 0xe2)
                                put_code_point(text + j, 0x2027 + (uint32_t)random_below(4));
                        }
                        same(text, size, modes[m].mode, level, out);
                    }
}

/* Lengths 0 to 300, alignments 0 to 63, text and output at a guard page. */
TEST(
    "random text of every length and alignment, before a guard page, is escaped as the oracle does")
{
    uint64_t rounds = ROUNDS(100000, 10000000);
    size_t page = 4096;
    uint8_t *texts = guard_alloc(page), *outs = guard_alloc(page);
    for (each_escape_level(level))
        for (uint64_t round = 0; round < rounds; round++) {
            size_t size = round < LONGEST ? round : random_below(LONGEST + 1);
            /* half of the texts end where the page ends, half start where it starts, at any
             * alignment */
            uint8_t *text = round & 1 ? texts + page - size : texts + random_below(ALIGNMENTS);
            random_text(text, size);
            same(text, size, modes[round % MODES].mode, level, outs + page - ROOM(size));
        }
    guard_free(texts, page);
    guard_free(outs, page);
    EXPECT_CASES(2 * rounds);
}

TEST("bytes that are no text are escaped without a read or write out of bounds")
{
    uint64_t rounds = ROUNDS(100000, 10000000);
    size_t page = 4096;
    uint8_t *texts = guard_alloc(page), *outs = guard_alloc(page);
    static const uint8_t often[] = {0xe2, 0x80, 0xa8, 0xa9, '"', '<', 0xff};
    for (each_escape_level(level))
        for (uint64_t round = 0; round < rounds; round++) {
            size_t size = random_below(LONGEST + 1);
            uint8_t *text = texts + page - size, *out = outs + page - ROOM(size);
            for (size_t i = 0; i < size; i++)
                text[i] = random_below(2) ? often[random_below(sizeof often)]
                                          : (uint8_t)random_u64();
            tj_escape_mode mode = modes[round % MODES].mode;
            uint8_t *end = tj_unsafe_escape(out, text, size, mode);
            CASE();
            if (end < out || end > out + TJ_ESCAPE_GROWTH * size)
                FAIL("%s: %td bytes of %zu", level, end - out, size);
            if (tj_escape_plain_prefix(text, size, mode) > size)
                FAIL("%s: a prefix longer than the text", level);
        }
    guard_free(texts, page);
    guard_free(outs, page);
}

/* Writes all of the text through tj_escape, giving `room` bytes each time that end at a guard page.
 * Returns the size, or SIZE_MAX when it stopped. */
static size_t in_pieces(uint8_t *to, const uint8_t *text, size_t size, tj_escape_mode mode,
                        size_t room, uint8_t *end)
{
    size_t done = 0, written = 0;
    for (;;) {
        uint8_t *start = end - room, *at = start;
        size_t before = done;
        tj_status status = tj_escape(&at, end, text, size, &done, mode);
        if (at < start || at > end || done > size)
            return FAIL("room %zu: wrote %td bytes", room, at - start), SIZE_MAX;
        memcpy(to + written, start, (size_t)(at - start));
        written += (size_t)(at - start);
        if (done < size && (text[done] & 0xc0) == 0x80)
            FAIL("room %zu: stopped inside a code point at %zu", room, done);
        if (status == TJ_OK && done != size)
            FAIL("room %zu: TJ_OK at %zu of %zu", room, done, size);
        if (status == TJ_OK) return written;
        if (status != TJ_FULL) return FAIL("room %zu: status %d", room, status), SIZE_MAX;
        if (done == before) return SIZE_MAX; /* no room for even one code point */
        size_t n;
        const char *form = naive_form(code_point(text + done, &n), mode);
        if ((form ? strlen(form) : n) <= (size_t)(end - at))
            FAIL("room %zu: full with %td bytes left", room, end - at);
    }
}

TEST(
    "a text escaped into any room comes out in pieces that make the same bytes, and fills the room")
{
    static const size_t sizes[] = {0, 1, 3, 7, 15, 16, 31, 32, 33, 63, 64, 100, 300};
    uint64_t repeats = ROUNDS(12, 1000);
    uint8_t *text = malloc(LONGEST), *expected = malloc(ROOM(LONGEST)),
            *actual = malloc(ROOM(LONGEST));
    size_t most = ROOM(LONGEST) + 10;
    uint8_t *page = guard_alloc(most);
    for (each_escape_level(level))
        for (uint64_t repeat = 0; repeat < repeats; repeat++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                size_t size = sizes[s], plain;
                tj_escape_mode mode = modes[(repeat + s) % MODES].mode;
                random_text(text, size);
                size_t expected_size = naive_escape(expected, text, size, mode, &plain);
                for (size_t room = 0; room <= most; room += room < 260 ? 1 : 61) {
                    size_t actual_size = in_pieces(actual, text, size, mode, room, page + most);
                    CASE();
                    if (actual_size == SIZE_MAX && room < (mode & TJ_ESCAPE_NON_ASCII ? 12u : 6u))
                        continue; /* may be too little for a code point */
                    if (actual_size != expected_size || memcmp(actual, expected, expected_size))
                        FAIL("%s, %zu bytes, room %zu: %zu bytes came, %zu were due", level, size,
                             room, actual_size, expected_size);
                }
            }
    guard_free(page, most);
    free(text), free(expected), free(actual);
}

TEST("long stretches without escapes, into any room, come out whole up to what follows them")
{
    static const char *const others[] = {"\"",   "\xe2\x80\xa8",   "\xe2\x80\x99",     "<",
                                         "\x01", "\xe2\x80\xa9\"", "\xf0\x9f\x98\x80", "\xc3\xa9",
                                         "\n&"};
    enum { MOST = 1500 };
    uint8_t *text = malloc(MOST), *expected = malloc(ROOM(MOST)), *actual = malloc(ROOM(MOST));
    uint8_t *page = guard_alloc(ROOM(MOST) + 10);
    for (each_escape_level(level))
        for (uint64_t round = 0; round < ROUNDS(20000, 1000000); round++) {
            size_t size = 0, most = 250 + random_below(MOST - 290), plain;
            uint64_t seldom = 1 + random_below(500);
            while (size < most) {
                if (random_below(seldom) == 0) {
                    const char *other = others[random_below(sizeof others / sizeof *others)];
                    memcpy(text + size, other, strlen(other));
                    size += strlen(other);
                } else if (round & 1) text[size++] = 'a';
                else size += put_code_point(text + size, 0x3040 + (uint32_t)random_below(0x6000));
            }
            tj_escape_mode mode = modes[round % MODES].mode;
            size_t expected_size = naive_escape(expected, text, size, mode, &plain);
            size_t room = round % 3 == 0 ? 250 + random_below(40)
                                         : 64 + random_below(expected_size + 400);
            size_t actual_size = in_pieces(actual, text, size, mode, room, page + ROOM(MOST) + 10);
            CASE();
            if (actual_size != expected_size || memcmp(actual, expected, expected_size))
                FAIL("%s, %zu bytes, room %zu: %zu bytes came, %zu were due", level, size, room,
                     actual_size, expected_size);
        }
    guard_free(page, ROOM(MOST) + 10);
    free(text), free(expected), free(actual);
}

TEST("a long text goes through a small buffer whole, under every kernel")
{
    size_t size = 300000, plain;
    uint8_t *text = malloc(size), *expected = malloc(ROOM(size)), *actual = malloc(ROOM(size));
    static const size_t rooms[] = {64, 65, 100, 1000, 4096, 65536};
    uint8_t *page = guard_alloc(65536);
    for (each_escape_level(level))
        for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
            tj_escape_mode mode = modes[r % MODES].mode;
            random_text(text, size);
            size_t expected_size = naive_escape(expected, text, size, mode, &plain);
            harness_context("%s, room %zu", level, rooms[r]);
            EXPECT_BYTES(expected, expected_size, actual,
                         in_pieces(actual, text, size, mode, rooms[r], page + 65536));
        }
    guard_free(page, 65536);
    free(text), free(expected), free(actual);
}

TEST("the level chosen is the one asked for, or the fastest below it")
{
    const char *fastest = tj_simd_init(NULL);
    EXPECT(!strcmp(fastest, tj_simd_name()));
    EXPECT(!strcmp("scalar", tj_simd_init("scalar")));
    EXPECT(!strcmp("scalar", tj_simd_name()));
    EXPECT(!strcmp(fastest, tj_simd_init("")));
    EXPECT(!strcmp(fastest, tj_simd_init("no such level")));
#if defined(__x86_64__)
    EXPECT(!strcmp("sse2", tj_simd_init("sse2")));
#elif defined(__aarch64__)
    EXPECT(!strcmp("neon", tj_simd_init("neon")));
#endif
    tj_simd_init(NULL);
}
