/* Plans. Writes one Part with its values. The fast path runs no Ruby; item_cold.h has the other. */
#ifndef TJ_ITEM_H
#define TJ_ITEM_H

#include "part.h"

void tj_item_init(void);

/* Writes a Part: pairs of the object that is open, or a whole object. If it raises, nothing was
 * written. Returns Qnil if all is closed. If the last op opened an array, returns the Array whose
 * elements generated code can read by index, or Qfalse if tj_write_many must iterate. If the last
 * op opened a slot, returns Qtrue. May run Ruby. */
VALUE tj_item(tj_writer *w, const tj_part *part, int count, const VALUE *values);

/* The same for a Hash, whose values are found by their keys: the Symbol, else the String, else nil.
 * Returns Qundef, and has written nothing, if Ruby must read a value. */
VALUE tj_row(tj_writer *w, const tj_part *part, VALUE row);

/* The value of a Hash under a Symbol, else under the String of that name, else nil. */
VALUE tj_row_value(VALUE row, VALUE source);

#endif
