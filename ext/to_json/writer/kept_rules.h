/* Writer. Rules that a call says by value: making them takes microseconds, and calls repeat. So
 * each Ractor keeps those of the last options that it met. */
#ifndef TJ_KEPT_RULES_H
#define TJ_KEPT_RULES_H

#include "pool.h"

/* Whether Rules may be found by an option with this value: it cannot change. */
bool tj_option_lasts(VALUE value);

/* A Hash of the Rules of keywords, under the default Rules of now. */
VALUE tj_rules_of_keywords(tj_pool *pool);

/* Keeps Rules in such a Hash, and returns them. Nothing may change `key` any more. */
VALUE tj_keep_rules(VALUE kept, VALUE key, VALUE rules);

/* What `rules:` means: see Rules.coerce. May run Ruby. */
VALUE tj_coerced_rules_cold(VALUE given);
TJ_INLINE VALUE tj_coerced_rules(VALUE given)
{
    if (TJ_LIKELY(rb_typeddata_is_kind_of(given, &tj_rules_type))) return given;
    return tj_coerced_rules_cold(given);
}

#endif
