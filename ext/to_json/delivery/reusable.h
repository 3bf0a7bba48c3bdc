/* Delivery. The memory of a ToJson::Buffer, and lending it to a Writer, so that a document is
 * written in place. */
#ifndef TJ_REUSABLE_H
#define TJ_REUSABLE_H

#include "../writer/writer.h"

typedef struct {
    tj_buffer out;  /* while it is lent: the Writer's own buffer */
    VALUE writer;   /* the Writer that borrows it, or Qfalse */
    VALUE thread;   /* that borrows it or runs write_to, or Qfalse */
    size_t kept;    /* bytes in it when it was lent */
    size_t counted; /* bytes that Ruby's garbage collector was told of */
    bool handed;    /* write_to is running: the bytes must stay where they are */
    unsigned turns; /* calls of write_to that began or ended */
} tj_reusable;

TJ_INLINE bool tj_is_reusable(VALUE v)
{
    return RB_TYPE_P(v, T_DATA) && RTYPEDDATA_P(v) && RTYPEDDATA_TYPE(v) == &tj_reusable_type;
}

/* Allocates an empty Buffer of `klass`. Raises NoMemoryError. */
VALUE tj_reusable_alloc(VALUE klass);
tj_reusable *tj_reusable_of(VALUE buffer);

/* Raises FrozenError, or SinkError while a document or write_to uses the Buffer. Takes the memory
 * back from a thread that is dead. May run Ruby (`alive?` of a Thread). */
void tj_reusable_check(VALUE buffer);
/* write_to begins in this thread, or has ended. */
void tj_reusable_hand(tj_reusable *r);
void tj_reusable_handed(tj_reusable *r);

/* The bytes, valid until they change. Those of a document that is being written are not
 * included. */
const uint8_t *tj_reusable_bytes(const tj_reusable *r, size_t *size);
size_t tj_reusable_capacity(const tj_reusable *r);

/* Sets the capacity, which must hold the bytes. Raises NoMemoryError. May run the garbage
 * collector. */
void tj_reusable_resize(tj_reusable *r, size_t capacity);
/* Copies `bytes` before the garbage collector may run. */
void tj_reusable_append(tj_reusable *r, const uint8_t *bytes, size_t size);

/* The Writer continues after the bytes of the Buffer. Its Sink must be a Buffer that passed
 * tj_reusable_check. Cannot raise. */
void tj_reusable_lend(tj_writer *w);
/* Takes the memory back: with the document, or as it was before. May run the garbage collector. */
void tj_reusable_take_back(tj_writer *w, bool whole);

#endif
