/* Micro benchmark of core/numbers/time.c beside gmtime_r with strftime. The two texts are compared
 * before anything is timed; prints nanoseconds per call, the best of several rounds that take
 * turns. */
#include <stdio.h>
#include <stdlib.h>

#include "time.h"

#include <time.h>

#define COUNT 4096
#define ROUNDS 200

static int64_t seconds[COUNT];
static int32_t nanoseconds[COUNT];
static uint8_t out[COUNT * TJ_TIME_SIZE];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint8_t *ours(uint8_t *at, int i)
{
    return tj_write_time(at, seconds[i], nanoseconds[i], 0, true, 3);
}
static uint8_t *ours_with_offset(uint8_t *at, int i)
{
    return tj_write_time(at, seconds[i], nanoseconds[i], 3600, false, 3);
}
static uint8_t *ours_nine_digits(uint8_t *at, int i)
{
    return tj_write_time(at, seconds[i], nanoseconds[i], 0, true, 9);
}

static uint8_t *ours_date(uint8_t *at, int i)
{
    tj_civil civil = tj_civil_from_days(seconds[i] >> 16);
    return tj_write_date(at, civil.year, civil.month, civil.day);
}

static uint8_t *theirs(uint8_t *at, int i)
{
    time_t t = seconds[i];
    struct tm tm;
    gmtime_r(&t, &tm);
    size_t size = strftime((char *)at, TJ_TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
    return at + size +
           snprintf((char *)at + size, TJ_TIME_SIZE - size, ".%03dZ", nanoseconds[i] / 1000000);
}

static double round_of(uint8_t *(*write)(uint8_t *at, int i))
{
    double start = now();
    uint8_t *at = out;
    for (int i = 0; i < COUNT; i++) at = write(at, i);
    return (now() - start) / COUNT;
}

int main(void)
{
    static const struct {
        const char *name;
        uint8_t *(*write)(uint8_t *at, int i);
    } rows[] = {{"time, Z, 3 digits", ours},
                {"time, +01:00, 3 digits", ours_with_offset},
                {"time, Z, 9 digits", ours_nine_digits},
                {"date", ours_date},
                {"gmtime_r + strftime + snprintf", theirs}};
    enum { ROWS = sizeof rows / sizeof *rows };
    double best[ROWS];

    srand(7);
    for (int i = 0; i < COUNT; i++) {
        uint8_t a[TJ_TIME_SIZE] = {0}, b[TJ_TIME_SIZE] = {0};
        seconds[i] = 1700000000 + (int64_t)(rand() % 200000000) - 100000000;
        nanoseconds[i] = rand() % 1000000000;
        if (ours(a, i) - a != theirs(b, i) - b || memcmp(a, b, 24)) {
            fprintf(stderr, "%.30s is not %.30s\n", a, b);
            return 1;
        }
    }
    for (int i = 0; i < ROWS; i++) best[i] = 1e9;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < ROWS; i++) {
            double spent = round_of(rows[i].write);
            if (spent < best[i]) best[i] = spent;
        }
    for (int i = 0; i < ROWS; i++)
        printf("%-32s %6.1f ns, %5.1f times the last\n", rows[i].name, best[i],
               best[ROWS - 1] / best[i]);
    return 0;
}
