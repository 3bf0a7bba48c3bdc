/* Values. Values of no exact core class: own methods, and structure. */
#ifndef TJ_VALUE_COLD_H
#define TJ_VALUE_COLD_H

#include "../writer/writer.h"
#include "library_value.h"

void tj_value_cold_init(void);

/* For dialects, called while tj_write_cold runs. tj_write_own tries the own methods in the order of
 * docs/values.md; it returns false if there is none. tj_write_structure writes a String, Hash,
 * Struct and the like of a subclass as what it is. */
bool tj_write_own(tj_writer *w, VALUE v);
bool tj_write_structure(tj_writer *w, VALUE v);

/* Calls an own method without arguments, or with an empty Hash if it requires one. */
VALUE tj_call_own(VALUE v, VALUE klass, ID id);

#endif
