/* Documents. Writes a document, or a part of one, with declared fields. */
#ifndef TJ_DECLARED_H
#define TJ_DECLARED_H

#include "call.h"
#include "../plans/plan.h"

void tj_declared_init(void);

/* where a serializer with its own serialize finds its view:, only: and except: */
extern ID tj_id_selected;

/* What a call asks of the declarations of a serializer. */
typedef struct {
    VALUE plan, mask;          /* mask nil: none */
    VALUE root_one, root_many; /* keys around the data, or nil */
    VALUE meta;                /* a Hash, the name of a method, or nil */
    int many;                  /* 1, 0, or -1: the value decides */
} tj_declared;

/* Fills in *declared. Returns false for a serializer without declared fields. Runs Ruby (compiles,
 * parses only:), may raise. */
bool tj_declared_of(VALUE serializer_class, const tj_call *call, tj_declared *declared);

/* Raises ArgumentError unless the number of arguments is right for declared fields. */
void tj_check_count(const tj_declared *declared, const tj_call *call);

/* Stores in a serializer with its own serialize what the call asks of its declared fields. */
void tj_select(VALUE self, const tj_declared *declared);

/* Whether `serialize` of the class alone writes the same, so that this file is not needed. */
bool tj_serializes_itself(const tj_declared *declared, const tj_call *call);

/* Writes call->argv[0] as a value. `self` is the serializer, or nil if the Plan needs none. Runs
 * Ruby, may raise. */
void tj_write_declared(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *declared);

/* The rows of the relation call->argv[0], where they need no models; else the argument itself. Runs
 * Ruby. */
VALUE tj_rows_of(tj_writer *w, const tj_call *call, const tj_declared *declared);

/* Writes the fields of `object` as pairs of the object at hand: put_attributes. */
void tj_put_declared(tj_writer *w, VALUE self, VALUE plan, VALUE mask, VALUE object);

#endif
