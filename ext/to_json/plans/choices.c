/* Plans. Keeps choices with their class. PlanCache.resolve in lib/to_json/plans/plan_cache.rb makes
 * those that are not kept. */
#include "choices.h"

#include "../writer/errors.h"
#include "../writer/string.h"
#include "named_choice.h"

#include <ruby/encoding.h>
#include <ruby/ractor.h>

uint32_t tj_choices_most = 100;

static VALUE mPlanCache, cChoices;
static ID id_choices;

/* One choice. Its words are kept as bytes: see add. */
typedef struct {
    uint64_t used; /* when: the least recently used goes first */
    st_index_t hash;
    uint8_t *words;
    uint32_t size;
    VALUE plan, mask;
} slot;

/* Lives as long as its class and its epoch. `views` is read by all Ractors; the main one replaces
 * it. The slots are the main Ractor's alone, and no Ruby runs while they are read or written. */
typedef struct {
    VALUE klass;
    unsigned long epoch;
    VALUE views[2]; /* [pairs]: a frozen Hash, Symbol, String or nil => [plan, mask], frozen */
    VALUE named[2]; /* the same => NamedFields, or false. The main Ractor's alone */
    slot *slots;
    uint32_t count, capacity;
    uint64_t clock;
} choices;

static void choices_mark(void *data)
{
    const choices *c = data;
    rb_gc_mark_movable(c->klass);
    for (int pairs = 0; pairs < 2; pairs++) {
        rb_gc_mark_movable(c->views[pairs]);
        rb_gc_mark_movable(c->named[pairs]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        rb_gc_mark_movable(c->slots[i].plan);
        rb_gc_mark_movable(c->slots[i].mask);
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

/* -- words as bytes ---------------------------------------------------------------------------- */

/* Choices are alike if these bytes are. */
typedef struct {
    uint32_t size;
    uint8_t bytes[TJ_CHOICE_MOST];
} words;

static bool add_bytes(words *k, uint8_t kind, const void *bytes, size_t size)
{
    if (TJ_UNLIKELY(size >= TJ_CHOICE_MOST - k->size)) return false;
    k->bytes[k->size++] = kind;
    memcpy(k->bytes + k->size, bytes, size);
    k->size += (uint32_t)size;
    return true;
}

static bool add_text(words *k, uint8_t kind, VALUE text)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes);
    int encoding = rb_enc_get_index(text);
    bool added = size < TJ_CHOICE_MOST && add_bytes(k, kind, &encoding, sizeof encoding) &&
                 add_bytes(k, '#', &size, sizeof size) && add_bytes(k, '"', bytes, size);
    RB_GC_GUARD(text);
    return added;
}

static bool add(words *k, VALUE given);

struct adding {
    words *words;
    bool added;
};

static int add_pair(VALUE name, VALUE part, VALUE argument)
{
    struct adding *adding = (struct adding *)argument;
    adding->added = add(adding->words, name) && add(adding->words, part);
    return adding->added ? ST_CONTINUE : ST_STOP;
}

/* Adds Symbols, Strings, and Arrays and Hashes of these; static Symbols, which are never collected,
 * by their number. Returns false for anything else, and for what is too long. Runs no Ruby. */
static bool add(words *k, VALUE given)
{
    if (RB_STATIC_SYM_P(given)) return add_bytes(k, ':', &given, sizeof given);
    if (NIL_P(given) || given == Qtrue) return add_bytes(k, RTEST(given) ? '+' : '-', NULL, 0);
    if (RB_SPECIAL_CONST_P(given)) return false;
    if (RB_DYNAMIC_SYM_P(given)) return add_text(k, ';', rb_sym2str(given));
    VALUE klass = RBASIC_CLASS(given);
    if (klass == rb_cString) return add_text(k, '$', given);
    if (klass == rb_cArray) {
        if (!add_bytes(k, '[', NULL, 0)) return false;
        for (long i = 0; i < RARRAY_LEN(given); i++)
            if (!add(k, RARRAY_AREF(given, i))) return false;
        return add_bytes(k, ']', NULL, 0);
    }
    if (klass != rb_cHash || !add_bytes(k, '{', NULL, 0)) return false;
    struct adding adding = {k, true};
    rb_hash_foreach(given, add_pair, (VALUE)&adding);
    return adding.added && add_bytes(k, '}', NULL, 0);
}

/* -- those of a class -------------------------------------------------------------------------- */

/* Those of this epoch, or Qnil. A copy of a class has that class's, too. */
static VALUE choices_in(VALUE keeps, VALUE serializer_class)
{
    VALUE kept = NIL_P(keeps) ? Qnil : rb_attr_get(keeps, id_choices);
    if (NIL_P(kept)) return Qnil;
    const choices *c = RTYPEDDATA_DATA(kept);
    return c->epoch == tj_epoch && c->klass == serializer_class ? kept : Qnil;
}

/* Those that the class keeps, or Qnil. It may have been frozen since it began to. */
static VALUE choices_object(VALUE serializer_class)
{
    VALUE kept = choices_in(serializer_class, serializer_class);
    if (TJ_LIKELY(!NIL_P(kept) || !RB_OBJ_FROZEN(serializer_class))) return kept;
    return choices_in(tj_plan_keeper(serializer_class), serializer_class);
}

/* The choices that the class keeps, or NULL. */
static choices *choices_of(VALUE serializer_class)
{
    VALUE kept = choices_object(serializer_class);
    return NIL_P(kept) ? NULL : RTYPEDDATA_DATA(kept);
}

/* The choices that the class keeps, made if there are none. Qnil if it can keep nothing. */
static VALUE choices_made(VALUE serializer_class)
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

/* The kept [plan, mask] of one view, or Qnil. */
static VALUE view_of(const tj_pool *pool, const choices *c, VALUE view, bool pairs)
{
    VALUE views = c->views[pairs];
    VALUE pair = NIL_P(views) ? Qnil : rb_hash_lookup2(views, view, Qnil);
    if (NIL_P(pair) || TJ_LIKELY(pool->main)) return pair;
    if (!rb_ractor_shareable_p(pair)) return Qnil;
    tj_plan_refuse_elsewhere(tj_plan_get(RARRAY_AREF(pair, 0)));
    return pair;
}

/* A copy of `views` with one more, frozen: under the name as Symbol and as String, because other
 * Ractors cannot add the other one. */
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
    unsigned long epoch = tj_epoch;
    VALUE arguments[] = {klass, view, pairs ? Qtrue : Qfalse};
    VALUE named = rb_funcallv(mPlanCache, rb_intern("named_fields"), 3, arguments);
    VALUE object = epoch == tj_epoch ? choices_made(klass) : Qnil;
    if (NIL_P(object)) return named;
    choices *c = RTYPEDDATA_DATA(object);
    VALUE all = with_view(c->named[pairs], view, named);
    RB_OBJ_WRITE(object, &c->named[pairs], all);
    return named;
}

/* Sets `chosen` if names alone tell what is left. May run Ruby, may raise. */
static bool choose_by_names(const choices *c, VALUE klass, VALUE view, VALUE only, VALUE except,
                            bool pairs, tj_chosen *chosen)
{
    VALUE all = c ? c->named[pairs] : Qnil;
    VALUE named = NIL_P(all) ? Qnil : rb_hash_lookup2(all, view, Qnil);
    if (TJ_UNLIKELY(NIL_P(named))) named = named_cold(klass, view, pairs);
    if (!RTEST(named)) return false;
    VALUE mask = tj_named_choice(named, only, except);
    if (TJ_UNLIKELY(mask == Qundef)) return false;
    *chosen = (tj_chosen){tj_named_plan(tj_named_fields_get(named)), mask};
    RB_GC_GUARD(named);
    return true;
}

/* -- others ------------------------------------------------------------------------------------ */

static slot *slot_of(choices *c, const words *k, st_index_t hash)
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
    if (c->count < tj_choices_most) {
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

static void keep(VALUE object, const words *k, st_index_t hash, tj_chosen chosen)
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
    unsigned long epoch = tj_epoch; /* before the class is read */
    VALUE pair = resolve(klass, view, Qnil, Qnil, pairs);
    VALUE object = pool->main && epoch == tj_epoch ? choices_made(klass) : Qnil;
    if (!NIL_P(object)) keep_view(object, view, pairs, rb_obj_freeze(pair));
    return chosen_of(pair);
}

static TJ_NOINLINE tj_chosen choose_cold(const words *k, st_index_t hash, VALUE klass, VALUE view,
                                         VALUE only, VALUE except, bool pairs)
{
    unsigned long epoch = tj_epoch;
    VALUE pair = resolve(klass, view, only, except, pairs);
    tj_chosen chosen = chosen_of(pair);
    VALUE object = k && epoch == tj_epoch ? choices_made(klass) : Qnil;
    if (!NIL_P(object)) keep(object, k, hash, chosen);
    RB_GC_GUARD(pair);
    return chosen;
}

tj_chosen tj_choose(tj_pool *pool, VALUE klass, VALUE view, VALUE only, VALUE except, bool pairs)
{
    choices *c = choices_of(klass);
    if (TJ_LIKELY(NIL_P(only) && NIL_P(except)) && TJ_LIKELY(is_name(view))) {
        VALUE pair = c ? view_of(pool, c, view, pairs) : Qnil;
        return TJ_LIKELY(!NIL_P(pair)) ? chosen_of(pair)
                                       : choose_view_cold(pool, klass, view, pairs);
    }
    tj_chosen named;
    if (TJ_LIKELY(pool->main && is_name(view)) &&
        TJ_LIKELY(choose_by_names(c, klass, view, only, except, pairs, &named)))
        return named;
    c = choices_of(klass); /* Ruby may have run */
    words k;
    k.size = 0;
    if (TJ_UNLIKELY(!pool->main || !add_bytes(&k, pairs, NULL, 0) || !add(&k, view) ||
                    !add(&k, only) || !add(&k, except)))
        return choose_cold(NULL, 0, klass, view, only, except, pairs);
    st_index_t hash = rb_memhash(k.bytes, k.size);
    slot *s = c ? slot_of(c, &k, hash) : NULL;
    return TJ_LIKELY(s != NULL) ? (tj_chosen){s->plan, s->mask}
                                : choose_cold(&k, hash, klass, view, only, except, pairs);
}

uint32_t tj_choices_count(VALUE serializer_class)
{
    const choices *c = choices_of(serializer_class);
    return c ? c->count : 0;
}
