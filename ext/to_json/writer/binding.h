/* Writer. The link from a serializer to the Writer on which it works. */
#ifndef TJ_BINDING_H
#define TJ_BINDING_H

#include "pool.h"
#include "writer.h"
#include "errors.h"

/* ToJson::Serialize, and its ClassMethods */
extern VALUE tj_mSerialize;
extern VALUE tj_mHeld; /* ToJson::Envelope::Held */
extern VALUE tj_no_context; /* a frozen {} */
void tj_binding_init(void);

TJ_INLINE bool tj_is_serializer(VALUE self)
{
    return RB_TYPE_P(self, T_DATA) && RTYPEDDATA_P(self) &&
           RTYPEDDATA_TYPE(self) == &tj_serializer_type;
}

/* The Writer that `self` is bound to, or NULL. A ToJson::Serializer keeps it in tj_writer_place,
 * any other object in a hidden instance variable. */
tj_writer *tj_writer_behind_cold(VALUE self);
TJ_INLINE tj_writer *tj_writer_behind(VALUE self)
{
    if (TJ_UNLIKELY(!tj_is_serializer(self))) return tj_writer_behind_cold(self);
    return tj_lone_argument(self) == Qundef ? *tj_writer_place(self) : NULL;
}

/* A document of an object that goes on after another one of that object. */
typedef struct {
    tj_writer *w; /* NULL: there is none. Its VALUE must be kept alive by the caller's `writer` */
    VALUE writer;
    unsigned document;
} tj_outer;

/* The object that writes a new document of `self`: itself, or if it is busy, a copy. The copy is a
 * clone, which keeps modules and methods of its own; only the dup of a frozen object can be bound.
 *
 * There is no copy for a block (`yields`), which has its own self, nor of a class, whose copy has
 * no name, nor of a record of ActiveRecord: its dup is a new record, and its clone shares what
 * keeps associations. Then *outer becomes the document of `self` until now: tj_bind_again.
 * Raises if that Writer is at work in another thread, whose words would reach the wrong document.
 * A dead thread, as after a fork, does not count. May run Ruby. */
VALUE tj_free_self_cold(VALUE self, bool yields, tj_outer *outer);
TJ_INLINE VALUE tj_free_self(VALUE self, bool yields, tj_outer *outer)
{
    outer->w = NULL;
    return TJ_LIKELY(!tj_writer_behind(self)) ? self : tj_free_self_cold(self, yields, outer);
}

/* After the new document: binds `self` to the outer one again, if that is still at work. Never
 * raises: an object that was frozen meanwhile has no words in the outer document. */
void tj_bind_again(const tj_outer *outer, VALUE self);

/* Binds an idle ToJson::Serializer to `w`. If it has arguments, tj_arguments_of must have been
 * called before. */
TJ_INLINE void tj_bind_serializer(tj_writer *w, VALUE self)
{
    TJ_ASSERT(tj_lone_argument(self) == Qundef);
    *tj_writer_place(self) = w;
    RB_OBJ_WRITTEN(self, Qundef, w->self);
}

/* Ends the binding, so that the serializer is idle again. */
TJ_INLINE void tj_unbind_serializer(VALUE self) { *tj_writer_place(self) = NULL; }

VALUE tj_serializer_alloc(VALUE klass);
/* Whether tj_serializer_alloc makes the instances of the class: it inherits from
 * ToJson::Serializer. */
bool tj_allocates(VALUE klass);
/* A new instance without arguments, for json! of a class, which passes them to serialize. May run
 * Ruby. */
VALUE tj_fresh_serializer(struct tj_pool *pool, VALUE klass);

/* The arguments that `new` gave a ToJson::Serializer: a frozen [keywords or nil, *arguments]. nil
 * if there are none, and for any other object. May allocate. */
VALUE tj_arguments_of(VALUE self);
void tj_give_arguments(VALUE serializer, VALUE arguments);

/* Whether `new` gave a ToJson::Serializer arguments. False for any other object. */
TJ_INLINE bool tj_has_arguments(VALUE self)
{
    return tj_is_serializer(self) && tj_data_bits(RTYPEDDATA_DATA(self)) != 0;
}

/* The object of `new(object, **keywords)`, whose keywords are stored: a frozen Hash, or nil. Qundef
 * if `new` got anything else. Allocates nothing. */
TJ_INLINE VALUE tj_one_object_of(VALUE self, VALUE *keywords)
{
    *keywords = Qnil;
    if (TJ_UNLIKELY(!tj_is_serializer(self))) return Qundef;
    VALUE lone = tj_lone_argument(self);
    const tj_given *given = TJ_LIKELY(lone != Qundef) ? NULL : tj_given_of(self);
    if (!given || RARRAY_LEN(given->arguments) != 2) return lone;
    *keywords = RARRAY_AREF(given->arguments, 0);
    return RARRAY_AREF(given->arguments, 1);
}
/* The object of `new(object)`, likewise. */
TJ_INLINE VALUE tj_only_object_of(VALUE self)
{
    VALUE keywords, object = tj_one_object_of(self, &keywords);
    return NIL_P(keywords) ? object : Qundef;
}
/* Keeps the only argument of a serializer, without an Array. Returns false if it cannot. */
bool tj_give_lone(VALUE serializer, VALUE argument);

/* Binds any object that includes ToJson::Serialize, or a block receiver. Raises if it is frozen,
 * because it could not keep its Writer. */
void tj_bind(tj_writer *w, VALUE self);
void tj_unbind(VALUE self);

/* Raises, and says why no call of the DSL may write now. */
NORETURN(void tj_raise_blocked(VALUE self, tj_writer *w));

/* The Writer that `self` is bound to, ready to write. Raises if there is none. */
TJ_INLINE tj_writer *tj_writer_of(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    if (TJ_UNLIKELY(!w || w->blocked)) tj_raise_blocked(self, w);
    return w;
}

/* The hidden variable of a serializer that read a context. */
#define TJ_READER rb_intern("__to_json_read")
/* Whether a serializer read a context before, in any document, finished or not, or in none. It may
 * have kept what it saw. */
TJ_INLINE bool tj_is_reader(VALUE self) { return RTEST(rb_attr_get(self, TJ_READER)); }
TJ_INLINE void tj_mark_reader(VALUE self)
{
    if (!RB_OBJ_FROZEN(self)) rb_ivar_set(self, TJ_READER, Qtrue);
}

/* Whether a class in this process has declared a cache. A frame from before counts as one
 * whose serializer may have kept something. */
extern bool tj_expects_captures;

void tj_push_frame(tj_writer *w, VALUE self, VALUE scope, VALUE context);
/* The innermost frame of `self`, or NULL. */
tj_frame *tj_frame_of(tj_writer *w, VALUE self);

/* Whether a ToJson::Serializer has instance variables or methods of its own now. */
bool tj_has_state(VALUE self);

/* Before `serialize` of the program, or a block, writes for `self`: it may give `self` state. */
TJ_INLINE void tj_runs_code(tj_writer *w, VALUE self)
{
    tj_frame *frame = tj_frame_of(w, self);
    if (TJ_LIKELY(frame)) frame->code = true;
}

/* Whether a frame of the document has this context. */
bool tj_has_context(const tj_writer *w, VALUE context);

/* The context of a helper of the document; Qundef for any other object. */
VALUE tj_helper_context(const tj_writer *w, VALUE self);

/* The context of the serializer `self`, which is at work; if `self` is nil, that of the document.
 * Qundef if there is none. */
VALUE tj_context_of(tj_writer *w, VALUE self);

/* Raises if `self` is frozen and keeps its Writer in an instance variable. */
void tj_refuse_frozen(VALUE self);

#endif
