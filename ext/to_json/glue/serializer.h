/* Glue. A serializer at work: pointing it at a Writer, running its `serialize`, letting go. */
#ifndef TJ_SERIALIZER_H
#define TJ_SERIALIZER_H

#include "stand_in.h"
#include "writer.h"

extern VALUE tj_mSerialize;
void tj_serializer_init(void);

/* The last object of this native thread that had no data pointer of ours, and its Writer. Only a hint:
 * the Writer must name the object too. Its struct outlives it, so looking is safe however old the hint is. */
typedef struct {
    VALUE receiver;
    tj_writer *w;
} tj_last_receiver;
#ifdef __GLIBC__ /* keeps room for such variables of libraries loaded late */
extern __thread tj_last_receiver tj_last __attribute__((tls_model("initial-exec")));
#else
extern __thread tj_last_receiver tj_last;
#endif

/* The Writer that `self` points at, or NULL: a ToJson::Serializer keeps it in its data pointer, any
 * other object in one hidden instance variable. */
tj_writer *tj_writer_behind_cold(VALUE self);
TJ_INLINE tj_writer *tj_writer_behind(VALUE self)
{
    if (TJ_LIKELY(RB_TYPE_P(self, T_DATA) && RTYPEDDATA_P(self) && RTYPEDDATA_TYPE(self) == &tj_serializer_type))
        return RTYPEDDATA_DATA(self);
    if (TJ_LIKELY(tj_last.receiver == self && tj_last.w->receiver == self)) return tj_last.w;
    return tj_writer_behind_cold(self);
}

VALUE tj_serializer_alloc(VALUE klass);
/* One without arguments of its own, for json! of a class, which gives them straight to serialize. May run Ruby. */
VALUE tj_fresh_serializer(VALUE klass);

/* Points `self` at `w`, or at nothing with NULL. Raises for a frozen receiver. */
void tj_point_at(VALUE self, tj_writer *w);

/* Why no call of the DSL may write now: raises. */
NORETURN(void tj_raise_trouble(VALUE self, tj_writer *w));

/* The Writer behind `self`, ready to write; raises where there is none. */
TJ_INLINE tj_writer *tj_writer_of(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    if (TJ_UNLIKELY(!w || w->trouble)) tj_raise_trouble(self, w);
    return w;
}

/* Arguments of `serialize`, split: what goes there, and the keywords that are ours. */
typedef struct {
    int argc;
    const VALUE *argv;
    VALUE keywords; /* for serialize, or Qfalse */
    VALUE context, rules, into, max_depth; /* Qundef where not given */
} tj_call;

/* Splits argc/argv of a method; `keywords` tells that the last one is keywords. `stored` is what `new`
 * kept, or nil. Raises ArgumentError for keywords that need declared fields. */
void tj_call_split(tj_call *call, int argc, const VALUE *argv, bool keywords, VALUE stored);

/* What `new` keeps of its arguments: see tj_call_split. */
void tj_store_arguments(VALUE self, int argc, const VALUE *argv, bool keywords);
VALUE tj_stored_arguments(VALUE self);

/* A serializer as a value: into the same Writer, in place. */
void tj_write_serializer(tj_writer *w, VALUE serializer);

/* What a document of its own runs. */
enum tj_run {
    TJ_RUN_SERIALIZE,
    TJ_RUN_YIELD, /* the block, its self as it is */
    TJ_RUN_EXEC,  /* the block, with `self` as its self: tj_run_block */
    TJ_RUN_VALUE  /* no serializer: call->argv[0] is written */
};

/* One document by `self`. Returns the String or the Sink. Runs Ruby, may raise. */
VALUE tj_run_document(VALUE self, VALUE scope, const tj_call *call, enum tj_run how);

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

/* One document that is call->argv[0]. */
VALUE tj_generate(const tj_call *call, bool pretty);

#endif
