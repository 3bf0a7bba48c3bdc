/* Classes. The block form: finds the self of the block, and writes the document. */
#include "block_context.h"

#include "../documents/document.h"
#include "../documents/block_receiver.h"
#include "classes.h"
#include "../writer/contexts.h"

bool tj_block_has_words(VALUE caller)
{
    return RTEST(rb_obj_is_kind_of(caller, tj_mSerialize)) &&
           (tj_is_serializer(caller) || !RB_OBJ_FROZEN(caller));
}

VALUE tj_block_document(int argc, const VALUE *argv, bool keywords)
{
    tj_call call;
    tj_block_receiver receiver;
    tj_call_split(&call, argc, argv, keywords, Qnil);
    if (keywords) tj_check_delivery_options(&call);
    tj_refuse_declared_keywords(&call);
    VALUE caller = tj_block_self(), scope = call.argc > 0 ? call.argv[0] : caller, result;
    if (tj_block_has_words(caller)) {
        tj_block_inherits(caller, &call, argc, argv, keywords, &scope);
        tj_arguments_of(caller); /* as tj_bind_serializer needs them */
        result = tj_run_document(caller, scope, &call, TJ_RUN_YIELD);
    } else {
        tj_block_receiver_make(&receiver, caller);
        result = tj_run_block(&receiver, scope, &call, keywords);
    }
    RB_GC_GUARD(call.keywords);
    return result;
}

VALUE tj_scope_word(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    tj_frame *frame = w ? tj_frame_of(w, self) : NULL;
    if (frame) return frame->scope;
    if (w && w->frame_count > 0 && tj_is_serializer(self)) return tj_scope_of(w);
    VALUE stored = tj_arguments_of(self);
    return RTEST(stored) && RARRAY_LEN(stored) > 1 ? RARRAY_AREF(stored, 1) : Qnil;
}

VALUE tj_context_word(VALUE self)
{
    VALUE context = tj_read_context(tj_writer_behind(self), self);
    if (context != Qundef) return context;
    tj_call call;
    tj_call_split(&call, 0, NULL, false, tj_arguments_of(self));
    return call.context == Qundef ? tj_no_context : call.context;
}

/* The Writer of a document around the running block, in which `self` is at work; or NULL. A
 * document of another thread or Fiber, which may have been left half-way, is not around it. */
static tj_writer *writer_around(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    return w && !(w->blocked & TJ_IDLE) && w->home == tj_fiber_number(w->pool) ? w : NULL;
}

void tj_block_inherits(VALUE self, tj_call *call, int argc, const VALUE *argv, bool keywords,
                       VALUE *scope)
{
    tj_writer *around = writer_around(self);
    VALUE name = ID2SYM(rb_intern("context")), stored = tj_arguments_of(self);
    if (!keywords || rb_hash_lookup2(argv[argc - 1], name, Qundef) == Qundef) {
        tj_call given;
        tj_call_split(&given, 0, NULL, false, stored);
        VALUE context = around ? tj_context_of(around, self) : Qundef;
        bool idle = context == Qundef || around->heir == TJ_CONTEXT_OF_IDLE;
        call->heir = idle ? TJ_CONTEXT_OF_IDLE : TJ_CONTEXT_AROUND;
        call->origin = context != Qundef ? around->origin : 0;
        call->context = context != Qundef ? context : given.context;
    }
    if (!scope || argc > (keywords ? 1 : 0)) return;
    tj_frame *frame = around ? tj_frame_of(around, self) : NULL;
    VALUE found = Qnil;
    if (frame) found = frame->scope;
    else if (around && tj_is_serializer(self)) found = tj_scope_of(around);
    else if (RTEST(stored) && RARRAY_LEN(stored) > 1) found = RARRAY_AREF(stored, 1);
    if (!NIL_P(found)) *scope = found;
    RB_GC_GUARD(stored);
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
    tj_block_receiver_init(mBlockWords);
}
