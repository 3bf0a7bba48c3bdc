/* Glue. Ruby offers a block's self only through a Proc: three objects, and the caller's local variables
 * move to the heap, which YJIT takes as a reason to compile it anew. That was 40 % of a small document in
 * the block form (3.4, YJIT: 1,000 ns with, 600 ns without). The interpreter has what we want on its
 * stack: the frame of the running C method, whose block handler points at the block's captured self.
 *
 * How these lie is CRuby's own business: known for 3.1 to 3.4 and used for these only. It is tried out
 * at load, and every pointer is checked against the bounds of the stack before it is followed. */
#include "block_frame.h"

#include <ruby/thread.h>
#include <ruby/version.h>

#include "errors.h"

VALUE tj_plain_frame;
static bool frames_known, parameters_known, procs_known; /* set once at load, as tj_plain_frame */

#if RUBY_API_VERSION_MAJOR == 3 && RUBY_API_VERSION_MINOR <= 4 && SIZEOF_VALUE == 8
/* Words of rb_thread_t, rb_execution_context_t and rb_control_frame_t. Ruby 3.1; Ruby >= 3.2 has a native thread before ec. */
enum { THREAD_SELF = 2, THREAD_EC = RUBY_API_VERSION_MINOR == 1 ? 5 : 6 };
enum { EC_STACK, EC_STACK_SIZE, EC_CFP };
enum { CFP_SELF = 3, CFP_EP = 4, CFP_WORDS = 6 };
enum { EP_HANDLER = -1, HANDLER_TAG = 3, HANDLER_OF_RUBY_BLOCK = 1 };
enum { CAPTURED_SELF, CAPTURED_EP, CAPTURED_CODE, CAPTURED_WORDS };
/* And of rb_iseq_t and its body, which begins with sizes, code and the parameters' flags and counts. */
enum { CODE_BODY = 2, BODY_FLAGS = 2, BODY_LEAD = 3 };
enum { PARAMETERS_VARIABLE = 1 << 1 | 1 << 2 | 1 << 3 /* optional, rest, post */, PARAMETERS_KEYWORDS = 1 << 4 | 1 << 5 };

typedef const VALUE *words;

/* The execution context of this Fiber, or NULL. */
static words running_context(void)
{
    VALUE thread_object = rb_thread_current();
    words thread = RTYPEDDATA_DATA(thread_object);
    return thread[THREAD_SELF] == thread_object ? (words)thread[THREAD_EC] : NULL;
}

static void stack_of(words ec, words *stack, words *end)
{
    *stack = (words)ec[EC_STACK];
    *end = *stack + ec[EC_STACK_SIZE];
}

static const void *frame_of(words ec) { return (const void *)ec[EC_CFP]; }

/* The block handler of the running C method, and the stack it may point into; 0 when anything looks odd. */
static VALUE block_handler(VALUE receiver, words *stack, words *end)
{
    words ec = running_context();
    if (!ec) return 0;
    stack_of(ec, stack, end);
    words cfp = (words)ec[EC_CFP];
    if (cfp < *stack || cfp + CFP_WORDS > *end || cfp[CFP_SELF] != receiver) return 0;
    words ep = (words)cfp[CFP_EP];
    if (ep + EP_HANDLER < *stack || ep >= *end) return 0;
    return ep[EP_HANDLER];
}

/* A block of Ruby code in its caller's frame (no Proc, Method or Symbol passed with &): its self, frame and code. */
static words literal_block(VALUE receiver)
{
    words stack, end;
    VALUE handler = block_handler(receiver, &stack, &end);
    if ((handler & HANDLER_TAG) != HANDLER_OF_RUBY_BLOCK) return NULL;
    words captured = (words)(handler & ~(VALUE)HANDLER_TAG);
    return captured >= stack && captured + CAPTURED_WORDS <= end ? captured : NULL;
}

/* What its code says of its parameters: 2 when it takes exactly two, 1 when not, 0 when that takes Ruby to tell. */
static int literal_block_wants(words captured)
{
    words body = (words)((words)captured[CAPTURED_CODE])[CODE_BODY];
    uint32_t flags = (uint32_t)body[BODY_FLAGS], lead = (uint32_t)body[BODY_LEAD];
    if (flags & PARAMETERS_KEYWORDS) return 0;
    return lead == 2 && !(flags & PARAMETERS_VARIABLE) ? 2 : 1;
}
#else
typedef const VALUE *words;
enum { CAPTURED_SELF };
static words running_context(void) { return NULL; }
static void stack_of(words ec, words *stack, words *end) { *stack = *end = ec; }
static const void *frame_of(words ec) { return ec; }
static words literal_block(VALUE receiver)
{
    (void)receiver;
    return NULL;
}
static int literal_block_wants(words captured)
{
    (void)captured;
    return 0;
}
#endif

const void *tj_running_frame(void)
{
    words ec = tj_plain_frame ? running_context() : NULL;
    return ec ? frame_of(ec) : NULL;
}

const void *tj_note_stack(tj_writer *w)
{
    words ec = tj_plain_frame ? running_context() : NULL;
    if (TJ_LIKELY(ec != NULL)) {
        stack_of(ec, &w->vm_stack, &w->vm_stack_end);
        return frame_of(ec);
    }
    w->vm_stack = w->vm_stack_end = NULL;
    return NULL;
}

/* A Proc begins with its block, and a block of Ruby code with its self; so in every CRuby since 2.4. */
static VALUE self_of_proc(VALUE block)
{
    if (TJ_LIKELY(procs_known)) return *(const VALUE *)RTYPEDDATA_DATA(block);
    return rb_funcall(rb_funcall(block, rb_intern("binding"), 0), rb_intern("receiver"), 0);
}

VALUE tj_block_self(VALUE receiver)
{
    words block = frames_known ? literal_block(receiver) : NULL;
    if (TJ_LIKELY(block != NULL)) return block[CAPTURED_SELF];
    VALUE made = rb_block_proc(), self = self_of_proc(made);
    RB_GC_GUARD(made);
    return self;
}

int tj_block_wants(VALUE receiver)
{
    words block = parameters_known ? literal_block(receiver) : NULL;
    int wants = block ? literal_block_wants(block) : 0;
    return TJ_LIKELY(wants != 0) ? wants : rb_proc_arity(rb_block_proc()) == 2 ? 2 : 1;
}

/* -- trying it out, at load ---------------------------------------------------------------------- */

/* [whether a literal block was seen, its self, what it wants] */
static VALUE probe(VALUE receiver)
{
    words block = literal_block(receiver);
    return rb_ary_new_from_args(3, block ? Qtrue : Qfalse, block ? block[CAPTURED_SELF] : Qnil,
                                INT2FIX(block && frames_known ? literal_block_wants(block) : 0));
}

/* The type of the frame where a plain call of probe_call is seen for one; learns it from the first. */
static VALUE probe_call(int argc, VALUE *argv, VALUE self)
{
    tj_writer w;
    words ec = running_context(), pushed = argv + argc;
    if (!ec) return Qnil;
    stack_of(ec, &w.vm_stack, &w.vm_stack_end);
    if (pushed < w.vm_stack || pushed + TJ_PUSHED_WORDS > w.vm_stack_end) return Qnil;
    if (!tj_plain_frame) tj_plain_frame = pushed[TJ_PUSHED_TYPE];
    return INT2FIX(tj_called(&w, argc, argv, rb_intern("probe_call")));
}

static const char *const calls_probe =
    "call = ToJson.method(:probe_call)\n"
    "forwarding = Object.new\n"
    "def forwarding.keywords(...) = ToJson.__send__(:probe_call, ...)\n"
    "[[ToJson.__send__(:probe_call, 1, 2), ToJson.instance_exec { probe_call(:a, []) }, Fiber.new { ToJson.instance_exec { probe_call } }.resume],\n"
    " [ToJson.instance_exec { probe_call(1) {} }, ToJson.instance_exec { probe_call(1, &:x) }, ToJson.instance_exec { probe_call(1, &proc {}) },\n"
    "  ToJson.instance_exec { probe_call(1, &call) }],\n"
    " [ToJson.__send__(:probe_call, 1) {}, ToJson.__send__(:probe_call, 1, &:x), forwarding.keywords(1) {}, call.call(1) {}],\n"
    " [ToJson.__send__(:probe_call, 1, a: 1), ToJson.instance_exec { probe_call(**{ a: 1 }) }, forwarding.keywords(1, a: 2), call.call(1, a: 1)]] in\n"
    "  [[1, 1, 1], [2, 2, 2, 2], [0 | 2, 0 | 2, 0 | 2, 0 | 2], [0, 0, 0, 0]]";

static const char *const frames_probe =
    "object = Object.new\n"
    "object.instance_eval { ToJson.__send__(:probe_block) { object } }[0, 2] == [true, object] &&\n"
    "  [proc {}, :x.to_proc, method(:p)].none? { |block| ToJson.__send__(:probe_block, &block).first } &&\n"
    "  Fiber.new { object.instance_eval { ToJson.__send__(:probe_block) {} }[0, 2] }.resume == [true, object]";

static const char *const parameters_probe =
    "[ToJson.__send__(:probe_block) { 1 }, ToJson.__send__(:probe_block) { |x| x },\n"
    " ToJson.__send__(:probe_block) { |x, i| x }, ToJson.__send__(:probe_block) { |(x, y), i| x },\n"
    " ToJson.__send__(:probe_block) { |x, i; j| x }, ToJson.__send__(:probe_block) { |x, i, &b| x },\n"
    " ToJson.__send__(:probe_block) { |x, i, j| x }, ToJson.__send__(:probe_block) { |x, i = 1| x },\n"
    " ToJson.__send__(:probe_block) { |*x| x }, ToJson.__send__(:probe_block) { |x, *i| x },\n"
    " ToJson.__send__(:probe_block) { |x, *i, j| x }, ToJson.__send__(:probe_block) { |x,| x },\n"
    " ToJson.__send__(:probe_block) { |x, i, k: 1| x }, ToJson.__send__(:probe_block) { |x, i, **k| x }].map(&:last) ==\n"
    "  [1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0]";

static const char *const procs_probe = "Object.new.instance_eval { proc {} }";

void tj_block_frame_init(void)
{
    VALUE singleton = rb_singleton_class(tj_mToJson);
    rb_define_private_method(singleton, "probe_block", probe, 0);
    frames_known = RTEST(rb_eval_string(frames_probe));
    parameters_known = frames_known && RTEST(rb_eval_string(parameters_probe));
    rb_undef_method(singleton, "probe_block");
    rb_define_private_method(singleton, "probe_call", probe_call, -1);
    if (!frames_known || !RTEST(rb_eval_string(calls_probe))) tj_plain_frame = 0;
    rb_undef_method(singleton, "probe_call");
    VALUE block = rb_eval_string(procs_probe);
    VALUE receiver = rb_funcall(rb_funcall(block, rb_intern("binding"), 0), rb_intern("receiver"), 0);
    procs_known = RB_TYPE_P(block, T_DATA) && RTYPEDDATA_P(block) && RTYPEDDATA_DATA(block) &&
                  *(const VALUE *)RTYPEDDATA_DATA(block) == receiver;
    RB_GC_GUARD(block);
}
