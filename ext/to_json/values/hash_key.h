/* Values. Keys of Hashes and Structs, the general way: any object can be a key. tree_key.h has the
 * fast way. */
#ifndef TJ_HASH_KEY_H
#define TJ_HASH_KEY_H

#include "../writer/writer.h"

/* Writes `"key":` with the text of the key. May run Ruby (to_s). */
void tj_write_key(tj_writer *w, VALUE key);

/* Returns the text of a key: a String itself, the name of a Symbol, or to_s. May run Ruby. */
VALUE tj_key_text(tj_writer *w, VALUE key);

/* Raises DuplicateKeyError if the text of `key` is in `seen`; otherwise adds it. */
void tj_check_duplicate(tj_writer *w, VALUE seen, VALUE key);

/* The same if two keys of `hash` have the same to_s. Runs Ruby. */
void tj_check_mixed(tj_writer *w, VALUE hash);

#endif
