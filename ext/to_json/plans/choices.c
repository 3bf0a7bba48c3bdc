/* Plans. Keeps choices with their class. PlanCache.resolve in lib/to_json/plans/plan_cache.rb makes
 * those that are not kept. */
#include "choices.h"

#include "../writer/errors.h"
#include "../writer/string.h"
#include "choice_words.h"
#include "named_choice.h"

#include <ruby/ractor.h>

uint32_t tj_most_choices = 100;

static VALUE mPlanCache, cChoices;
static ID id_choices;

/* One choice. Its words are kept as bytes: see choice_words.h. */
typedef struct {
    uint64_t used; /* when: the least recently used goes first */
    st_index_t hash;
    uint8_t *words;
    uint32_t size;
    VALUE plan, mask;
} slot;

/* What one of the last calls chose by names. Most calls repeat that, and need not read the names
 * again. */
#define MOST_RECENT 4
#define LONGEST_RECENT 232
typedef struct {
    VALUE plan, mask;
    uint32_t size; /* 0: a free place */
    uint8_t words[LONGEST_RECENT];
} recent;

/* Lives as long as its class and its epoch. `views` is read by all Ractors; the main one replaces
 * it. The rest is the main Ractor's alone, and no Ruby runs while it is read or written. */
typedef struct {
    VALUE klass;
    unsigned long epoch;
    VALUE views[2]; /* [pairs]: a frozen Hash, Symbol, String or nil => [plan, mask], frozen */
    VALUE named[2]; /* the same => NamedFields, or false */
    VALUE last_view[2], last_pair[2]; /* a static Symbol or 0, and what `views` has for it */
    slot *slots;
    uint32_t count, capacity;
    uint64_t clock;
    recent recent[MOST_RECENT];
    uint32_t next; /* the place in `recent` that the next new choice takes */
} choices;

static void choices_mark(void *data)
{
    const choices *c = data;
    rb_gc_mark_movable(c->klass);
    for (int pairs = 0; pairs < 2; pairs++) {
        rb_gc_mark_movable(c->views[pairs]);
        rb_gc_mark_movable(c->named[pairs]);
        if (c->last_view[pairs]) rb_gc_mark(c->last_pair[pairs]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        rb_gc_mark_movable(c->slots[i].plan);
        rb_gc_mark_movable(c->slots[i].mask);
    }
    for (int i = 0; i < MOST_RECENT && c->recent[i].size; i++) {
        rb_gc_mark_movable(c->recent[i].plan);
        rb_gc_mark_movable(c->recent[i].mask);
    }
}

static void choices_compact(void *data)
{
    choices *c = data;
    c->klass = rb_gc_location(c->klass);
    for (int pairs = 0; pairs < 2; pairs++) {
        c->views[pairs] = rb_gc_location(c->views[pairs]);
        c->named[pairs] = rb_gc_location(c->named[pairs]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        c->slots[i].plan = rb_gc_location(c->slots[i].plan);
        c->slots[i].mask = rb_gc_location(c->slots[i].mask);
    }
    for (int i = 0; i < MOST_RECENT && c->recent[i].size; i++) {
        c->recent[i].plan = rb_gc_location(c->recent[i].plan);
        c->recent[i].mask = rb_gc_location(c->recent[i].mask);
    }
}

static void choices_free(void *data)
{
    choices *c = data;
    for (uint32_t i = 0; i < c->count; i++) xfree(c->slots[i].words);
    xfree(c->slots);
    xfree(c);
}

static size_t choices_memsize(const void *data)
{
    const choices *c = data;
    size_t size = sizeof *c + c->capacity * sizeof(slot);
    for (uint32_t i = 0; i < c->count; i++) size += c->slots[i].size;
    return size;
}

static const rb_data_type_t choices_type = {
    .wrap_struct_name = "ToJson::PlanCache::Choices",
    .function = {.dmark = choices_mark,
                 .dfree = choices_free,
                 .dsize = choices_memsize,
                 .dcompact = choices_compact},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

void tj_choices_init(void)
{
    id_choices = rb_intern("__to_json_choices"); /* no @: hidden */
    mPlanCache = rb_define_module_under(tj_mToJson, "PlanCache");
    cChoices = rb_define_class_under(mPlanCache, "Choices", rb_cObject);
    rb_undef_alloc_func(cChoices);
    rb_gc_register_mark_object(mPlanCache);
    rb_gc_register_mark_object(cChoices);
}

/* -- those of a class -------------------------------------------------------------------------- */

/* Whether the choices belong to the class and to this epoch. A copy of a class has the choices of
 * the original in its variable. */
static bool belong_to(VALUE kept, VALUE serializer_class)
{
    const choices *c = RTYPEDDATA_DATA(kept);
    return c->epoch == tj_epoch && c->klass == serializer_class;
}

static VALUE choices_kept_by(VALUE keeps, VALUE serializer_class)
{
    VALUE kept = NIL_P(keeps) ? Qnil : rb_attr_get(keeps, id_choices);
    return NIL_P(kept) || !belong_to(kept, serializer_class) ? Qnil : kept;
}

/* The object with the choices that the class keeps, or Qnil. The class may have been frozen after
 * the first choice was kept. */
static VALUE choices_object(VALUE serializer_class)
{
    VALUE kept = choices_kept_by(serializer_class, serializer_class);
    if (TJ_LIKELY(!NIL_P(kept) || !RB_OBJ_FROZEN(serializer_class))) return kept;
    return choices_kept_by(tj_plan_keeper(serializer_class), serializer_class);
}

/* The choices that the class keeps, or NULL. */
static choices *choices_of(VALUE serializer_class)
{
    VALUE kept = choices_object(serializer_class);
    return NIL_P(kept) ? NULL : RTYPEDDATA_DATA(kept);
}

/* The same, but asks the pool first, which keeps the choices of the last class. They keep that
 * class alive, so no other object can have its address. Reading the instance variable would take a
 * hundred instructions. */
static choices *choices_by_pool(tj_pool *pool, VALUE serializer_class)
{
    VALUE kept = pool->recent_choices;
    if (TJ_LIKELY(RTEST(kept) && belong_to(kept, serializer_class))) return RTYPEDDATA_DATA(kept);
    kept = choices_object(serializer_class);
    if (NIL_P(kept)) return NULL;
    pool->recent_choices = kept;
    return RTYPEDDATA_DATA(kept);
}

/* The choices that the class keeps, made if there are none. Qnil if it can keep nothing. */
static VALUE choices_or_new(VALUE serializer_class)
{
    VALUE object = choices_object(serializer_class), keeps = tj_plan_keeper(serializer_class);
    if (!NIL_P(object) || NIL_P(keeps)) return object;
    choices *c;
    object = TypedData_Make_Struct(cChoices, choices, &choices_type, c);
    c->views[0] = c->views[1] = c->named[0] = c->named[1] = Qnil;
    RB_OBJ_WRITE(object, &c->klass, serializer_class);
    c->epoch = tj_epoch;
    rb_ivar_set(keeps, id_choices, object);
    return object;
}

static tj_chosen chosen_of(VALUE pair)
{
    return (tj_chosen){RARRAY_AREF(pair, 0), RARRAY_AREF(pair, 1)};
}

/* -- views ------------------------------------------------------------------------------------- */

static bool is_name(VALUE view)
{
    return NIL_P(view) || RB_SYMBOL_P(view) || tj_is_exact_string(view);
}

/* The [plan, mask] of one view that pool->recent_choices keeps, or Qnil. */
static VALUE view_of(const tj_pool *pool, choices *c, VALUE view, bool pairs)
{
    if (TJ_LIKELY(pool->main && c->last_view[pairs] == view)) return c->last_pair[pairs];
    VALUE views = c->views[pairs];
    VALUE pair = NIL_P(views) ? Qnil : rb_hash_lookup2(views, view, Qnil);
    if (NIL_P(pair)) return pair;
    if (TJ_LIKELY(pool->main)) {
        if (!RB_STATIC_SYM_P(view)) return pair;
        c->last_view[pairs] = view;
        RB_OBJ_WRITE(pool->recent_choices, &c->last_pair[pairs], pair);
        return pair;
    }
    if (!rb_ractor_shareable_p(pair)) return Qnil;
    tj_plan_refuse_elsewhere(tj_plan_get(RARRAY_AREF(pair, 0)));
    return pair;
}

/* A frozen copy of `views` with one more view. It is under its name as a Symbol and as a String,
 * because other Ractors could not add the missing one. */
static VALUE with_view(VALUE views, VALUE view, VALUE value)
{
    VALUE more = NIL_P(views) ? rb_hash_new() : rb_hash_dup(views), name = view;
    VALUE symbol = NIL_P(view) ? Qnil : rb_check_symbol(&name);
    if (!NIL_P(symbol)) rb_hash_aset(more, rb_sym2str(symbol), value);
    rb_hash_aset(more, NIL_P(symbol) ? view : symbol, value);
    return rb_obj_freeze(more);
}

static void keep_view(VALUE object, VALUE view, bool pairs, VALUE pair)
{
    choices *c = RTYPEDDATA_DATA(object);
    VALUE views = with_view(c->views[pairs], view, pair);
    RB_OBJ_WRITE(object, &c->views[pairs], views);
}

/* -- names ------------------------------------------------------------------------------------- */

/* NamedFields, or false. */
static TJ_NOINLINE VALUE named_cold(VALUE klass, VALUE view, bool pairs)
{
    view = tj_words_copy(view);
    unsigned long epoch = tj_epoch;
    VALUE arguments[] = {klass, view, pairs ? Qtrue : Qfalse};
    VALUE named = rb_funcallv(mPlanCache, rb_intern("named_fields"), 3, arguments);
    VALUE object = epoch == tj_epoch ? choices_or_new(klass) : Qnil;
    if (NIL_P(object)) return named;
    choices *c = RTYPEDDATA_DATA(object);
    VALUE all = with_view(c->named[pairs], view, named);
    RB_OBJ_WRITE(object, &c->named[pairs], all);
    return named;
}

/* Sets `chosen` if the choice consists of names alone. Sets *ran_ruby if Ruby ran before the
 * names were read, so that they may have changed since the call. May raise. */
static bool choose_by_names(const choices *c, VALUE klass, VALUE view, VALUE only, VALUE except,
                            bool pairs, bool *ran_ruby, tj_chosen *chosen)
{
    VALUE all = c ? c->named[pairs] : Qnil;
    VALUE named = NIL_P(all) ? Qnil : rb_hash_lookup2(all, view, Qnil);
    *ran_ruby = NIL_P(named);
    if (TJ_UNLIKELY(*ran_ruby)) named = named_cold(klass, view, pairs);
    if (!RTEST(named)) return false;
    VALUE mask = tj_named_choice(named, only, except, ran_ruby);
    if (TJ_UNLIKELY(mask == Qundef)) return false;
    *chosen = (tj_chosen){tj_named_plan(tj_named_fields_get(named)), mask};
    RB_GC_GUARD(named);
    return true;
}

/* -- the last ones ----------------------------------------------------------------------------- */

static const recent *recent_of(const choices *c, const tj_words *k)
{
    for (const recent *r = c->recent, *end = r + MOST_RECENT; r < end; r++)
        if (r->size == k->size && memcmp(r->words, k->bytes, k->size) == 0) return r;
    return NULL;
}

static void keep_recent(VALUE object, const tj_words *k, tj_chosen chosen)
{
    choices *c = RTYPEDDATA_DATA(object);
    if (k->size > LONGEST_RECENT) return;
    recent *r = &c->recent[c->next++ % MOST_RECENT];
    r->size = k->size;
    memcpy(r->words, k->bytes, k->size);
    RB_OBJ_WRITE(object, &r->plan, chosen.plan);
    RB_OBJ_WRITE(object, &r->mask, chosen.mask);
}

/* -- others ------------------------------------------------------------------------------------ */

static slot *slot_of(choices *c, const tj_words *k, st_index_t hash)
{
    for (slot *s = c->slots, *end = s + c->count; s < end; s++)
        if (s->hash == hash && s->size == k->size && memcmp(s->words, k->bytes, k->size) == 0) {
            s->used = ++c->clock;
            return s;
        }
    return NULL;
}

/* A place for one more, which has no words; NULL if none is to be kept. May raise NoMemoryError. */
static slot *free_slot(choices *c)
{
    if (c->count < tj_most_choices) {
        if (c->count == c->capacity) {
            uint32_t capacity = c->capacity ? 2 * c->capacity : 4;
            REALLOC_N(c->slots, slot, capacity);
            c->capacity = capacity;
        }
        c->slots[c->count] = (slot){0, 0, NULL, 0, Qnil, Qnil};
        return &c->slots[c->count++];
    }
    if (c->count == 0) return NULL;
    slot *oldest = c->slots;
    for (slot *s = oldest + 1; s < c->slots + c->count; s++)
        if (s->used < oldest->used) oldest = s;
    return oldest;
}

static void keep(VALUE object, const tj_words *k, st_index_t hash, tj_chosen chosen)
{
    choices *c = RTYPEDDATA_DATA(object);
    if (slot_of(c, k, hash)) return; /* another thread was faster */
    slot *s = free_slot(c);
    if (!s) return;
    REALLOC_N(s->words, uint8_t, k->size);
    memcpy(s->words, k->bytes, k->size);
    s->size = k->size;
    s->hash = hash;
    s->used = ++c->clock;
    RB_OBJ_WRITE(object, &s->plan, chosen.plan);
    RB_OBJ_WRITE(object, &s->mask, chosen.mask);
}

/* -- both -------------------------------------------------------------------------------------- */

static VALUE resolve(VALUE serializer_class, VALUE view, VALUE only, VALUE except, bool pairs)
{
    VALUE arguments[] = {serializer_class, view, only, except, pairs ? Qtrue : Qfalse};
    return rb_funcallv(mPlanCache, rb_intern("resolve"), 5, arguments);
}

/* One view, or none. */
static TJ_NOINLINE tj_chosen choose_view_cold(tj_pool *pool, VALUE klass, VALUE view, bool pairs)
{
    view = tj_words_copy(view);
    unsigned long epoch = tj_epoch; /* before the class is read */
    VALUE pair = resolve(klass, view, Qnil, Qnil, pairs);
    VALUE object = pool->main && epoch == tj_epoch ? choices_or_new(klass) : Qnil;
    if (!NIL_P(object)) keep_view(object, view, pairs, rb_obj_freeze(pair));
    return chosen_of(pair);
}

static TJ_NOINLINE tj_chosen choose_cold(bool plain, VALUE klass, VALUE view, VALUE only,
                                         VALUE except, bool pairs)
{
    tj_words k;
    plain = plain && tj_words_of_copies(&k, pairs, &view, &only, &except);
    unsigned long epoch = tj_epoch;
    VALUE pair = resolve(klass, view, only, except, pairs);
    tj_chosen chosen = chosen_of(pair);
    VALUE object = plain && epoch == tj_epoch ? choices_or_new(klass) : Qnil;
    if (!NIL_P(object)) keep(object, &k, rb_memhash(k.bytes, k.size), chosen);
    RB_GC_GUARD(pair);
    return chosen;
}

/* One view, or none. */
static tj_chosen choose_view(tj_pool *pool, VALUE klass, VALUE view, bool pairs)
{
    choices *c = choices_by_pool(pool, klass);
    VALUE pair = c ? view_of(pool, c, view, pairs) : Qnil;
    return TJ_LIKELY(!NIL_P(pair)) ? chosen_of(pair) : choose_view_cold(pool, klass, view, pairs);
}

tj_chosen tj_choose(tj_pool *pool, VALUE klass, VALUE view, VALUE only, VALUE except, bool pairs)
{
    if (NIL_P(only) && NIL_P(except) && TJ_LIKELY(is_name(view)))
        return choose_view(pool, klass, view, pairs);
    if (TJ_UNLIKELY(!pool->main)) return choose_cold(false, klass, view, only, except, pairs);
    tj_words k;
    bool plain = tj_words_of(&k, pairs, view, only, except);
    choices *c = choices_by_pool(pool, klass);
    const recent *r = plain && c ? recent_of(c, &k) : NULL;
    if (TJ_LIKELY(r != NULL)) return (tj_chosen){r->plan, r->mask};
    tj_chosen named;
    unsigned long epoch = tj_epoch;
    bool ran_ruby;
    if (is_name(view) && choose_by_names(c, klass, view, only, except, pairs, &ran_ruby, &named)) {
        VALUE object = plain && !ran_ruby && epoch == tj_epoch ? choices_object(klass) : Qnil;
        if (TJ_LIKELY(!NIL_P(object))) keep_recent(object, &k, named);
        return named;
    }
    c = plain ? choices_of(klass) : NULL; /* Ruby may have run */
    slot *s = c ? slot_of(c, &k, rb_memhash(k.bytes, k.size)) : NULL;
    return TJ_LIKELY(s != NULL) ? (tj_chosen){s->plan, s->mask}
                                : choose_cold(plain, klass, view, only, except, pairs);
}

uint32_t tj_choices_count(VALUE serializer_class)
{
    const choices *c = choices_of(serializer_class);
    return c ? c->count : 0;
}
