/* Delivery. When bytes leave for the Sink, and how the buffer grows. */
#include "flush.h"

#include <time.h>

#include "../writer/errors.h"
#include "../writer/pool.h"
#include "reusable.h"
#include "sink.h"
#include "../writer/string.h"

/* Memory reserved in advance, at most. A shorter document gives back the rest at its end. */
#define MOST_EXPECTED ((size_t)8 << 20)

/* -- delivering -------------------------------------------------------------------------------- */

static void delivered(const tj_handing *d)
{
    /* the write was parked in a Fiber, and the document has ended; or see `turns` */
    if (TJ_UNLIKELY(d->w->blocked & TJ_IDLE || d->w->delivery.turns != d->turn)) return;
    d->w->delivery.turns++;
    d->w->blocked &= ~TJ_DELIVERING;
    tj_buffer_consumed(&d->w->out, d->delivered);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* While `write` of the Sink waits in a Fiber or a Thread, another one may go on with the document,
 * as long as the text fits into the buffer. The bytes that `write` has must not move, and must not
 * be sent twice. */
static void refuse_while_delivering(tj_writer *w)
{
    if (TJ_UNLIKELY(w->blocked & TJ_DELIVERING))
        tj_raise(w, tj_eGrammar,
                 "the document went on while the write method of its Sink waited in another Fiber "
                 "or Thread. Let write return first.");
}

/* Delivers the first `size` bytes. Commits and marks never cut a character. Runs Ruby. */
static void flush(tj_writer *w, size_t size, bool through)
{
    if (size == 0) return;
    refuse_while_delivering(w);
    tj_handing d = {.sink = w->sink,
                    .w = w,
                    .start = w->out.start,
                    .size = size,
                    .piece = size,
                    .through = through,
                    .carrying = &w->delivery.carrying,
                    .turns = &w->delivery.turns,
                    .turn = ++w->delivery.turns};
    w->blocked |= TJ_DELIVERING;
    VALUE writer = w->self;
    w->running++;
    int state = 0;
    tj_rb_protect(tj_hand_over, (VALUE)&d, &state);
    delivered(&d);
    w->running--;
    if (TJ_UNLIKELY(state)) {
        /* Nobody knows how much of this piece the Sink has passed on. Whoever rescues the exception
         * inside the document must not send the piece again. */
        if (TJ_LIKELY(!(w->blocked & TJ_IDLE))) {
            w->delivery.failed = true;
            w->blocked |= TJ_POISONED;
        }
        rb_jump_tag(state);
    }
    tj_check_alive(w);
    if (TJ_UNLIKELY(w->delivery.flush_interval > 0)) w->delivery.last_at = now();
    RB_GC_GUARD(writer);
}

/* How many undelivered bytes may leave now. */
static size_t ready(const tj_writer *w)
{
    size_t settled = tj_settled(&w->grammar, tj_buffer_offset(&w->out));
    if (settled > w->delivery.hold_from) settled = w->delivery.hold_from;
    return settled > w->out.flushed ? settled - w->out.flushed : 0;
}

/* -- flush: at the end of an element ----------------------------------------------------------- */

static bool is_array(const tj_level *level)
{
    return level->kind == TJ_LIST || (level->kind == TJ_TREE && level->count_below == ']');
}

/* Whether the element that ended is a record: it belongs to an outermost array, and gets no more
 * pairs. */
static bool is_record(const tj_grammar *g)
{
    if (!is_array(tj_top(g)) || (tj_top(g)->kind == TJ_LIST && tj_top(g)->state == TJ_PAIRS))
        return false;
    for (size_t i = 0; i < g->top; i++)
        if (is_array(&g->levels[i])) return false;
    return true;
}

/* Whether no closing bracket is due: if these bytes left and later code failed, the Sink would have
 * a whole document. */
static bool is_whole(const tj_grammar *g)
{
    for (size_t i = 0; i <= g->top; i++)
        if (g->levels[i].kind != TJ_SLOT || g->levels[i].state != TJ_VALUES) return false;
    return true;
}

static void flush_if_due(tj_writer *w)
{
    if ((w->blocked & ~(unsigned)TJ_VALUE_DUE) || is_whole(&w->grammar)) return;
    if (w->delivery.flush_interval == TJ_FLUSH_RECORDS
            ? !is_record(&w->grammar)
            : w->delivery.last_at && now() - w->delivery.last_at < w->delivery.flush_interval)
        return;
    flush(w, ready(w), true);
}

/* -- room -------------------------------------------------------------------------------------- */

/* Moves the document into the String that it will become. */
static void move_to_storage(tj_writer *w, size_t used, size_t capacity)
{
    /* Doubling copies. If the last long document was longer, begin with its size. */
    size_t expected = w->pool->recent_size + w->pool->recent_size / 32;
    if (capacity < expected) capacity = expected;
    VALUE storage = tj_storage_new(capacity);
    w->storage = storage;
    size_t room;
    uint8_t *bytes = tj_storage_bytes(storage, &room);
    memcpy(bytes, w->out.start, used);
    w->aside = w->out;
    w->out.owned = false;
    tj_buffer_adopt(&w->out, bytes, used, room);
}

static void grow_storage(tj_writer *w, size_t used, size_t capacity)
{
    tj_storage_grow(w->storage, used, capacity);
    size_t room;
    uint8_t *bytes = tj_storage_bytes(w->storage, &room);
    tj_buffer_adopt(&w->out, bytes, used, room);
    w->pool->growths++;
}

static void make_room(tj_writer *w, size_t n)
{
    refuse_while_delivering(w);
    size_t used = tj_buffer_used(&w->out), chunk = tj_chunk_of(w);
    bool delivers = tj_delivers(w), lent = !delivers && RTEST(w->sink) && tj_is_reusable(w->sink);
    if (delivers && used > 0 && used + n > chunk) {
        size_t size = ready(w);
        if (size > 0) {
            flush(w, size, false);
            used = tj_buffer_used(&w->out);
            /* A buffer that grew beyond a chunk shrinks again: otherwise it would deliver larger
             * pieces. */
            if (w->out.owned && tj_buffer_room(&w->out) + used > chunk && used + n <= chunk)
                tj_buffer_resize(&w->out, chunk);
            if (tj_buffer_has(&w->out, n)) return;
        }
    }
    size_t capacity;
    tj_status status =
        tj_buffer_next_capacity((size_t)(w->out.limit - w->out.start), used, n, &capacity);
    if (status == TJ_OK && w->out.owned && !delivers && !lent && capacity > TJ_CHUNK)
        move_to_storage(w, used, capacity);
    else if (status == TJ_OK && !w->out.owned) grow_storage(w, used, capacity);
    else if (status == TJ_OK) {
        if (delivers && capacity > chunk && used + n <= chunk) capacity = chunk;
        status = tj_buffer_resize(&w->out, capacity);
        w->pool->growths++;
    }
    tj_check(w, status);
    tj_buffer_has(&w->out, n);
}

/* -- a document's Sink ------------------------------------------------------------------------- */

/* Uses another buffer, which is full at the size of a chunk. */
static void begin_chunks(tj_writer *w, size_t chunk)
{
    tj_buffer own;
    if (tj_buffer_init(&own, chunk < TJ_CHUNK ? chunk : TJ_CHUNK) != TJ_OK)
        tj_raise_status(NULL, TJ_NO_MEMORY);
    w->delivery.chunk = chunk;
    w->aside = w->out;
    w->out = own;
}

void tj_begin_sink(tj_writer *w, const tj_delivery_options *options)
{
    if (tj_delivers(w)) {
        /* an abandoned document may have left one */
        w->delivery.carrying = (tj_carrying){false, Qfalse};
        w->delivery.flush_interval = options->flush;
        if (options->chunk) begin_chunks(w, options->chunk);
        return;
    }
    if (!tj_is_reusable(w->sink)) return;
    tj_reusable_check(w->sink); /* again: making the Rules may have run Ruby */
    tj_reusable_lend(w);
}

void tj_end_sink(tj_writer *w, bool well, VALUE error)
{
    if (TJ_UNLIKELY(w->blocked & TJ_IDLE)) return;
    w->delivery.flush_interval = w->delivery.last_at = 0;
    w->delivery.carrying = (tj_carrying){false, Qfalse};
    if (tj_is_reusable(w->sink)) tj_reusable_take_back(w, well);
    if (!NIL_P(error) && RTEST(rb_obj_is_kind_of(error, rb_eException)) && !RB_OBJ_FROZEN(error) &&
        tj_delivers(w))
        rb_ivar_set(error, rb_intern("@__to_json_delivered"), SIZET2NUM(w->out.flushed));
    if (w->delivery.chunk) {
        w->delivery.chunk = 0;
        tj_buffer_free(&w->out);
        w->out = w->aside;
        memset(&w->aside, 0, sizeof w->aside);
    }
}

void tj_record_ended_cold(tj_writer *w)
{
    if (w->delivery.flush_interval == 0) {
        if (tj_delivers(w)) flush(w, ready(w), false);
        return;
    }
    if (w->delivery.flush_interval == TJ_FLUSH_RECORDS || !w->delivery.last_at ||
        now() - w->delivery.last_at >= w->delivery.flush_interval)
        flush(w, ready(w), true);
}

void tj_deliver_all(tj_writer *w)
{
    if (tj_delivers(w)) flush(w, tj_buffer_used(&w->out), w->delivery.flush_interval != 0);
}

static VALUE finish_into_string(tj_writer *w, VALUE sink)
{
    size_t used = tj_buffer_used(&w->out);
    tj_check_sink(sink); /* again: it may have been frozen, or its encoding changed */
    VALUE whole = Qfalse;
    if (!w->out.owned) whole = tj_storage_reveal(w->storage, used);
    else if (used >= TJ_CHUNK) whole = tj_string_new(w->out.start, used);
    tj_string_append(sink, whole, w->out.start, used);
    return sink;
}

VALUE tj_finish(tj_writer *w)
{
    size_t used = tj_buffer_used(&w->out);
    if (!w->out.owned) w->pool->recent_size = used < MOST_EXPECTED ? used : MOST_EXPECTED;
    if (TJ_LIKELY(!RTEST(w->sink))) {
        if (TJ_LIKELY(w->out.owned)) return tj_string_new(w->out.start, used);
        return tj_storage_reveal(w->storage, used);
    }
    if (RB_TYPE_P(w->sink, T_STRING)) return finish_into_string(w, w->sink);
    if (tj_delivers(w)) flush(w, used, w->delivery.flush_interval != 0);
    return w->sink;
}

void tj_flush_init(void)
{
    tj_later_rooms.make_room = make_room;
    tj_later_rooms.flush_if_due = flush_if_due;
}
