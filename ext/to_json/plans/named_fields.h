/* Plans. NamedFields: a table of the fields of one class and one view, with the bits of each name,
 * and the Masks made of such bits. Most choices (choices.h) are names alone. named_choice.c turns
 * them into bits without Ruby. */
#ifndef TJ_NAMED_FIELDS_H
#define TJ_NAMED_FIELDS_H

#include "plan.h"

/* The most bits, so that they are always a Fixnum: Mask::WORD_BITS. */
#define TJ_MOST_NAMED_FIELDS 62
/* A Mask that leaves a part of more associations than this is not kept. */
#define TJ_MASK_PARTS 2

/* Never changes, except for `inside` and `masks`. These are the main Ractor's alone. */
typedef struct tj_named_fields tj_named_fields;

void tj_named_fields_init(void);

/* PlanCache::NamedFields.new(unit, plan, bits of the view, bits of associations that ask Mask#at,
 * {name => bits}, count of entries, epoch) */
VALUE tj_named_fields_new(VALUE klass, const VALUE *arguments);

const tj_named_fields *tj_named_fields_get(VALUE fields);

VALUE tj_named_plan(const tj_named_fields *fields);
/* All bits of the view. */
uint64_t tj_named_whole(const tj_named_fields *fields);
/* The bits of a name; 0 if there is none. A name that is not ASCII has none. */
uint64_t tj_named_bits(const tj_named_fields *fields, const uint8_t *name, size_t size);

/* If `bits` is the bit of one association whose inner fields a Mask can choose: the NamedFields of
 * the serializer inside. Else nil. Sets *ran_ruby if it runs Ruby, which may raise. */
VALUE tj_named_inside(VALUE fields, uint64_t bits, bool *ran_ruby);

/* The Mask that leaves `bits`. parts[i] is the Mask inside the association with the bit at[i]. Runs
 * Ruby. */
VALUE tj_named_mask(VALUE fields, uint64_t bits, uint32_t count, const uint64_t *at,
                    const VALUE *parts);

#endif
