/* Classes. ToJson.generate and ToJson.pretty_generate. */
#include "classes.h"

#include "../writer/kept_rules.h"
#include "../writer/pool.h"
#include "../documents/records.h"
#include "../documents/document.h"

static VALUE sym_into, sym_chunk, sym_flush, sym_rules, sym_max_depth, sym_dialect, sym_document,
    sym_records, sym_stream;

struct options {
    tj_call *call;
    /* what the options belong to; lib/to_json/values/rules.rb lists the additional ones of each */
    VALUE of;
    VALUE dialect; /* the only other option, if that is `dialect:` with a Symbol; else Qfalse */
    bool delivery; /* into: and other options of delivery */
    /* others: there are options of Rules. lasting: no value can change, or was made for this call
     * only */
    bool others, lasting;
};

static int option_i(VALUE name, VALUE value, VALUE argument)
{
    struct options *options = (struct options *)argument;
    bool delivery = true;
    if (name == sym_into) options->call->into = value;
    else if (name == sym_chunk) options->call->delivery_options.chunk = tj_chunk_option(value);
    else if (name == sym_flush) options->call->delivery_options.flush = tj_flush_option(value);
    else delivery = false;
    if (delivery) options->delivery = true;
    else if (name == sym_rules) options->call->rules = value;
    else if (name == sym_max_depth && FIXNUM_P(value)) options->call->max_depth = value;
    else {
        options->dialect =
            name == sym_dialect && !options->others && RB_SYMBOL_P(value) ? value : Qfalse;
        options->others = true;
        options->lasting &= tj_cannot_change(value);
    }
    return ST_CONTINUE;
}

static VALUE rules_of(VALUE keywords, const struct options *options)
{
    bool lasting = options->lasting && options->call->rules == Qundef;
    if (!lasting)
        return rb_funcall(tj_mToJson, rb_intern("rules_of_options"), 2, keywords, options->of);
    if (options->delivery && !options->dialect) {
        keywords = rb_hash_dup(keywords);
        VALUE ours[] = {sym_into, sym_chunk, sym_flush};
        for (int i = 0; i < 3; i++) rb_hash_delete(keywords, ours[i]);
    }
    /* finding a Symbol is faster than finding a Hash */
    VALUE key = options->dialect ? options->dialect : keywords;
    VALUE kept = tj_rules_of_keywords(tj_pool_current()), rules = rb_hash_lookup(kept, key);
    if (TJ_LIKELY(!NIL_P(rules))) return rules;
    rules = rb_funcall(tj_mToJson, rb_intern("rules_of_options"), 2, keywords, options->of);
    if (!options->dialect) key = rb_obj_freeze(rb_hash_dup(keywords));
    return tj_keep_rules(kept, key, rules);
}

/* A value, and keywords: into:, chunk:, flush:, rules:, max_depth:, and options of Rules.
 * lib/to_json/values/rules.rb reports unknown ones. The caller keeps call->rules alive. */
static tj_call call_of(int argc, VALUE *argv, bool keywords, VALUE of)
{
    int positional = argc - (keywords ? 1 : 0);
    if (positional != 1) rb_error_arity(positional, 1, 1);
    tj_call call = TJ_PLAIN_CALL(tj_pool_current(), 1, argv);
    struct options options = {&call, of, Qfalse, false, false, true};
    if (keywords) rb_hash_foreach(argv[1], option_i, (VALUE)&options);
    if (options.others) {
        /* then max_depth: is one of the options */
        if (call.max_depth != Qundef) options.dialect = Qfalse;
        call.rules = rules_of(argv[1], &options);
        call.max_depth = Qundef;
    }
    return call;
}

static VALUE generate(int argc, VALUE *argv, bool pretty)
{
    tj_call call = call_of(argc, argv, rb_keyword_given_p(), sym_document);
    tj_check_delivery_options(&call);
    VALUE rules = call.rules, result = tj_generate(&call, pretty);
    RB_GC_GUARD(rules);
    return result;
}

/* records_of_values(on_error, sequence, values, **options) */
static VALUE to_json_s_records(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 2, UNLIMITED_ARGUMENTS);
    tj_call call = call_of(argc - 2, argv + 2, rb_keyword_given_p(), sym_records);
    tj_check_delivery_options(&call);
    tj_record_options options = {argv[0], RTEST(argv[1]), Qnil, Qfalse, NULL};
    VALUE rules = call.rules, result = tj_run_records(Qnil, &call, &options);
    RB_GC_GUARD(rules);
    return result;
}

/* check_value(value, **options), check_records_of_values: raise what is known before anything is
 * written */
static VALUE to_json_s_check(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    tj_call call = call_of(argc, argv, rb_keyword_given_p(), sym_stream);
    tj_check_delivery(Qnil, &call);
    return Qnil;
}

static VALUE to_json_s_check_records(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    tj_call call = call_of(argc, argv, rb_keyword_given_p(), sym_stream);
    tj_check_records(Qnil, &call);
    return Qnil;
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

/* For code that has Rules already: keywords would cost a Hash for each call. */
static VALUE to_json_s_generate_under(VALUE self, VALUE rules, VALUE value)
{
    (void)self;
    tj_call call = TJ_PLAIN_CALL(tj_pool_current(), 1, &value);
    call.rules = rules;
    VALUE result = tj_generate(&call, false);
    RB_GC_GUARD(value);
    RB_GC_GUARD(rules);
    return result;
}

void tj_define_generate(void)
{
    VALUE *const names[] = {&sym_into,    &sym_chunk,    &sym_flush,   &sym_rules, &sym_max_depth,
                            &sym_dialect, &sym_document, &sym_records, &sym_stream};
    const char *const texts[] = {"into",    "chunk",    "flush",   "rules", "max_depth",
                                 "dialect", "document", "records", "stream"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *names[i] = ID2SYM(rb_intern(texts[i]));
        rb_gc_register_mark_object(*names[i]); /* the Symbol may be dynamic */
    }
    rb_define_singleton_method(tj_mToJson, "generate", to_json_s_generate, -1);
    rb_define_singleton_method(tj_mToJson, "pretty_generate", to_json_s_pretty_generate, -1);
    rb_define_singleton_method(tj_mToJson, "generate_under", to_json_s_generate_under, 2);
    VALUE singleton = rb_singleton_class(tj_mToJson);
    rb_define_private_method(singleton, "records_of_values", to_json_s_records, -1);
    rb_define_private_method(singleton, "check_value", to_json_s_check, -1);
    rb_define_private_method(singleton, "check_records_of_values", to_json_s_check_records, -1);
}
