/* Writer. From a serializer to the Writer that it works on. */
#ifndef TJ_BINDING_H
#define TJ_BINDING_H

#include "pool.h"
#include "writer.h"
#include "errors.h"

extern VALUE tj_mSerialize;
extern VALUE tj_no_context; /* {}, frozen */
void tj_binding_init(void);

TJ_INLINE bool tj_is_serializer(VALUE self)
{
    return RB_TYPE_P(self, T_DATA) && RTYPEDDATA_P(self) && RTYPEDDATA_TYPE(self) == &tj_serializer_type;
}

/* The Writer that `self` points at, or NULL: a ToJson::Serializer keeps it in its data pointer, any
 * other object in one hidden instance variable. */
tj_writer *tj_writer_behind_cold(VALUE self);
TJ_INLINE tj_writer *tj_writer_behind(VALUE self)
{
    return TJ_LIKELY(tj_is_serializer(self)) ? RTYPEDDATA_DATA(self) : tj_writer_behind_cold(self);
}

/* The serializer `self`, which is idle, works on `w`. */
TJ_INLINE void tj_bind_serializer(tj_writer *w, VALUE self)
{
    RTYPEDDATA_DATA(self) = w;
    RB_OBJ_WRITTEN(self, Qundef, w->self);
}

/* The serializer `self` is idle again. */
TJ_INLINE void tj_unbind_serializer(VALUE self) { RTYPEDDATA_DATA(self) = NULL; }

VALUE tj_serializer_alloc(VALUE klass);
/* Whether that makes the objects of the class: one that inherits from ToJson::Serializer. */
bool tj_allocates(VALUE klass);
/* One without arguments of its own, for json! of a class, which gives them straight to serialize. May run Ruby. */
VALUE tj_fresh_serializer(struct tj_pool *pool, VALUE klass);

/* The same of any object that includes ToJson::Serialize, or of a block receiver. Raises for a frozen
 * one, which could not keep its Writer. */
void tj_bind(tj_writer *w, VALUE self);
void tj_unbind(VALUE self);

/* Why no call of the DSL may write now: raises. */
NORETURN(void tj_raise_blocked(VALUE self, tj_writer *w));

/* The Writer behind `self`, ready to write; raises where there is none. */
TJ_INLINE tj_writer *tj_writer_of(VALUE self)
{
    tj_writer *w = tj_writer_behind(self);
    if (TJ_UNLIKELY(!w || w->blocked)) tj_raise_blocked(self, w);
    return w;
}

void tj_push_frame(tj_writer *w, VALUE self, VALUE scope, VALUE context);
/* The innermost frame of `self`, or NULL. */
tj_frame *tj_frame_of(tj_writer *w, VALUE self);

/* Raises for a frozen receiver that keeps its state in an instance variable. */
void tj_refuse_frozen(VALUE self);

/* The document's serializer of class `klass`, for methods and context of declared fields: one a class and context. */
VALUE tj_helper_of(tj_writer *w, VALUE klass, VALUE context);

/* What had that context, of an association that is written now, is idle. */
void tj_helpers_leave(tj_writer *w, VALUE context);

/* What has another context than the document is idle: all that a record left behind that failed. */
void tj_helpers_leave_all(tj_writer *w);

/* The context of a serializer at work; nil: the document's. Qundef where there is none. */
VALUE tj_context_of(tj_writer *w, VALUE self);

/* The same for user code: a part that is being captured is due to this context, unless its key tells. So is one in which a
 * serializer takes part that looked before: it may have kept what it saw in an instance variable. */
VALUE tj_read_context(tj_writer *w, VALUE self);
void tj_note_read(tj_writer *w, VALUE context);

#endif
