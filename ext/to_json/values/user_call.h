/* Values. Calls of user code in the middle of a value. */
#ifndef TJ_USER_CALL_H
#define TJ_USER_CALL_H

#include "../writer/writer.h"

/* Calls the method `id` of `receiver` and returns the result: a value, or the text of a key. Runs
 * Ruby. Meanwhile each call of the DSL raises: its output would stand in the middle of a value. */
VALUE tj_call_closed(tj_writer *w, VALUE receiver, ID id, int argc, const VALUE *argv);

/* Raises if this Ractor may not call `callable`: the Rules belong to the main Ractor, and it is not
 * shareable. */
void tj_check_callable(tj_writer *w, VALUE callable);

/* Counts a conversion in w->conversions. A conversion opens no container, so max_depth: does not
 * limit it. Two for each allowed container are enough for any structure that ends, and stop one
 * that converts itself for ever. The caller decrements the count. */
void tj_enter_conversion(tj_writer *w);

#endif
