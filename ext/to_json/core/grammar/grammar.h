/* Core. The order of calls that makes a JSON document: which separator is due, and what is illegal.
 *
 * A document is a stack of levels. A *slot* (the root, the block of a key, the block of a value)
 * takes many pairs or exactly one value. A *list* is an array whose current element takes many pairs
 * or many values. Containers open late: the first pair of a slot writes its brace, so a slot that
 * stays empty can be taken back as if it had never begun. A *tree* level is a Hash or an Array that
 * is being walked in C: no call of the DSL may write into it.
 *
 * Every function here only decides. The bytes it wants written are at most two and come back through
 * tj_lead, so that the caller can write them together with the key or the value. */
#ifndef TJ_GRAMMAR_H
#define TJ_GRAMMAR_H

#include "../status.h"

enum tj_level_kind { TJ_SLOT, TJ_LIST, TJ_TREE };
enum tj_level_state { TJ_EMPTY, TJ_PAIRS, TJ_VALUES };

typedef struct {
    size_t mark;        /* the document's offset before this level's key and separator */
    size_t count;       /* elements begun in a list or tree */
    size_t count_below; /* `count` of the level below before this one began */
    uintptr_t label;    /* what the caller calls the pair at work; the core only keeps it */
    uint32_t nesting;   /* containers open around this level */
    uint8_t kind;
    uint8_t state;       /* of the slot, of the list's current element */
    uint8_t state_below; /* `state` of the level below before this one began */
} tj_level;

typedef struct {
    tj_level *levels;
    size_t top;      /* index of the innermost level; 0 is the root slot */
    size_t capacity;
    uint32_t nesting; /* containers open now */
    uint32_t max_nesting;
} tj_grammar;

/* Separators and braces due before a key or a value. */
typedef struct {
    uint8_t bytes[2];
    uint8_t size;
} tj_lead;

/* A grammar with room for some levels. TJ_NO_MEMORY leaves one that is safe to free. */
tj_status tj_grammar_init(tj_grammar *g);
void tj_grammar_free(tj_grammar *g);

/* Back to an empty root. */
void tj_grammar_reset(tj_grammar *g, uint32_t max_nesting);

TJ_INLINE tj_level *tj_top(const tj_grammar *g) { return &g->levels[g->top]; }

/* A pair begins, a value begins: what is due before it. Change the level at the top unless they fail:
 * TJ_NEEDS_KEY, TJ_NEEDS_VALUE, TJ_SLOT_TAKEN, TJ_TWO_ROOTS, TJ_CLOSED_LEVEL, TJ_TOO_DEEP. */
tj_status tj_pair(tj_grammar *g, tj_lead *lead);
tj_status tj_value(tj_grammar *g, tj_lead *lead);

/* Room for so many levels: may move them. TJ_NO_MEMORY, TJ_TOO_LARGE. */
tj_status tj_grammar_room(tj_grammar *g, size_t levels);

/* A level begins inside the pair or value that was just begun. `mark` is the document's offset before
 * that pair or value, `below` the level at the top as it was before. The caller writes "[" for a
 * list or array tree, "{" for an object tree. TJ_NO_MEMORY, TJ_TOO_DEEP (lists and trees). */
TJ_INLINE tj_status tj_push(tj_grammar *g, enum tj_level_kind kind, size_t mark, uint8_t state_below, size_t count_below)
{
    uint32_t nesting = g->nesting;
    if (kind != TJ_SLOT && TJ_UNLIKELY(nesting >= g->max_nesting)) return TJ_TOO_DEEP;
    if (TJ_UNLIKELY(g->top + 1 == g->capacity)) {
        tj_status status = tj_grammar_room(g, g->capacity + 1);
        if (status != TJ_OK) return status;
    }
    tj_level *level = &g->levels[++g->top];
    level->mark = mark;
    level->count = 0;
    level->count_below = count_below;
    level->label = 0;
    level->nesting = nesting;
    level->kind = kind;
    level->state = TJ_EMPTY;
    level->state_below = state_below;
    if (kind != TJ_SLOT) g->nesting = nesting + 1;
    return TJ_OK;
}

/* The current element of the list at the top ends: true when "}" is due. */
bool tj_element_end(tj_grammar *g);

/* The slot at the top ends. *close tells that "}" is due. False when nothing was written in it: then
 * the level below is as it was before the slot began, and the caller rewinds to *mark. */
TJ_INLINE bool tj_slot_end(tj_grammar *g, bool *close, size_t *mark)
{
    tj_level *level = tj_top(g);
    *close = level->state == TJ_PAIRS;
    *mark = level->mark;
    g->nesting = level->nesting;
    g->top--;
    if (TJ_LIKELY(level->state != TJ_EMPTY)) return true;
    tj_level *below = level - 1;
    if (below->state == TJ_PAIRS && level->state_below != TJ_PAIRS) g->nesting--; /* its brace goes too */
    below->state = level->state_below;
    below->count = level->count_below;
    return false;
}

/* The list or tree at the top ends; "]" or "}" is the caller's. */
TJ_INLINE void tj_pop(tj_grammar *g)
{
    g->nesting = tj_top(g)->nesting;
    g->top--;
}

/* The offset before which every byte is settled: bytes from there on belong to slots in which nothing
 * was written so far, and may have to be taken back. `end` when there is no such slot. */
size_t tj_settled(const tj_grammar *g, size_t end);

#endif
