/* Values. Tells collections from single objects, and iterates over them. */
#ifndef TJ_COLLECTION_H
#define TJ_COLLECTION_H

#include "../writer/writer.h"

/* The third argument of rb_method_boundp, which Ruby's header does not explain: 0 finds all
 * methods, this value only public ones. Checked when the gem is loaded. */
#define TJ_PUBLICLY 3

void tj_collection_init(void);

/* ToJson::Rows::List: rows of a database that stand for objects. lib/to_json/rows/list.rb gives it
 * its methods. Generated code reads its elements by index, as those of an Array; there is at least
 * one. */
extern VALUE tj_cRowList;

TJ_INLINE bool tj_is_row_list(VALUE v)
{
    return !RB_SPECIAL_CONST_P(v) && RBASIC_CLASS(v) == tj_cRowList;
}

/* Calls `each_list` for a List and for all that follows, such as the next batch of rows: another
 * List, or an Array of objects. However it ends, `leave` of the first List is called. Runs Ruby,
 * may raise. */
void tj_each_list(tj_writer *w, VALUE first, void (*each_list)(tj_writer *, VALUE list, void *),
                  void *data);

/* Ractor::MovedObject, or Qundef. An object that was moved to another Ractor has this class. The
 * object keeps its type, such as T_HASH, but is empty. */
extern VALUE tj_cMoved;

/* Whether `v` is a Hash that was not moved to another Ractor. */
TJ_INLINE bool tj_is_hash(VALUE v)
{
    return !RB_SPECIAL_CONST_P(v) && RB_BUILTIN_TYPE(v) == T_HASH && RBASIC_CLASS(v) != tj_cMoved;
}

/* Whether `v` is an Array that was not moved to another Ractor. */
TJ_INLINE bool tj_is_array(VALUE v)
{
    return RB_TYPE_P(v, T_ARRAY) && RBASIC_CLASS(v) != tj_cMoved;
}

/* Whether a value is written as an array: an Array, an object with to_ary, or an Enumerable other
 * than Hash, Struct, IO and Dir. May run Ruby. */
bool tj_is_many(VALUE v);

/* Whether the class alone says that an object or a Struct is not many. Runs no Ruby. */
bool tj_surely_one(VALUE v);

/* Calls `each_item` for every element of a collection. It gets `data`, or a copy of it if `size` is
 * not 0; the copy may only hold VALUEs and pointers. Runs Ruby, may raise. */
void tj_each(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE item, void *),
             void *data, size_t size);

/* The same, but output that an element wrote before an exception is kept: `each_item` takes back
 * its own. */
void tj_each_together(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE item, void *),
                      void *data, size_t size);

/* The same for what `receiver` yields to the block of a call of `method`. Runs Ruby, may raise. */
void tj_each_yielded(tj_writer *w, VALUE receiver, ID method, int argc, const VALUE *argv,
                     void (*each_item)(tj_writer *, VALUE item, void *), void *data, size_t size);

#endif
