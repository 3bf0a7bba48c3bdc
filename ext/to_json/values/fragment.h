/* Values. JSON text that is already encoded goes into a document. */
#ifndef TJ_FRAGMENT_H
#define TJ_FRAGMENT_H

#include "../writer/writer.h"

/* A ToJson::Fragment of class `klass`; `check` refuses text that is not one JSON value with FragmentError. */
VALUE tj_fragment_new(VALUE klass, VALUE json, bool check);
VALUE tj_fragment_text(VALUE fragment);

void tj_write_fragment(tj_writer *w, VALUE fragment);

/* Writes text as it is, whatever it is: as json takes what a to_json gave. */
void tj_splice_trusted(tj_writer *w, VALUE json);

/* Writes text that somebody's to_json gave, checked. `source` names it in the error. */
void tj_splice_checked(tj_writer *w, VALUE json, VALUE source);

#endif
