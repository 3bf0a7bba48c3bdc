/* Glue. The first objects of a Plan, before its code is generated: most classes of an application never write more in a process's life. */
#ifndef TJ_EARLY_H
#define TJ_EARLY_H

#include "plan.h"

/* So many objects are read here; what comes then is worth the compiler's time. 0: none are. Tests change it. */
extern unsigned tj_early_objects;

void tj_early_init(void);

/* The Plan of a class that begins so, in the main Ractor; nil for all others. Runs Ruby. */
VALUE tj_early_plan(const tj_pool *pool, VALUE serializer_class);

/* Reads the fields by their names and writes the object, no Hash, as generated code would. False, and nothing is read: the Plan has its code now. Runs
 * Ruby, may raise. */
bool tj_early_one(tj_writer *w, VALUE plan, VALUE object);

/* Gives the Plan its code; false where it stays as it is: in another Ractor, where a class has changed meanwhile, where nothing can be compiled now. May run Ruby
 * (compile), may raise. */
bool tj_early_compile(VALUE plan);

#endif
