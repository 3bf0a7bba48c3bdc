/* Documents. Block receivers: objects with the DSL and the instance variables of the caller of the
 * block form. They pass all other calls on to the caller. */
#ifndef TJ_BLOCK_RECEIVER_H
#define TJ_BLOCK_RECEIVER_H

#include "../writer/writer.h"

/* This many instance variables are kept on the stack. */
#define TJ_FEW_IVARS 32

typedef struct {
    VALUE caller, self; /* self is the block receiver */
    VALUE rules;        /* of the caller's class; Qtrue: the global default */
    long count;
    bool nested;        /* the caller is the receiver of a block around this one */
    ID *names;          /* of the caller's instance variables, in their order */
    VALUE *values;
    ID few_names[TJ_FEW_IVARS];
    VALUE few_values[TJ_FEW_IVARS];
    VALUE names_buffer, values_buffer; /* memory for more variables, marked */
} tj_block_receiver;

void tj_block_receiver_init(VALUE mBlockWords);

/* The self of the block of the running C method. Makes a Proc and its Binding, because the API has
 * no other way. May run Ruby. */
VALUE tj_block_self(void);

/* Makes r->self, a ToJson::BlockForwarder with the caller's instance variables. May run Ruby. */
void tj_block_receiver_make(tj_block_receiver *r, VALUE caller);

/* The receiver is bound to `w`, which now keeps what it has in common with the caller. */
void tj_block_receiver_bound(tj_block_receiver *r, tj_writer *w);

/* Gives the caller what the block has assigned, once. Raises FrozenError if it is frozen. */
void tj_block_receiver_return(tj_writer *w);

#endif
