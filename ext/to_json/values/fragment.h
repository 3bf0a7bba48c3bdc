/* Values. Writes JSON text that is already encoded. */
#ifndef TJ_FRAGMENT_H
#define TJ_FRAGMENT_H

#include "../writer/writer.h"

/* A ToJson::Fragment of class `klass`. With `check`, text that is not one JSON value raises
 * FragmentError. */
VALUE tj_fragment_new(VALUE klass, VALUE json, bool check);
VALUE tj_fragment_text(VALUE fragment);

void tj_write_fragment(tj_writer *w, VALUE fragment);

/* Writes text unchecked, as the json gem does with the result of a to_json. */
void tj_splice_trusted(tj_writer *w, VALUE json);

/* Writes a frozen String unchecked, and escapes nothing. */
void tj_splice_verbatim(tj_writer *w, VALUE json);

/* Writes text that a to_json returned, checked. `source` names it in the error. */
void tj_splice_checked(tj_writer *w, VALUE json, VALUE source);

#endif
