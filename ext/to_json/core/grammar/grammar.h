/* Core. Decides for each call which separator it must write first, and which calls are errors.
 *
 * A document is a stack of levels. A *slot* (the root, what a block of `put :key do` or `value do`
 * writes) takes many pairs or exactly one value. A *list* is an array: pairs in a row make one
 * element, and each value is an element of its own. The brace of an object is written late, with
 * its first pair. So a slot that stays empty can be taken back as if it had never begun. A *tree*
 * is a Hash or an Array that C walks: no call of the DSL may write into it.
 *
 * The functions here only decide. They return at most two bytes in a tj_lead, and the caller writes
 * these together with the key or the value. */
#ifndef TJ_GRAMMAR_H
#define TJ_GRAMMAR_H

#include "../status.h"

enum tj_level_kind { TJ_SLOT, TJ_LIST, TJ_TREE };
enum tj_level_state { TJ_EMPTY, TJ_PAIRS, TJ_VALUES };

typedef struct {
    /* offset of this level's separator and key. While values/tree.c has stopped in a Hash or an
     * Array: that Hash or Array */
    size_t begins_at;
    size_t count;       /* elements begun in a list or tree */
    size_t count_below; /* `count` of the level below when this level began */
    uintptr_t label;    /* of the key being written: the caller's, never read by the core */
    uintptr_t around;   /* to which the caller returns after this level; never read by the core */
    uint32_t nesting;   /* open containers around this level */
    uint8_t kind;
    uint8_t state;       /* of the slot, or of the list's current element */
    uint8_t state_below; /* `state` of the level below when this level began */
} tj_level;

typedef struct {
    tj_level *levels;
    size_t top;      /* index of the innermost level; 0 is the root slot */
    size_t capacity;
    uint32_t nesting; /* open containers */
    uint32_t max_nesting;
} tj_grammar;

/* The separator and brace that are due before a key or a value. */
typedef struct {
    uint8_t bytes[2];
    uint8_t size;
} tj_lead;

/* Allocates the first levels. After TJ_NO_MEMORY the grammar is empty and may be freed. */
tj_status tj_grammar_init(tj_grammar *g);
void tj_grammar_free(tj_grammar *g);

/* Begins a new document: an empty root. */
void tj_grammar_reset(tj_grammar *g, uint32_t max_nesting);

TJ_INLINE tj_level *tj_top(const tj_grammar *g) { return &g->levels[g->top]; }

/* Begin a pair or a value, and set *lead to what is due before it. A call that the grammar does not
 * allow fails with TJ_NEEDS_KEY, TJ_NEEDS_VALUE, TJ_SLOT_TAKEN, TJ_TWO_ROOTS, TJ_CLOSED_LEVEL or
 * TJ_TOO_DEEP, and changes nothing. */
tj_status tj_pair(tj_grammar *g, tj_lead *lead);
tj_status tj_value(tj_grammar *g, tj_lead *lead);

/* Makes room for so many levels, which may move the array of levels. Fails with TJ_NO_MEMORY or
 * TJ_TOO_LARGE. */
tj_status tj_grammar_room(tj_grammar *g, size_t levels);

/* Pushes a level inside the pair or value that was just begun. `begins_at` is the document's offset
 * before that pair or value; state_below and count_below are what `state` and `count` of the top
 * level were then. The caller writes "[" for a list or an Array, "{" for a Hash. Fails with
 * TJ_NO_MEMORY, and for lists and trees with TJ_TOO_DEEP. */
TJ_INLINE tj_status tj_push(tj_grammar *g, enum tj_level_kind kind, size_t begins_at,
                            uint8_t state_below, size_t count_below)
{
    uint32_t nesting = g->nesting;
    if (kind != TJ_SLOT && TJ_UNLIKELY(nesting >= g->max_nesting)) return TJ_TOO_DEEP;
    if (TJ_UNLIKELY(g->top + 1 == g->capacity)) {
        tj_status status = tj_grammar_room(g, g->capacity + 1);
        if (status != TJ_OK) return status;
    }
    tj_level *level = &g->levels[++g->top];
    level->begins_at = begins_at;
    level->count = 0;
    level->count_below = count_below;
    level->label = level->around = 0;
    level->nesting = nesting;
    level->kind = kind;
    level->state = TJ_EMPTY;
    level->state_below = state_below;
    if (kind != TJ_SLOT) g->nesting = nesting + 1;
    return TJ_OK;
}

/* Ends the current element of the list at the top. Returns true if "}" is due. */
bool tj_element_end(tj_grammar *g);

/* Ends the slot at the top, and sets *close if "}" is due. Returns false if nothing was written in
 * the slot: the level below is then as it was before, and the caller rewinds to *begins_at. */
TJ_INLINE bool tj_slot_end(tj_grammar *g, bool *close, size_t *begins_at)
{
    tj_level *level = tj_top(g);
    *close = level->state == TJ_PAIRS;
    *begins_at = level->begins_at;
    g->nesting = level->nesting;
    g->top--;
    if (TJ_LIKELY(level->state != TJ_EMPTY)) return true;
    tj_level *below = level - 1;
    /* the brace of the level below is taken back too */
    if (below->state == TJ_PAIRS && level->state_below != TJ_PAIRS) g->nesting--;
    below->state = level->state_below;
    below->count = level->count_below;
    return false;
}

/* Ends the list or tree at the top. The caller writes "]" or "}". */
TJ_INLINE void tj_pop(tj_grammar *g)
{
    g->nesting = tj_top(g)->nesting;
    g->top--;
}

/* Returns the offset up to which no byte can be taken back any more. The bytes after it belong to
 * slots that are still empty. Returns `end` if there is no such slot. */
size_t tj_settled(const tj_grammar *g, size_t end);

#endif
