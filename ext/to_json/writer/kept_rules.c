/* Writer. Rules that a call says by value. */
#include "kept_rules.h"

#include "errors.h"

/* Of how many sets of options a Ractor keeps the Rules. */
#define MOST_KEPT 32

bool tj_option_lasts(VALUE value)
{
    if (RB_SPECIAL_CONST_P(value) || RB_SYMBOL_P(value)) return true;
    return RB_TYPE_P(value, T_STRING) && RBASIC_CLASS(value) == rb_cString && RB_OBJ_FROZEN(value);
}

static void forget_others(tj_pool *pool)
{
    if (TJ_LIKELY(pool->kept_rules && pool->kept_defaults == tj_default_rules)) return;
    pool->kept_rules = rb_hash_new();
    pool->kept_values = rb_hash_new();
    pool->kept_defaults = tj_default_rules;
}

VALUE tj_rules_of_keywords(tj_pool *pool)
{
    forget_others(pool);
    return pool->kept_rules;
}

/* The same of the values of `rules:`. */
static VALUE rules_of_values(tj_pool *pool)
{
    forget_others(pool);
    return pool->kept_values;
}

VALUE tj_keep_rules(VALUE kept, VALUE key, VALUE rules)
{
    if (RHASH_SIZE(kept) >= MOST_KEPT) rb_hash_clear(kept);
    rb_hash_aset(kept, key, rules);
    return rules;
}

static int lasts_i(VALUE name, VALUE value, VALUE lasts)
{
    if (RB_SYMBOL_P(name) && tj_option_lasts(value)) return ST_CONTINUE;
    *(bool *)lasts = false;
    return ST_STOP;
}

static bool lasts(VALUE given)
{
    if (RB_SYMBOL_P(given)) return true;
    if (!RB_TYPE_P(given, T_HASH) || RBASIC_CLASS(given) != rb_cHash) return false;
    bool all = true;
    rb_hash_foreach(given, lasts_i, (VALUE)&all);
    return all;
}

static VALUE coerce(VALUE given)
{
    return rb_funcall(rb_const_get(tj_mToJson, rb_intern("Rules")), rb_intern("coerce"), 1, given);
}

VALUE tj_coerced_rules_cold(VALUE given)
{
    if (!lasts(given)) return coerce(given);
    VALUE kept = rules_of_values(tj_pool_current()), rules = rb_hash_lookup(kept, given);
    if (TJ_LIKELY(!NIL_P(rules))) return rules;
    VALUE key = RB_SYMBOL_P(given) ? given : rb_obj_freeze(rb_hash_dup(given));
    return tj_keep_rules(kept, key, coerce(key));
}
