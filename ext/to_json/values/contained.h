/* Values. Values contain values: what is called here from above. A unit of the rooms uses only units
 * that stand before it, but for these functions, each defined further down. */
#ifndef TJ_CONTAINED_H
#define TJ_CONTAINED_H

#include "../writer/writer.h"

/* Write an Array and a Hash: tree.c. May run Ruby, may raise. */
void tj_write_array(tj_writer *w, VALUE array);
void tj_write_hash(tj_writer *w, VALUE hash);

/* Writes a value that tj_write_other did not know: value_cold.c. Runs Ruby, may raise. */
void tj_write_cold(tj_writer *w, VALUE v);

/* Writes what `convert:` makes of `v`; false where no rule covers its class: value_cold.c. Runs Ruby. */
bool tj_convert(tj_writer *w, VALUE v);

/* The text of a key: itself, a Symbol's name, or its to_s: value_cold.c. May run Ruby. */
VALUE tj_key_text(tj_writer *w, VALUE key);

/* A serializer as a value, into the same Writer: ../documents/in_place.c. Runs Ruby, may raise. */
void tj_write_serializer(tj_writer *w, VALUE serializer);

/* A model within declared fields, by the serializer of its name: ../documents/in_place.c. Runs Ruby,
 * may raise. */
void tj_write_model(tj_writer *w, VALUE model);

#endif
