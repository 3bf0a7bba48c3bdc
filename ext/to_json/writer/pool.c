/* Writer. The pool of a Ractor: its idle Writers (a new one costs two mallocs), and what is marked.
 */
#include "pool.h"

#include <ruby/ractor.h>

#include "errors.h"
#include "string.h"

/* at most a quarter is used, because a key that is not in its first place takes longer to find */
#define FIRST_KEY_SLOTS 1024
#define FIRST_DYNAMIC_SLOTS 64
#define MOST_LEVELS 1024 /* levels of the grammar that an idle Writer keeps: 40 KiB */
#define MOST_WATCHED 256 /* documents; one that was abandoned in a Fiber would stay for ever */

static VALUE cWriter;
static rb_ractor_local_key_t pool_key;

/* -- the Writer as a Ruby object ------------------------------------------------------------- */

static void writer_mark(void *data)
{
    tj_writer *w = data;
    if (w->pool) rb_gc_mark(w->pool->self);
    rb_gc_mark(w->rules_object);
#ifndef TJ_PLANT_MARK /* a bug planted for CI, which checks that the tests find it */
    rb_gc_mark(w->storage);
#endif
    rb_gc_mark(w->sink);
    rb_gc_mark(w->delivery.carrying.carrier);
    rb_gc_mark(w->plan);
    rb_gc_mark(w->thread);
    rb_gc_mark(w->reading);
    rb_gc_mark(w->state);
    rb_gc_mark(w->met);
    rb_gc_mark(w->given);
    rb_gc_mark(w->ahead);
    rb_gc_mark(w->failed_ahead);
    for (size_t i = 0; i < w->frame_count; i++) {
        rb_gc_mark(w->frames[i].self);
        rb_gc_mark(w->frames[i].scope);
        rb_gc_mark(w->frames[i].context);
    }
    for (size_t i = 0; i < w->helper_count; i++) {
        rb_gc_mark(w->helpers[i].klass);
        rb_gc_mark(w->helpers[i].self);
        rb_gc_mark(w->helpers[i].context);
    }
    tj_serializers_mark(&w->serializers);
    tj_variables_mark(&w->variables);
    if (!w->grammar.levels) return;
    for (size_t i = 0; i <= w->grammar.top; i++) {
        rb_gc_mark((VALUE)w->grammar.levels[i].label);
        rb_gc_mark((VALUE)w->grammar.levels[i].around);
    }
}

/* Nothing pins a Writer whose document was abandoned in a Fiber. It may move, and its serializer
 * still finds it. */
static void writer_compact(void *data)
{
    tj_writer *w = data;
    w->self = rb_gc_location(w->self);
}

static tj_losses *losses_used(tj_losses *losses)
{
    __atomic_fetch_add(&losses->users, 1, __ATOMIC_RELAXED);
    return losses;
}

static void losses_left(tj_losses *losses)
{
    if (__atomic_sub_fetch(&losses->users, 1, __ATOMIC_ACQ_REL) == 0) ruby_xfree(losses);
}

static void writer_free(void *data)
{
    tj_writer *w = data;
    tj_losses *losses = w->losses;
    if (!(w->blocked & TJ_IDLE)) __atomic_fetch_add(&losses->lost, 1, __ATOMIC_RELAXED);
    losses_left(losses);
    tj_buffer_free(&w->out);
    tj_buffer_free(&w->aside);
    tj_grammar_free(&w->grammar);
    tj_free(w->frames);
    tj_free(w->helpers);
    tj_free(w->serializers.entries);
    tj_variables_free(&w->variables);
    ruby_xfree(w->rails);
    ruby_xfree(w);
}

static size_t writer_memsize(const void *data)
{
    const tj_writer *w = data;
    const tj_buffer *own = w->out.owned ? &w->out : &w->aside;
    size_t bytes = (size_t)(own->limit - own->start);
    return sizeof *w + bytes + w->grammar.capacity * sizeof(tj_level) +
           w->frame_capacity * sizeof(tj_frame) + w->helper_capacity * sizeof(tj_helper) +
           tj_variables_memsize(&w->variables);
}

const rb_data_type_t tj_writer_type = {
    .wrap_struct_name = "ToJson::Writer",
    .function = {.dmark = writer_mark,
                 .dfree = writer_free,
                 .dsize = writer_memsize,
                 .dcompact = writer_compact},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static tj_writer *writer_new(tj_pool *pool)
{
    tj_writer *w;
    VALUE self = TypedData_Make_Struct(cWriter, tj_writer, &tj_writer_type, w);
    w->self = self;
    w->losses = losses_used(pool->losses);
    w->blocked = TJ_IDLE;
    tj_status status = tj_grammar_init(&w->grammar);
    if (status == TJ_OK) status = tj_buffer_init(&w->out, pool->capacity);
    if (status == TJ_OK) status = tj_first_frames(w);
    if (status != TJ_OK) tj_raise_status(NULL, status);
    RB_GC_GUARD(self);
    return w;
}

/* -- the pool -------------------------------------------------------------------------------- */

static void pool_mark(void *data)
{
    tj_pool *pool = data;
    for (int i = 0; i < pool->idle_count; i++) rb_gc_mark(pool->idle[i]);
    if (pool->current) {
        rb_gc_mark(pool->current->self);
        rb_gc_mark(pool->receiver);
    }
    rb_gc_mark(pool->fiber);
    rb_gc_mark(pool->recent_plan); /* and so its class */
    rb_gc_mark(pool->recent_choices); /* the same */
    if (pool->watched) rb_gc_mark(pool->watched);
    rb_gc_mark(pool->date);
    rb_gc_mark(pool->date_time);
    rb_gc_mark(pool->set);
    rb_gc_mark(pool->big_decimal);
    rb_gc_mark(pool->time_with_zone);
    rb_gc_mark(pool->delegator);
    rb_gc_mark(pool->attached_one);
    rb_gc_mark(pool->rails_encoding);
    rb_gc_mark(pool->rails_methods);
    rb_gc_mark(pool->kept_rules);
    rb_gc_mark(pool->kept_values);
    rb_gc_mark(pool->kept_defaults);
    if (pool->readers) tj_later_rooms.mark_readers(pool);
    for (size_t i = 0; i < TJ_ROUTES; i++) { /* pins */
        rb_gc_mark(pool->routes[i].home);
        rb_gc_mark(pool->routes[i].name);
        rb_gc_mark(pool->routes[i].path);
    }
    for (size_t i = 0; i < TJ_RECENT_SERIALIZERS; i++) { /* pins */
        rb_gc_mark(pool->recent_serializers[i].site);
        rb_gc_mark(pool->recent_serializers[i].type);
        rb_gc_mark(pool->recent_serializers[i].plan);
        rb_gc_mark(pool->recent_serializers[i].path);
    }
    for (size_t i = 0; pool->texts && i < TJ_TEXT_KEYS; i++)
        if (pool->texts[i].key) rb_gc_mark(pool->texts[i].key); /* pins */
    if (pool->dynamic.count == 0) return;
    /* pins, because they are found by their address */
    for (size_t i = 0; i < pool->dynamic.slots; i++) rb_gc_mark(pool->dynamic.keys[i].symbol);
}

static void pool_free(void *data)
{
    tj_pool *pool = data;
    for (uint8_t *block = pool->arena; block;) {
        uint8_t *before;
        memcpy(&before, block, sizeof before);
        ruby_xfree(block);
        block = before;
    }
    if (pool->readers) tj_later_rooms.free_readers(pool);
    if (pool->losses) losses_left(pool->losses);
    ruby_xfree(pool->keys.keys);
    ruby_xfree(pool->dynamic.keys);
    tj_free(pool->texts);
    ruby_xfree(pool);
}

static size_t pool_memsize(const void *data)
{
    const tj_pool *pool = data;
    return sizeof *pool + (pool->keys.slots + pool->dynamic.slots) * sizeof(tj_key);
}

/* A Ruby object, marked by its Ractor and its Writers. A Ractor may return a serializer in the
 * middle of a document, and then the Writer outlives its Ractor. */
static const rb_data_type_t pool_type = {
    .wrap_struct_name = "ToJson pool",
    .function = {.dmark = pool_mark, .dfree = pool_free, .dsize = pool_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static void storage_mark(void *data) { rb_gc_mark(((tj_pool *)data)->self); }
static void storage_free(void *data) { (void)data; }
static const struct rb_ractor_local_storage_type storage_type = {storage_mark, storage_free};

void tj_pool_init(void)
{
    cWriter = rb_define_class_under(tj_mToJson, "Writer", rb_cObject);
    rb_undef_alloc_func(cWriter);
    rb_undef_method(rb_singleton_class(cWriter), "new");
    pool_key = rb_ractor_local_storage_ptr_newkey(&storage_type);
    tj_pool_current()->main = true;
}

static TJ_COLD tj_pool *pool_new_cold(void)
{
    tj_pool *pool;
    VALUE self = TypedData_Make_Struct(0, tj_pool, &pool_type, pool);
    pool->self = self;
    pool->keys.keys = ruby_xcalloc(FIRST_KEY_SLOTS, sizeof(tj_key));
    pool->keys.slots = FIRST_KEY_SLOTS;
    pool->dynamic.keys = ruby_xcalloc(FIRST_DYNAMIC_SLOTS, sizeof(tj_key));
    pool->dynamic.slots = FIRST_DYNAMIC_SLOTS;
    pool->losses = losses_used(ruby_xcalloc(1, sizeof *pool->losses));
    /* enough for the document of one record; it grows to a chunk and is then kept */
    pool->capacity = 4096;
    pool->chunk = TJ_CHUNK;
    rb_ractor_local_storage_ptr_set(pool_key, pool);
    RB_GC_GUARD(self);
    return pool;
}

tj_pool *tj_pool_current(void)
{
    tj_pool *pool = rb_ractor_local_storage_ptr(pool_key);
    return TJ_LIKELY(pool != NULL) ? pool : pool_new_cold();
}

void tj_pool_sizes(size_t capacity, size_t chunk)
{
    tj_pool *pool = tj_pool_current();
    pool->idle_count = 0;
    pool->capacity = capacity;
    pool->chunk = chunk;
}

unsigned tj_pool_at_work(tj_pool *pool)
{
    pool->at_work -= __atomic_exchange_n(&pool->losses->lost, 0, __ATOMIC_RELAXED);
    return pool->at_work;
}

/* -- watching ---------------------------------------------------------------------------------- */

#define WATCHED_PARTS 3

void tj_pool_watch(tj_pool *pool, bool watch)
{
    if (watch == (pool->watched != 0)) return;
    VALUE watched = watch ? rb_ary_new() : 0;
    if (watch) rb_obj_hide(watched);
    pool->watched = watched;
}

/* Before anything of the document is done, since memory may be refused. */
static TJ_COLD void watch_cold(tj_pool *pool, const tj_writer *w)
{
    VALUE watched = pool->watched, writer = w->self; /* the pool no longer keeps the Writer alive */
    if (RARRAY_LEN(watched) >= MOST_WATCHED * WATCHED_PARTS)
        for (int i = 0; i < WATCHED_PARTS; i++) rb_ary_shift(watched);
    VALUE parts[WATCHED_PARTS] = {writer, rb_fiber_current(), rb_hash_new()};
    rb_ary_cat(watched, parts, WATCHED_PARTS);
    RB_GC_GUARD(writer);
}

static TJ_COLD void unwatch_cold(const tj_pool *pool, const tj_writer *w)
{
    for (long i = RARRAY_LEN(pool->watched) - WATCHED_PARTS; i >= 0; i -= WATCHED_PARTS) {
        if (RARRAY_AREF(pool->watched, i) != w->self) continue;
        for (int part = 0; part < WATCHED_PARTS; part++) rb_ary_delete_at(pool->watched, i);
        return;
    }
}

void tj_pool_each_here(tj_pool *pool, void (*yield)(tj_writer *w, VALUE notes, VALUE data),
                       VALUE data)
{
    VALUE fiber = rb_fiber_current(), watched;
    for (long i = 0; (watched = pool->watched) && i < RARRAY_LEN(watched); i += WATCHED_PARTS) {
        if (RARRAY_AREF(watched, i + 1) != fiber) continue;
        VALUE writer = RARRAY_AREF(watched, i);
        yield(RTYPEDDATA_DATA(writer), RARRAY_AREF(watched, i + 2), data);
        RB_GC_GUARD(writer);
    }
}

/* -- Writers ----------------------------------------------------------------------------------- */

/* lib/to_json/values/rules.rb makes the default Rules. Another thread may write before it is read,
 * or a Timeout may have ended `require`. */
static TJ_COLD void refuse_half_loaded(void)
{
    tj_raise(NULL, tj_eError,
             "to_json is not loaded yet: its require goes on in another thread, or was left "
             "before its end. Wait for it, or require it again.");
}

tj_writer *tj_acquire_from(tj_pool *pool, VALUE rules, VALUE sink)
{
    if (TJ_UNLIKELY(NIL_P(rules))) refuse_half_loaded();
    tj_writer *w = TJ_LIKELY(pool->idle_count > 0)
                       ? RTYPEDDATA_DATA(pool->idle[--pool->idle_count])
                       : writer_new(pool);
    if (TJ_UNLIKELY(pool->watched)) watch_cold(pool, w);
    pool->at_work++;
    w->origin = w->documents = ++pool->documents;
    w->heir = TJ_OWN_CONTEXT;
    w->pool = pool;
    w->rules_object = rules;
    w->rules = RTYPEDDATA_DATA(rules);
    w->sink = sink;
    w->thread = rb_thread_current();
    w->blocked = 0;
    w->running = w->within = w->conversions = 0;
    w->consult = w->rules->converted;
    w->layout = w->rules->layout;
    w->encode_anew = w->rules->encode_anew;
    w->consult_symbols = w->rules->escape >= TJ_ESCAPE_COMPOSED;
    w->converting = false;
    w->out.cursor = w->out.start;
    w->out.flushed = 0;
    w->delivery.hold_from = w->record = SIZE_MAX;
    w->delivery.failed = false;
    w->captures = 0;
    w->until_interrupts = TJ_INTERRUPT_EVERY;
    tj_grammar_reset(&w->grammar, w->rules->max_depth);
    if (TJ_UNLIKELY(w->rules->family != NULL) && w->rules->family->begin)
        w->consult |= w->rules->family->begin(w);
    return w;
}

/* Frees the memory of a long or deep document: 8 Writers of each Ractor would keep it for ever.
 * Returns false if memory for smaller blocks is refused. */
static TJ_COLD bool give_back_cold(tj_writer *w, const tj_pool *pool)
{
    if (!w->out.owned) {
        w->storage = Qfalse;
        /* a chunk at most, so that the next long document begins without growing */
        w->out = w->aside;
        memset(&w->aside, 0, sizeof w->aside);
    }
    if ((size_t)(w->out.limit - w->out.start) > pool->chunk + pool->capacity) {
        tj_buffer_free(&w->out);
        if (tj_buffer_init(&w->out, pool->capacity) != TJ_OK) return false;
    }
    if (w->grammar.capacity <= MOST_LEVELS) return true;
    tj_free(w->frames);
    tj_free(w->helpers);
    w->helpers = NULL;
    w->helper_capacity = 0;
    tj_grammar_free(&w->grammar);
    return tj_first_frames(w) == TJ_OK && tj_grammar_init(&w->grammar) == TJ_OK;
}

void tj_release(tj_writer *w)
{
    tj_pool *pool = w->pool;
    /* a Continuation returned to a document that had ended */
    if (TJ_UNLIKELY(w->blocked & TJ_IDLE)) return;
    pool->at_work--;
    if (TJ_UNLIKELY(pool->watched)) unwatch_cold(pool, w);
    if (pool->current == w) pool->current = NULL;
    w->blocked = TJ_IDLE;
    /* A call that waits in a Fiber or a Thread still reads the Rules when it goes on. */
    if (TJ_LIKELY(w->running == 0)) w->rules_object = Qfalse;
    w->sink = w->plan = w->state = w->met = w->thread = Qfalse;
    w->fiber = w->home = Qfalse;
    w->given = w->ahead = w->failed_ahead = Qfalse;
    w->reading = 0;
    tj_variables_end(&w->variables);
    if (TJ_UNLIKELY(w->serializers.count > 0)) tj_serializers_forget(&w->serializers);
    w->frame_count = w->floor = 0;
    while (TJ_UNLIKELY(w->helper_count > 0)) /* unbinds each helper */
        *tj_writer_place(w->helpers[--w->helper_count].self) = NULL;
    w->grammar.top = 0;
    w->grammar.levels[0].label = 0;
    if (TJ_UNLIKELY(!w->out.owned ||
                    (size_t)(w->out.limit - w->out.start) > pool->chunk + pool->capacity ||
                    w->grammar.capacity > MOST_LEVELS) &&
        !give_back_cold(w, pool))
        return;
    /* A call that is parked in a Fiber may still return: it must find an idle Writer, and not the
     * document of somebody else. */
    if (pool->idle_count < TJ_POOL_WRITERS && w->running == 0)
        pool->idle[pool->idle_count++] = w->self;
}
