/* Delivery. The storage of a ToJson::Buffer, and lending it to a Writer, whose document is then written where it will stay. */
#ifndef TJ_REUSABLE_H
#define TJ_REUSABLE_H

#include "../writer/writer.h"

typedef struct {
    tj_buffer out;  /* while it is lent, what the Writer had in its place */
    VALUE writer;   /* the Writer that it is lent to, or Qfalse */
    size_t kept;    /* bytes in it when it was lent */
    size_t counted; /* bytes that Ruby's collector was told of */
    bool handed;    /* write_to is running: its bytes must stay where they are */
} tj_reusable;

TJ_INLINE bool tj_is_reusable(VALUE v) { return RB_TYPE_P(v, T_DATA) && RTYPEDDATA_P(v) && RTYPEDDATA_TYPE(v) == &tj_reusable_type; }

/* An empty Buffer of `klass`; raises NoMemoryError. */
VALUE tj_reusable_alloc(VALUE klass);
tj_reusable *tj_reusable_of(VALUE buffer);

/* Raises FrozenError, or SinkError while a document or write_to is at work. */
void tj_reusable_check(VALUE buffer);

/* Its bytes: valid until it changes. What a document at work has written so far is not among them. */
const uint8_t *tj_reusable_bytes(const tj_reusable *r, size_t *size);
size_t tj_reusable_capacity(const tj_reusable *r);

/* Sets the size of its memory, which must hold its bytes; raises NoMemoryError. May collect. */
void tj_reusable_resize(tj_reusable *r, size_t capacity);
/* `bytes` are copied before it may collect. */
void tj_reusable_append(tj_reusable *r, const uint8_t *bytes, size_t size);

/* The Writer goes on behind the Buffer's bytes. Its Sink must be a Buffer that tj_reusable_check passed. */
void tj_reusable_lend(tj_writer *w);
/* Takes it back: with the document, or as it was. May collect. */
void tj_reusable_take_back(tj_writer *w, bool whole);

#endif
