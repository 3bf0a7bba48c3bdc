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

/* Calls user code that returns the text of a key or value; no call of the DSL may write
 * meanwhile. */
VALUE tj_call_closed(tj_writer *w, VALUE receiver, ID id, int argc, const VALUE *argv);

/* Raises if this Ractor may not call `callable`: the Rules belong to the main Ractor, and it is not
 * shareable. */
void tj_check_callable(tj_writer *w, VALUE callable);

/* Counts a conversion in w->conversions. A conversion opens no container, so max_depth: does not
 * limit it. Two for each allowed container are enough for any structure that ends, and stop one
 * that converts itself for ever. The caller decrements the count. */
void tj_enter_conversion(tj_writer *w);

/* Raises DuplicateKeyError if the text of `key` is in `seen`; otherwise adds it. */
void tj_check_duplicate(tj_writer *w, VALUE seen, VALUE key);

/* The same if two keys of `hash` have the same to_s. Runs Ruby. */
void tj_check_mixed(tj_writer *w, VALUE hash);

#endif
