/* Plans. The hot loop: one Part and its values, in one go where nothing takes Ruby. */
#ifndef TJ_ITEM_H
#define TJ_ITEM_H

#include "part.h"

void tj_item_init(void);

/* Writes a Part: pairs of the object at hand, or an object. All of it, or nothing if it raises.
 * Where its last op opens an array, the answer is what is to be walked: an Array all of whose
 * elements are objects that Ruby reads, or Qfalse for what tj_walk has to walk; where it opens a
 * slot, Qtrue. Qnil: nothing was opened. May run Ruby. */
VALUE tj_item(tj_writer *w, const tj_part *part, int count, const VALUE *values);

/* The same for a Hash row, each value by its key: Symbol, then String, else nil. Qundef, nothing
 * written, where that takes Ruby. */
VALUE tj_row(tj_writer *w, const tj_part *part, VALUE row);

/* What a Hash row has under a Symbol, or else under that name as a String; nil without. */
VALUE tj_row_value(VALUE row, VALUE source);

#endif
