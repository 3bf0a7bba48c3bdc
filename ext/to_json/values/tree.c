/* Values. Walks Hashes and Arrays in C.
 *
 * As long as no Ruby runs, nothing can change the containers. So the walk reads them where they
 * are, keeps its cursor in a register, and enters no level. It stops before anything that could run
 * Ruby: values of other classes, the Sink, interrupts. Each container then notes in the grammar how
 * far it came, and the general way continues from there. It walks Hashes under rb_hash_foreach, so
 * that Ruby itself refuses forbidden changes. What it finds inside is walked again in the fast way.
 * Nothing is written twice. */
#include "tree_walk.h"

#include "../writer/errors.h"
#include "../writer/levels.h"
#include "../writer/stack.h"
#include "contained.h"
#include "hash_key.h"
#include "watched_hash.h"

static void go_on(tj_writer *w, size_t level, size_t last, bool begun);

/* The level of a container, and its document. */
typedef struct {
    size_t top;
    unsigned document;
} place;

static place place_of(const tj_writer *w) { return (place){w->grammar.top, w->documents}; }

/* Called after what may run Ruby: raises if a Continuation came back to it, from another level or
 * another document. The walk writes into the level at the top without asking which it is. */
static void check_place(const tj_writer *w, place due)
{
    if (TJ_UNLIKELY(w->grammar.top != due.top || w->documents != due.document)) tj_raise_too_late();
}

/* A walk from the cursor on, inside `inside` containers. */
static walk walk_of(tj_writer *w, uint32_t inside)
{
    tj_grammar *g = &w->grammar;
    if (TJ_UNLIKELY(w->until_interrupts <= 0)) tj_check_interrupts(w);
    uint32_t nesting = g->nesting - inside, left = g->max_nesting - nesting;
    walk t = {.w = w,
              .budget = w->until_interrupts,
              .depth = inside,
              .most = left < DEEPEST ? left : DEEPEST,
              .base = g->top + 1 - inside,
              .nesting = nesting,
              .watchful = w->rules->watches_hashes,
              .write_double = w->rules->write_double};
    set_safe(&t);
    return t;
}

/* Enters the levels that a stopped walk has noted. */
static void enter_stopped(tj_writer *w, const walk *t)
{
    tj_commit_simple(w, t->stop);
    w->until_interrupts = t->budget;
    w->grammar.top = t->base + t->stopped - 1;
    w->grammar.nesting = t->nesting + t->stopped;
}

/* Walks `container`; if that stops, continues in the general way. Returns false and writes nothing
 * if it stopped before the container. */
static bool walk_whole(tj_writer *w, VALUE container, bool hash)
{
    tj_check_stack(w);
    walk t = walk_of(w, 0);
    uint8_t *at = t.safe < w->out.cursor ? more(&t, w->out.cursor, ROOM) : w->out.cursor;
    if (TJ_UNLIKELY(!at)) return false;
    at = hash ? walk_hash(&t, at, container) : walk_array(&t, at, container);
    if (TJ_LIKELY(at != NULL)) {
        tj_commit_simple(w, at);
        w->until_interrupts = t.budget;
        return true;
    }
    if (t.stopped == 0) {
        w->until_interrupts = t.budget;
        return false;
    }
    enter_stopped(w, &t);
    go_on(w, t.base, w->grammar.top, t.begun);
    return true;
}

/* Writes the rest of `array`, the level at the top. May run Ruby, so the size is read again and
 * again. */
static void rest_of_array(tj_writer *w, VALUE array)
{
    const place here = place_of(w);
    for (;;) {
        check_place(w, here);
        long i = (long)tj_top(&w->grammar)->count, size = RARRAY_LEN(array);
        if (i >= size) break;
        if (TJ_LIKELY(is_plain(w))) {
            walk t = walk_of(w, 1);
            if ((size = RARRAY_LEN(array)) <= i) break;
            /* half of the budget is for what is inside the elements */
            long most = t.budget / 2 + 1, to = size - i > most ? i + most : size;
            t.budget -= to - i;
            uint8_t *at = items(&t, w->out.cursor, array, i, to);
            if (TJ_LIKELY(at != NULL)) {
                tj_commit_simple(w, at);
                w->until_interrupts = t.budget;
                tj_top(&w->grammar)->count = (size_t)to;
                continue;
            }
            size_t level = w->grammar.top;
            enter_stopped(w, &t);
            /* gives back those that were not reached */
            w->until_interrupts += to - (long)w->grammar.levels[level].count;
            if (w->grammar.top > level) {
                go_on(w, level + 1, w->grammar.top, t.begun);
                continue;
            }
            if (t.begun) {
                tj_write_value(w, RARRAY_AREF(array, (long)tj_top(&w->grammar)->count - 1));
                continue;
            }
            i = (long)tj_top(&w->grammar)->count;
            if (i >= RARRAY_LEN(array)) break;
        }
        tj_next_in_tree(w);
        /* The comma is written, but the Sink or another thread has removed the element: write
         * null. */
        tj_write_value(w, i < RARRAY_LEN(array) ? RARRAY_AREF(array, i) : Qnil);
        tj_flush_if_due(w);
    }
}

struct pairs {
    tj_writer *w;
    place place;
    size_t skip; /* pairs that are written already */
    size_t level, last; /* levels of a walk that stopped in the pair after them; 0: none */
    bool begun;
};

static void at_stop(tj_writer *w, VALUE v, size_t level, size_t last, bool begun)
{
    if (level < last) go_on(w, level + 1, last, begun);
    else tj_write_value(w, v);
}

static int pair_i(VALUE key, VALUE value, VALUE argument)
{
    struct pairs *pairs = (struct pairs *)argument;
    tj_writer *w = pairs->w;
    if (TJ_UNLIKELY(pairs->skip > 0)) {
        pairs->skip--;
        return ST_CONTINUE;
    }
    if (TJ_UNLIKELY(pairs->level > 0)) {
        size_t level = pairs->level;
        pairs->level = 0;
        at_stop(w, value, level, pairs->last, pairs->begun);
        check_place(w, pairs->place);
        return ST_CONTINUE;
    }
    tj_next_in_tree(w);
    tj_top(&w->grammar)->label = key;
    w->key_converted = false;
    tj_write_key(w, key);
    tj_write_value(w, value);
    check_place(w, pairs->place);
    return ST_CONTINUE;
}

/* Continues in the containers of levels `level` to `last`, the innermost first, and closes them.
 * May run Ruby. */
static void go_on(tj_writer *w, size_t level, size_t last, bool begun)
{
    tj_check_stack(w);
    const tj_level *noted = &w->grammar.levels[level];
    VALUE container = (VALUE)noted->begins_at;
    const place here = {level, w->documents};
    size_t count = noted->count;
    bool inside = level < last || begun; /* the last element is half written */
    if (noted->count_below == '}') {
        struct pairs pairs = {w, here, count - inside, inside ? level : 0, last, begun};
        rb_hash_foreach(container, pair_i, (VALUE)&pairs);
        tj_close_tree(w, '}');
    } else {
        if (inside)
            at_stop(w, level < last ? Qnil : RARRAY_AREF(container, (long)count - 1), level, last,
                    begun);
        check_place(w, here);
        rest_of_array(w, container);
        tj_close_tree(w, ']');
    }
    RB_GC_GUARD(container);
}

void tj_write_array(tj_writer *w, VALUE array)
{
    if (TJ_LIKELY(is_plain(w)) && walk_whole(w, array, false)) return;
    tj_open_tree(w, '[');
    rest_of_array(w, array);
    tj_close_tree(w, ']');
    RB_GC_GUARD(array);
}

void tj_write_hash(tj_writer *w, VALUE hash)
{
    if (TJ_LIKELY(is_plain(w)) && walk_whole(w, hash, true)) return;
    if (TJ_UNLIKELY(w->rules->watches_hashes)) {
        tj_write_watched_hash(w, hash);
        return;
    }
    tj_open_tree(w, '{');
    struct pairs pairs = {.w = w, .place = place_of(w)};
    if (RHASH_SIZE(hash) > 0) rb_hash_foreach(hash, pair_i, (VALUE)&pairs);
    tj_close_tree(w, '}');
    RB_GC_GUARD(hash);
}
