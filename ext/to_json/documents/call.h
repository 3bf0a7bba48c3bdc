/* Documents. The arguments of json! and similar methods: our keywords, and what is passed to
 * `serialize`. */
#ifndef TJ_CALL_H
#define TJ_CALL_H

#include "../delivery/delivery_options.h"
#include "../writer/pool.h"
#include "../writer/writer.h"

void tj_call_init(void);

/* The arguments of one call. */
typedef struct {
    tj_pool *pool; /* of this Ractor; looked up once for a call, which takes 50 instructions */
    int argc;
    const VALUE *argv;
    VALUE keywords; /* for serialize, or Qfalse */
    /* Qundef if not given */
    VALUE context, rules, into, max_depth, rows, view, only, except, root, meta, collection;
    tj_delivery_options delivery_options;
} tj_call;

/* Splits the arguments of a method. `keywords`: the last one is a Hash of keywords. `stored` is
 * what `new` stored, or nil. */
void tj_call_split(tj_call *call, int argc, const VALUE *argv, bool keywords, VALUE stored);

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
        }                                                                                       \
    }

/* Calls `serialize` by its name: it may be private, in a module, or call super. Runs Ruby. */
VALUE tj_run_serialize(VALUE self, const tj_call *call);

/* Whether a given keyword needs declared fields. */
bool tj_asks_declared(const tj_call *call);

/* Raises ArgumentError if so. */
void tj_refuse_declared_keywords(const tj_call *call);

#endif
