/* Classes. What serializer_class.c tells the entries. */
#ifndef TJ_ENTRY_CLASS_H
#define TJ_ENTRY_CLASS_H

#include "../glue/pool.h"

/* Of json!(tj_entry_nothing) nothing comes: a call that a new entry is warmed by. */
extern VALUE tj_entry_nothing;

/* One more document of `klass` was written the general way, without keywords or a block. May run Ruby. */
void tj_count_call(tj_pool *pool, VALUE klass);

/* The same of one object, by the class's Plan. */
void tj_count_one(VALUE plan);

#endif
