/* Glue. A serializer at work: a document of its own, or in place in another's. */
#ifndef TJ_SERIALIZER_H
#define TJ_SERIALIZER_H

#include "call.h"
#include "declared.h"
#include "pointing.h"
#include "stand_in.h"
#include "writer.h"

void tj_serializer_init(void);

/* A serializer as a value: into the same Writer, in place. */
void tj_write_serializer(tj_writer *w, VALUE serializer);

/* `object` by a new serializer of that class, as a value. `selected`: what is left of its declared fields for a serialize
 * of its own, or 0. Runs Ruby, may raise. */
void tj_write_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected);

/* The same as pairs of the object at hand. */
void tj_merge_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected);

/* What a document of its own runs. */
enum tj_run {
    TJ_RUN_SERIALIZE,
    TJ_RUN_YIELD, /* the block, its self as it is */
    TJ_RUN_EXEC,  /* the block, with `self` as its self: tj_run_block */
    TJ_RUN_VALUE  /* no serializer: call->argv[0] is written */
};

/* One document by `self`. Returns the String or the Sink. Runs Ruby, may raise. */
VALUE tj_run_document(VALUE self, VALUE scope, const tj_call *call, enum tj_run how);

/* One document by a Plan that needs no serializer. */
VALUE tj_run_plan(const tj_call *call, const tj_declared *declared);

/* One document by the running method's block, its self the stand-in, which gives its instance variables back
 * however the block is left. `keywords` tells that the method itself was given some. */
VALUE tj_run_block(tj_stand_in *stand_in, VALUE scope, const tj_call *call, bool keywords);

/* For generated entries (entry.rb), which call `serialize` themselves. Opens a document of `self` with no
 * arguments of ours; false where that takes tj_run_document. Must be closed, or dropped. May raise. */
bool tj_open_document(VALUE self, VALUE scope);
/* Ends it: the String. May raise, then it is still to be dropped. */
VALUE tj_close_document(VALUE self);
/* Where the calling method opened a document of `self` and did not close it: it was left, by `error` or with nil by a
 * throw. */
void tj_drop_document(VALUE self, VALUE error);

/* The same for a Plan's code, which writes `object`: the Writer, or Qfalse where that takes more. `maybe_many`: it is not
 * known to be one. May run Ruby. */
VALUE tj_open_plan(VALUE serializer_class, VALUE plan, VALUE object, bool maybe_many);
VALUE tj_close_plan(tj_writer *w);
void tj_drop_plan(tj_writer *w, VALUE error);

/* One document that is call->argv[0]. */
VALUE tj_generate(const tj_call *call, bool pretty);

#endif
