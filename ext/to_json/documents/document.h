/* Documents. A whole document, written by a serializer, a block, a Plan, or a value.
 *
 * This room has all that makes documents: sessions (session.h opens, closes and aborts them),
 * nested serializers, records, and the block receiver. How a value is written does not belong here,
 * nor do methods of Ruby classes. */
#ifndef TJ_DOCUMENT_H
#define TJ_DOCUMENT_H

#include "call.h"
#include "declared.h"
#include "../writer/binding.h"
#include "block_receiver.h"
#include "../writer/writer.h"

/* What writes the document. */
enum tj_run {
    TJ_RUN_SERIALIZE,
    TJ_RUN_UNDECLARED, /* serialize of a class that declares nothing */
    TJ_RUN_YIELD, /* the block, with its own self */
    TJ_RUN_EXEC,  /* the block, with `self` as its self: tj_run_block */
    TJ_RUN_VALUE, /* call->argv[0], without a serializer */
    TJ_RUN_OTHER  /* tj_run_other */
};

/* Raises what json! of the class would raise before it writes anything, for a document that is
 * written later. May run Ruby. */
void tj_check_call(VALUE klass, const tj_call *call);
/* The same for into:, rules: and max_depth: only. `klass` nil: the default Rules. */
void tj_check_delivery(VALUE klass, const tj_call *call);

/* Writes what `call` asks for; `self` is bound to its Writer. Runs Ruby, may raise. */
void tj_serialize(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *declared);

/* A document that `write` writes completely, including the end of the root. `self` is bound to the
 * Writer and has the innermost frame, or is Qnil. `receiver` is not NULL if `self` is a block
 * receiver. `klass` is as above. Runs Ruby, may raise. */
VALUE tj_run_other(VALUE self, VALUE klass, const tj_call *call, const tj_declared *declared,
                   tj_block_receiver *receiver, void (*write)(tj_writer *, void *), void *data);

/* A document by `self`. Returns the String or the Sink. Runs Ruby, may raise. */
VALUE tj_run_document(VALUE self, VALUE scope, const tj_call *call, enum tj_run how);

/* The same by the Plan of a class. If the Plan needs a serializer, it is a new one, which *instance
 * becomes. `instance` may be NULL. */
VALUE tj_run_plan(VALUE klass, const tj_call *call, const tj_declared *declared, VALUE *instance);

/* A document by the block of the running method, whose self is the block receiver. Its instance
 * variables are copied back however the block is left. `keywords`: the method itself got some. */
VALUE tj_run_block(tj_block_receiver *receiver, VALUE scope, const tj_call *call, bool keywords);

/* A document of the value call->argv[0]. */
VALUE tj_generate(const tj_call *call, bool pretty);

#endif
