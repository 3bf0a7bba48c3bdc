/* Values. Strings of JSON text, checked and laid out anew without being parsed into values. */
#ifndef TJ_TEXT_H
#define TJ_TEXT_H

#include "../core/text/relayout.h"
#include "../writer/writer.h"

/* nil where `json` is one JSON value, else [offset in bytes, what was due there]. */
VALUE tj_text_defect(VALUE json, size_t max_depth);

/* Yields the text in Strings of at most TJ_CHUNK bytes, laid out as `r` says. `json` must be frozen, and valid by
 * tj_text_defect. May run Ruby. */
void tj_text_relayout(VALUE json, tj_relayout r);

#endif
