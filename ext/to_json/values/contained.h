/* Values. Values contain values: a unit may only use units above it, except for the functions
 * declared here. Each of them is defined further down. */
#ifndef TJ_CONTAINED_H
#define TJ_CONTAINED_H

#include "../writer/writer.h"

/* Write an Array and a Hash: tree.c. May run Ruby, may raise. */
void tj_write_array(tj_writer *w, VALUE array);
void tj_write_hash(tj_writer *w, VALUE hash);

/* Writes a value that tj_write_other did not write: value_cold.c. Runs Ruby, may raise. */
void tj_write_cold(tj_writer *w, VALUE v);

/* Writes the result of `convert:` for `v`. Returns false if no rule covers its class: value_cold.c.
 * Runs Ruby. */
bool tj_convert(tj_writer *w, VALUE v);

/* Writes a serializer as a value into the same Writer: ../documents/in_place.c. Runs Ruby, may
 * raise. */
void tj_write_serializer(tj_writer *w, VALUE serializer);

/* Writes a model inside declared fields, by the serializer of its name: ../documents/in_place.c.
 * Runs Ruby, may raise. */
void tj_write_model(tj_writer *w, VALUE model);

#endif
