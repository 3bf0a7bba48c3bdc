/* A worker's words to the callgrind that it runs under (Bench::Callgrind): count from here, write
 * down what was counted. Outside of valgrind they do nothing. */

#include <ruby.h>
#include <valgrind/callgrind.h>

static VALUE marks_start(VALUE self) {
    CALLGRIND_START_INSTRUMENTATION;
    return self;
}

static VALUE marks_stop(VALUE self) {
    CALLGRIND_STOP_INSTRUMENTATION;
    return self;
}

static VALUE marks_zero(VALUE self) {
    CALLGRIND_ZERO_STATS;
    return self;
}

/* Makes callgrind write its next file. */
static VALUE marks_dump(VALUE self) {
    CALLGRIND_DUMP_STATS;
    return self;
}

RUBY_FUNC_EXPORTED void Init_callgrind_marks(void);
void Init_callgrind_marks(void) {
    VALUE marks = rb_define_module("CallgrindMarks");
    rb_define_singleton_method(marks, "start", marks_start, 0);
    rb_define_singleton_method(marks, "stop", marks_stop, 0);
    rb_define_singleton_method(marks, "zero", marks_zero, 0);
    rb_define_singleton_method(marks, "dump", marks_dump, 0);
}
