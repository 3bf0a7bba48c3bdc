/* Micro benchmark of core/text/validate.c: MB/s on generated documents of a few shapes, by vectors
 * and by bytes, beside UTF-8 validation alone; then on the files given in FILES (separated by
 * colons). Each document is checked to be valid, and its cut to be refused, before it is timed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "escape.h"
#include "utf8.h"
#include "validate.h"

#define SIZE (1 << 20)
#define ROOM (1 << 22)
#define ROUNDS 40

static uint8_t text[ROOM];
static uint64_t state;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned random_below(unsigned bound)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % bound;
}

/* One element of the document's array; each returns its size. */
static int record(char *at)
{
    static const char names[] =
        "The quick brown fox jumps over the lazy dog while the band plays on";
    return sprintf(at,
                   "{\"id\":%u,\"title\":\"%.*s\",\"price\":%u.%02u,\"active\":%s,\"tags\":[\"a%"
                   "u\",\"b\"],\"owner\":{\"name\":\"%.*s\",\"note\":null}}",
                   random_below(1000000), (int)(8 + random_below(56)), names, random_below(1000),
                   random_below(100), random_below(2) ? "true" : "false", random_below(100),
                   (int)(3 + random_below(12)), names);
}
static int pretty(char *at)
{
    return sprintf(at,
                   "\n    {\n      \"id\": %u,\n      \"name\": \"item %u\",\n      \"sizes\": [\n "
                   "       %u,\n        %u\n      ]\n    }",
                   random_below(100000), random_below(1000), random_below(10), random_below(10000));
}
static int coordinates(char *at)
{
    return sprintf(at, "[-%u.%06u999999977,%u.%06u000000009]", 50 + random_below(90),
                   random_below(1000000), 41 + random_below(40), random_below(1000000));
}
static int integers(char *at) { return sprintf(at, "%u", random_below(1u << random_below(31))); }
static int prose(char *at)
{
    int size = sprintf(at, "\"");
    for (unsigned n = 5 + random_below(20); n; n--)
        size += sprintf(at + size, "It was late, and the rain had stopped hours ago%s",
                        random_below(3) ? ". " : ".\\n\\\"Well\\\" ");
    return size + sprintf(at + size, "\"");
}
static int japanese(char *at)
{
    int size = sprintf(at, "{\"text\":\"");
    for (unsigned n = 1 + random_below(6); n; n--)
        size += sprintf(at + size, "日本語のテキストは、三バイトの文字からなる。");
    return size + sprintf(at + size, "\"}");
}

static size_t generate(int (*element)(char *at))
{
    char *at = (char *)text;
    state = 42;
    *at++ = '[';
    while (at < (char *)text + SIZE - 4) {
        at += element(at);
        *at++ = ',';
    }
    at[-1] = ']';
    return (size_t)(at - (char *)text);
}

static double rate(size_t size, bool grammar)
{
    double best = 1e9;
    bool ascii;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        if (grammar) tj_validate(text, size, 1000, NULL);
        else tj_utf8_valid_prefix(text, size, &ascii);
        double spent = now() - start;
        if (spent < best) best = spent;
    }
    return (double)size / best / 1e6;
}

static void measure(const char *name, size_t size)
{
    if (tj_validate(text, size, 1000, NULL) != TJ_OK ||
        tj_validate(text, size - 1, 1000, NULL) == TJ_OK) {
        fprintf(stderr, "%s: the validator is wrong\n", name);
        exit(1);
    }
    tj_simd_init("scalar");
    double bytes = rate(size, true);
    tj_simd_init(NULL);
    double utf8 = rate(size, false),
           vectors = rate(size, true); /* in order: both print the chosen kernels' */
    printf("%-24s %8zu bytes %8.0f MB/s %12.0f by bytes %12.0f UTF-8 alone\n", name, size, vectors,
           bytes, utf8);
}

int main(void)
{
    static const struct {
        const char *name;
        int (*element)(char *at);
    } shapes[] = {{"records", record},           {"records, pretty", pretty},
                  {"coordinates", coordinates},  {"integers", integers},
                  {"prose with escapes", prose}, {"japanese", japanese}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        measure(shapes[i].name, generate(shapes[i].element));

    char *files = getenv("FILES");
    for (char *path = files ? strtok(files, ":") : NULL; path; path = strtok(NULL, ":")) {
        FILE *file = fopen(path, "rb");
        size_t size = file ? fread(text, 1, sizeof text, file) : 0;
        if (!size || !feof(file))
            fprintf(stderr, "%s: not read, or above %zu bytes\n", path, sizeof text);
        else {
            while (size && text[size - 1] <= ' ') size--;
            measure(strrchr(path, '/') ? strrchr(path, '/') + 1 : path, size);
        }
        if (file) fclose(file);
    }
    return 0;
}
