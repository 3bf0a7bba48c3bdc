/* Plans. Writes one Part with its values. The fast path is here and runs no Ruby; item_cold.h has
 * the slow path. */
#ifndef TJ_ITEM_H
#define TJ_ITEM_H

#include "part.h"

void tj_item_init(void);

/* Writes a Part: pairs of the object that is open, or a whole object. If it raises, nothing was
 * written. Returns Qnil if it left nothing open. If the last op opened a slot, returns Qtrue. If
 * the last op opened an array, returns the Array whose elements generated code can read by index,
 * or Qfalse if tj_write_many must iterate. May run Ruby. */
VALUE tj_item(tj_writer *w, const tj_part *part, int count, const VALUE *values);

/* Ends the array or the slot that tj_item or tj_begin_many left open. */
void tj_close_item(tj_writer *w);

/* Does what tj_item does, for a Part that is TJ_PART_PLAIN, if all of it can be written without
 * Ruby. Else returns false and has written nothing: the caller must call tj_item. */
bool tj_try_plain_item(tj_writer *w, const tj_part *part, const VALUE *values);

/* Writes the value of an op at `at`, converted as the op says, and returns the end. Needs
 * TJ_SIMPLE_ROOM bytes. Returns NULL if Ruby would run or more room is needed. `nesting` is the
 * depth of the value's own container. */
uint8_t *tj_item_value(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v, uint32_t nesting);

/* The same as tj_item for a Hash: tj_row_value finds each value. If only Ruby can read one of them,
 * this writes nothing and returns Qundef. */
VALUE tj_row(tj_writer *w, const tj_part *part, VALUE row);

/* The value of the Symbol `source` in the Hash; without that key, the value of the String of that
 * name; without both, nil. */
VALUE tj_row_value(VALUE row, VALUE source);

#endif
