/* Values. Checks JSON text in Strings, and changes its white space, without parsing it into
 * values. */
#ifndef TJ_TEXT_H
#define TJ_TEXT_H

#include "../core/text/relayout.h"
#include "../writer/writer.h"

/* nil if `json` is one JSON value, else [offset in bytes, what was expected there]. */
VALUE tj_text_defect(VALUE json, size_t max_depth);

/* Yields the text with the layout of `r`, in Strings of at most TJ_CHUNK bytes. `json` must be
 * frozen, and valid for tj_text_defect. May run Ruby. */
void tj_text_relayout(VALUE json, tj_relayout r);

#endif
