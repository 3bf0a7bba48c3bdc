/* Documents. A serializer as a part of another document. */
#ifndef TJ_IN_PLACE_H
#define TJ_IN_PLACE_H

#include "document.h"

void tj_in_place_init(void);

/* Writes `object` as a value, by a new serializer of the class. `selected` is what is left of its
 * declared fields for its own serialize, or 0. Runs Ruby, may raise. */
void tj_write_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected);

/* The same as pairs of the object at hand. */
void tj_merge_by(tj_writer *w, VALUE serializer_class, VALUE object, VALUE context, VALUE selected);

#endif
