/* Glue. Values that are no exact core class: library classes of the table, own methods, structure. */
#ifndef TJ_VALUE_COLD_H
#define TJ_VALUE_COLD_H

#include "writer.h"

void tj_value_cold_init(void);

/* Writes a value that tj_write_other did not know. Runs Ruby, may raise. */
void tj_write_cold(tj_writer *w, VALUE v);

/* Writes what `convert:` makes of `v`; false where no rule covers its class. Runs Ruby. */
bool tj_convert(tj_writer *w, VALUE v);

/* The text of a key: itself, a Symbol's name, or its to_s. May run Ruby. */
VALUE tj_key_text(tj_writer *w, VALUE key);

/* Raises DuplicateKeyError when the text of `key` is in `seen` already; else puts it there. */
void tj_check_duplicate(tj_writer *w, VALUE seen, VALUE key);

#endif
