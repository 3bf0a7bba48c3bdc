/* Classes. What dsl.c and dsl_fields.c share. */
#ifndef TJ_DSL_H
#define TJ_DSL_H

#include "../writer/writer.h"

/* Does put k, v do |v| ... end; value v do |v| ... end if key is Qundef. `collection` Qundef: the
 * value decides. Yields to the block of the running method. */
void tj_put_with_block(tj_writer *w, VALUE key, VALUE value, VALUE collection);

#endif
