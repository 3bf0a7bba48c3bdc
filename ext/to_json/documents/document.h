/* Documents. A document of its own: by a serializer, a block, a Plan, or a value. */
#ifndef TJ_DOCUMENT_H
#define TJ_DOCUMENT_H

#include "call.h"
#include "declared.h"
#include "../writer/binding.h"
#include "block_receiver.h"
#include "../writer/writer.h"

void tj_document_init(void);

/* What a document of its own runs. */
enum tj_run {
    TJ_RUN_SERIALIZE,
    TJ_RUN_UNDECLARED, /* the same of a class that is known to declare nothing */
    TJ_RUN_YIELD, /* the block, its self as it is */
    TJ_RUN_EXEC,  /* the block, with `self` as its self: tj_run_block */
    TJ_RUN_VALUE, /* no serializer: call->argv[0] is written */
    TJ_RUN_OTHER  /* tj_run_other */
};

/* The Rules of a class's documents, where the call has none. May run Ruby. */
VALUE tj_rules_of_class(VALUE klass);

/* Raises what the arguments of a json! of that class would raise before anything is written: of a document that is to be
 * written later. May run Ruby. */
void tj_check_call(VALUE klass, const tj_call *call);
/* The part of it that is about into:, rules: and max_depth:. `klass` nil: the default Rules. */
void tj_check_delivery(VALUE klass, const tj_call *call);

/* What `call` asks for, where `self` points at its Writer already. Runs Ruby, may raise. */
void tj_serialize(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *declared);

/* A document of which `write` writes all, the end of its root too. `self`, which may be Qnil, is bound to the Writer
 * meanwhile, and has the innermost frame; it may be a block receiver's, else that is NULL. `klass`:
 * as above. Runs Ruby, may raise. */
VALUE tj_run_other(VALUE self, VALUE klass, const tj_call *call, const tj_declared *declared,
                   tj_block_receiver *receiver, void (*write)(tj_writer *, void *), void *data);

/* One document by `self`. Returns the String or the Sink. Runs Ruby, may raise. */
VALUE tj_run_document(VALUE self, VALUE scope, const tj_call *call, enum tj_run how);

/* The same by a Plan: `self` is a new serializer, or Qnil where the Plan needs none. */
VALUE tj_run_plan(VALUE self, const tj_call *call, const tj_declared *declared);

/* One document by the running method's block. Its self is the block receiver, which gives its
 * instance variables back however the block is left. `keywords`: the method itself has some. */
VALUE tj_run_block(tj_block_receiver *receiver, VALUE scope, const tj_call *call, bool keywords);

/* One document that is call->argv[0]. */
VALUE tj_generate(const tj_call *call, bool pretty);

#endif
