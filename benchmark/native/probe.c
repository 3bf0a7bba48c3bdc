/* What a worker asks of its process: the bytes asked of malloc, and what callgrind shall count.
 *
 * It is preloaded (LD_PRELOAD), and required as the module Probe. Preloaded it forwards to the names
 * that glibc exports for that; other programs may have it too, since Ruby's functions are bound when
 * they are called (-z lazy). A realloc counts whole, as it may copy whole. Ruby's own heap does not
 * come this way (posix_memalign, mmap): Ruby counts its slots. */
#include <ruby.h>
#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_DUMP_STATS
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#endif

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

/* Of this thread, so that Ractors do not wait for each other's counting. */
static __thread __attribute__((tls_model("initial-exec"))) unsigned long long total;

void *malloc(size_t size) { return total += size, __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return total += n * size, __libc_calloc(n, size); }
void *realloc(void *memory, size_t size) { return total += size, __libc_realloc(memory, size); }

static VALUE bytes(VALUE self) { return ULL2NUM(total); }

/* Counts from here. */
static VALUE start(VALUE self)
{
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    return self;
}

/* Writes callgrind's next file. */
static VALUE stop(VALUE self)
{
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;
    return self;
}

RUBY_FUNC_EXPORTED void Init_probe(void)
{
    VALUE probe = rb_define_module("Probe");
    rb_define_singleton_method(probe, "bytes", bytes, 0);
    rb_define_singleton_method(probe, "start", start, 0);
    rb_define_singleton_method(probe, "stop", stop, 0);
}
