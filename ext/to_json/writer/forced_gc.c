/* Writer. See forced_gc.h; empty except in debug builds. */
#ifdef TJ_DEBUG
#include "forced_gc.h"

#include <stdbool.h>

static bool collecting;
static unsigned long calls;

void tj_may_allocate(void)
{
    calls++;
    if (!collecting) return;
    collecting = false; /* a finalizer may get here */
    rb_gc_start();
    collecting = true;
}

static VALUE writer_s_collecting(VALUE klass, VALUE value)
{
    (void)klass;
    collecting = RTEST(value);
    return value;
}

static VALUE writer_s_calls(VALUE klass)
{
    (void)klass;
    return ULONG2NUM(calls);
}

void tj_collecting_init(VALUE cWriter)
{
    rb_define_singleton_method(cWriter, "collecting=", writer_s_collecting, 1);
    rb_define_singleton_method(cWriter, "allocating_calls", writer_s_calls, 0);
}
#else
typedef int tj_nothing_but_in_a_debug_build;
#endif
