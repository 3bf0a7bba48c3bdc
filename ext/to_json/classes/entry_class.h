/* Classes. What serializer_class.c tells the entries. */
#ifndef TJ_ENTRY_CLASS_H
#define TJ_ENTRY_CLASS_H

#include <ruby.h>

/* One more document of `klass` was written the general way, without keywords or a block; of `object`, or Qundef where
 * nothing is declared. May run Ruby. */
void tj_count_call(VALUE klass, VALUE object);

#endif
