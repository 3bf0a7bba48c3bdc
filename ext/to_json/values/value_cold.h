/* Values. Values of no exact core class: own methods, and structure. */
#ifndef TJ_VALUE_COLD_H
#define TJ_VALUE_COLD_H

#include "../writer/writer.h"
#include "library_value.h"

void tj_value_cold_init(void);

/* Calls an own method without arguments, or with an empty Hash if it requires one. */
VALUE tj_call_own(VALUE v, VALUE klass, ID id);

#endif
