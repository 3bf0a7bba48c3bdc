/* Plans. Writes a Part op by op through the grammar, where the fast path of item.c cannot. */
#ifndef TJ_ITEM_COLD_H
#define TJ_ITEM_COLD_H

#include "part.h"

void tj_item_cold_init(void);

/* Does what tj_item (item.h) does, for every Part and value. Runs Ruby. If it raises, nothing was
 * written. */
VALUE tj_item_cold(tj_writer *w, const tj_part *part, const VALUE *values);

/* The Array whose elements generated code can read by index, or Qfalse: see tj_item. */
VALUE tj_indexable(VALUE v);

/* Begins the array for the collection `many`, and returns what tj_item would. `instead` is advice
 * for the error message if `many` is no collection. Runs Ruby, may raise. */
VALUE tj_begin_many(tj_writer *w, VALUE many, const char *instead);

#define TJ_HAS_ONE "declare has_one"

#endif
