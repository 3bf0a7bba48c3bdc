/* Dialects. What `as_json` of a value writes under :rails, with its options: the inner pass. */
#ifndef TJ_RAILS_INNER_H
#define TJ_RAILS_INNER_H

#include "rails.h"

void tj_rails_inner_init(void);

/* Calls `v.as_json(options)`; options 0: without. Runs Ruby, may raise. */
VALUE tj_rails_ask(tj_writer *w, VALUE v, VALUE options);

/* Writes the result of an as_json, in the outer pass. Runs Ruby, may raise. */
void tj_rails_write_result(tj_writer *w, VALUE result);

/* models: :raise. Raises for a model. Writes what as_json would make of a value that may contain
 * models. Returns false if as_json may be called. Runs Ruby. */
bool tj_rails_guard(tj_writer *w, VALUE v, VALUE options);

/* Writes `v.as_json(options)`; options 0: without. Runs Ruby, may raise. */
void tj_rails_write_inner(tj_writer *w, VALUE v, VALUE options);

/* The Hash that is written for `hash`: keys with the same text are merged, with the last value in
 * the place of the first. In the inner pass Symbols are Strings by then. May run Ruby. */
VALUE tj_rails_merged(tj_writer *w, VALUE hash, bool inner, VALUE options);

#endif
