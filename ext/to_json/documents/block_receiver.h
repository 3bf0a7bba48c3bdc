/* Documents. Block receivers: objects that are the caller of a block but for the DSL. */
#ifndef TJ_BLOCK_RECEIVER_H
#define TJ_BLOCK_RECEIVER_H

#include "../writer/writer.h"

/* Up to so many instance variables are noted on the stack. */
#define TJ_FEW_IVARS 32

typedef struct {
    VALUE caller, self; /* self is the block receiver */
    VALUE rules;        /* of the caller's class; Qtrue: the global default */
    long count;
    ID *names;          /* of the caller's instance variables, in their order */
    VALUE *values;      /* as they were copied in */
    ID few_names[TJ_FEW_IVARS];
    VALUE few_values[TJ_FEW_IVARS];
    VALUE names_buffer, values_buffer; /* keep longer ones alive */
} tj_block_receiver;

/* `mDSL` and `mWords` are what the hidden subclasses include. */
void tj_block_receiver_init(VALUE mDSL, VALUE mWords);

/* The self of the block that the running C method was given. Makes a Proc and its Binding, since
 * the API has no other way. May run Ruby. */
VALUE tj_block_self(void);

/* Makes r->self: an object of a hidden subclass of the caller's class, with the caller's instance
 * variables. For a module, an object with methods of its own, or one that is no plain object it is
 * a ToJson::BlockForwarder. May run Ruby. */
void tj_block_receiver_make(tj_block_receiver *r, VALUE caller);

/* Gives the caller the instance variables that changed. Raises FrozenError where it is frozen. */
void tj_block_receiver_return(tj_block_receiver *r);

#endif
