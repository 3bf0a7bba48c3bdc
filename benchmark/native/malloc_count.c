/* Counts the bytes asked of malloc, calloc and realloc, for `allocated` of bin/bench.
 *
 * Preloaded (LD_PRELOAD) into one worker; the total stands in the first 8 bytes of the file that
 * TO_JSON_BENCH_MALLOC names. glibc only: it forwards to the names that glibc exports for that. A
 * realloc counts whole, as it may copy whole. Pages of Ruby's own heap do not come this way
 * (posix_memalign, mmap); slots are counted by Ruby. */
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static unsigned long long unused_total;
static unsigned long long *total = &unused_total;

__attribute__((constructor)) static void open_total(void)
{
    const char *path = getenv("TO_JSON_BENCH_MALLOC");
    int file = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof *total) == 0) {
        void *page = mmap(NULL, sizeof *total, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (page != MAP_FAILED) total = page;
    }
    close(file);
}

static void count(size_t size)
{
    __atomic_fetch_add(total, size, __ATOMIC_RELAXED);
}

void *malloc(size_t size)
{
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    count(size);
    return __libc_realloc(memory, size);
}
