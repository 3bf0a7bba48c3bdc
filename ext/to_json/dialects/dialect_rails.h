/* Dialects. The dialect :rails. */
#ifndef TJ_DIALECT_RAILS_H
#define TJ_DIALECT_RAILS_H

#include <ruby.h>

/* Registers its functions; called before the first Rules are made. */
void tj_dialect_rails_init(void);

/* The bits of `escapes`. */
enum { TJ_RAILS_MARKUP = 1, TJ_RAILS_SEPARATORS = 2 };

/* The value to pass to tj_generate for ActiveSupport::JSON.encode(value, options). `options`, a
 * Hash or nil, are those of value.as_json; `escapes`, an Integer or nil, overrides the settings.
 * For one document under Rules of :rails. */
VALUE tj_rails_with_options(VALUE value, VALUE options, VALUE escapes);

#endif
