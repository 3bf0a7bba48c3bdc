/* Writer. Instance variables that the receiver of a block and its caller have in common. */
#ifndef TJ_VARIABLES_H
#define TJ_VARIABLES_H

#include "../core/status.h"

#include <ruby.h>

typedef struct {
    bool shared; /* a block is at work */
    VALUE receiver, caller;
    long count, capacity;
    ID *names;     /* in the caller's order */
    VALUE *values; /* as both had them when they were compared last; marked */
} tj_variables;

void tj_variables_mark(const tj_variables *v);
void tj_variables_free(tj_variables *v);
size_t tj_variables_memsize(const tj_variables *v);

/* Begins: the receiver has these of the caller. Raises NoMemoryError. */
void tj_variables_share(tj_variables *v, long count, const ID *names, const VALUE *values);

/* Both do nothing if no block is at work. They stand around code of the caller, which may run where
 * the receiver calls it, and where an Enumerator of the caller gives an element to the block. */

/* Gives the caller what the block has assigned. Raises FrozenError. */
void tj_variables_give(tj_variables *v);

/* Gives the receiver what other code has assigned or removed, unless the block has assigned it,
 * too. Raises NoMemoryError. */
void tj_variables_take(tj_variables *v);

/* Whether it is an instance variable of a user. Ours have no @, but for that of a receiver. */
TJ_INLINE bool tj_is_variable(ID name)
{
    return rb_is_instance_id(name) && name != rb_intern("@__to_json_caller");
}

#endif
