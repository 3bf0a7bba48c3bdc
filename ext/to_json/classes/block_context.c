/* Classes. The block form: whose block it is, and the document that it writes. */
#include "block_context.h"

#include "../glue/block_frame.h"
#include "../glue/document.h"
#include "../glue/serializer.h"
#include "../glue/stand_in.h"
#include "classes.h"

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

VALUE tj_block_document(VALUE receiver, int argc, const VALUE *argv, bool keywords, VALUE *instance)
{
    struct visit visit;
    tj_call_split(&visit.call, argc, argv, keywords, Qnil);
    tj_stand_in_make(&visit.stand_in, tj_block_self(receiver));
    *instance = visit.stand_in.self;
    VALUE result = rb_ensure(run_block, (VALUE)&visit, return_ivars, (VALUE)&visit);
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
    VALUE mBlockWords = rb_define_module_under(tj_mToJson, "BlockWords");
    rb_define_method(mBlockWords, "scope", block_words_scope, 0);
    tj_stand_in_init(rb_const_get(tj_mToJson, rb_intern("DSL")), mBlockWords);
    tj_block_frame_init();
}
