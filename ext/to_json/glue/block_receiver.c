/* Glue. Makes block receivers, by the public API alone. A class keeps its hidden subclass in an instance variable. */
#include "block_receiver.h"

#include "document.h"
#include "errors.h"

static ID id_block_class, id_new, id_state, id_forwarded, id_binding, id_receiver;
static VALUE mDSL, mWords;

/* -- whose block it is --------------------------------------------------------------------------- */

static VALUE self_of_proc(VALUE block) { return rb_funcall(rb_funcall(block, id_binding, 0), id_receiver, 0); }

VALUE tj_block_self(void)
{
    int state = 0;
    VALUE self = rb_protect(self_of_proc, rb_block_proc(), &state);
    if (TJ_LIKELY(state == 0)) return self;
    if (state != TJ_STATE_RAISE || !RTEST(rb_obj_is_kind_of(rb_errinfo(), rb_eArgError))) rb_jump_tag(state);
    rb_set_errinfo(Qnil);
    return Qnil; /* &:name, whose self is nobody */
}

/* -- hidden subclasses ---------------------------------------------------------------------------- */

static VALUE caller_class_of(VALUE self) { return rb_class_superclass(rb_obj_class(self)); }

static VALUE keep_block_class(VALUE argument)
{
    VALUE *pair = (VALUE *)argument;
    return rb_ivar_set(pair[0], id_block_class, pair[1]);
}

static TJ_COLD VALUE new_block_class_cold(VALUE klass)
{
    VALUE block_class = rb_class_new(klass); /* runs no `inherited` hook */
    rb_include_module(block_class, mDSL);
    rb_include_module(block_class, mWords);
    rb_define_method(block_class, "class", caller_class_of, 0);
    /* A frozen class, or one seen from another Ractor, keeps nothing: the next call makes its own. */
    VALUE pair[2] = {klass, block_class};
    int state = 0;
    rb_protect(keep_block_class, (VALUE)pair, &state);
    if (state == TJ_STATE_RAISE) rb_set_errinfo(Qnil);
    else if (state) rb_jump_tag(state);
    return block_class;
}

/* A copy of a class has that of its original, too, and must not use it. */
static VALUE block_class_of(VALUE klass)
{
    VALUE kept = rb_attr_get(klass, id_block_class);
    return TJ_LIKELY(!NIL_P(kept) && rb_class_superclass(kept) == klass) ? kept : new_block_class_cold(klass);
}

/* -- instance variables, by name ------------------------------------------------------------------- */

static int collect_i(ID name, VALUE value, st_data_t argument)
{
    tj_block_receiver *r = (tj_block_receiver *)argument;
    if (name == id_state) return ST_CONTINUE; /* a Writer of the caller's own; other hidden ones, as of exceptions, go in */
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
    if (most > TJ_FEW_IVARS) {
        r->names = rb_alloc_tmp_buffer_with_count(&r->names_buffer, most * sizeof(ID), most);
        r->values = rb_alloc_tmp_buffer_with_count(&r->values_buffer, most * sizeof(VALUE), most);
    }
    if (most > 0) rb_ivar_foreach(r->caller, collect_i, (st_data_t)r);
}

struct returning {
    tj_block_receiver *receiver;
    long next; /* the one due, when nobody added or removed any */
};

static int return_i(ID name, VALUE value, st_data_t argument)
{
    struct returning *returning = (struct returning *)argument;
    tj_block_receiver *r = returning->receiver;
    if (!rb_is_instance_id(name) || name == id_forwarded) return ST_CONTINUE;
    long i = returning->next;
    if (i >= r->count || r->names[i] != name)
        for (i = 0; i < r->count && r->names[i] != name; i++) {}
    returning->next = i + 1;
    if (i < r->count && r->values[i] == value) return ST_CONTINUE;
    rb_ivar_set(r->caller, name, value);
    return ST_CONTINUE;
}

/* -- both ways --------------------------------------------------------------------------------------- */

void tj_block_receiver_make(tj_block_receiver *r, VALUE caller)
{
    r->caller = caller;
    bool plain = RB_TYPE_P(caller, T_OBJECT) && !RB_FL_TEST_RAW(RBASIC_CLASS(caller), RUBY_FL_SINGLETON);
    r->self = plain ? rb_obj_alloc(block_class_of(RBASIC_CLASS(caller)))
                    : rb_funcall(rb_const_get(tj_mToJson, rb_intern("BlockForwarder")), id_new, 1, caller);
    collect(r);
    for (long i = 0; i < r->count; i++) rb_ivar_set(r->self, r->names[i], r->values[i]);
}

void tj_block_receiver_return(tj_block_receiver *r)
{
    struct returning returning = {r, 0};
    rb_ivar_foreach(r->self, return_i, (st_data_t)&returning);
    if (r->names_buffer) rb_free_tmp_buffer(&r->names_buffer);
    if (r->values_buffer) rb_free_tmp_buffer(&r->values_buffer);
}

void tj_block_receiver_init(VALUE dsl, VALUE words)
{
    mDSL = dsl;
    mWords = words;
    id_block_class = rb_intern("__to_json_block_class");
    id_new = rb_intern("new");
    id_state = rb_intern("__to_json");
    id_forwarded = rb_intern("@__to_json_caller");
    id_binding = rb_intern("binding");
    id_receiver = rb_intern("receiver");
}
