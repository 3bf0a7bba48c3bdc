/* Writer. Instance variables that the receiver of a block and its caller have in common. */
#ifndef TJ_VARIABLES_H
#define TJ_VARIABLES_H

#include "../core/status.h"

#include <ruby.h>

typedef struct tj_variables {
    bool shared; /* a block is at work */
    VALUE receiver, caller;
    /* Of the block around this one, whose receiver is the caller; NULL: the caller is no receiver.
     * They are part of a Writer, whose object is kept alive. */
    struct tj_variables *around;
    VALUE writer_around;
    long count, capacity;
    ID *names;     /* in the caller's order */
    VALUE *values; /* as both had them when they were compared last; marked */
} tj_variables;

void tj_variables_mark(const tj_variables *v);
void tj_variables_free(tj_variables *v);
size_t tj_variables_memsize(const tj_variables *v);

/* Begins: the receiver has these of the caller. Raises NoMemoryError. */
void tj_variables_share(tj_variables *v, long count, const ID *names, const VALUE *values);

/* Ends: the block and its caller have nothing in common any more. Each document that ends does it,
 * because its Writer is used again. */
TJ_INLINE void tj_variables_end(tj_variables *v)
{
    v->shared = false;
    v->count = 0;
}

/* Both stand around code of the caller: where the receiver calls it, where a word writes a value
 * that runs it, and where an Enumerator of the caller gives an element to the block. If blocks are
 * nested, the caller of the outermost one is the program's object. */

/* Whether the caller is frozen; if blocks are nested, that of the outermost one. */
bool tj_variables_are_frozen(const tj_variables *v);

/* At the end of the block: gives the caller what the block has assigned. Raises FrozenError. */
void tj_variables_return(tj_variables *v);

/* Before that: does nothing if the caller is frozen, so that no error replaces what leaves the
 * block. */
void tj_variables_give_shared(tj_variables *v);
TJ_INLINE void tj_variables_give(tj_variables *v)
{
    if (TJ_UNLIKELY(v->shared)) tj_variables_give_shared(v);
}

/* The program's object, if `object` is the receiver of a block at work; else `object`. The receiver
 * passes calls on to private methods as well. */
VALUE tj_variables_object(const tj_variables *v, VALUE object);

/* Runs `body`, a call of the block. However it ends, the caller then has what the block
 * assigned. */
VALUE tj_variables_in_block(tj_variables *v, VALUE (*body)(VALUE), VALUE argument);

/* Runs `body`, code of the caller. Before, the caller gets what the block assigned; afterwards,
 * however it ends, the receiver gets what the caller assigned. */
VALUE tj_variables_in_caller(tj_variables *v, VALUE (*body)(VALUE), VALUE argument);

/* Gives the receiver what other code has assigned or removed, unless the block has assigned it,
 * too. Raises NoMemoryError. */
void tj_variables_take_shared(tj_variables *v);
TJ_INLINE void tj_variables_take(tj_variables *v)
{
    if (TJ_UNLIKELY(v->shared)) tj_variables_take_shared(v);
}

/* Whether it is an instance variable of a user. Ours have no @, but for that of a receiver. */
TJ_INLINE bool tj_is_variable(ID name)
{
    return rb_is_instance_id(name) && name != rb_intern("@__to_json_caller");
}

#endif
