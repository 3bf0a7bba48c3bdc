/* Core. The state machine of a document; grammar.h explains its words. */
#include "grammar.h"

#include "buffer.h"

#define FIRST_CAPACITY 32

static tj_status grow_cold(tj_grammar *g);

tj_status tj_grammar_init(tj_grammar *g)
{
    memset(g, 0, sizeof *g);
    tj_status status = grow_cold(g);
    if (status == TJ_OK) tj_grammar_reset(g, 100);
    return status;
}

void tj_grammar_free(tj_grammar *g)
{
    tj_free(g->levels);
    memset(g, 0, sizeof *g);
}

void tj_grammar_reset(tj_grammar *g, uint32_t max_nesting)
{
    g->top = 0;
    g->nesting = 0;
    g->max_nesting = max_nesting;
    memset(&g->levels[0], 0, sizeof g->levels[0]);
}

static TJ_COLD tj_status grow_cold(tj_grammar *g)
{
    size_t capacity = g->capacity ? g->capacity * 2 : FIRST_CAPACITY;
    if (capacity > SIZE_MAX / sizeof(tj_level) / 2) return TJ_TOO_LARGE;
    tj_level *grown = tj_realloc(g->levels, capacity * sizeof(tj_level));
    if (!grown) return TJ_NO_MEMORY;
    g->levels = grown;
    g->capacity = capacity;
    return TJ_OK;
}

tj_status tj_grammar_room(tj_grammar *g, size_t levels)
{
    tj_status status = TJ_OK;
    while (status == TJ_OK && levels > g->capacity) status = grow_cold(g);
    return status;
}

TJ_INLINE void lead_with(tj_lead *lead, uint8_t byte) { lead->bytes[lead->size++] = byte; }

tj_status tj_pair(tj_grammar *g, tj_lead *lead)
{
    tj_level *level = tj_top(g);
    lead->size = 0;
    if (TJ_UNLIKELY(level->kind == TJ_TREE)) return TJ_CLOSED_LEVEL;
    if (level->state == TJ_PAIRS) {
        lead_with(lead, ',');
        return TJ_OK;
    }
    if (level->state == TJ_VALUES) return TJ_NEEDS_VALUE;
    if (TJ_UNLIKELY(g->nesting >= g->max_nesting)) return TJ_TOO_DEEP;
    g->nesting++;
    level->state = TJ_PAIRS;
    if (level->kind == TJ_LIST && level->count++ > 0) lead_with(lead, ',');
    lead_with(lead, '{');
    return TJ_OK;
}

tj_status tj_value(tj_grammar *g, tj_lead *lead)
{
    tj_level *level = tj_top(g);
    lead->size = 0;
    if (level->kind == TJ_LIST) {
        if (TJ_UNLIKELY(level->state == TJ_PAIRS)) return TJ_NEEDS_KEY;
        if (level->count++ > 0) lead_with(lead, ',');
    } else {
        if (TJ_UNLIKELY(level->kind == TJ_TREE)) return TJ_CLOSED_LEVEL;
        if (TJ_UNLIKELY(level->state == TJ_PAIRS)) return TJ_NEEDS_KEY;
        if (TJ_UNLIKELY(level->state == TJ_VALUES))
            return g->top == 0 ? TJ_TWO_ROOTS : TJ_SLOT_TAKEN;
    }
    level->state = TJ_VALUES;
    return TJ_OK;
}

bool tj_element_end(tj_grammar *g)
{
    tj_level *level = tj_top(g);
    bool close = level->state == TJ_PAIRS;
    if (close) g->nesting--;
    level->state = TJ_EMPTY;
    return close;
}

size_t tj_settled(const tj_grammar *g, size_t end)
{
    size_t settled = end;
    for (size_t i = g->top; i > 0; i--) {
        const tj_level *level = &g->levels[i];
        if (level->kind != TJ_SLOT || level->state != TJ_EMPTY) {
            /* Something was written in this level, unless the empty slot above it is all that it
             * holds. */
            bool only_through_child =
                level->kind == TJ_SLOT && i < g->top && g->levels[i + 1].state_below == TJ_EMPTY;
            if (!only_through_child) break;
        }
        settled = level->begins_at;
    }
    return settled;
}
