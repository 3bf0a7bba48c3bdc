/* Writer. The serializers that a document has found for classes of values: see
 * documents/value_site.c. */
#ifndef TJ_SERIALIZER_TABLE_H
#define TJ_SERIALIZER_TABLE_H

#include <ruby.h>

#include "../core/status.h"

/* What writes the values of class `type` at a ValueSite: a Plan, or for nil the serialize of
 * `serializer_class`. */
typedef struct {
    VALUE site, type, serializer_class, plan;
} tj_found_serializer;

/* A hash table with open addressing. `slots` is 0 or a power of two, at most half of them used. The
 * Writer marks all entries, because they are found by address. */
typedef struct {
    tj_found_serializer *entries;
    size_t slots, count;
} tj_serializer_table;

/* The entry of that site and type, or an empty one, whose site is 0, or NULL without memory. */
tj_found_serializer *tj_serializers_at(const tj_serializer_table *table, VALUE site, VALUE type);

/* Remembers an entry, if there is memory for it. Changes it if it is there. */
void tj_serializers_keep(tj_serializer_table *table, tj_found_serializer found);

void tj_serializers_mark(const tj_serializer_table *table);

/* At the end of a document. Frees the memory of many entries. */
void tj_serializers_forget(tj_serializer_table *table);

#endif
