/* Micro benchmark of core/escape*.c, utf8*.c and integer.c: each kernel on text of several kinds,
 * beside memcpy. Prints the best of several runs. No test. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "escape.h"
#include "integer.h"
#include "utf8.h"

#define LONG_SIZE 65536
#define STRINGS 1024 /* of one kind, so that the branch predictor cannot learn them by heart */
#define ROUNDS 15
#define ROUND_SECONDS 0.004

typedef struct {
    const char *name;
    const char *sample; /* repeated to the size */
    size_t shortest, longest; /* of the strings; equal and large: one long text */
} kind;

static const kind kinds[] = {
    {"ascii 64K", "The quick brown fox jumps over the lazy dog, again and again. ", LONG_SIZE,
     LONG_SIZE},
    {"japanese 64K", "日本語のテキストは、三バイトの文字からなる。", LONG_SIZE, LONG_SIZE},
    {"mixed 64K", "Das Mädchen \u2013 \u201cso groß\u201d \u2013 ging über die Brücke. ", LONG_SIZE,
     LONG_SIZE},
    {"json 64K", "{\"id\":12,\"title\":\"Hello\",\"tags\":[\"a\",\"b\"]},\n", LONG_SIZE, LONG_SIZE},
    {"quotes 64K", "\"", LONG_SIZE, LONG_SIZE},
    {"html 64K", "<p class=\"lead\">Fish &amp; chips</p>\n<hr>", LONG_SIZE, LONG_SIZE},
    {"prose 64K",
     "It was late; the rain had stopped hours ago, she said: \"Come in\".\nNobody moved, or "
     "spoke. ",
     LONG_SIZE, LONG_SIZE},
    {"ascii 3..7", "Fred alice title ", 3, 7},
    {"ascii 8..15", "the quick brown fox jumps ", 8, 15},
    {"ascii 16..32", "the quick brown fox jumps over the lazy dog ", 16, 32},
    {"ascii 3..40", "the quick brown fox jumps over the lazy dog ", 3, 40},
    {"ascii 12", "the quick brown fox jumps over the lazy dog ", 12, 12},
    {"ascii 24", "the quick brown fox jumps over the lazy dog ", 24, 24},
    {"ascii 40", "the quick brown fox jumps over the lazy dog ", 40, 40},
    {"ascii 100", "the quick brown fox jumps over the lazy dog ", 100, 100},
    {"ascii 33..200", "the quick brown fox jumps over the lazy dog ", 33, 200},
    {"quoted 20", "a \"word\" and more of ", 20, 20},
    {"lines 60", "a line of text, and\nanother one as long\n", 60, 60},
    {"japanese 21", "日本語のテキ。", 21, 21},
};

typedef struct {
    const uint8_t *text;
    size_t size;
} string;

static string strings[STRINGS];
static size_t count, total;
static uint8_t *texts, *out;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* the machine may be busy */
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void prepare(const kind *k)
{
    size_t sample = strlen(k->sample), at = 0;
    uint32_t random = 1;
    count = k->longest == LONG_SIZE ? 1 : STRINGS;
    total = 0;
    for (size_t i = 0; i < count; i++) {
        random = random * 1664525 + 1013904223;
        size_t size = k->shortest + (random >> 16) % (k->longest - k->shortest + 1);
        for (size_t b = 0; b < size; b++) texts[at + b] = (uint8_t)k->sample[b % sample];
        while (size && (k->sample[size % sample] & 0xc0) == 0x80)
            size--; /* not inside a code point */
        strings[i] = (string){texts + at, size};
        at += size;
        total += size;
    }
}

static uint8_t *copy(uint8_t *at, const uint8_t *text, size_t size)
{
    memcpy(at, text, size);
    return at + size;
}
static uint8_t *json(uint8_t *at, const uint8_t *text, size_t size)
{
    return tj_unsafe_escape(at, text, size, TJ_ESCAPE_JSON);
}
static uint8_t *html(uint8_t *at, const uint8_t *text, size_t size)
{
    return tj_unsafe_escape(at, text, size, TJ_ESCAPE_HTML);
}
static uint8_t *bounded(uint8_t *at, const uint8_t *text, size_t size)
{
    size_t done = 0;
    tj_escape(&at, at + 2 * size + 64, text, size, &done, TJ_ESCAPE_JSON);
    return at;
}
static uint8_t *prefix(uint8_t *at, const uint8_t *text, size_t size)
{
    return at + (tj_escape_plain_prefix(text, size, TJ_ESCAPE_JSON) & 1);
}
static uint8_t *utf8(uint8_t *at, const uint8_t *text, size_t size)
{
    bool ascii;
    return at + (tj_utf8_valid_prefix(text, size, &ascii) & 1);
}

/* Seconds for all strings of the kind, one behind the other into `out`. */
static double seconds(uint8_t *(*volatile work)(uint8_t *, const uint8_t *, size_t))
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        size_t times = 0;
        double start = now(), end;
        do {
            uint8_t *at = out;
            for (size_t i = 0; i < count; i++) at = work(at, strings[i].text, strings[i].size);
            times++;
            end = now();
        } while (end - start < ROUND_SECONDS);
        double each = (end - start) / (double)times;
        if (each < best) best = each;
    }
    return best;
}

static void print(double time)
{
    if (count == 1) printf("%9.2f GB/s", (double)total / time / 1e9);
    else printf("%9.2f ns  ", time / (double)count * 1e9);
}

static void integers(void)
{
    static const int digits[] = {1, 2, 4, 6, 9, 13, 19};
    static int64_t values[STRINGS];
    printf("\nns an integer of:");
    for (size_t d = 0; d < sizeof digits / sizeof *digits; d++) {
        uint64_t bound = 1, random = 1;
        for (int i = 0; i < digits[d]; i++) bound *= 10;
        for (int i = 0; i < STRINGS; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            values[i] = (int64_t)(bound / 10 + (random >> 1) % (bound - bound / 10));
        }
        double best = 1e9;
        for (int round = 0; round < ROUNDS * 100; round++) {
            double start = now();
            uint8_t *at = out;
            for (int i = 0; i < STRINGS; i++) at = tj_write_int64(at, values[i]);
            double time = (now() - start) / STRINGS * 1e9;
            if (time < best) best = time;
        }
        printf("  %d digits %.2f", digits[d], best);
    }
    printf("\n");
}

int main(void)
{
    static const char *const levels[] = {"scalar", "sse2", "ssse3", "avx2", "neon"};
    texts = malloc(LONG_SIZE * 4);
    out = malloc(LONG_SIZE * 4 * TJ_ESCAPE_GROWTH + TJ_ESCAPE_SLACK);
    if (!texts || !out) return 1;
    memset(out, 0, LONG_SIZE * 4 * TJ_ESCAPE_GROWTH);
    printf("%-14s %-7s %14s %14s %14s %14s %14s %14s\n", "", "", "memcpy", "json", "html",
           "bounded", "prefix", "utf8");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        prepare(&kinds[k]);
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            if (strcmp(tj_simd_init(levels[l]), levels[l])) continue;
            printf("%-14s %-7s", kinds[k].name, levels[l]);
            print(seconds(copy));
            print(seconds(json));
            print(seconds(html));
            print(seconds(bounded));
            print(seconds(prefix));
            print(seconds(utf8));
            printf("\n");
        }
    }
    integers();
    return 0;
}
