/* Delivery. The memory of a ToJson::Buffer: a heap block that a Writer borrows for one document. */
#include "reusable.h"

#include "../writer/errors.h"
#include "../writer/pool.h"

static void reusable_mark(void *data)
{
    const tj_reusable *r = data;
    /* it has our bytes while they are lent, even if its document was abandoned */
    rb_gc_mark(r->writer);
    rb_gc_mark(r->thread);
}

static void reusable_free(void *data)
{
    tj_reusable *r = data;
    tj_buffer_free(&r->out);
    if (r->counted) rb_gc_adjust_memory_usage(-(ssize_t)r->counted);
    ruby_xfree(r);
}

static size_t reusable_memsize(const void *data)
{
    const tj_reusable *r = data;
    return sizeof *r + (size_t)(r->out.limit - r->out.start);
}

/* A frozen Buffer never changes, so any Ractor may see it. */
const rb_data_type_t tj_reusable_type = {
    .wrap_struct_name = "ToJson::Buffer",
    .function = {.dmark = reusable_mark, .dfree = reusable_free, .dsize = reusable_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

VALUE tj_reusable_alloc(VALUE klass)
{
    tj_reusable *r;
    VALUE buffer = TypedData_Make_Struct(klass, tj_reusable, &tj_reusable_type, r);
    if (tj_buffer_init(&r->out, 0) != TJ_OK) rb_memerror();
    return buffer;
}

tj_reusable *tj_reusable_of(VALUE buffer) { return rb_check_typeddata(buffer, &tj_reusable_type); }

static void change_places(tj_writer *w, tj_reusable *r)
{
    tj_buffer theirs = w->out;
    w->out = r->out;
    r->out = theirs;
}

static void take_bytes(tj_reusable *r)
{
    change_places(RTYPEDDATA_DATA(r->writer), r);
    r->writer = r->thread = Qfalse;
}

/* Whether the thread that uses the Buffer is dead and cannot give it back: the parent's in a fork's
 * child, or that of a document that waits in a Fiber. */
static bool deserted(const tj_reusable *r)
{
    return RTEST(r->thread) && !RTEST(rb_funcall(r->thread, rb_intern("alive?"), 0));
}

void tj_reusable_check(VALUE buffer)
{
    rb_check_frozen(buffer);
    tj_reusable *r = tj_reusable_of(buffer);
    if (TJ_UNLIKELY(deserted(r))) {
        if (RTEST(r->writer)) tj_reusable_take_back(RTYPEDDATA_DATA(r->writer), false);
        r->handed = false;
        r->thread = Qfalse;
    }
    if (RTEST(r->writer))
        tj_raise(
            NULL, tj_eSink,
            "a document is being written into this Buffer. "
            "Change it before or after, or take another one.");
    if (r->handed)
        tj_raise(NULL, tj_eSink, "write_to is delivering this Buffer. Change it before or after.");
}

const uint8_t *tj_reusable_bytes(const tj_reusable *r, size_t *size)
{
    const tj_buffer *out =
        RTEST(r->writer) ? &((tj_writer *)RTYPEDDATA_DATA(r->writer))->out : &r->out;
    *size = RTEST(r->writer) ? r->kept : tj_buffer_used(out);
    return out->start;
}

size_t tj_reusable_capacity(const tj_reusable *r)
{
    const tj_buffer *out =
        RTEST(r->writer) ? &((tj_writer *)RTYPEDDATA_DATA(r->writer))->out : &r->out;
    return (size_t)(out->limit - out->start);
}

/* Ruby's garbage collector is told about this memory, but not about small changes. */
#define COUNTED_FROM ((size_t)16 * 1024)
static void count(tj_reusable *r)
{
    size_t now = tj_reusable_capacity(r), before = r->counted;
    if (now < COUNTED_FROM) now = 0;
    if (now == before) return;
    r->counted = now;
    rb_gc_adjust_memory_usage((ssize_t)now - (ssize_t)before);
}

void tj_reusable_resize(tj_reusable *r, size_t capacity)
{
    tj_status status = tj_buffer_resize(&r->out, capacity);
    if (status != TJ_OK) tj_raise_status(NULL, status);
    count(r);
}

void tj_reusable_append(tj_reusable *r, const uint8_t *bytes, size_t size)
{
    bool grows = !tj_buffer_has(&r->out, size);
    if (grows) {
        tj_status status = tj_buffer_grow(&r->out, size);
        if (status != TJ_OK) tj_raise_status(NULL, status);
        tj_buffer_has(&r->out, size);
    }
    memcpy(r->out.cursor, bytes, size);
    tj_buffer_commit(&r->out, r->out.cursor + size);
    if (grows) count(r);
}

void tj_reusable_hand(tj_reusable *r)
{
    r->handed = true;
    r->thread = rb_thread_current();
}

void tj_reusable_handed(tj_reusable *r)
{
    r->handed = false;
    r->thread = Qfalse;
    r->turns++;
}

void tj_reusable_lend(tj_writer *w)
{
    tj_reusable *r = RTYPEDDATA_DATA(w->sink);
    /* Half of the room that a Writer has at first. With less, each document would leave the fast
     * paths, which need more room than the text takes. If memory is refused, it may still fit. */
    const size_t room = w->pool->capacity / 2;
    if (TJ_UNLIKELY(!tj_buffer_has(&r->out, room))) tj_buffer_grow(&r->out, room);
    r->kept = tj_buffer_used(&r->out);
    r->writer = w->self;
    r->thread = rb_thread_current();
    change_places(w, r);
}

void tj_reusable_take_back(tj_writer *w, bool whole)
{
    tj_reusable *r = RTYPEDDATA_DATA(w->sink);
    if (r->writer != w->self) return;
    take_bytes(r);
    if (!whole) r->out.cursor = r->out.start + r->kept;
    count(r);
}
