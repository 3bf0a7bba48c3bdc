/* Plans. The long way of a Part: op by op through the grammar. */
#ifndef TJ_ITEM_COLD_H
#define TJ_ITEM_COLD_H

#include "part.h"

void tj_item_cold_init(void);

/* As tj_item (item.h), whatever it takes. Runs Ruby, may raise: then nothing was written. */
VALUE tj_item_cold(tj_writer *w, const tj_part *part, const VALUE *values);

/* Begins an object at the level at hand, which holds nothing yet; ends the one that is open there.
 * May run Ruby (flush). */
void tj_begin_object(tj_writer *w);
void tj_end_object(tj_writer *w);

/* What `v` is to be walked as: see tj_item. */
VALUE tj_walkable(VALUE v);

/* Begins the array that `many` is to be written as: see tj_item for the answer. `instead`: what
 * else to do with one, for the message. Runs Ruby, may raise. */
VALUE tj_begin_many(tj_writer *w, VALUE many, const char *instead);

#define TJ_HAS_ONE "declare has_one"

#endif
