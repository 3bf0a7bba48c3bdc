/* Documents. Finds the serializer that is named after the class of a value. */
#ifndef TJ_LOOKUP_H
#define TJ_LOOKUP_H

#include "../writer/pool.h"

void tj_lookup_init(void);

/* The class that the value's method `class` returns, as in Ruby's Lookup.class_of. A proxy may
 * return another class than its own. May run Ruby. */
VALUE tj_class_of_value(VALUE value);

/* Whether the value's method `class` is Kernel's. Then all objects with the same CLASS_OF return
 * the same class. Makes two objects. May run Ruby. */
bool tj_says_its_class(VALUE value);

/* The serializer at the end of a path [count of scopes, *scopes, *names], Symbols all, in the
 * innermost scope that has one; or nil. May run Ruby (autoload). */
VALUE tj_follow_path(VALUE path);

/* Like tj_follow_path, without its checks of `path`. Returns Qfalse if there is no serializer.
 * `waits`: for constants that another thread loads now. Only in the main Ractor, and only needed
 * where a wrong answer could be kept. May run Ruby (autoload). */
VALUE tj_follow(VALUE path, bool waits);

/* The serializer for values of class `type` in the namespaces of a serializer class. Each call
 * looks the constants up again, so no class is kept alive, and a reloaded class is found at once.
 * Sets `*final` to the path that led to the serializer, if every later call for these two classes
 * begins with that path; otherwise to nil. The caller may keep the path, and only follow it again.
 * May run Ruby (autoload), may raise SerializerNotFound. */
VALUE tj_serializer_for_class(tj_pool *pool, VALUE serializer_class, VALUE type, VALUE *final);

#endif
