/* Classes. The block form: whose block it is, and the document that it writes. */
#include "block_context.h"

#include "../glue/block_frame.h"
#include "../glue/document.h"
#include "../glue/serializer.h"
#include "../glue/stand_in.h"
#include "classes.h"

VALUE tj_block_document(VALUE receiver, int argc, const VALUE *argv, bool keywords, VALUE *instance)
{
    tj_call call;
    tj_stand_in stand_in;
    tj_call_split(&call, argc, argv, keywords, Qnil);
    if (keywords) tj_check_pace(&call);
    tj_stand_in_make(&stand_in, tj_block_self(receiver));
    *instance = stand_in.self;
    VALUE result = tj_run_block(&stand_in, call.argc > 0 ? call.argv[0] : stand_in.caller, &call, keywords);
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
    VALUE mBlockWords = rb_define_module_under(tj_mToJson, "BlockWords");
    rb_define_method(mBlockWords, "scope", block_words_scope, 0);
    tj_stand_in_init(rb_const_get(tj_mToJson, rb_intern("DSL")), mBlockWords);
    tj_block_frame_init();
}
