/* Values. Calls of user code in the middle of a value. */
#ifndef TJ_USER_CALL_H
#define TJ_USER_CALL_H

#include "../writer/writer.h"

/* Calls the method `id` of `receiver` and returns the result: a value, or the text of a key. Runs
 * Ruby. During this call, every call of the DSL raises, because its output would stand in the
 * middle of a value. */
VALUE tj_call_closed(tj_writer *w, VALUE receiver, ID id, int argc, const VALUE *argv);

/* Raises if this Ractor may not call `callable`: the Rules belong to the main Ractor, and it is not
 * shareable. */
void tj_check_callable(tj_writer *w, VALUE callable);

/* Counts a conversion in w->conversions, and raises if there are too many inside each other. A
 * conversion opens no container, so max_depth: does not limit it. The limit is two conversions for
 * each allowed container. Every structure that ends needs fewer; a value that converts to itself
 * reaches the limit. The caller decrements the count. */
void tj_enter_conversion(tj_writer *w);

#endif
