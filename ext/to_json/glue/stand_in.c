/* Glue. Makes stand-ins. Instance variables of a plain object are an array of slots in CRuby 3.1 to 3.4;
 * where the caller's and the stand-in's slots are seen to mean the same, they are copied as memory (a
 * fifth of the cost of asking for each by name). Everything that is assumed is checked on the objects at
 * hand; where a check fails, they are copied by name. */
#include "stand_in.h"

#include "errors.h"

static ID id_layout, id_new, id_state, id_forwarded;
static VALUE mDSL, mWords;

/* -- layouts: what a class's stand-ins look like -------------------------------------------------- */

typedef struct {
    VALUE klass;       /* whose layout this is: a copy of that class has it too, and must not use it */
    VALUE block_class; /* the hidden subclass */
    VALUE template;    /* one of its objects, all slots set; 0 until a caller has been seen */
    long count;        /* slots of the caller; the stand-in has one more, for the Writer */
    size_t caller_key, template_key, fresh_key; /* fresh: of an object without any */
    bool refused;      /* slots of this class do not line up */
} tj_layout;

static void layout_mark(void *data)
{
    tj_layout *layout = data;
    rb_gc_mark(layout->klass);
    rb_gc_mark(layout->block_class);
    rb_gc_mark(layout->template);
}

static size_t layout_memsize(const void *data) { return data ? sizeof(tj_layout) : 0; }

/* Filled in later without write barriers, so not write-barrier protected. */
static const rb_data_type_t layout_type = {
    .wrap_struct_name = "ToJson::BlockLayout",
    .function = {.dmark = layout_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = layout_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

#if defined(ROBJECT_NUMIV) /* Ruby 3.1: slots are numbered by a table of the class that only grows */
static size_t slots_key(VALUE object)
{
    if (RB_FL_ANY_RAW(object, ROBJECT_EMBED)) return 0; /* up to three: not worth it */
    struct st_table *table = ROBJECT(object)->as.heap.iv_index_tbl;
    return table ? (size_t)table->num_entries : 0;
}
static long slots_set(VALUE object, long count)
{
    long there = (long)ROBJECT_NUMIV(object);
    return there < count ? there : count;
}
static VALUE with_slots(VALUE block_class, VALUE template, size_t fresh_key, size_t key)
{
    (void)block_class;
    (void)fresh_key;
    (void)key;
    VALUE self = rb_obj_dup(template);
    /* A new object points at older ones: no barrier is due until it is old itself, and then one for all. */
    rb_gc_writebarrier_unprotect(self);
    return self;
}
#define TJ_SLOTS
#elif defined(ROBJECT_IVPTR) && SIZEOF_VALUE == 8 /* Ruby 3.2 to 3.4: a shape, in the upper half of the flags */
static size_t slots_key(VALUE object) { return (size_t)(RBASIC(object)->flags >> 32); }
static long slots_set(VALUE object, long count)
{
    (void)object;
    return count;
}
/* A copy of the template costs a call of Ruby's hook; a new object whose slots lie within it becomes one by its
 * shape alone. No GC can run until they are filled, so no barrier is due. */
static VALUE with_slots(VALUE block_class, VALUE template, size_t fresh_key, size_t key)
{
    VALUE self = rb_obj_alloc(block_class);
    if (TJ_UNLIKELY(!fresh_key || slots_key(self) != fresh_key || !RB_FL_ANY_RAW(self, ROBJECT_EMBED))) {
        self = rb_obj_dup(template);
        rb_gc_writebarrier_unprotect(self);
        return self;
    }
    RBASIC(self)->flags = (RBASIC(self)->flags & 0xffffffffu) | (VALUE)key << 32;
    return self;
}
#define TJ_SLOTS
#endif

static VALUE caller_class_of(VALUE self) { return rb_class_superclass(rb_obj_class(self)); }

/* A copy of a template is no copy of anything of the user's: his hooks do not run. */
static VALUE no_hook(int argc, VALUE *argv, VALUE self)
{
    (void)argc;
    (void)argv;
    return self;
}

static VALUE keep_layout(VALUE argument)
{
    VALUE *pair = (VALUE *)argument;
    return rb_ivar_set(pair[0], id_layout, pair[1]);
}

static TJ_COLD VALUE new_layout_cold(VALUE klass)
{
    tj_layout *layout;
    VALUE object = TypedData_Make_Struct(rb_cObject, tj_layout, &layout_type, layout);
    layout->klass = klass;
    VALUE block_class = layout->block_class = rb_class_new(klass); /* runs no `inherited` hook */
    rb_include_module(block_class, mDSL);
    rb_include_module(block_class, mWords);
    rb_define_method(block_class, "class", caller_class_of, 0);
    rb_define_private_method(block_class, "initialize_dup", no_hook, -1);
    /* A frozen class, or one seen from another Ractor, keeps nothing: the next call makes its own. */
    VALUE pair[2] = {klass, object};
    int state = 0;
    rb_protect(keep_layout, (VALUE)pair, &state);
    if (state) rb_set_errinfo(Qnil);
    return object;
}

static VALUE layout_of(VALUE klass)
{
    VALUE object = rb_ivar_get(klass, id_layout);
    return TJ_LIKELY(!NIL_P(object) && ((tj_layout *)RTYPEDDATA_DATA(object))->klass == klass) ? object : new_layout_cold(klass);
}

/* -- by name ------------------------------------------------------------------------------------- */

static int collect_i(ID name, VALUE value, st_data_t argument)
{
    tj_stand_in *s = (tj_stand_in *)argument;
    if (name == id_state) return ST_CONTINUE; /* a Writer of the caller's own; other hidden ones, as of exceptions, go in */
    s->names[s->count] = name;
    s->values[s->count++] = value;
    return ST_CONTINUE;
}

static void collect(tj_stand_in *s)
{
    long most = RB_SPECIAL_CONST_P(s->caller) ? 0 : (long)rb_ivar_count(s->caller) + 1;
    s->names_buffer = s->values_buffer = Qfalse;
    s->names = rb_alloc_tmp_buffer_with_count(&s->names_buffer, (size_t)(most + 1) * sizeof(ID), (size_t)most + 1);
    s->values = most <= TJ_FEW_IVARS ? s->few
                                     : rb_alloc_tmp_buffer_with_count(&s->values_buffer, (size_t)(most + 1) * sizeof(VALUE), (size_t)most + 1);
    if (most > 0) rb_ivar_foreach(s->caller, collect_i, (st_data_t)s);
}

struct returning {
    tj_stand_in *s;
    long next; /* the one due, when nobody added or removed any */
};

static int return_i(ID name, VALUE value, st_data_t argument)
{
    struct returning *returning = (struct returning *)argument;
    tj_stand_in *s = returning->s;
    if (!rb_is_instance_id(name) || name == id_forwarded) return ST_CONTINUE;
    long i = returning->next;
    if (i >= s->count || s->names[i] != name)
        for (i = 0; i < s->count && s->names[i] != name; i++) {}
    returning->next = i + 1;
    if (i < s->count && s->values[i] == value) return ST_CONTINUE;
    rb_ivar_set(s->caller, name, value);
    return ST_CONTINUE;
}

/* -- as memory ------------------------------------------------------------------------------------ */

#ifdef TJ_SLOTS
/* Learns how the slots of this caller and of its stand-ins line up, from names just collected. */
static TJ_COLD void learn_cold(tj_layout *layout, const tj_stand_in *s)
{
    if (layout->refused || s->count == 0 || s->count > TJ_FEW_IVARS || slots_key(s->caller) == 0) return;
    const VALUE *slots = ROBJECT_IVPTR(s->caller);
    for (long i = 0; i < s->count; i++)
        if (slots[i] != s->values[i]) return; /* stops at the first: what stands beyond need not be slots */
    VALUE template = rb_obj_alloc(layout->block_class);
    for (long i = 0; i < s->count; i++) rb_ivar_set(template, s->names[i], LONG2FIX(i));
    rb_ivar_set(template, id_state, LONG2FIX(s->count));
    /* Now that the class knows how many there are, once more: its objects have room for them within. */
    template = rb_obj_alloc(layout->block_class);
    size_t fresh_key = slots_key(template);
    for (long i = 0; i < s->count; i++) rb_ivar_set(template, s->names[i], LONG2FIX(i));
    rb_ivar_set(template, id_state, LONG2FIX(s->count));
    slots = ROBJECT_IVPTR(template);
    for (long i = 0; i <= s->count; i++)
        if (slots[i] != LONG2FIX(i)) {
            layout->refused = true;
            return;
        }
    for (long i = 0; i < s->count; i++) rb_ivar_set(template, s->names[i], Qnil);
    rb_ivar_set(template, id_state, Qnil);
    layout->fresh_key = RB_FL_ANY_RAW(template, ROBJECT_EMBED) ? fresh_key : 0;
    layout->template = template;
    layout->count = s->count;
    layout->caller_key = slots_key(s->caller);
    layout->template_key = slots_key(template);
#if defined(ROBJECT_NUMIV)
    if (layout->caller_key != (size_t)s->count) layout->template = 0; /* some names of the class are unset here */
#endif
}

static bool made_from_memory(tj_stand_in *s, const tj_layout *layout)
{
    if (!layout->template || slots_key(s->caller) != layout->caller_key ||
        slots_key(layout->template) != layout->template_key) return false;
    s->self = with_slots(layout->block_class, layout->template, layout->fresh_key, layout->template_key);
    if (TJ_UNLIKELY(slots_key(s->self) != layout->template_key)) return false;
    s->template = layout->template;
    s->template_key = layout->template_key;
    s->count = layout->count;
    long set = slots_set(s->caller, s->count);
    const VALUE *from = ROBJECT_IVPTR(s->caller);
    VALUE *to = ROBJECT_IVPTR(s->self);
    for (long i = 0; i < s->count; i++) s->few[i] = i < set ? from[i] : Qundef;
    memcpy(to, s->few, (size_t)s->count * sizeof(VALUE));
    to[s->count] = Qnil;
    return true;
}

/* True when the stand-in holds what was copied in and nothing else. */
static bool unchanged_in_memory(const tj_stand_in *s)
{
    return slots_key(s->self) == s->template_key &&
           memcmp(ROBJECT_IVPTR(s->self), s->few, (size_t)s->count * sizeof(VALUE)) == 0;
}
#endif

void tj_stand_in_point(tj_stand_in *s, VALUE state)
{
#ifdef TJ_SLOTS
    if (TJ_LIKELY(s->template && slots_key(s->self) == s->template_key)) {
        RB_OBJ_WRITE(s->self, &ROBJECT_IVPTR(s->self)[s->count], state);
        return;
    }
#endif
    rb_ivar_set(s->self, id_state, state);
}

/* -- both ways --------------------------------------------------------------------------------------- */

void tj_stand_in_make(tj_stand_in *s, VALUE caller)
{
    s->caller = caller;
    s->template = 0;
    s->count = 0;
    bool plain = RB_TYPE_P(caller, T_OBJECT) && !RB_FL_TEST_RAW(RBASIC_CLASS(caller), RUBY_FL_SINGLETON);
    VALUE object = plain ? layout_of(RBASIC_CLASS(caller)) : Qnil;
    tj_layout *layout = plain ? RTYPEDDATA_DATA(object) : NULL;
#ifdef TJ_SLOTS
    if (TJ_LIKELY(plain && made_from_memory(s, layout))) return;
#endif
    s->self = plain ? rb_obj_alloc(layout->block_class)
                    : rb_funcall(rb_const_get(tj_mToJson, rb_intern("BlockForwarder")), id_new, 1, caller);
    collect(s);
    for (long i = 0; i < s->count; i++) rb_ivar_set(s->self, s->names[i], s->values[i]);
#ifdef TJ_SLOTS
    if (plain) learn_cold(layout, s);
#endif
    RB_GC_GUARD(object);
}

void tj_stand_in_return(tj_stand_in *s)
{
#ifdef TJ_SLOTS
    if (s->template) {
        if (TJ_LIKELY(unchanged_in_memory(s))) return;
        /* Something was assigned: find it by name. The values copied in are those of the caller's names. */
        VALUE before[TJ_FEW_IVARS];
        memcpy(before, s->few, (size_t)s->count * sizeof(VALUE));
        long count = s->count;
        VALUE caller = s->caller;
        s->caller = s->template; /* has the same names in the same order, all set */
        s->count = 0;
        collect(s);
        s->caller = caller;
        memcpy(s->values, before, (size_t)(count < s->count ? count : s->count) * sizeof(VALUE));
    }
#endif
    struct returning returning = {s, 0};
    rb_ivar_foreach(s->self, return_i, (st_data_t)&returning);
    if (s->names_buffer) rb_free_tmp_buffer(&s->names_buffer);
    if (s->values_buffer) rb_free_tmp_buffer(&s->values_buffer);
}

void tj_stand_in_init(VALUE dsl, VALUE words)
{
    mDSL = dsl;
    mWords = words;
    id_layout = rb_intern("__to_json_block_layout");
    id_new = rb_intern("new");
    id_state = rb_intern("__to_json");
    id_forwarded = rb_intern("@__to_json_caller");
}
