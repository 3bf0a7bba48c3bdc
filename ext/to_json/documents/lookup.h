/* Documents. Which serializer the class of a value has by its name. */
#ifndef TJ_LOOKUP_H
#define TJ_LOOKUP_H

#include "../writer/pool.h"

void tj_lookup_init(void);

/* The class that the value says it has, as Lookup.class_of of Ruby: a proxy may name another one.
 * May run Ruby. */
VALUE tj_class_of_value(VALUE value);

/* Whether all objects with the CLASS_OF of this value say the same, because `class` is Ruby's.
 * Makes two objects. May run Ruby. */
bool tj_says_its_class(VALUE value);

/* The serializer at the end of a path [count of scopes, *scopes, *names], Symbols all, in the
 * innermost scope that has one; or nil. May run Ruby (autoload). */
VALUE tj_follow_path(VALUE path);

/* The serializer for values of class `type` in the namespaces of a serializer class. Follows names
 * through Ruby's constants anew, so no class is kept alive and a reloaded one counts at once. May
 * run Ruby (autoload), may raise SerializerNotFound. */
VALUE tj_serializer_for_class(tj_pool *pool, VALUE serializer_class, VALUE type);

#endif
