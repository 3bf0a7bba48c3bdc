/* Values. Instances of classes of Ruby's libraries, and collections. */
#ifndef TJ_LIBRARY_VALUE_H
#define TJ_LIBRARY_VALUE_H

#include "../writer/writer.h"

void tj_library_value_init(void);

/* Writes an instance of `klass` if the table of docs/values.md names that class exactly; else false.
 * Runs Ruby, may raise. */
bool tj_write_library_value(tj_writer *w, VALUE v, VALUE klass);

/* Writes the elements of `many`; false where only its to_ary made it many, and that gave nil. Runs
 * Ruby, may raise. */
bool tj_write_collection(tj_writer *w, VALUE many);

/* Exactly these classes; false as long as their library is not loaded. */
bool tj_is_date(struct tj_pool *pool, VALUE klass);
bool tj_is_decimal(struct tj_pool *pool, VALUE klass);
bool tj_is_time_with_zone(struct tj_pool *pool, VALUE klass);
/* Whether the constant of this name is `klass`. `known` keeps it, 0 until it is there. */
bool tj_is_class(VALUE *known, const char *name, VALUE klass);

/* Raises UnsupportedTypeError, or SerializerNotFound for a model; `advice` says what to do. */
NORETURN(void tj_raise_unsupported(tj_writer *w, VALUE v, const char *advice));

#endif
