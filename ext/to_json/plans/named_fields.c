/* Plans. NamedFields. lib/to_json/plans/plan_cache.rb makes them, and makes Masks from bits. */
#include "named_fields.h"

#include "../writer/errors.h"
#include "../writer/string.h"

/* A Mask for these bits was made; another one with the same place replaces it. */
#define MOST_MASKS 64

/* The first bytes of a name as one number, so that most names are compared by one. */
typedef struct {
    uint64_t start, bits; /* bits 0: a free place */
    const uint8_t *bytes;
    size_t size;
} named;

typedef struct {
    uint64_t bits, at[TJ_MASK_PARTS];
    VALUE parts[TJ_MASK_PARTS], mask; /* mask 0: none */
} made;

struct tj_named_fields {
    VALUE unit, plan;
    unsigned long epoch;
    uint64_t whole, apart;
    uint32_t places, count; /* places: a power of two */
    named *table;
    VALUE *inside; /* of each entry: Qundef while nobody has asked, nil, or NamedFields */
    made *masks; /* MOST_MASKS of them, or NULL */
};

static VALUE mPlanCache;

static void named_fields_mark(void *data)
{
    const tj_named_fields *f = data;
    rb_gc_mark(f->unit);
    rb_gc_mark(f->plan);
    for (uint32_t i = 0; f->inside && i < f->count; i++)
        if (f->inside[i] != Qundef) rb_gc_mark(f->inside[i]);
    for (made *m = f->masks, *end = m + MOST_MASKS; m && m < end; m++) {
        if (!m->mask) continue;
        rb_gc_mark(m->mask);
        for (int i = 0; i < TJ_MASK_PARTS; i++)
            if (m->at[i]) rb_gc_mark(m->parts[i]);
    }
}

static void named_fields_free(void *data)
{
    tj_named_fields *f = data;
    for (uint32_t i = 0; f->table && i < f->places; i++) xfree((void *)f->table[i].bytes);
    xfree(f->table);
    xfree(f->inside);
    xfree(f->masks);
    xfree(f);
}

static size_t named_fields_memsize(const void *data)
{
    const tj_named_fields *f = data;
    size_t size = sizeof *f + f->places * sizeof(named) + f->count * sizeof(VALUE);
    for (uint32_t i = 0; f->table && i < f->places; i++) size += f->table[i].size;
    return size + (f->masks ? MOST_MASKS * sizeof(made) : 0);
}

static const rb_data_type_t named_fields_type = {
    .wrap_struct_name = "ToJson::PlanCache::NamedFields",
    .function = {.dmark = named_fields_mark,
                 .dfree = named_fields_free,
                 .dsize = named_fields_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

void tj_named_fields_init(void)
{
    mPlanCache = rb_define_module_under(tj_mToJson, "PlanCache");
    rb_gc_register_mark_object(mPlanCache);
}

/* -- the table --------------------------------------------------------------------------------- */

static uint64_t start_of(const uint8_t *name, size_t size)
{
    uint64_t start = size;
    for (size_t i = 0; i < size && i < 7; i++) start = start << 8 | name[i];
    return start;
}

/* Its place, or the free one where it would be. */
static named *place_of(const tj_named_fields *f, const uint8_t *name, size_t size)
{
    uint64_t start = start_of(name, size);
    uint32_t at = (uint32_t)(start * 0x9E3779B97F4A7C15u >> 32);
    for (;; at++) {
        named *n = f->table + (at & (f->places - 1));
        if (!n->bits) return n;
        if (n->start == start && n->size == size && memcmp(n->bytes, name, size) == 0) return n;
    }
}

static int add_name(VALUE name, VALUE bits, VALUE argument)
{
    tj_named_fields *f = (tj_named_fields *)argument;
    const uint8_t *bytes;
    size_t size = tj_string_bytes(name, &bytes);
    for (size_t i = 0; i < size; i++)
        if (bytes[i] >= 0x80) return ST_CONTINUE;
    uint8_t *copy = ALLOC_N(uint8_t, size + 1);
    memcpy(copy, bytes, size);
    *place_of(f, copy, size) = (named){start_of(copy, size), NUM2ULL(bits), copy, size};
    RB_GC_GUARD(name);
    return ST_CONTINUE;
}

VALUE tj_named_fields_new(VALUE klass, const VALUE *arguments)
{
    tj_named_fields *f;
    VALUE object = TypedData_Make_Struct(klass, tj_named_fields, &named_fields_type, f);
    f->unit = f->plan = Qnil;
    RB_OBJ_WRITE(object, &f->unit, arguments[0]);
    rb_check_typeddata(arguments[1], &tj_plan_type);
    RB_OBJ_WRITE(object, &f->plan, arguments[1]);
    f->whole = NUM2ULL(arguments[2]);
    f->apart = NUM2ULL(arguments[3]);
    Check_Type(arguments[4], T_HASH);
    uint32_t count = NUM2UINT(arguments[5]), places = 2;
    if (count > TJ_MOST_NAMED_FIELDS) rb_raise(rb_eArgError, "too many fields");
    f->epoch = NUM2ULONG(arguments[6]);
    while (places < 2 * RHASH_SIZE(arguments[4])) places *= 2;
    f->table = ZALLOC_N(named, places);
    f->places = places;
    rb_hash_foreach(arguments[4], add_name, (VALUE)f);
    f->inside = ALLOC_N(VALUE, count + 1);
    for (uint32_t i = 0; i < count; i++) f->inside[i] = Qundef;
    f->count = count;
    return object;
}

const tj_named_fields *tj_named_fields_get(VALUE fields) { return RTYPEDDATA_DATA(fields); }
VALUE tj_named_plan(const tj_named_fields *f) { return f->plan; }
uint64_t tj_named_whole(const tj_named_fields *f) { return f->whole; }

uint64_t tj_named_bits(const tj_named_fields *f, const uint8_t *name, size_t size)
{
    return place_of(f, name, size)->bits;
}

VALUE tj_named_inside(VALUE fields, uint64_t bits, bool *ran_ruby)
{
    tj_named_fields *f = RTYPEDDATA_DATA(fields);
    bits &= f->whole;
    bool one = bits && !(bits & (bits - 1));
    if (!one || !(bits & f->apart)) return Qnil;
    int index = __builtin_ctzll(bits);
    if (TJ_LIKELY(f->inside[index] != Qundef)) return f->inside[index];
    *ran_ruby = true;
    VALUE arguments[] = {f->unit, f->plan, INT2FIX(index), ULONG2NUM(f->epoch)};
    VALUE inside = rb_funcallv(mPlanCache, rb_intern("named_inside"), 4, arguments);
    if (f->epoch != tj_epoch) return Qnil; /* a class changed meanwhile */
    RB_OBJ_WRITE(fields, &f->inside[index], inside);
    return inside;
}

/* -- Masks ------------------------------------------------------------------------------------- */

static VALUE mask_new(const tj_named_fields *f, uint64_t bits, uint32_t count, const uint64_t *at,
                      const VALUE *parts)
{
    VALUE inside = Qnil;
    if (count > 0) inside = rb_hash_new();
    for (uint32_t i = 0; i < count; i++)
        rb_hash_aset(inside, INT2FIX(__builtin_ctzll(at[i])), parts[i]);
    VALUE arguments[] = {f->unit, f->plan, ULL2NUM(bits), inside};
    VALUE mask = rb_funcallv(mPlanCache, rb_intern("named_mask"), 4, arguments);
    RB_GC_GUARD(inside);
    return mask;
}

/* The place of a Mask with these bits and parts. */
static made *mask_place_of(tj_named_fields *f, uint64_t bits, uint32_t count, const VALUE *parts)
{
    if (TJ_UNLIKELY(!f->masks)) f->masks = ZALLOC_N(made, MOST_MASKS);
    uint64_t hash = bits;
    for (uint32_t i = 0; i < count; i++) hash = hash * 31 + parts[i] / 8;
    return f->masks + (hash * 0x9E3779B97F4A7C15u >> 40) % MOST_MASKS;
}

VALUE tj_named_mask(VALUE fields, uint64_t bits, uint32_t count, const uint64_t *at,
                    const VALUE *parts)
{
    tj_named_fields *f = RTYPEDDATA_DATA(fields);
    if (TJ_UNLIKELY(count > TJ_MASK_PARTS)) return mask_new(f, bits, count, at, parts);
    made now = {.bits = bits};
    for (uint32_t i = 0; i < count; i++) {
        now.at[i] = at[i];
        now.parts[i] = parts[i];
    }
    made *kept = mask_place_of(f, bits, count, parts);
    now.mask = kept->mask;
    if (kept->mask && memcmp(kept, &now, sizeof now) == 0) return kept->mask;
    now.mask = mask_new(f, bits, count, at, parts);
    *kept = now;
    RB_OBJ_WRITTEN(fields, Qundef, now.mask);
    for (uint32_t i = 0; i < count; i++) RB_OBJ_WRITTEN(fields, Qundef, parts[i]);
    return now.mask;
}
