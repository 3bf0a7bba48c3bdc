/* Values. Values that are no exact core class: own methods, structure. */
#ifndef TJ_VALUE_COLD_H
#define TJ_VALUE_COLD_H

#include "../writer/writer.h"
#include "library_value.h"

void tj_value_cold_init(void);

/* For the dialects, while tj_write_cold runs. Own: its own methods in the order of docs/values.md,
 * false where it has none. Structure: a String, Hash, Struct … of a subclass as what it is. */
bool tj_write_own(tj_writer *w, VALUE v);
bool tj_write_structure(tj_writer *w, VALUE v);

/* Calls an own method without arguments, or with an empty Hash where one is required. */
VALUE tj_call_own(VALUE v, VALUE klass, ID id);

/* Calls user code that gives the text of a key or value. */
VALUE tj_call_closed(tj_writer *w, VALUE receiver, ID id, int argc, const VALUE *argv);

/* Raises if this Ractor may not call `callable`, nor what it contains: the Rules are the main
 * Ractor's, and it is not shareable. */
void tj_check_callable(tj_writer *w, VALUE callable);

/* A conversion is no container, so it has a count of its own, w->conversions: two per container allowed is more than any
 * structure that ends needs, and what gives itself anew for ever stops. The caller takes it down again. */
void tj_enter_conversion(tj_writer *w);

/* Raises DuplicateKeyError when the text of `key` is in `seen` already; else puts it there. */
void tj_check_duplicate(tj_writer *w, VALUE seen, VALUE key);

/* The same when two keys of `hash` have one to_s. Runs Ruby. */
void tj_check_mixed(tj_writer *w, VALUE hash);

#endif
