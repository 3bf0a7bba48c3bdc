/* Documents. Makes block receivers, with the public API alone. */
#include "block_receiver.h"

#include "../writer/errors.h"
#include "../plans/plan.h"
#include "../writer/protect.h"
#include "../writer/binding.h"
#include "../writer/pool.h"

static ID id_caller; /* the variable of a receiver that has the caller */

/* -- the self of a block ----------------------------------------------------------------------- */

static VALUE self_of_proc(VALUE block)
{
    return rb_funcall(rb_funcall(block, rb_intern("binding"), 0), rb_intern("receiver"), 0);
}

/* The Proc of Symbol#to_proc has no Binding: returns nil. Its arity is -2; other Procs with that
 * arity have a Binding. */
static VALUE self_of_odd_proc(VALUE block)
{
    int state = 0;
    VALUE self = tj_rb_protect(self_of_proc, block, &state);
    if (state == 0) return self;
    if (state != TJ_STATE_RAISE) rb_jump_tag(state);
    if (!RTEST(rb_obj_is_kind_of(rb_errinfo(), rb_eArgError))) rb_jump_tag(state);
    rb_set_errinfo(Qnil);
    return Qnil;
}

VALUE tj_block_self(void)
{
    VALUE block = rb_block_proc();
    return TJ_UNLIKELY(rb_proc_arity(block) < -1) ? self_of_odd_proc(block) : self_of_proc(block);
}

/* -- patterns: what the block receivers of a class are made from ------------------------------- */

/* Stored in an instance variable of the class. Never changes; a new pattern replaces it. */
typedef struct {
    /* the class of the pattern: a copy of the class has the variable too, but must not use it */
    VALUE klass;
    VALUE block_class; /* the hidden subclass of BlockForwarder */
    VALUE rules;       /* see tj_block_receiver */
    unsigned long epoch; /* of the Rules: see tj_epoch */
    /* number of patterns of the class so far, including this one; late ones generate no code */
    unsigned made;
    /* block_class has a generated method that sets these instance variables, with a quarter of the
     * instructions of rb_ivar_set */
    bool fills;
    long count;
    ID names[];
} tj_pattern;

#define MOST_PATTERNS 8

static void pattern_mark(void *data)
{
    const tj_pattern *pattern = data;
    if (!pattern) return;
    rb_gc_mark(pattern->klass);
    rb_gc_mark(pattern->block_class);
    rb_gc_mark(pattern->rules);
}

static size_t pattern_memsize(const void *data)
{
    const tj_pattern *pattern = data;
    return pattern ? sizeof *pattern + (size_t)pattern->count * sizeof(ID) : 0;
}

static const rb_data_type_t pattern_type = {
    .wrap_struct_name = "ToJson block pattern",
    .function = {.dmark = pattern_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = pattern_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

static VALUE forwarder(void) { return rb_const_get(tj_mToJson, rb_intern("BlockForwarder")); }

static VALUE class_rules(VALUE klass)
{
    return rb_funcall(tj_mToJson, rb_intern("class_rules"), 1, klass);
}

static VALUE keep_pattern(VALUE argument)
{
    VALUE *pair = (VALUE *)argument;
    return rb_ivar_set(pair[0], rb_intern("__to_json_block_pattern"), pair[1]);
}

/* Defines a method of the block class that sets these instance variables. Returns whether it did.
 * Runs Ruby. */
static bool define_filler(VALUE block_class, const tj_block_receiver *r)
{
    if (r->count == 0 || r->count > TJ_FEW_IVARS) return false;
    VALUE names = rb_ary_new();
    for (long i = 0; i < r->count; i++) {
        if (!rb_is_instance_id(r->names[i])) return false;
        rb_ary_push(names, ID2SYM(r->names[i]));
    }
    VALUE filling = rb_const_get(tj_mToJson, rb_intern("BlockFilling"));
    return RTEST(rb_funcall(filling, rb_intern("define"), 2, block_class, names));
}

/* Makes a pattern for callers like this one. `before` is the present pattern of the class, or NULL.
 * May run Ruby. */
static TJ_COLD VALUE new_pattern_cold(const tj_block_receiver *r, VALUE klass,
                                      const tj_pattern *before)
{
    unsigned long epoch = tj_epoch;
    VALUE object = TypedData_Wrap_Struct(0, &pattern_type, NULL);
    tj_pattern *pattern = ruby_xcalloc(1, sizeof *pattern + (size_t)r->count * sizeof(ID));
    RTYPEDDATA_DATA(object) = pattern;
    pattern->klass = klass;
    pattern->epoch = epoch;
    pattern->made = before ? before->made + 1 : 1;
    /* a new class, because its methods belong to this pattern */
    pattern->block_class = rb_funcall(forwarder(), rb_intern("of"), 1, klass);
    /* first, so that a later change of Rules begins an epoch */
    tj_plan_use(klass);
    pattern->rules = class_rules(klass);
    pattern->fills = pattern->made <= MOST_PATTERNS && define_filler(pattern->block_class, r);
    pattern->count = r->count;
    memcpy(pattern->names, r->names, (size_t)r->count * sizeof(ID));
    rb_obj_freeze(object);
    /* A frozen class keeps no pattern: the next call makes another one. */
    VALUE pair[2] = {klass, object};
    int state = 0;
    tj_rb_protect(keep_pattern, (VALUE)pair, &state);
    if (state == TJ_STATE_RAISE) rb_set_errinfo(Qnil);
    else if (state) rb_jump_tag(state);
    return object;
}

static bool same_names(const tj_pattern *pattern, const tj_block_receiver *r)
{
    return pattern->count == r->count &&
           memcmp(pattern->names, r->names, (size_t)r->count * sizeof(ID)) == 0;
}

/* The pattern of `klass` for the instance variables of `r`. After many patterns a class keeps its
 * last one, whose names may differ from these. May run Ruby. */
static VALUE pattern_of(VALUE klass, const tj_block_receiver *r)
{
    VALUE kept = rb_attr_get(klass, rb_intern("__to_json_block_pattern"));
    const tj_pattern *pattern = NIL_P(kept) ? NULL : RTYPEDDATA_DATA(kept);
    if (TJ_UNLIKELY(pattern && pattern->klass != klass)) pattern = NULL;
    bool valid = pattern && pattern->epoch == tj_epoch;
    if (TJ_LIKELY(valid && (pattern->made > MOST_PATTERNS || same_names(pattern, r)))) return kept;
    VALUE made = new_pattern_cold(r, klass, pattern);
    RB_GC_GUARD(kept);
    return made;
}

/* -- instance variables, by name --------------------------------------------------------------- */

static int collect_i(ID name, VALUE value, st_data_t argument)
{
    tj_block_receiver *r = (tj_block_receiver *)argument;
    if (TJ_UNLIKELY(name == id_caller)) r->nested = true;
    if (!tj_is_variable(name)) return ST_CONTINUE;
    r->names[r->count] = name;
    r->values[r->count++] = value;
    return ST_CONTINUE;
}

static void collect(tj_block_receiver *r)
{
    size_t most = RB_SPECIAL_CONST_P(r->caller) ? 0 : (size_t)rb_ivar_count(r->caller);
    r->names_buffer = r->values_buffer = Qfalse;
    r->names = r->few_names;
    r->values = r->few_values;
    r->count = 0;
    r->nested = false;
    if (most > TJ_FEW_IVARS) {
        r->names = rb_alloc_tmp_buffer_with_count(&r->names_buffer, most * sizeof(ID), most);
        r->values = rb_alloc_tmp_buffer_with_count(&r->values_buffer, most * sizeof(VALUE), most);
    }
    if (most > 0) rb_ivar_foreach(r->caller, collect_i, (st_data_t)r);
}

/* -- making a receiver ------------------------------------------------------------------------- */

/* The class of the receiver. Runs Ruby. */
static VALUE class_by_pattern(tj_block_receiver *r, VALUE klass, bool *fills)
{
    VALUE kept = pattern_of(klass, r);
    const tj_pattern *pattern = RTYPEDDATA_DATA(kept);
    *fills = pattern->fills && same_names(pattern, r);
    r->rules = pattern->rules;
    VALUE block_class = pattern->block_class;
    RB_GC_GUARD(kept);
    return block_class;
}

void tj_block_receiver_make(tj_block_receiver *r, VALUE caller)
{
    r->caller = caller;
    r->rules = Qtrue;
    collect(r);
    bool fills = false;
    VALUE klass = RB_SPECIAL_CONST_P(caller) ? Qfalse : rb_obj_class(caller), made = forwarder();
    bool module = RB_TYPE_P(caller, T_CLASS) || RB_TYPE_P(caller, T_MODULE);
    if (klass && !module && CLASS_OF(caller) == klass) { /* no singleton class */
        /* Ruby crashes if several Ractors make classes, so others keep no pattern. */
        if (TJ_LIKELY(tj_pool_current()->main)) made = class_by_pattern(r, klass, &fills);
        else r->rules = class_rules(klass);
    } else if (klass && !module) r->rules = class_rules(klass);
    r->self = rb_obj_alloc(made);
    rb_ivar_set(r->self, id_caller, caller);
    if (TJ_LIKELY(fills))
        rb_funcallv(r->self, rb_intern("__to_json_fill"), (int)r->count, r->values);
    else
        for (long i = 0; i < r->count; i++) rb_ivar_set(r->self, r->names[i], r->values[i]);
}

void tj_block_receiver_bound(tj_block_receiver *r, tj_writer *w)
{
    w->variables.receiver = r->self;
    w->variables.caller = r->caller;
    tj_variables_share(&w->variables, r->count, r->names, r->values);
    tj_writer *around = TJ_UNLIKELY(r->nested) ? tj_writer_behind(r->caller) : NULL;
    if (TJ_UNLIKELY(around && around != w)) {
        w->variables.writer_around = around->self;
        w->variables.around = &around->variables;
    }
    if (r->names_buffer) rb_free_tmp_buffer(&r->names_buffer);
    if (r->values_buffer) rb_free_tmp_buffer(&r->values_buffer);
}

void tj_block_receiver_return(tj_writer *w)
{
    tj_variables_return(&w->variables);
    tj_variables_end(&w->variables);
}

/* Before and after the caller's own code runs: so it has what the block assigned, and the block
 * has what that code assigns. Not once the document has ended. */
static VALUE block_words_give(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    if (w) tj_variables_give(&w->variables);
    return Qnil;
}

static VALUE block_words_take(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    if (w) tj_variables_take(&w->variables);
    return Qnil;
}

void tj_block_receiver_init(VALUE mBlockWords)
{
    id_caller = rb_intern("@__to_json_caller");
    rb_define_private_method(mBlockWords, "__to_json_give", block_words_give, 0);
    rb_define_private_method(mBlockWords, "__to_json_take", block_words_take, 0);
}
