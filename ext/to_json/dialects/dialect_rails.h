/* Dialects. The dialect :rails: what ActiveSupport::JSON.encode makes of a value, with its live settings. */
#ifndef TJ_DIALECT_RAILS_H
#define TJ_DIALECT_RAILS_H

#include <ruby.h>

/* Says what it does; before the first Rules are made. */
void tj_dialect_rails_init(void);

/* What `escapes` says, as an Integer. */
enum { TJ_RAILS_MARKUP = 1, TJ_RAILS_SEPARATORS = 2 };

/* What to hand to tj_generate for ActiveSupport::JSON.encode(value, options): `options`, a Hash or nil, go to value.as_json;
 * `escapes`, an Integer or nil, stands over the settings. Good for one document under Rules of :rails. */
VALUE tj_rails_with_options(VALUE value, VALUE options, VALUE escapes);

#endif
