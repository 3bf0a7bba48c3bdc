/* Writer. The Writer: all that one document needs while it is written.
 *
 * This room has keys, levels, marks, Rules, errors, paths, and the pool of idle Writers. How values
 * are written and where the bytes go does not belong here: later rooms decide it. Their functions
 * are called only through tj_later_rooms. This header has structs, and functions that are inlined
 * everywhere. */
#ifndef TJ_WRITER_H
#define TJ_WRITER_H

#include <ruby.h>
#include <ruby/encoding.h>

#include "../core/grammar/buffer.h"
#include "../core/text/escape.h"
#include "../core/grammar/grammar.h"
#include "serializer_table.h"
#include "rules.h"
#include "variables.h"

struct tj_pool;

/* One serializer or block at work in a document. The innermost is the last. */
typedef struct {
    VALUE self;
    VALUE scope;
    VALUE context;
    bool read; /* user code of `self` has read the context, and may have kept it */
    bool reader; /* it had read one before the frame began, perhaps another one */
    bool state;  /* it is a ToJson::Serializer with variables or methods of its own from before */
    bool code;   /* its own `serialize` writes, or a block */
} tj_frame;

/* A serializer that lends its methods and its context to declared fields. Each document has its
 * own: a lambda that outlives the document must not see the context of the next document. */
typedef struct {
    VALUE klass, self, context;
    bool read; /* as in a frame */
} tj_helper;

/* Where a document has its context from: its own call; the document around a block; or the object
 * itself, idle, of which `new` may have got one. */
enum tj_heir { TJ_OWN_CONTEXT, TJ_CONTEXT_AROUND, TJ_CONTEXT_OF_IDLE };

/* Why no call may write now. With any bit set the DSL takes its cold path. */
enum tj_block_reason {
    TJ_POISONED = 1,   /* bytes that should be taken back were delivered */
    TJ_DELIVERING = 2, /* `write` of the Sink is running */
    TJ_IDLE = 4,       /* the Writer has no document */
    TJ_VALUE_DUE = 8,  /* user code that returns the text of a key or value is running */
    /* with TJ_POISONED: an element is half written by a call that may still return */
    TJ_PARKED = 16
};

/* The memory in which the pieces of a document are passed to the Sink. */
typedef struct {
    bool begun;    /* a piece was passed: later ones are put into `carrier` */
    VALUE carrier; /* see tj_carrier_new; Qfalse until needed */
} tj_carrying;

/* How the bytes of a document are delivered. */
typedef struct {
    /* the first byte that must not be delivered, or SIZE_MAX: the outermost record, captured part
     * or unfinished slot begins there, and may be taken back or read again */
    size_t hold_from;
    /* bytes of one delivery; 0: as in the pool. Reset at the end of the document, like the next
     * two */
    size_t chunk;
    int64_t flush_interval;    /* see tj_delivery_options; 0: only full chunks are delivered */
    int64_t last_at; /* nanoseconds of the monotonic clock; 0: nothing was delivered */
    bool failed;     /* the Sink raised */
    unsigned turns;  /* deliveries that began or ended, in all documents; wraps */
    tj_carrying carrying;
} tj_delivery;

/* The struct of a ToJson::Writer, which frees it: code that holds a pointer to it keeps the object
 * alive. */
typedef struct tj_writer {
    tj_buffer out;
    tj_grammar grammar;
    const tj_rules *rules;
    struct tj_pool *pool;
    void *losses; /* the tj_losses of the pool */
    unsigned blocked;
    /* how many conversions (own methods, convert:) run inside each other: tj_enter_conversion */
    unsigned conversions;
    /* protected calls at work: each ends at the depth at which it began, unless one is parked */
    unsigned within;
    unsigned running; /* calls at work, and calls that are parked in Fibers and may still return */
    /* bits of enum tj_value_class: this document must ask convert: or the dialect about values of
     * these classes */
    unsigned consult;
    /* Symbols as values take the cold path: the dialect asks for it, or the escapes are composed */
    bool consult_symbols;
    bool key_converted; /* the key at work was returned by as_json */
    /* the result of convert: is being written, so its class is not converted again */
    bool converting;
    unsigned documents; /* the document's number among those of the pool; wraps */
    enum tj_heir heir;
    unsigned origin; /* the number of the document whose context it has */
    VALUE self;         /* the Ruby object that owns this struct */
    /* a Plan's code writes the document, and may return a Hash instead of text: see tj_one */
    bool values;
    VALUE thread; /* in which the document is written; else Qfalse */
    VALUE home;   /* tj_fiber_number of the Fiber in which the document was begun */
    VALUE fiber;  /* the same, if a Plan's code writes the document; else Qfalse */
    const tj_text_layout *layout; /* the text between tokens; NULL: none */
    /* text that was encoded before must not be copied: there is a layout, or the escapes are
     * composed */
    bool encode_anew;
    VALUE rules_object; /* keeps `rules` alive */
    VALUE state; /* what the dialect stores for the document, such as json's State; or Qfalse */
    /* the class about which the dialect need not be asked again in this document, or Qfalse */
    VALUE met;
    struct tj_rails *rails; /* the state of a :rails document; NULL before the first */
    /* an Array of values that generated code writes without reading them from the object; or
     * Qfalse */
    VALUE given;
    /* the Compiler::Prefetch that has looked up cached parts of the elements being written, or
     * Qfalse */
    VALUE ahead;
    /* the exception with which the next record fails, because it came while that record was read
     * ahead; or Qfalse */
    VALUE failed_ahead;
    VALUE sink;         /* where to deliver, or Qfalse: the document becomes a String */
    tj_buffer aside;    /* the heap block, while the document is in `storage` */
    VALUE storage;      /* the hidden String in which a long document is written, or Qfalse */
    tj_frame *frames;
    size_t frame_count, frame_capacity;
    VALUE plan;         /* the Plan at work, which maps lines of its code to fields; or Qfalse */
    VALUE reading;      /* Symbol of the field whose getter C is calling, or 0 */
    tj_helper *helpers;
    size_t helper_count, helper_capacity;
    tj_serializer_table serializers;
    tj_variables variables; /* of the block form */
    size_t floor; /* the level in which the innermost block began; `close` goes no further */
    long until_interrupts;       /* elements until the next check for interrupts */
    tj_delivery delivery;
    size_t record; /* the index of the record that is being written; SIZE_MAX in other documents */
    unsigned captures; /* captures at work, one inside the other */
    size_t context_reads; /* how often user code has read a context, in all documents; wraps */
    size_t context_found; /* how often that context was not empty */
} tj_writer;

/* Memory for the first frame of a document, which must not fail, because a serializer is bound to
 * the Writer by then. */
tj_status tj_first_frames(tj_writer *w);

/* A position in the document to go back to, with the state of the top level there. */
typedef struct {
    size_t offset, top, floor, frame_count;
    size_t hold_from; /* restoring the mark ends what was begun after it */
    VALUE plan; /* marked through the Writer, or held by a call that is still on the stack */
    unsigned value_due, conversions;
    uint32_t nesting;
    tj_level level;
} tj_mark;

/* Elements between two checks for interrupts: a fraction of a millisecond. */
#define TJ_INTERRUPT_EVERY 8192

/* A document longer than this is written in the String that it becomes; an IO gets chunks of this
 * size. */
#define TJ_CHUNK ((size_t)64 * 1024)

extern const rb_data_type_t tj_writer_type, tj_serializer_type, tj_fragment_type, tj_reusable_type;

/* The struct of a serializer that `new` gave arguments. */
typedef struct {
    tj_writer *writer;
    VALUE arguments; /* frozen: [keywords or nil, *arguments] */
} tj_given;

/* The data pointer of a serializer is one of three things, as its two lowest bits say: the Writer
 * that it is bound to, or NULL; a tj_given; or the only argument of `new`, while the serializer is
 * idle and nobody has asked for its arguments. So most serializers need no memory. */
enum { TJ_HAS_GIVEN = 1, TJ_HAS_LONE = 2, TJ_DATA_BITS = 3 };

TJ_INLINE uintptr_t tj_data_bits(const void *data) { return (uintptr_t)data & TJ_DATA_BITS; }
TJ_INLINE void *tj_data_of(const void *data)
{
    return (void *)((uintptr_t)data & ~(uintptr_t)TJ_DATA_BITS);
}

TJ_INLINE tj_given *tj_given_of(VALUE serializer)
{
    const void *data = RTYPEDDATA_DATA(serializer);
    return tj_data_bits(data) == TJ_HAS_GIVEN ? tj_data_of(data) : NULL;
}

/* The only argument of `new`, or Qundef. Allocates nothing. */
TJ_INLINE VALUE tj_lone_argument(VALUE serializer)
{
    const void *data = RTYPEDDATA_DATA(serializer);
    return tj_data_bits(data) == TJ_HAS_LONE ? (VALUE)tj_data_of(data) : Qundef;
}

/* Where a ToJson::Serializer keeps the Writer that it is bound to, or NULL. Not for one that has a
 * lone argument. */
TJ_INLINE tj_writer **tj_writer_place(VALUE serializer)
{
    tj_given *given = tj_given_of(serializer);
    return TJ_UNLIKELY(given != NULL) ? &given->writer
                                      : (tj_writer **)&RTYPEDDATA_DATA(serializer);
}

/* Functions of later rooms, which the Writer cannot call directly. Those rooms set them at load. */
typedef struct {
    void (*make_room)(tj_writer *w, size_t n);  /* delivery/flush.c: see tj_reserve */
    void (*flush_if_due)(tj_writer *w);         /* delivery/flush.c: see tj_flush_if_due */
    void (*mark_readers)(struct tj_pool *pool); /* plans/reader.c */
    void (*free_readers)(struct tj_pool *pool);
} tj_hooks;
extern tj_hooks tj_later_rooms;

/* Called after an element or a block: delivers what is written if `flush:` asks for it. May run
 * Ruby (`write` of the Sink) and raise. */
TJ_INLINE void tj_flush_if_due(tj_writer *w)
{
    if (TJ_UNLIKELY(w->delivery.flush_interval != 0)) tj_later_rooms.flush_if_due(w);
}

TJ_INLINE void tj_lay_out(tj_writer *w, const tj_text_layout *layout)
{
    w->layout = layout;
    w->encode_anew = layout || w->rules->escape >= TJ_ESCAPE_COMPOSED;
}

/* Makes room for n bytes and returns the cursor. May run Ruby (`write` of the Sink) and raise. */
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

/* Takes back what was written after an offset of this document. Returns false if bytes after the
 * offset have left, or if a `write` of the Sink that waits may have them. */
TJ_INLINE bool tj_take_back(tj_writer *w, size_t offset)
{
    return TJ_LIKELY(!(w->blocked & TJ_DELIVERING)) && tj_buffer_rewind(&w->out, offset);
}

#endif
