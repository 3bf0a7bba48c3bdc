/* Plans. A Plan: a Definition compiled for one set of views. Its generated Ruby reads the fields,
 * and its Parts write them.
 *
 * This room has what is compiled and never changes (Plans, Parts and the table of their ops), the
 * choices of fields that calls make, and the readers of put_fields. To open or end a document does
 * not belong here. Ruby is generated in lib/to_json/compiling. */
#ifndef TJ_PLAN_H
#define TJ_PLAN_H

#include "../writer/pool.h"
#include "../writer/writer.h"

typedef struct {
    /* nil, or a module with the methods object, row and items (w, s, object or array[, mask]); see
     * lib/to_json/compiling/compiler.rb */
    VALUE code;
    VALUE row;       /* the Part that writes a Hash without Ruby, or nil */
    VALUE root_one, root_many; /* Symbols, or nil */
    VALUE meta;      /* nil, or the meta of the class: lib/to_json/declaring/envelope.rb */
    VALUE rules;     /* of the class; Qtrue: the global default */
    VALUE klass;     /* of the serializer */
    VALUE helper;    /* the class of the serializer that `document` takes as s, or nil */
    VALUE main_ractor_only; /* nil, or the field that other Ractors cannot run, and why */
    unsigned long epoch; /* see tj_epoch */
    bool declares;   /* false: the class declares no fields. Only klass, rules, epoch count then */
    bool serializer; /* the code needs a serializer, for its methods and context */
    bool masked;     /* code takes a Mask */
    bool imperative; /* the class's own serialize writes each object */
    /* Some parts come from a cache. Then the code also has many (w, s, collection, mask) and
     * records, which write collections. */
    bool cached;
    bool document;   /* code has `document` (w, s, object), which writes a document of one object */
    bool allocated;  /* the class's serializers are made by tj_serializer_alloc */
    bool own_json;   /* and have the json! of ToJson::Serialize */
} tj_plan; /* Never changes, because threads and Ractors use it at once without a lock. */

extern const rb_data_type_t tj_plan_type;

/* Counts the changes of Rules, and of serializer classes that a Plan may depend on. A Plan keeps
 * the count at which it was made. If the count has grown since, the class is compiled again at its
 * next use. Written by the thread of the main Ractor that changes a class; read by all Ractors. */
extern unsigned long tj_epoch;

/* A Plan from its parts, as keywords: see ToJson::Plan. */
VALUE tj_plan_new(VALUE klass, VALUE keywords);

void tj_plan_init(void);

TJ_INLINE const tj_plan *tj_plan_get(VALUE plan) { return RTYPEDDATA_DATA(plan); }

/* Raises in other Ractors than the main one for a Plan that is bound to that. */
void tj_plan_refuse_elsewhere_cold(const tj_plan *plan);
TJ_INLINE void tj_plan_refuse_elsewhere(const tj_plan *plan)
{
    if (TJ_UNLIKELY(!NIL_P(plan->main_ractor_only))) tj_plan_refuse_elsewhere_cold(plan);
}

/* The Plan without view or mask that the class keeps; it has one too if it declares nothing. Qundef
 * if it keeps none of this epoch. Raises where this Ractor must not use it. */
VALUE tj_plan_kept(VALUE serializer_class);

/* Whether the Plan belongs to the class and to this epoch. A copy of a class has the Plan of the
 * original in its variable. */
TJ_INLINE bool tj_plan_is_valid(VALUE kept, VALUE serializer_class)
{
    const tj_plan *plan = tj_plan_get(kept);
    return plan->epoch == tj_epoch && plan->klass == serializer_class;
}

/* The same as tj_plan_kept, but asks the pool first, which keeps the Plan of the last class. The
 * Plan keeps that class alive, so no other object can have its address. Reading the instance
 * variable would take some 300 instructions on Ruby 3.1, of 4,300 of a small document. */
TJ_INLINE VALUE tj_plan_kept_of(tj_pool *pool, VALUE serializer_class)
{
    VALUE plan = pool->recent_plan;
    if (TJ_UNLIKELY(!RTEST(plan) || !tj_plan_is_valid(plan, serializer_class))) {
        plan = tj_plan_kept(serializer_class);
        if (plan != Qundef) pool->recent_plan = plan;
    } else {
        tj_plan_refuse_elsewhere(tj_plan_get(plan));
    }
    return plan;
}

/* The Plan of the class without view or Mask. Qfalse if the class declares no fields. May run Ruby
 * (it compiles the class), may raise. */
VALUE tj_plan_of(VALUE serializer_class);
/* From now on a change of the class, or of one that it inherits from, begins a new epoch
 * (PlanCache.forget). */
void tj_plan_use(VALUE serializer_class);
/* Whether tj_plan_use was called for the class, or for one that inherits from it. */
bool tj_plan_used(VALUE serializer_class);
void tj_plan_keep(VALUE serializer_class, VALUE plan);
/* The object whose hidden variables keep the data of the class: the class itself, or its
 * PlanCache::Front if it is frozen. nil if there is none. */
VALUE tj_plan_keeper(VALUE serializer_class);

/* Writes one object, not nil, at the current level. `s` is the serializer, or nil. Runs Ruby, may
 * raise. */
void tj_write_one(tj_writer *w, VALUE plan, VALUE s, VALUE object, VALUE mask);

/* Writes the elements of the array that tj_begin_many began. `elements` is its result. Runs Ruby,
 * may raise. */
void tj_write_many(tj_writer *w, VALUE plan, VALUE s, VALUE many, VALUE elements, VALUE mask);

/* The Rules of a document if the call gives none. */
TJ_INLINE VALUE tj_plan_rules(const tj_plan *plan)
{
    return TJ_LIKELY(plan->rules == Qtrue) ? tj_default_rules : plan->rules;
}

#endif
