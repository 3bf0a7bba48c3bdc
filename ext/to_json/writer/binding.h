/* Writer. The link from a serializer to the Writer on which it works. */
#ifndef TJ_BINDING_H
#define TJ_BINDING_H

#include "pool.h"
#include "writer.h"
#include "errors.h"

/* ToJson::Serialize, and its ClassMethods */
extern VALUE tj_mSerialize;
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

void tj_push_frame(tj_writer *w, VALUE self, VALUE scope, VALUE context);
/* The innermost frame of `self`, or NULL. */
tj_frame *tj_frame_of(tj_writer *w, VALUE self);

/* Raises if `self` is frozen and keeps its Writer in an instance variable. */
void tj_refuse_frozen(VALUE self);

/* The document's helper of class `klass`, for methods and context of declared fields. There is one
 * for each class and context. */
VALUE tj_helper_of(tj_writer *w, VALUE klass, VALUE context);

/* Unbinds the helpers of `context`. Called when the association with this context is written. */
void tj_helpers_leave(tj_writer *w, VALUE context);

/* Unbinds the helpers whose contexts no frame has. A failed record may leave such helpers. A
 * serializer in place with a context of its own leaves them too, because the next serializer in
 * place may have the same context. */
void tj_helpers_leave_unused(tj_writer *w);

/* The first argument of the document. Envelopes (JSON:API, HAL) are documents of an internal
 * object, which tells the program's. */
VALUE tj_scope_of(const tj_writer *w);

/* The context of the serializer `self`, which is at work; if `self` is nil, that of the document.
 * Qundef if there is none. */
VALUE tj_context_of(tj_writer *w, VALUE self);

/* The same for user code, whose Writer may be NULL. It notes that the context was read: the text of
 * a part that is being captured then depends on it, unless the key of the part contains it. If the
 * serializer read it before, it may have kept the context in an instance variable, so its later
 * parts depend on it too. */
VALUE tj_read_context(tj_writer *w, VALUE self);
void tj_note_read(tj_writer *w, VALUE context);

/* Whether a serializer read a context before, in any document, finished or not, or in none. It may
 * have kept what it saw. */
bool tj_is_reader(VALUE self);

/* Whether text of the document can be kept for other documents: not with a layout, since it depends
 * on where it stands, nor by a serializer that may have kept what it saw in another context. */
bool tj_text_is_plain(const tj_writer *w);

/* Whether a Hash has no default, no instance variables and no methods of its own, so that its class
 * and its pairs tell all that can be read from it. May run Ruby, if Hash is patched. */
bool tj_has_pairs_only(VALUE hash);

/* Whether the context is nil or a Hash from which nothing can be read. May run Ruby as well. */
bool tj_context_says_nothing(VALUE context);

#endif
