/* Dialects. What `as_json` of a value writes under :rails, with its options: the inner pass. */
#ifndef TJ_RAILS_INNER_H
#define TJ_RAILS_INNER_H

#include "rails.h"

void tj_rails_inner_init(void);

/* Calls `v.as_json(options)`, or `v.as_json` if options is 0. Runs Ruby, may raise. */
VALUE tj_rails_ask(tj_writer *w, VALUE v, VALUE options);

/* Writes the result of an as_json, in the outer pass. Runs Ruby, may raise. */
void tj_rails_write_result(tj_writer *w, VALUE result);

/* For `models: :raise`. Raises if `v` is a model. If `v` may contain models, writes what as_json
 * would make of it, and returns true. Returns false if the caller may call as_json. Runs Ruby. */
bool tj_rails_guard(tj_writer *w, VALUE v, VALUE options);

/* Writes `v.as_json(options)`, or `v.as_json` if options is 0. Runs Ruby, may raise. */
void tj_rails_write_inner(tj_writer *w, VALUE v, VALUE options);

/* The Hash that is written for `hash`: keys with the same text are merged, with the last value in
 * the place of the first. In the inner pass, keys that were Symbols are Strings already. May run
 * Ruby. */
VALUE tj_rails_merged(tj_writer *w, VALUE hash, bool inner, VALUE options);

#endif
