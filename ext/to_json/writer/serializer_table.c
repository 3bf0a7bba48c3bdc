/* Writer. The table of the serializers that a document has found for classes of values. */
#include "serializer_table.h"

#include "../core/grammar/buffer.h"

/* Half of the slots are used at most. Most documents look one class up. */
enum { FIRST_SLOTS = 2, MOST_IDLE_SLOTS = 64 };

tj_found_serializer *tj_serializers_at(const tj_serializer_table *table, VALUE site, VALUE type)
{
    if (TJ_UNLIKELY(table->slots == 0)) return NULL;
    for (size_t i = site / 8 + type / 8;; i++) {
        tj_found_serializer *entry = &table->entries[i & (table->slots - 1)];
        if (!entry->site || (entry->site == site && entry->type == type)) return entry;
    }
}

static bool grow(tj_serializer_table *table)
{
    tj_serializer_table grown = {NULL, table->slots ? table->slots * 2 : FIRST_SLOTS, table->count};
    grown.entries = tj_realloc(NULL, grown.slots * sizeof *grown.entries);
    if (!grown.entries) return false;
    memset(grown.entries, 0, grown.slots * sizeof *grown.entries);
    for (size_t i = 0; i < table->slots; i++) {
        const tj_found_serializer *entry = &table->entries[i];
        if (entry->site) *tj_serializers_at(&grown, entry->site, entry->type) = *entry;
    }
    tj_free(table->entries);
    *table = grown;
    return true;
}

void tj_serializers_keep(tj_serializer_table *table, tj_found_serializer found)
{
    tj_found_serializer *entry = tj_serializers_at(table, found.site, found.type);
    if (entry && entry->site) {
        *entry = found;
        return;
    }
    if (table->slots < (table->count + 1) * 2) {
        if (!grow(table)) return;
        entry = tj_serializers_at(table, found.site, found.type);
    }
    *entry = found;
    table->count++;
}

void tj_serializers_mark(const tj_serializer_table *table)
{
    if (table->count == 0) return;
    for (size_t i = 0; i < table->slots; i++) {
        const tj_found_serializer *entry = &table->entries[i];
        rb_gc_mark(entry->site);
        rb_gc_mark(entry->type);
        rb_gc_mark(entry->serializer_class);
        rb_gc_mark(entry->plan);
    }
}

void tj_serializers_forget(tj_serializer_table *table)
{
    if (table->slots > MOST_IDLE_SLOTS) {
        tj_free(table->entries);
        *table = (tj_serializer_table){NULL, 0, 0};
        return;
    }
    memset(table->entries, 0, table->slots * sizeof *table->entries);
    table->count = 0;
}
