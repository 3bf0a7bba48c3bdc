/* Writer. Begins and ends values, lists, slots and trees, and writes what is due around them. */
#ifndef TJ_LEVELS_H
#define TJ_LEVELS_H

#include "errors.h"
#include "writer.h"

/* Copies the bytes of a frozen String; Qfalse has none. May run Ruby (flush). */
void tj_write_bytes_of(tj_writer *w, VALUE string);

/* Writes what the grammar returned for a value or a key. May run Ruby (flush). */
void tj_write_lead(tj_writer *w, const tj_lead *lead);

/* Writes what is due before a value. Raises GrammarError and NestingError. May run Ruby (flush). */
void tj_begin_value(tj_writer *w);

/* Opens a list inside the pair or value that was just begun. */
void tj_open_list(tj_writer *w);

/* End a list or a slot. An empty slot is taken back, or with `keep` written as {}. May run Ruby. */
void tj_close_slot_cold(tj_writer *w, bool keep);
void tj_close_list(tj_writer *w);
void tj_end_element(tj_writer *w);

/* Closes all levels above `top`. */
void tj_close_to(tj_writer *w, size_t top);

/* Marks the root as complete, after it was written without the grammar. */
TJ_INLINE void tj_root_is_written(tj_writer *w) { w->grammar.levels[0].state = TJ_VALUES; }

/* Ends the document. An empty root becomes {}. Raises GrammarError if a level is open. */
void tj_end_root(tj_writer *w);

/* Open and close the tree level of a Hash or Array that C walks. */
void tj_open_tree(tj_writer *w, uint8_t bracket);
void tj_close_tree(tj_writer *w, uint8_t bracket);

/* Writes the layout's line break and indentation before a pair (`object`) or an element at the
 * present depth, and before a closing bracket. */
void tj_break_line(tj_writer *w, bool object);
void tj_end_line(tj_writer *w, bool object);

TJ_INLINE void tj_close_slot(tj_writer *w, bool keep)
{
    const tj_level *level = tj_top(&w->grammar);
    bool easy = level->kind == TJ_SLOT && level->state == TJ_PAIRS && w->grammar.top > 0 &&
                !w->layout && level[-1].kind != TJ_TREE;
    if (TJ_UNLIKELY(!easy || !tj_buffer_has(&w->out, 1))) {
        tj_close_slot_cold(w, keep);
        return;
    }
    *w->out.cursor = '}';
    tj_commit(w, w->out.cursor + 1);
    tj_pop(&w->grammar);
    tj_top(&w->grammar)->label = 0;
    tj_flush_if_due(w);
}

#endif
