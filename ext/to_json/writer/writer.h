/* Writer. The Writer: one document on its way. Only structures and what is inlined everywhere. */
#ifndef TJ_WRITER_H
#define TJ_WRITER_H

#include <ruby.h>
#include <ruby/encoding.h>

#include "../core/grammar/buffer.h"
#include "../core/text/escape.h"
#include "../core/grammar/grammar.h"
#include "rules.h"

struct tj_pool;

/* One serializer (or block) at work in a document, innermost last. */
typedef struct {
    VALUE self;
    VALUE scope;
    VALUE context;
    bool read; /* user code of `self` looked at the context, and may have kept what it saw */
} tj_frame;

/* A serializer that lends its methods and its context to declared fields, for as long as the document lasts: no longer, for
 * what its blocks left behind (a lambda, a Thread) would see the next one's context. */
typedef struct {
    VALUE klass, self, context;
    bool read; /* as a frame's */
} tj_helper;

/* Why no call may write now. Any of these makes the DSL take its cold path. */
enum tj_block_reason {
    TJ_POISONED = 1,   /* bytes that should have been taken back had been delivered already */
    TJ_DELIVERING = 2, /* the Sink's own write is running */
    TJ_IDLE = 4,       /* no document */
    TJ_VALUE_DUE = 8,  /* user code that gives the text of a key or value is running */
    TJ_PARKED = 16     /* with TJ_POISONED: an element is half written, by a call that may come back */
};

/* What the pieces of a document are handed over in, one after another. */
typedef struct {
    bool begun;    /* a piece has left: further ones stand in `carrier` */
    VALUE carrier; /* see tj_carried; Qfalse until it is needed */
} tj_carrying;

/* How the bytes of a document leave. */
typedef struct {
    size_t hold_from; /* no byte from this offset on may leave: a record, a part that is captured or a slot that is being opened begins there,
                 * the outermost of them, and may be taken back or read again. SIZE_MAX: none */
    size_t chunk;    /* bytes at once, 0: the pool's. Put back when the document ends, as the next two */
    int64_t flush_interval;    /* see tj_delivery_options; 0: only full chunks leave */
    int64_t last_at; /* nanoseconds of the monotonic clock; 0: nothing has left */
    bool failed;     /* the Sink raised */
    tj_carrying carrying;
} tj_delivery;

/* The struct of a ToJson::Writer, which alone frees it: whoever has a bare pointer to the struct
 * keeps the object alive. */
typedef struct tj_writer {
    tj_buffer out;
    tj_grammar grammar;
    const tj_rules *rules;
    struct tj_pool *pool;
    void *losses; /* the pool's tj_losses */
    unsigned blocked;
    unsigned conversions; /* own methods and convert: at work inside each other, so that what gives itself for ever ends */
    unsigned within; /* protected calls at work: each leaves as deep as it came, but where one is parked in a Fiber or a Thread */
    unsigned running; /* calls at work, also those parked in Fibers that may come back too late */
    unsigned consult; /* rows of enum tj_row that convert: or the dialect must be asked about in this document */
    bool consult_symbols; /* Symbols as values go the long way: the dialect wants a look, or the escapes are composed */
    bool key_converted; /* the key at work is what as_json made of it */
    bool unreported; /* an entry's __open_document opened it, and refused none of that thread since: see opened_self */
    bool converting; /* a value made by convert: is being written: its class is not converted again */
    VALUE self;         /* the Ruby object that owns this struct */
    VALUE thread;       /* whose document a Plan's code or an entry of an instance writes, until tj_release; else Qfalse */
    long serial;        /* which document of an entry it is: see tj_drop_document. 0 for others */
    const tj_text_layout *layout; /* what stands between the tokens; NULL: nothing */
    bool encode_anew; /* no text that was encoded before may be copied: there is a layout, or the escapes are composed */
    VALUE rules_object; /* keeps `rules` alive */
    VALUE state;        /* what the dialect keeps for the document: json's State. Or Qfalse */
    VALUE met;          /* the class that the dialect needs not ask about again in this document, or Qfalse */
    struct tj_rails *rails; /* what a document of :rails goes by; NULL until there was one */
    VALUE sink;         /* what to deliver to, or Qfalse: the document becomes a String */
    tj_buffer aside;    /* the heap block, while the document is in `storage` */
    VALUE storage;      /* hidden String in which a long document is written, or Qfalse */
    tj_frame *frames;
    size_t frame_count, frame_capacity;
    VALUE plan;         /* of declared fields, that the document or a part of it goes by: knows the lines of its code. Or Qfalse */
    VALUE reading;      /* the field whose getter is being called by its name (Symbol of a Part), or 0 */
    tj_helper *helpers;
    size_t helper_count, helper_capacity;
    size_t floor; /* the level in which the innermost block began: close goes no further */
    long until_interrupts;       /* elements that may still be walked before interrupts are looked for */
    tj_delivery delivery;
    size_t record; /* which one of many records is being written; SIZE_MAX in other documents */
    unsigned captures; /* parts at work that are to be kept encoded, one inside the other */
    size_t context_reads; /* how often user code looked at a context, in all documents; wraps */
    size_t context_found; /* how often something was in it */
} tj_writer;

/* A place in the document to go back to, and what stood at the top then. */
typedef struct {
    size_t offset, top, floor, frame_count;
    size_t hold_from; /* what was begun behind the mark is gone when it is restored */
    VALUE plan; /* stands in the Writer too, or on the stack of the call that is left */
    unsigned value_due, conversions;
    uint32_t nesting;
    tj_level level;
} tj_mark;

/* So many elements of trees are written between two looks for interrupts: a fraction of a millisecond. */
#define TJ_INTERRUPT_EVERY 8192

/* From 64 KiB on a document is written where it will live: in its String; an IO gets chunks of this. */
#define TJ_CHUNK ((size_t)64 * 1024)

extern const rb_data_type_t tj_writer_type, tj_serializer_type, tj_fragment_type, tj_reusable_type;

/* What later rooms do for the Writer, whose calls lead up only: each sets its own at load. */
typedef struct {
    void (*make_room)(tj_writer *w, size_t n);  /* delivery/flush.c: see tj_reserve */
    void (*flush_if_due)(tj_writer *w);         /* delivery/flush.c: see tj_flush_if_due */
    void (*mark_readers)(struct tj_pool *pool); /* plans/reader.c */
    void (*free_readers)(struct tj_pool *pool);
} tj_hooks;
extern tj_hooks tj_later_rooms;

/* An element, or what a block wrote, has ended: delivers it if `flush:` is due. Runs Ruby (the Sink's write), may raise. */
TJ_INLINE void tj_flush_if_due(tj_writer *w)
{
    if (TJ_UNLIKELY(w->delivery.flush_interval != 0)) tj_later_rooms.flush_if_due(w);
}

TJ_INLINE void tj_lay_out(tj_writer *w, const tj_text_layout *layout)
{
    w->layout = layout;
    w->encode_anew = layout || w->rules->escape >= TJ_ESCAPE_COMPOSED;
}

/* Room for n bytes at the cursor, whatever it takes. May run Ruby (the Sink's write), may raise. */
TJ_INLINE uint8_t *tj_reserve(tj_writer *w, size_t n)
{
    if (TJ_UNLIKELY(!tj_buffer_has(&w->out, n))) tj_later_rooms.make_room(w, n);
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
