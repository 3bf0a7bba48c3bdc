/* Classes. The block form. The block runs on an instance of a hidden subclass of its caller's class
 * that has the DSL, with the caller's instance variables copied in before and back after. A caller
 * that cannot be stood in for (a module, one with methods of its own, no plain object) gets a forwarder. */
#include "block_context.h"

#include "../glue/document.h"
#include "../glue/serializer.h"
#include "classes.h"

static ID id_block_class, id_binding, id_receiver, id_new, id_caller;
static VALUE mDSL, mBlockWords;
static bool self_is_first_word; /* of a Proc's struct: checked at load */

/* -- whose block is it ------------------------------------------------------------------------- */

/* A Proc begins with its block, and a block of Ruby code with its self: so in every CRuby since 2.4.
 * Asking the Proc for its binding costs three objects and as much as the document. */
static VALUE self_of(VALUE block)
{
    if (TJ_LIKELY(self_is_first_word)) return *(const VALUE *)RTYPEDDATA_DATA(block);
    return rb_funcall(rb_funcallv(block, id_binding, 0, NULL), id_receiver, 0);
}

static void check_self_of(void)
{
    VALUE block = rb_eval_string("Object.new.instance_eval { proc {} }");
    VALUE receiver = rb_funcall(rb_funcall(block, id_binding, 0), id_receiver, 0);
    self_is_first_word = RB_TYPE_P(block, T_DATA) && RTYPEDDATA_P(block) && RTYPEDDATA_DATA(block) &&
                         *(const VALUE *)RTYPEDDATA_DATA(block) == receiver;
    RB_GC_GUARD(block);
}

/* -- the class of the stand-in ------------------------------------------------------------------- */

static VALUE stand_in_class_of(VALUE self) { return rb_class_superclass(rb_obj_class(self)); }

static VALUE keep_class(VALUE argument)
{
    VALUE *pair = (VALUE *)argument;
    return rb_ivar_set(pair[0], id_block_class, pair[1]);
}

static TJ_COLD VALUE new_block_class_cold(VALUE klass)
{
    VALUE block_class = rb_class_new(klass); /* runs no `inherited` hook */
    rb_include_module(block_class, mDSL);
    rb_include_module(block_class, mBlockWords);
    rb_define_method(block_class, "class", stand_in_class_of, 0);
    /* A frozen class, or one seen from another Ractor, keeps nothing: the next call makes its own. */
    VALUE pair[2] = {klass, block_class};
    int state = 0;
    rb_protect(keep_class, (VALUE)pair, &state);
    if (state) rb_set_errinfo(Qnil);
    return block_class;
}

static VALUE stand_in_for(VALUE caller)
{
    bool plain = RB_TYPE_P(caller, T_OBJECT) && !RB_FL_TEST_RAW(RBASIC_CLASS(caller), RUBY_FL_SINGLETON);
    if (TJ_UNLIKELY(!plain)) {
        VALUE forwarder = rb_const_get(tj_mToJson, rb_intern("BlockForwarder"));
        return rb_funcall(forwarder, id_new, 1, caller);
    }
    VALUE klass = RBASIC_CLASS(caller), block_class = rb_ivar_get(klass, id_block_class);
    if (TJ_UNLIKELY(NIL_P(block_class))) block_class = new_block_class_cold(klass);
    return rb_obj_alloc(block_class);
}

/* -- instance variables in and back ---------------------------------------------------------------- */

typedef struct {
    VALUE caller, stand_in;
    const tj_call *call;
    long count, at;
    ID *names;
    VALUE *values;
} tj_visit;

static int copy_in_i(ID name, VALUE value, st_data_t argument)
{
    tj_visit *visit = (tj_visit *)argument;
    if (!rb_is_instance_id(name) || visit->at == visit->count) return ST_CONTINUE;
    visit->names[visit->at] = name;
    visit->values[visit->at++] = value;
    rb_ivar_set(visit->stand_in, name, value);
    return ST_CONTINUE;
}

/* Only what the block changed goes back: the caller's own methods may have changed the rest meanwhile. */
static int copy_back_i(ID name, VALUE value, st_data_t argument)
{
    tj_visit *visit = (tj_visit *)argument;
    if (!rb_is_instance_id(name) || name == id_caller) return ST_CONTINUE;
    long i = visit->at;
    if (i >= visit->count || visit->names[i] != name)
        for (i = 0; i < visit->count && visit->names[i] != name; i++) {}
    visit->at = i + 1;
    if (i < visit->count && visit->values[i] == value) return ST_CONTINUE;
    rb_ivar_set(visit->caller, name, value);
    return ST_CONTINUE;
}

static VALUE run_block(VALUE argument)
{
    tj_visit *visit = (tj_visit *)argument;
    VALUE scope = visit->call->argc > 0 ? visit->call->argv[0] : visit->caller;
    return tj_run_document(visit->stand_in, scope, visit->call, TJ_RUN_EXEC);
}

static VALUE copy_back(VALUE argument)
{
    tj_visit *visit = (tj_visit *)argument;
    visit->count = visit->at;
    visit->at = 0;
    rb_ivar_foreach(visit->stand_in, copy_back_i, (st_data_t)visit);
    return Qnil;
}

VALUE tj_block_document(int argc, const VALUE *argv, bool keywords, VALUE *instance)
{
    tj_call call;
    tj_call_split(&call, argc, argv, keywords, Qnil);
    VALUE block = rb_block_proc(), caller = self_of(block);
    tj_visit visit = {.caller = caller, .stand_in = stand_in_for(caller), .call = &call};
    *instance = visit.stand_in;
    visit.count = RB_SPECIAL_CONST_P(caller) ? 0 : (long)rb_ivar_count(caller);
    VALUE guard, names_guard;
    visit.values = ALLOCV_N(VALUE, guard, visit.count + 1);
    visit.names = ALLOCV_N(ID, names_guard, visit.count + 1);
    if (visit.count > 0) rb_ivar_foreach(caller, copy_in_i, (st_data_t)&visit);
    VALUE result = rb_ensure(run_block, (VALUE)&visit, copy_back, (VALUE)&visit);
    ALLOCV_END(guard);
    ALLOCV_END(names_guard);
    RB_GC_GUARD(block);
    RB_GC_GUARD(call.keywords);
    return result;
}

static VALUE block_words_scope(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    tj_frame *frame = w ? tj_frame_of(w, self) : NULL;
    return frame ? frame->scope : Qnil;
}

void tj_define_block_context(void)
{
    id_block_class = rb_intern("__to_json_block_class");
    id_binding = rb_intern("binding");
    id_receiver = rb_intern("receiver");
    id_new = rb_intern("new");
    id_caller = rb_intern("@__to_json_caller");
    mDSL = rb_const_get(tj_mToJson, rb_intern("DSL"));
    mBlockWords = rb_define_module_under(tj_mToJson, "BlockWords");
    rb_define_method(mBlockWords, "scope", block_words_scope, 0);
    check_self_of();
}
