/* Glue. The Writer: one document on its way. Only structures and what is inlined everywhere. */
#ifndef TJ_WRITER_H
#define TJ_WRITER_H

#include <ruby.h>
#include <ruby/encoding.h>

#include "../core/buffer.h"
#include "../core/escape.h"
#include "../core/grammar.h"
#include "rules.h"

struct tj_pool;

/* One serializer (or block) at work in a document, innermost last. */
typedef struct {
    VALUE self;
    VALUE scope;
    VALUE context;
} tj_frame;

/* A serializer that lends its methods and its context to declared fields, for as long as the document lasts: no longer, for
 * what its blocks left behind (a lambda, a Thread) would see the next one's context. */
typedef struct {
    VALUE klass, self, context;
} tj_helper;

/* Why no call may write now. Any of these makes the DSL take its cold path. */
enum tj_trouble {
    TJ_POISONED = 1,   /* bytes that should have been taken back had been delivered already */
    TJ_DELIVERING = 2, /* the Sink's own write is running */
    TJ_IDLE = 4,       /* no document */
    TJ_VALUE_DUE = 8   /* user code that gives the text of a key or value is running */
};

/* Never given back to malloc: when its Ruby object dies the struct waits for the next one, so that an old
 * pointer to it can be looked through (see tj_last). */
typedef struct tj_writer {
    tj_buffer out;
    tj_grammar grammar;
    const tj_rules *rules;
    struct tj_pool *pool;
    unsigned trouble;
    unsigned conversions; /* own methods and convert: at work inside each other, so that what gives itself for ever ends */
    unsigned running; /* calls at work, also those parked in Fibers that may come back too late */
    bool pretty;
    bool converting; /* a value made by convert: is being written: its class is not converted again */
    VALUE self;         /* the Ruby object that owns this struct */
    VALUE receiver;     /* the object without a data pointer of ours that called last, or 0 */
    struct tj_writer *spare; /* the next one that waits for another life */
    VALUE rules_object; /* keeps `rules` alive */
    VALUE sink;         /* what to deliver to, or Qfalse: the document becomes a String */
    VALUE storage;      /* hidden String in which a long document is written, or Qfalse */
    tj_frame *frames;
    size_t frame_count, frame_capacity;
    VALUE plan;         /* of declared fields, that the document or a part of it goes by: knows the lines of its code. Or Qfalse */
    tj_helper *helpers;
    size_t helper_count, helper_capacity;
    const VALUE *vm_stack, *vm_stack_end; /* of the VM, where the document began; empty where not known */
    const void *opened_by; /* the frame of the call of a generated entry that opened the document, else NULL */
    size_t floor; /* the level in which the innermost block began: close goes no further */
    size_t held;  /* no byte from this offset on may leave: a slot is being opened that may take it back; else SIZE_MAX */
} tj_writer;

/* A place in the document to go back to, and what stood at the top then. */
typedef struct {
    size_t offset, top, floor, frame_count;
    VALUE plan; /* stands in the Writer too, or on the stack of the call that is left */
    unsigned value_due, conversions;
    uint32_t nesting;
    tj_level level;
} tj_mark;

/* From 64 KiB on a document is written where it will live: in its String; an IO gets chunks of this. */
#define TJ_CHUNK ((size_t)64 * 1024)

extern const rb_data_type_t tj_writer_type, tj_serializer_type, tj_fragment_type;

/* Room for n bytes at the cursor, whatever it takes. May run Ruby (the Sink's write), may raise. */
void tj_make_room_cold(tj_writer *w, size_t n);
TJ_INLINE uint8_t *tj_reserve(tj_writer *w, size_t n)
{
    if (TJ_UNLIKELY(!tj_buffer_has(&w->out, n))) tj_make_room_cold(w, n);
    return w->out.cursor;
}
TJ_INLINE void tj_commit(tj_writer *w, uint8_t *end) { tj_buffer_commit(&w->out, end); }

TJ_INLINE void tj_write_byte(tj_writer *w, uint8_t byte)
{
    uint8_t *at = tj_reserve(w, 1);
    *at = byte;
    tj_commit(w, at + 1);
}

#endif
