/* Writer. Writes what the grammar decides: separators, brackets, line breaks. */
#include "levels.h"

#include "errors.h"
#include "stack.h"
#include "string.h"

void tj_write_bytes_of(tj_writer *w, VALUE string)
{
    if (!RTEST(string)) return;
    /* may run Ruby, so the bytes are borrowed after it */
    uint8_t *at = tj_reserve(w, (size_t)RSTRING_LEN(string));
    const uint8_t *bytes;
    size_t size = tj_string_bytes(string, &bytes);
    memcpy(at, bytes, size);
    tj_commit(w, at + size);
    RB_GC_GUARD(string);
}

void tj_write_lead(tj_writer *w, const tj_lead *lead)
{
    if (TJ_UNLIKELY(w->layout != NULL)) {
        for (int i = 0; i < lead->size; i++) {
            tj_level *level = tj_top(&w->grammar);
            bool brace = lead->bytes[i] == '{';
            /* A value in a list has its own line; its comma comes before the line break. */
            if (brace && level->kind == TJ_LIST) {
                w->grammar.nesting--;
                tj_break_line(w, false);
                w->grammar.nesting++;
            }
            tj_write_byte(w, lead->bytes[i]);
        }
        tj_level *level = tj_top(&w->grammar);
        if (level->state == TJ_PAIRS || level->kind == TJ_LIST)
            tj_break_line(w, level->state == TJ_PAIRS);
        return;
    }
    if (lead->size == 0) return;
    uint8_t *at = tj_reserve(w, 2);
    at[0] = lead->bytes[0];
    at[1] = lead->bytes[1];
    tj_commit(w, at + lead->size);
}

void tj_begin_value(tj_writer *w)
{
    tj_lead lead;
    tj_check(w, tj_value(&w->grammar, &lead));
    tj_write_lead(w, &lead);
}

void tj_open_list(tj_writer *w)
{
    tj_check_stack(w);
    tj_check(w, tj_push(&w->grammar, TJ_LIST, 0, 0, 0));
    tj_write_byte(w, '[');
}

/* The pair at work in the level at the top has ended: paths no longer name it. */
static void child_ended(tj_writer *w)
{
    tj_level *level = tj_top(&w->grammar);
    if (level->kind != TJ_TREE) level->label = 0;
    tj_flush_if_due(w);
}

void tj_close_slot_cold(tj_writer *w, bool keep)
{
    bool close;
    size_t begins_at;
    if (tj_top(&w->grammar)->kind != TJ_SLOT || w->grammar.top == 0)
        tj_raise_status(w, TJ_UNCLOSED);
    if (keep && tj_top(&w->grammar)->state == TJ_EMPTY) {
        if (TJ_UNLIKELY(w->grammar.nesting >= w->grammar.max_nesting))
            tj_raise_status(w, TJ_TOO_DEEP);
        uint8_t *at = tj_reserve(w, 2);
        at[0] = '{';
        at[1] = '}';
        tj_commit(w, at + 2);
        tj_top(&w->grammar)->state = TJ_VALUES;
    }
    if (tj_slot_end(&w->grammar, &close, &begins_at)) {
        if (close) {
            if (TJ_UNLIKELY(w->layout != NULL)) tj_end_line(w, true);
            tj_write_byte(w, '}');
        }
    } else if (TJ_UNLIKELY(!tj_take_back(w, begins_at))) {
        /* The slot had content that was taken back, after its key was delivered. So the key cannot
         * be taken back. */
        w->blocked |= TJ_POISONED;
        tj_raise_poisoned(w);
    }
    child_ended(w);
}

void tj_end_element(tj_writer *w)
{
    if (tj_element_end(&w->grammar)) {
        if (TJ_UNLIKELY(w->layout != NULL)) tj_end_line(w, true);
        tj_write_byte(w, '}');
    }
}

void tj_close_list(tj_writer *w)
{
    if (TJ_UNLIKELY(tj_top(&w->grammar)->kind != TJ_LIST)) tj_raise_status(w, TJ_UNCLOSED);
    tj_end_element(w);
    bool any = tj_top(&w->grammar)->count > 0;
    tj_pop(&w->grammar);
    if (TJ_UNLIKELY(w->layout != NULL) && any) tj_end_line(w, false);
    tj_write_byte(w, ']');
    child_ended(w);
}

void tj_close_to(tj_writer *w, size_t top)
{
    while (w->grammar.top > top) {
        if (tj_top(&w->grammar)->kind == TJ_LIST) tj_close_list(w);
        else if (tj_top(&w->grammar)->kind == TJ_SLOT) tj_close_slot(w, false);
        else tj_close_tree(w, (uint8_t)tj_top(&w->grammar)->count_below);
    }
}

void tj_end_root(tj_writer *w)
{
    tj_grammar *g = &w->grammar;
    if (TJ_UNLIKELY(g->top != 0)) tj_raise_status(w, TJ_UNCLOSED);
    if (g->levels[0].state == TJ_VALUES) return;
    if (g->levels[0].state == TJ_EMPTY) tj_write_byte(w, '{');
    else {
        g->nesting = 0;
        if (TJ_UNLIKELY(w->layout != NULL)) tj_end_line(w, true);
    }
    g->levels[0].state = TJ_VALUES;
    tj_write_byte(w, '}');
}

void tj_open_tree(tj_writer *w, uint8_t bracket)
{
    tj_check_stack(w);
    /* A tree is never taken back, so count_below is free to hold its closing bracket. */
    tj_check(w, tj_push(&w->grammar, TJ_TREE, 0, 0, bracket == '{' ? '}' : ']'));
    tj_write_byte(w, bracket);
}

void tj_close_tree(tj_writer *w, uint8_t bracket)
{
    /* a Continuation came back to a value of a document that has ended */
    if (TJ_UNLIKELY(tj_top(&w->grammar)->kind != TJ_TREE)) tj_raise_too_late();
    bool any = tj_top(&w->grammar)->count > 0;
    tj_pop(&w->grammar);
    if (TJ_UNLIKELY(w->layout != NULL) && any) tj_end_line(w, bracket == '}');
    tj_write_byte(w, bracket);
}

static void indent(tj_writer *w)
{
    for (uint32_t i = w->grammar.nesting + w->layout->depth; i > 0; i--)
        tj_write_bytes_of(w, w->layout->indent);
}

void tj_break_line(tj_writer *w, bool object)
{
    tj_write_bytes_of(w, object ? w->layout->object_nl : w->layout->array_nl);
    if (RTEST(w->layout->indent)) indent(w);
}

void tj_end_line(tj_writer *w, bool object)
{
    if (RTEST(object ? w->layout->object_nl : w->layout->array_nl)) tj_break_line(w, object);
}
