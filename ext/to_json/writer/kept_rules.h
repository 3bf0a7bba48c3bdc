/* Writer. The Rules that calls make from options. Making them takes microseconds, and most calls
 * repeat the options of an earlier one, so each Ractor keeps some. */
#ifndef TJ_KEPT_RULES_H
#define TJ_KEPT_RULES_H

#include "pool.h"

/* Whether the value of an option cannot change, so that Rules may be found by it. */
bool tj_cannot_change(VALUE value);

/* The Hash from keywords to the Rules that were made of them under the present default Rules. */
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
