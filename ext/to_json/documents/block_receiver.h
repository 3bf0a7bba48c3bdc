/* Documents. Block receivers: objects with the methods and instance variables of the caller of the
 * block form, and with the DSL. */
#ifndef TJ_BLOCK_RECEIVER_H
#define TJ_BLOCK_RECEIVER_H

#include "../writer/writer.h"

/* This many instance variables are kept on the stack. */
#define TJ_FEW_IVARS 32

typedef struct {
    VALUE caller, self; /* self is the block receiver */
    VALUE rules;        /* of the caller's class; Qtrue: the global default */
    long count;
    ID *names;          /* of the caller's instance variables, in their order */
    VALUE *values;      /* as they were copied */
    ID few_names[TJ_FEW_IVARS];
    VALUE few_values[TJ_FEW_IVARS];
    VALUE names_buffer, values_buffer; /* memory for more variables, marked */
} tj_block_receiver;

/* The hidden subclasses include `mDSL` and `mWords`. */
void tj_block_receiver_init(VALUE mDSL, VALUE mWords);

/* The self of the block of the running C method. Makes a Proc and its Binding, because the API has
 * no other way. May run Ruby. */
VALUE tj_block_self(void);

/* Makes r->self: an object of a hidden subclass of the caller's class, with the caller's instance
 * variables. It is a ToJson::BlockForwarder if the caller is a module, has singleton methods, or is
 * no plain object. May run Ruby. */
void tj_block_receiver_make(tj_block_receiver *r, VALUE caller);

/* Copies changed instance variables to the caller. Raises FrozenError if it is frozen. */
void tj_block_receiver_return(tj_block_receiver *r);

#endif
