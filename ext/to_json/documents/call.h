/* Documents. The arguments of json! and similar methods: our keywords, and what is passed to
 * `serialize`. */
#ifndef TJ_CALL_H
#define TJ_CALL_H

#include "../delivery/delivery_options.h"
#include "../writer/pool.h"
#include "../writer/writer.h"

void tj_call_init(void);

/* The keywords of json!, which are not passed on. Those before `context` need declared fields. */
enum tj_keyword {
    TJ_KEY_VIEW,
    TJ_KEY_ONLY,
    TJ_KEY_EXCEPT,
    TJ_KEY_ROOT,
    TJ_KEY_META,
    TJ_KEY_COLLECTION,
    TJ_KEY_CONTEXT,
    TJ_KEY_INTO,
    TJ_KEY_RULES,
    TJ_KEY_MAX_DEPTH,
    TJ_KEY_ROWS,
    TJ_KEY_CHUNK,
    TJ_KEY_FLUSH,
    TJ_KEY_COUNT
};
#define TJ_KEY(name) (1u << TJ_KEY_##name)

/* What a call says by keywords, for the fast paths: only what is given is stored, so that one test
 * answers for all that is not. nil is not given, except as a context. */
typedef struct {
    unsigned given; /* of TJ_KEY, or TJ_KEYWORDS_OTHER */
    VALUE at[TJ_KEY_COUNT]; /* by enum tj_keyword, where given */
} tj_keywords;
#define TJ_KEYWORDS_OTHER (1u << TJ_KEY_COUNT) /* one of them is for `serialize` */

/* Reads a Hash of keywords. Runs no Ruby. */
void tj_keywords_of(tj_keywords *k, VALUE keywords);

TJ_INLINE VALUE tj_keyword_or_nil(const tj_keywords *k, enum tj_keyword index)
{
    return k->given & 1u << index ? k->at[index] : Qnil;
}

/* The arguments of one call. */
typedef struct {
    tj_pool *pool; /* of this Ractor; looked up once for a call, which takes 50 instructions */
    int argc;
    const VALUE *argv;
    VALUE keywords; /* for serialize, or Qfalse */
    /* Qundef if not given */
    VALUE context, rules, into, max_depth, rows, view, only, except, root, meta, collection;
    tj_delivery_options delivery_options;
    /* where the context comes from: see tj_writer */
    enum tj_heir heir;
    unsigned origin;
} tj_call;

/* Splits the arguments of a method. `keywords`: the last one is a Hash of keywords. `stored` is
 * what `new` stored, or nil. */
void tj_call_split(tj_call *call, int argc, const VALUE *argv, bool keywords, VALUE stored);

/* Before an instance writes by what `new` stored: a context in it stands in no key of a part. */
void tj_note_stored(tj_pool *pool, VALUE stored);

/* Stores the arguments of `new`: see tj_call_split. */
void tj_store_arguments(VALUE self, int argc, const VALUE *argv, bool keywords);

/* Raises if `chunk:` or `flush:` was given without `into:`. */
void tj_check_delivery_options(const tj_call *call);

/* A call with `count` arguments and no keywords. */
#define TJ_PLAIN_CALL(pool, count, arguments)                                                   \
    (tj_call)                                                                                   \
    {                                                                                           \
        pool, count, arguments, Qfalse, Qundef, Qundef, Qundef, Qundef, Qundef, Qundef, Qundef, \
            Qundef, Qundef, Qundef, Qundef,                                                     \
        {                                                                                       \
            0, 0                                                                                \
        }, TJ_OWN_CONTEXT, 0                                                                    \
    }

/* Calls `serialize` by its name: it may be private, in a module, or call super. Runs Ruby, which
 * may give `self` state. */
VALUE tj_run_serialize(tj_writer *w, VALUE self, const tj_call *call);

/* Whether a given keyword needs declared fields. */
bool tj_asks_declared(const tj_call *call);

/* Raises ArgumentError if so. */
void tj_refuse_declared_keywords(const tj_call *call);

#endif
