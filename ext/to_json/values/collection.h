/* Values. Collections: told apart from one object, and walked element by element. */
#ifndef TJ_COLLECTION_H
#define TJ_COLLECTION_H

#include "../writer/writer.h"

/* The third argument of rb_method_boundp, which its header does not explain: 0 finds every method,
 * this value public ones only. Checked when the gem is loaded. */
#define TJ_PUBLICLY 3

void tj_collection_init(void);

/* Design section 4: an Array, what responds to to_ary, an Enumerable but Hash, Struct, IO, Dir. May run Ruby. */
bool tj_is_many(VALUE v);

/* Whether it is an object of Ruby's, or a Struct, that is not many, which its class alone tells. Runs no Ruby. */
bool tj_surely_one(VALUE v);

/* Calls `each_item` for every element of a "many"; it returns nothing and may raise. `data` is given to it, or a copy of its
 * `size` bytes, which are VALUEs and pointers. Runs Ruby. */
void tj_each(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE item, void *), void *data, size_t size);

/* The same, where `each_item` writes no more than it could take back itself: what stands when it raises, stays. */
void tj_each_together(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE item, void *), void *data, size_t size);

/* Calls `each_item` for what `receiver` yields to a block of that call, as tj_each does. Runs Ruby. */
void tj_each_yielded(tj_writer *w, VALUE receiver, ID method, int argc, const VALUE *argv, void (*each_item)(tj_writer *, VALUE item, void *),
                     void *data, size_t size);

#endif
