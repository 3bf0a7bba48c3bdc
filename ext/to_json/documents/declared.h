/* Documents. A document, or a part of one, by declared fields: one or many, under a root or not. */
#ifndef TJ_DECLARED_H
#define TJ_DECLARED_H

#include "call.h"
#include "../plans/plan.h"

void tj_declared_init(void);

extern ID tj_id_selected; /* of a serializer with a serialize of its own: what view:, only: and except: left */

/* What a call asks of a serializer's declarations. */
typedef struct {
    VALUE plan, mask;          /* mask nil: none */
    VALUE root_one, root_many; /* keys around the data, or nil */
    VALUE meta;                /* a Hash, the name of a method, or nil */
    int many;                  /* 1, 0, or -1: told by the value */
} tj_declared;

/* False for a serializer without declared fields. Runs Ruby (compile, parsing only:), may raise. */
bool tj_declared_of(VALUE serializer_class, const tj_call *call, tj_declared *declared);

/* Raises ArgumentError unless as many arguments were given as declared fields take. */
void tj_check_count(const tj_declared *declared, const tj_call *call);

/* Tells a serializer with a serialize of its own what its call asks of its declared fields. */
void tj_select(VALUE self, const tj_declared *declared);

/* Whether that is what the plain `serialize` of the class would write by itself: nothing of this file is needed. */
bool tj_serializes_itself(const tj_declared *declared, const tj_call *call);

/* Writes call->argv[0] as the value of the level at hand. `self`: the serializer, or nil for a Plan that needs none.
 * Runs Ruby, may raise. */
void tj_write_declared(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *declared);

/* Writes the fields of `object` as pairs of the object at hand: put_attributes. */
void tj_put_declared(tj_writer *w, VALUE self, VALUE plan, VALUE mask, VALUE object);

#endif
