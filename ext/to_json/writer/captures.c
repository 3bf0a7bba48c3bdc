/* Writer. The captures at work, and the reads of contexts that their parts must not contain. */
#include "captures.h"

/* A capture. It is an object of its own, and not a part of the Writer, because the variable of a
 * Fiber can outlive the document: other libraries copy such variables into new threads. */
typedef struct {
    VALUE around;      /* the capture at work in the Fiber before this one, or nil */
    VALUE fiber;       /* tj_fiber_number */
    VALUE writer;      /* of the document */
    VALUE part;        /* the serializer that writes the part */
    VALUE context;     /* of the part */
    unsigned document; /* of the Writer */
    unsigned latest;   /* the last document of the pool when this capture began */
    size_t frames;     /* of the document when it began */
    size_t strays;     /* of the pool when it began */
    bool outside;      /* code in this Fiber has read a context from outside of the part */
    bool ended;
} capture;

static void capture_mark(void *data)
{
    const capture *c = data;
    rb_gc_mark(c->around);
    rb_gc_mark(c->writer);
    rb_gc_mark(c->part);
    rb_gc_mark(c->context);
}

static const rb_data_type_t capture_type = {
    .wrap_struct_name = "ToJson::Writer/capture",
    .function = {.dmark = capture_mark, .dfree = RUBY_TYPED_DEFAULT_FREE},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

/* A variable of the running Fiber: its innermost capture. */
#define CAPTURE rb_intern("__to_json_capture")

/* The first capture at work in this Fiber, from `object` outwards, or NULL. */
static capture *at_work(VALUE object, VALUE fiber)
{
    while (RB_TYPE_P(object, T_DATA) && RTYPEDDATA_P(object) &&
           RTYPEDDATA_TYPE(object) == &capture_type) {
        capture *c = RTYPEDDATA_DATA(object);
        if (!c->ended && c->fiber == fiber) return c;
        object = c->around;
    }
    return NULL;
}

VALUE tj_capture_begins(tj_writer *w, VALUE part)
{
    VALUE thread = rb_thread_current(), fiber = tj_fiber_number(w->pool);
    VALUE around = rb_thread_local_aref(thread, CAPTURE);
    capture *c;
    if (!at_work(around, fiber)) around = Qnil;
    VALUE self = TypedData_Make_Struct(rb_cObject, capture, &capture_type, c);
    VALUE context = tj_context_of(w, part);
    *c = (capture){around, fiber, w->self, part, context, w->documents, w->pool->documents,
                   w->frame_count, w->pool->strays, false, false};
    /* a frozen thread takes no variable, so nothing could note what is read */
    if (TJ_UNLIKELY(RB_OBJ_FROZEN(thread))) c->outside = true;
    else rb_thread_local_aset(thread, CAPTURE, self);
    w->captures++;
    w->pool->captures++;
    return self;
}

bool tj_capture_ends(tj_writer *w, VALUE self)
{
    capture *c = RTYPEDDATA_DATA(self);
    VALUE thread = rb_thread_current();
    c->ended = true;
    w->pool->captures--;
    /* not if the document ended while this capture was parked in a Fiber */
    if (TJ_LIKELY(w->documents == c->document && w->captures > 0)) w->captures--;
    if (TJ_LIKELY(!RB_OBJ_FROZEN(thread))) rb_thread_local_aset(thread, CAPTURE, c->around);
    return c->outside || w->pool->strays != c->strays;
}

static bool is_of(const capture *c, const tj_writer *w)
{
    return w->self == c->writer && w->documents == c->document;
}

/* The number of the innermost frame of `self`, from 1; 0: it has none, as helpers. */
static size_t frame_number(const tj_writer *w, VALUE self)
{
    size_t i = w->frame_count;
    while (i > 0 && w->frames[i - 1].self != self) i--;
    return i;
}

/* Whether `self`, which is at work in the document of the capture, has stood around the part. */
static bool stood_before(const capture *c, const tj_writer *w, VALUE self)
{
    size_t number = frame_number(w, self);
    if (self == c->part) return false;
    if (number > 0) return number <= c->frames;
    /* A helper serves all parts of its context. Its context is from inside if a frame inside has
     * it. */
    VALUE context = tj_helper_context(w, self);
    if (context == Qundef || context == c->context) return false;
    for (size_t i = c->frames; i < w->frame_count; i++)
        if (w->frames[i].context == context) return false;
    return true;
}

/* Whether what `self` reads in `w` stood around the part before its capture began. A document that
 * began later has a context that code in the part has given to it, or that of something else. */
static bool is_outside(const capture *c, const tj_writer *w, VALUE self)
{
    if (!w) return true;
    const tj_writer *around = RTYPEDDATA_DATA(c->writer);
    if (is_of(c, w)) return stood_before(c, w, self);
    if ((int)(w->documents - c->latest) <= 0) return true;
    if (w->heir == TJ_OWN_CONTEXT) return false;
    if (w->heir == TJ_CONTEXT_OF_IDLE || around->documents != c->document) return true;
    if (w->origin != around->origin) return (int)(w->origin - c->latest) <= 0;
    return self != c->part && frame_number(around, self) <= c->frames;
}

/* A document inside of the part may have its context from there: see tj_block_inherits. */
static void note_inside(const capture *c, const tj_writer *w, VALUE context, bool found)
{
    tj_writer *around = RTYPEDDATA_DATA(c->writer);
    if (is_of(c, w) || around->documents != c->document || !tj_has_context(around, context)) return;
    around->context_reads++;
    if (found) around->context_found++;
}

void tj_note_unknown(const tj_writer *w)
{
    tj_pool *pool = tj_pool_current();
    if (TJ_LIKELY(pool->captures == 0)) return;
    VALUE fiber = tj_fiber_number(pool);
    VALUE around = rb_thread_local_aref(rb_thread_current(), CAPTURE);
    for (capture *c = at_work(around, fiber); c; c = at_work(c->around, fiber)) c->outside = true;
    if (w && w->home != fiber) pool->strays++;
}

void tj_note_for_captures(const tj_writer *w, VALUE self, VALUE context, bool found)
{
    tj_pool *pool = tj_pool_current();
    if (TJ_LIKELY(pool->captures == 0)) return;
    VALUE fiber = tj_fiber_number(pool);
    VALUE around = rb_thread_local_aref(rb_thread_current(), CAPTURE);
    for (capture *c = at_work(around, fiber); c; c = at_work(c->around, fiber)) {
        if (is_outside(c, w, self)) c->outside = true;
        else note_inside(c, w, context, found);
    }
    if (!w || w->home != fiber) pool->strays++;
}
