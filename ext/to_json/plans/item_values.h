/* Plans. A Part as a Hash instead of text. */
#ifndef TJ_ITEM_VALUES_H
#define TJ_ITEM_VALUES_H

#include "part.h"

/* Returns what any JSON parser makes of the document that consists of this Part alone: a Hash with
 * String keys. Writes nothing. Returns Qundef if there is more in the document, or if a value is
 * written by Ruby: then tj_item can write the Part with the same values. May run Ruby, in a check
 * for interrupts; may raise. */
VALUE tj_item_values(tj_writer *w, const tj_part *part, int count, const VALUE *values);

#endif
