/* Writer. The table of what a document has found out about classes of values. */
#include "found.h"

#include "../core/grammar/buffer.h"

enum { FIRST_SLOTS = 8, MOST_IDLE_SLOTS = 64 };

tj_found *tj_found_at(const tj_found_table *table, VALUE site, VALUE type)
{
    if (TJ_UNLIKELY(table->slots == 0)) return NULL;
    for (size_t i = site / 8 + type / 8;; i++) {
        tj_found *entry = &table->entries[i & (table->slots - 1)];
        if (!entry->site || (entry->site == site && entry->type == type)) return entry;
    }
}

static bool grow(tj_found_table *table)
{
    tj_found_table grown = {NULL, table->slots ? table->slots * 2 : FIRST_SLOTS, table->count};
    grown.entries = tj_realloc(NULL, grown.slots * sizeof *grown.entries);
    if (!grown.entries) return false;
    memset(grown.entries, 0, grown.slots * sizeof *grown.entries);
    for (size_t i = 0; i < table->slots; i++) {
        const tj_found *entry = &table->entries[i];
        if (entry->site) *tj_found_at(&grown, entry->site, entry->type) = *entry;
    }
    tj_free(table->entries);
    *table = grown;
    return true;
}

void tj_found_keep(tj_found_table *table, tj_found found)
{
    tj_found *entry = tj_found_at(table, found.site, found.type);
    if (entry && entry->site) {
        *entry = found;
        return;
    }
    if (table->slots < (table->count + 1) * 2) {
        if (!grow(table)) return;
        entry = tj_found_at(table, found.site, found.type);
    }
    *entry = found;
    table->count++;
}

void tj_found_mark(const tj_found_table *table)
{
    if (table->count == 0) return;
    for (size_t i = 0; i < table->slots; i++) {
        const tj_found *entry = &table->entries[i];
        rb_gc_mark(entry->site);
        rb_gc_mark(entry->type);
        rb_gc_mark(entry->serializer_class);
        rb_gc_mark(entry->plan);
    }
}

void tj_found_forget(tj_found_table *table)
{
    if (table->slots > MOST_IDLE_SLOTS) {
        tj_free(table->entries);
        *table = (tj_found_table){NULL, 0, 0};
        return;
    }
    memset(table->entries, 0, table->slots * sizeof *table->entries);
    table->count = 0;
}
