/* Writer. The Rules that calls make from options, kept for the next calls. */
#include "kept_rules.h"

#include "errors.h"

/* The most sets of options whose Rules a Ractor keeps. */
#define MOST_KEPT 32

bool tj_cannot_change(VALUE value)
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

/* The same for the values of `rules:`. */
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

static int cannot_change_i(VALUE name, VALUE value, VALUE all)
{
    if (RB_SYMBOL_P(name) && tj_cannot_change(value)) return ST_CONTINUE;
    *(bool *)all = false;
    return ST_STOP;
}

static bool cannot_change(VALUE given)
{
    if (RB_SYMBOL_P(given)) return true;
    if (!RB_TYPE_P(given, T_HASH) || RBASIC_CLASS(given) != rb_cHash) return false;
    bool all = true;
    rb_hash_foreach(given, cannot_change_i, (VALUE)&all);
    return all;
}

static VALUE coerce(VALUE given)
{
    return rb_funcall(rb_const_get(tj_mToJson, rb_intern("Rules")), rb_intern("coerce"), 1, given);
}

VALUE tj_coerced_rules_cold(VALUE given)
{
    if (!cannot_change(given)) return coerce(given);
    VALUE kept = rules_of_values(tj_pool_current()), rules = rb_hash_lookup(kept, given);
    if (TJ_LIKELY(!NIL_P(rules))) return rules;
    VALUE key = RB_SYMBOL_P(given) ? given : rb_obj_freeze(rb_hash_dup(given));
    return tj_keep_rules(kept, key, coerce(key));
}
