/* Documents. The arguments of json! and its kin: ours, and those that go to `serialize`. */
#ifndef TJ_CALL_H
#define TJ_CALL_H

#include "../delivery/delivery_options.h"
#include "../writer/pool.h"
#include "../writer/writer.h"

void tj_call_init(void);

/* Arguments of `serialize`, split: what goes there, and the keywords that are ours. */
typedef struct {
    tj_pool *pool; /* of this Ractor: looked up once a call, which takes 50 instructions */
    int argc;
    const VALUE *argv;
    VALUE keywords; /* for serialize, or Qfalse */
    VALUE context, rules, into, max_depth, view, only, except, root, meta, collection; /* Qundef where not given */
    tj_delivery_options delivery_options;
} tj_call;

/* Splits argc/argv of a method; `keywords` tells that the last one is keywords. `stored` is what `new`
 * kept, or nil. */
void tj_call_split(tj_call *call, int argc, const VALUE *argv, bool keywords, VALUE stored);

/* What `new` keeps of its arguments: see tj_call_split. */
void tj_store_arguments(VALUE self, int argc, const VALUE *argv, bool keywords);
VALUE tj_stored_arguments(VALUE self);

/* The String of these keywords if they are `into:` a String and nothing else, or Qundef: most of what has keywords at all. */
VALUE tj_lone_string(VALUE keywords);

/* Raises where `chunk:` or `flush:` was given without an `into:`. */
void tj_check_delivery_options(const tj_call *call);

/* A call with `count` arguments and no keywords. */
#define TJ_PLAIN_CALL(pool, count, arguments) \
    (tj_call){pool, count, arguments, Qfalse, Qundef, Qundef, Qundef, Qundef, Qundef, Qundef, Qundef, Qundef, Qundef, Qundef, {0, 0}}

/* Calls `serialize` by its name: it may be private, in a module, or call super. Runs Ruby. */
VALUE tj_run_serialize(VALUE self, const tj_call *call);

/* Whether a keyword was given that needs declared fields. */
bool tj_asks_declared(const tj_call *call);

/* Raises ArgumentError if so. */
void tj_refuse_declared_keywords(const tj_call *call);

#endif
