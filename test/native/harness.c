/* Tests of the native core, layer 0: the program around the tests that harness.h declares. */
#define _GNU_SOURCE
#include "harness.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    const char *sentence, *file;
    int line;
    void (*run)(void);
} test;

#define FAILURES_SHOWN 8 /* of one test; the rest is only counted */

static test *tests;
static size_t tests_size;
static uint64_t failures; /* of the running test */
static uint64_t random_state;
static char context[256];

uint64_t harness_cases;
bool harness_long;

void harness_register(const char *sentence, const char *file, int line, void (*run)(void))
{
    tests = realloc(tests, (tests_size + 1) * sizeof *tests);
    if (!tests) abort();
    const char *base = strrchr(file, '/');
    tests[tests_size++] = (test){sentence, base ? base + 1 : file, line, run};
}

void harness_context(const char *format, ...)
{
    context[0] = 0;
    if (!format) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context, sizeof context, format, arguments);
    va_end(arguments);
}

/* True when this failure is to be shown. */
static bool failed(const char *file, int line)
{
    if (failures++ >= FAILURES_SHOWN) return false;
    printf("  %s:%d: ", file, line);
    if (context[0]) printf("[%s] ", context);
    return true;
}

bool harness_fail(const char *file, int line, const char *format, ...)
{
    if (!failed(file, line)) return false;
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    return false;
}

bool harness_expect(bool held, const char *what, const char *file, int line)
{
    harness_cases++;
    return held || harness_fail(file, line, "does not hold: %s", what);
}

bool harness_expect_int(int64_t expected, int64_t actual, const char *what, const char *file,
                        int line)
{
    harness_cases++;
    return expected == actual || harness_fail(file, line, "%s: expected %" PRId64 ", got %" PRId64,
                                              what, expected, actual);
}

bool harness_expect_uint(uint64_t expected, uint64_t actual, const char *what, const char *file,
                         int line)
{
    harness_cases++;
    return expected == actual || harness_fail(file, line, "%s: expected %" PRIu64 ", got %" PRIu64,
                                              what, expected, actual);
}

static void print_bytes(const uint8_t *bytes, size_t size, size_t from)
{
    size_t start = from > 16 ? from - 16 : 0;
    printf(start ? "(%zu bytes, from %zu) \"" : "(%zu bytes) \"", size, start);
    for (size_t i = start; i < size && i < start + 80; i++) {
        if (bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\')
            putchar(bytes[i]);
        else printf("\\x%02x", bytes[i]);
    }
    printf(size > start + 80 ? "\"..." : "\"");
}

bool harness_expect_bytes(const void *expected, size_t expected_size, const void *actual,
                          size_t actual_size, const char *what, const char *file, int line)
{
    harness_cases++;
    if (expected_size == actual_size && (!actual_size || !memcmp(expected, actual, actual_size)))
        return true;
    if (!failed(file, line)) return false;
    const uint8_t *e = expected, *a = actual;
    size_t same = 0;
    while (same < expected_size && same < actual_size && e[same] == a[same]) same++;
    printf("%s: differs at byte %zu\n    expected ", what, same);
    print_bytes(e, expected_size, same);
    printf("\n    got      ");
    print_bytes(a, actual_size, same);
    putchar('\n');
    return false;
}

bool harness_expect_cases(uint64_t at_least, const char *file, int line)
{
    return harness_cases >= at_least ||
           harness_fail(file, line, "ran %" PRIu64 " cases, owes %" PRIu64, harness_cases,
                        at_least);
}

/* splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
uint64_t random_u64(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t random_below(uint64_t bound) { return random_u64() % bound; }

static size_t pages_for(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) / page * page;
}

uint8_t *guard_alloc(size_t size)
{
    size_t page = pages_for(1), room = pages_for(size);
    uint8_t *map = mmap(NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                        -1, 0);
    if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) ||
        mprotect(map + page + room, page, PROT_NONE)) {
        perror("guard_alloc");
        abort();
    }
    return map + page + room - size;
}

void guard_free(uint8_t *bytes, size_t size)
{
    size_t page = pages_for(1), room = pages_for(size);
    munmap(bytes + size - room - page, room + 2 * page);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *text; text++) h = (h ^ (uint8_t)*text) * 0x100000001b3u;
    return h;
}

/* By file, then by line, so that the order does not depend on the linker. */
static int by_place(const void *a, const void *b)
{
    const test *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : x->line - y->line;
}

static bool wanted(const test *t, char **parts, int count)
{
    for (int i = 0; i < count; i++)
        if (strstr(t->file, parts[i]) || strstr(t->sentence, parts[i])) return true;
    return count == 0;
}

static bool names_are_unique(void)
{
    bool unique = true;
    for (size_t i = 0; i < tests_size; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(tests[i].sentence, tests[j].sentence)) {
                printf("two tests have one name: %s (%s, %s)\n", tests[i].sentence, tests[j].file,
                       tests[i].file);
                unique = false;
            }
    return unique;
}

int main(int argc, char **argv)
{
    bool list = false;
    int parts = 0;
    char **part = argv + 1;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--long")) harness_long = true;
        else if (!strcmp(argv[i], "--list")) list = true;
        else part[parts++] = argv[i];
    }
    qsort(tests, tests_size, sizeof *tests, by_place);
    if (!names_are_unique()) return 1;

    const char *given = getenv("SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    if (!list) printf("seed %" PRIu64 "%s\n", seed, harness_long ? ", long run" : "");

    uint64_t passed = 0, broken = 0, all_cases = 0;
    for (size_t i = 0; i < tests_size; i++) {
        const test *t = &tests[i];
        if (!wanted(t, part, parts)) continue;
        if (list) {
            printf("%s:%d: %s\n", t->file, t->line, t->sentence);
            continue;
        }
        failures = harness_cases = 0;
        context[0] = 0;
        random_state = seed ^ hash(t->sentence);
        double start = now();
        t->run();
        double seconds = now() - start;
        if (!harness_cases) harness_fail(t->file, t->line, "ran no case");
        failures ? broken++ : passed++;
        all_cases += harness_cases;
        printf("%s %s (%" PRIu64 " cases", failures ? "FAILED" : "ok    ", t->sentence,
               harness_cases);
        if (failures) printf(", %" PRIu64 " wrong", failures);
        if (seconds >= 0.1) printf(", %.1f s", seconds);
        printf(")\n");
        fflush(stdout);
    }
    free(tests);
    if (list) return 0;
    if (!passed && !broken) printf("no test has such a name\n");
    printf("%" PRIu64 " cases\n%" PRIu64 " passed, %" PRIu64 " failed\n", all_cases, passed,
           broken);
    return broken || !passed;
}
