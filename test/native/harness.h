/* Tests of the native core, layer 0: what every *_test.c is written with.
 *
 *     TEST("a newline is written as \\n") {
 *         EXPECT_TEXT("\\n", out, end);
 *     }
 *
 * A test is a sentence over data. A failed expectation prints file:line and what it saw; the test
 * goes on (so that a table shows all its wrong rows) and counts as failed once. Every expectation
 * is a case; a loop that compares by itself says CASE(). Randomness comes from random_u64 only,
 * which starts anew for each test from the printed seed (SEED=n sets it), so that one test run
 * alone sees the same numbers.
 *
 * The program: tests [--long] [--list] [part of a file name or test name]... */
#ifndef TJ_HARNESS_H
#define TJ_HARNESS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HARNESS_JOIN_(a, b) a##b
#define HARNESS_JOIN(a, b) HARNESS_JOIN_(a, b)

/* Registers the block that follows as a test. Names must be unique over all files. */
#define TEST(sentence) HARNESS_TEST(sentence, __COUNTER__)
#define HARNESS_TEST(sentence, n)                                                        \
    static void HARNESS_JOIN(test_, n)(void);                                            \
    __attribute__((constructor)) static void HARNESS_JOIN(register_, n)(void)            \
    {                                                                                    \
        harness_register(sentence, __FILE__, __LINE__, HARNESS_JOIN(test_, n));          \
    }                                                                                    \
    static void HARNESS_JOIN(test_, n)(void)

/* Each returns whether it held. The expected value comes first. */
#define EXPECT(condition) harness_expect((condition), #condition, __FILE__, __LINE__)
#define EXPECT_INT(expected, actual) \
    harness_expect_int((int64_t)(expected), (int64_t)(actual), #actual, __FILE__, __LINE__)
#define EXPECT_UINT(expected, actual) \
    harness_expect_uint((uint64_t)(expected), (uint64_t)(actual), #actual, __FILE__, __LINE__)
/* Two byte strings. */
#define EXPECT_BYTES(expected, expected_size, actual, actual_size) \
    harness_expect_bytes((expected), (size_t)(expected_size), (actual), (size_t)(actual_size), \
                         #actual, __FILE__, __LINE__)
/* A C string against the bytes [start, end). */
#define EXPECT_TEXT(expected, start, end) \
    EXPECT_BYTES((expected), strlen(expected), (start), (end) - (start))
/* Fails with a printf text of its own: for what was found by hand in a loop. */
#define FAIL(...) harness_fail(__FILE__, __LINE__, __VA_ARGS__)

/* Counts one case, or n, for loops that compare by themselves. */
#define CASE() (harness_cases++)
#define CASES(n) (harness_cases += (uint64_t)(n))
/* Last line of a test that owes a number of cases: fails when fewer ran. */
#define EXPECT_CASES(at_least) harness_expect_cases((uint64_t)(at_least), __FILE__, __LINE__)

/* The number of rounds: `normal` in a default run (keep a test under a second or two), `lengthy`
 * with --long. */
#define ROUNDS(normal, lengthy) (harness_long ? (uint64_t)(lengthy) : (uint64_t)(normal))

/* Text around a failure that says which row or round it is; NULL ends it. printf style. */
void harness_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Random numbers of this test's own seeded stream. `bound` must not be 0. */
uint64_t random_u64(void);
uint64_t random_below(uint64_t bound);

/* `size` bytes (1 or more) that end where an unreadable page starts: reading or writing one byte
 * past them crashes. They also start at or after an unreadable page. Free with guard_free. */
uint8_t *guard_alloc(size_t size);
void guard_free(uint8_t *bytes, size_t size);

extern uint64_t harness_cases;
extern bool harness_long;

void harness_register(const char *sentence, const char *file, int line, void (*run)(void));
bool harness_expect(bool held, const char *what, const char *file, int line);
bool harness_expect_int(int64_t expected, int64_t actual, const char *what, const char *file,
                        int line);
bool harness_expect_uint(uint64_t expected, uint64_t actual, const char *what, const char *file,
                         int line);
bool harness_expect_bytes(const void *expected, size_t expected_size, const void *actual,
                          size_t actual_size, const char *what, const char *file, int line);
bool harness_expect_cases(uint64_t at_least, const char *file, int line);
bool harness_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
