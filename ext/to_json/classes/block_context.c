/* Classes. The block form: whose block it is, and the document that it writes. */
#include "block_context.h"

#include "../glue/document.h"
#include "../glue/serializer.h"
#include "../glue/stand_in.h"
#include "classes.h"

static ID id_binding, id_receiver;
static bool self_is_first_word; /* of a Proc's struct: checked at load */

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

struct visit {
    tj_stand_in stand_in;
    tj_call call;
};

static VALUE run_block(VALUE argument)
{
    struct visit *visit = (struct visit *)argument;
    VALUE scope = visit->call.argc > 0 ? visit->call.argv[0] : visit->stand_in.caller;
    return tj_run_document(visit->stand_in.self, scope, &visit->call, TJ_RUN_EXEC);
}

static VALUE return_ivars(VALUE argument)
{
    tj_stand_in_return(&((struct visit *)argument)->stand_in);
    return Qnil;
}

VALUE tj_block_document(int argc, const VALUE *argv, bool keywords, VALUE *instance)
{
    struct visit visit;
    tj_call_split(&visit.call, argc, argv, keywords, Qnil);
    VALUE block = rb_block_proc();
    tj_stand_in_make(&visit.stand_in, self_of(block));
    *instance = visit.stand_in.self;
    VALUE result = rb_ensure(run_block, (VALUE)&visit, return_ivars, (VALUE)&visit);
    RB_GC_GUARD(block);
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
    id_binding = rb_intern("binding");
    id_receiver = rb_intern("receiver");
    VALUE mBlockWords = rb_define_module_under(tj_mToJson, "BlockWords");
    rb_define_method(mBlockWords, "scope", block_words_scope, 0);
    tj_stand_in_init(rb_const_get(tj_mToJson, rb_intern("DSL")), mBlockWords);
    check_self_of();
}
