/* Classes. What the two files of the DSL share. */
#ifndef TJ_DSL_H
#define TJ_DSL_H

#include "../writer/writer.h"

/* put k, v do |v| ... end, and value v do |v| ... end where key is Qundef. `collection` Qundef: decided by
 * the value. Yields to the block of the running method. */
void tj_put_with_block(tj_writer *w, VALUE key, VALUE value, VALUE collection);

#endif
