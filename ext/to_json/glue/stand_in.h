/* Glue. Stand-ins: objects that are the caller of a block but for the DSL. */
#ifndef TJ_STAND_IN_H
#define TJ_STAND_IN_H

#include "writer.h"

/* Up to so many instance variables are copied as a block of memory. */
#define TJ_FEW_IVARS 32

typedef struct {
    VALUE caller, self;   /* self is the stand-in */
    VALUE template;       /* of its making, when all was copied by memory; else 0. The layout may learn another meanwhile */
    size_t template_key;
    long count;
    ID *names;            /* in the order of the caller's; not set with a template */
    VALUE *values;        /* as they were copied in */
    VALUE few[TJ_FEW_IVARS];
    VALUE names_buffer, values_buffer; /* keep longer ones alive */
} tj_stand_in;

/* `mDSL` and `mWords` are what the hidden subclasses include. */
void tj_stand_in_init(VALUE mDSL, VALUE mWords);

/* An object of a hidden subclass of the caller's class, with its instance variables. A module, an object
 * with methods of its own or one that is no plain object gets a ToJson::BlockForwarder. May run Ruby. */
void tj_stand_in_make(tj_stand_in *s, VALUE caller);

/* What the stand-in's hidden variable holds: the Writer's object, or nil. Not for a frozen one. */
void tj_stand_in_point(tj_stand_in *s, VALUE state);

/* Gives the caller the instance variables that changed. Raises FrozenError where it is frozen. */
void tj_stand_in_return(tj_stand_in *s);

#endif
