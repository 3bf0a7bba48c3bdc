/* Glue. A Plan: static bytes and slots, joined ahead of time. Frozen and shareable. */
#ifndef TJ_PLAN_H
#define TJ_PLAN_H

#include "writer.h"

/* A native call takes about so many values; longer lists take several. */
#define TJ_PLAN_SLOTS 48

typedef struct {
    uint32_t offset, size; /* of `,"name":` in bytes */
    VALUE name;            /* Symbol, marked: for paths, and for what tj_emit has to put one by one */
} tj_plan_slot;

typedef struct {
    uint32_t count, static_size;
    tj_plan_slot slots[TJ_PLAN_SLOTS];
    uint8_t bytes[]; /* 32 more may be read past the last */
} tj_plan;

extern const rb_data_type_t tj_plan_type;

/* A Plan of `count` pairs named by Symbols; Qnil where a name needs an escape under some Rules. */
VALUE tj_plan_new(VALUE klass, int count, const VALUE *names);

/* Writes one pair a slot. Nothing is written if it raises. May run Ruby. */
void tj_emit(tj_writer *w, const tj_plan *plan, int count, const VALUE *values);

#endif
