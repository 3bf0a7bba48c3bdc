/* Glue. A Plan: a Definition compiled for one composition of views. What generated Ruby reads and Parts write. */
#ifndef TJ_PLAN_H
#define TJ_PLAN_H

#include "pool.h"
#include "writer.h"

typedef struct {
    VALUE code;      /* nil, or answers object, row and items (w, s, object or array[, mask]); see lib/to_json/compiler.rb */
    VALUE row;       /* the Part that a Hash row is read by without Ruby, or nil */
    VALUE root_one, root_many; /* Symbols, or nil */
    VALUE meta;      /* nil, or what the class says of it: lib/to_json/envelope.rb */
    VALUE rules;     /* of the class; Qtrue: the global default */
    VALUE klass;     /* of the serializer; nil for one that is written without */
    unsigned long epoch; /* see tj_epoch */
    bool serializer; /* code wants a serializer, for its methods and context */
    bool masked;     /* code takes a Mask */
    bool imperative; /* the class has a serialize of its own, which writes each object */
    bool cached;     /* it has parts that are kept encoded: code answers many (w, s, collection, mask) too, and records, and is to be asked for collections */
    bool early;      /* code is nil so far, and `row` writes all of an object: see early.h. What follows may change in a Plan that is frozen and shared */
    unsigned written; /* objects, while it is early */
    bool whole;      /* code has `document`, which comes later */
    VALUE helper;    /* whose methods `document` takes as s, or nil */
    long calls;      /* for one object, until it is decided what becomes of that; see entry_class.c */
} tj_plan;

extern const rb_data_type_t tj_plan_type;

/* Counts the changes of serializers that some Plan may have been made of: a Plan of another epoch is made anew.
 * Written by the main Ractor's thread that changes a class; read by all. */
extern unsigned long tj_epoch;
/* The same of the Rules of classes. */
extern unsigned long tj_rules_epoch;

/* A Plan from its parts, as keywords: see ToJson::Plan. */
VALUE tj_plan_new(VALUE klass, VALUE keywords);
/* The same for early.c; what it does not name is nil or false. */
VALUE tj_plan_new_early(VALUE serializer_class, VALUE row, VALUE root, VALUE rules, unsigned long epoch);

void tj_plan_init(void);

/* The class's Plan without view or mask; Qfalse for a serializer without declared fields. May run Ruby (compile), may raise. */
VALUE tj_plan_of(tj_pool *pool, VALUE serializer_class);
/* The same where it was this class that was served last; Qundef where not. */
TJ_INLINE VALUE tj_recent_plan(const tj_pool *pool, VALUE serializer_class)
{
    const tj_recent *recent = &pool->recent;
    return TJ_LIKELY(recent->klass == serializer_class && recent->epoch == tj_epoch) ? recent->plan : Qundef;
}

TJ_INLINE bool tj_plan_early(const tj_plan *plan) { return __atomic_load_n(&plan->early, __ATOMIC_ACQUIRE); }
TJ_INLINE bool tj_plan_whole(const tj_plan *plan) { return __atomic_load_n(&plan->whole, __ATOMIC_ACQUIRE); }

/* The code of `plan` has got `document`, which takes a serializer of class `helper` (nil: none). The main Ractor alone. */
void tj_plan_is_whole(VALUE plan, VALUE helper);
/* From now on a change of the class, or of one that it inherits from, begins a new epoch (PlanCache.forget). */
void tj_plan_use(VALUE serializer_class);
/* `plan`: a Plan, or the epoch in which the class declares nothing. */
void tj_plan_keep(VALUE serializer_class, VALUE plan);

TJ_INLINE const tj_plan *tj_plan_get(VALUE plan) { return RTYPEDDATA_DATA(plan); }

/* Writes one object (no nil) at the level at hand. `s`: the serializer, or nil. Runs Ruby, may raise. */
void tj_write_one(tj_writer *w, VALUE plan, VALUE s, VALUE object, VALUE mask);

/* Writes the elements of what tj_begin_many began; `walked` is its answer. Runs Ruby, may raise. */
void tj_write_many(tj_writer *w, VALUE plan, VALUE s, VALUE many, VALUE walked, VALUE mask);

/* The Rules of its documents, where the call has none. */
TJ_INLINE VALUE tj_plan_rules(const tj_plan *plan) { return TJ_LIKELY(plan->rules == Qtrue) ? tj_default_rules : plan->rules; }

#endif
