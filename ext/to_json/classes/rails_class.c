/* Classes. ToJson::Dialects::Rails.encode: ActiveSupport::JSON.encode with its options. And how a
 * document escapes text. */
#include "classes.h"

#include "../dialects/dialect_rails.h"
#include "../writer/rules.h"
#include "../documents/document.h"
#include "../writer/pool.h"

/* `options` are those of the value's as_json, `escapes` an Integer or nil; the Rules must have the
 * dialect :rails. */
static VALUE rails_s_encode(VALUE self, VALUE value, VALUE options, VALUE escapes, VALUE rules)
{
    (void)self;
    VALUE document =
        NIL_P(options) && NIL_P(escapes) ? value : tj_rails_with_options(value, options, escapes);
    tj_call call = TJ_PLAIN_CALL(tj_pool_current(), 1, &document);
    if (tj_rules_get(rules)->dialect != TJ_RAILS)
        rb_raise(rb_eArgError, "encode takes Rules of the dialect :rails");
    call.rules = rules;
    VALUE result = tj_generate(&call, false);
    RB_GC_GUARD(document);
    return result;
}

/* How the document escapes text, a number for cache keys. The settings say it, or the call. */
static VALUE rails_s_escapes(VALUE self, VALUE writer)
{
    (void)self;
    tj_writer *w = rb_check_typeddata(writer, &tj_writer_type);
    return UINT2NUM(w->rules ? w->rules->escape : 0);
}

void tj_define_rails(void)
{
    VALUE mRails = rb_define_module_under(rb_define_module_under(tj_mToJson, "Dialects"), "Rails");
    rb_define_singleton_method(mRails, "encode", rails_s_encode, 4);
    rb_define_singleton_method(mRails, "escapes", rails_s_escapes, 1);
}
