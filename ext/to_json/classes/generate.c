/* Classes. ToJson.generate and ToJson.pretty_generate. */
#include "classes.h"

#include "../glue/pool.h"
#include "../glue/serializer.h"

static ID id_rules_of;
static VALUE sym_into, sym_rules, sym_max_depth;

/* Calls repeat themselves, and to make Rules takes microseconds: so many sets of keywords are kept a Ractor. */
#define MOST_KEPT 32

struct options {
    tj_call *call;
    bool others, lasting; /* lasting: no value that may change, or that may have been made for this call */
};

static int option_i(VALUE name, VALUE value, VALUE argument)
{
    struct options *options = (struct options *)argument;
    if (name == sym_into) options->call->into = value;
    else if (name == sym_rules) options->call->rules = value;
    else if (name == sym_max_depth && FIXNUM_P(value)) options->call->max_depth = value;
    else {
        options->others = true;
        options->lasting &= RB_SPECIAL_CONST_P(value) || RB_SYMBOL_P(value) || (RB_TYPE_P(value, T_STRING) && RB_OBJ_FROZEN(value));
    }
    return ST_CONTINUE;
}

static VALUE rules_of(VALUE keywords, bool into, bool lasting)
{
    if (!lasting) return rb_funcall(tj_mToJson, id_rules_of, 1, keywords);
    tj_pool *pool = tj_pool_current();
    if (into) {
        keywords = rb_hash_dup(keywords);
        rb_hash_delete(keywords, sym_into);
    }
    if (TJ_UNLIKELY(!pool->kept_rules || pool->kept_defaults != tj_default_rules)) {
        pool->kept_rules = rb_hash_new();
        pool->kept_defaults = tj_default_rules;
    }
    VALUE kept = pool->kept_rules, rules = rb_hash_lookup(kept, keywords);
    if (TJ_LIKELY(!NIL_P(rules))) return rules;
    rules = rb_funcall(tj_mToJson, id_rules_of, 1, keywords);
    if (RHASH_SIZE(kept) >= MOST_KEPT) rb_hash_clear(kept);
    rb_hash_aset(kept, rb_obj_freeze(rb_hash_dup(keywords)), rules);
    return rules;
}

/* Keywords besides into:, rules: and max_depth: are options of Rules; lib/to_json/rules.rb names the unknown ones. */
static VALUE generate(int argc, VALUE *argv, bool pretty)
{
    bool keywords = rb_keyword_given_p();
    int positional = argc - (keywords ? 1 : 0);
    if (positional != 1) rb_error_arity(positional, 1, 1);
    tj_call call = TJ_PLAIN_CALL(1, argv);
    struct options options = {&call, false, true};
    VALUE rules = Qnil;
    if (keywords) rb_hash_foreach(argv[1], option_i, (VALUE)&options);
    if (options.others) {
        rules = call.rules = rules_of(argv[1], call.into != Qundef, options.lasting && call.rules == Qundef);
        call.max_depth = Qundef;
    }
    VALUE result = tj_generate(&call, pretty);
    RB_GC_GUARD(rules);
    return result;
}

static VALUE to_json_s_generate(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    return generate(argc, argv, false);
}

static VALUE to_json_s_pretty_generate(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    return generate(argc, argv, true);
}

void tj_define_generate(void)
{
    id_rules_of = rb_intern("rules_of_options");
    VALUE *const names[] = {&sym_into, &sym_rules, &sym_max_depth};
    const char *const texts[] = {"into", "rules", "max_depth"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *names[i] = ID2SYM(rb_intern(texts[i]));
        rb_gc_register_mark_object(*names[i]); /* it may be a dynamic one */
    }
    rb_define_singleton_method(tj_mToJson, "generate", to_json_s_generate, -1);
    rb_define_singleton_method(tj_mToJson, "pretty_generate", to_json_s_pretty_generate, -1);
}
