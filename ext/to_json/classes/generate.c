/* Classes. ToJson.generate and ToJson.pretty_generate. */
#include "classes.h"

#include "../glue/serializer.h"

static ID id_split_options;

/* Keywords besides into: and max_depth: are Rules; lib/to_json/rules.rb names the unknown ones. */
static VALUE generate(int argc, VALUE *argv, bool pretty)
{
    bool keywords = rb_keyword_given_p();
    int positional = argc - (keywords ? 1 : 0);
    if (positional != 1) rb_error_arity(positional, 1, 1);
    tj_call call = {1, argv, Qfalse, Qundef, Qundef, Qundef, Qundef};
    VALUE split = Qnil;
    if (keywords) {
        split = rb_funcall(tj_mToJson, id_split_options, 1, argv[1]);
        call.into = RARRAY_AREF(split, 0);
        call.rules = RARRAY_AREF(split, 1);
    }
    VALUE result = tj_generate(&call, pretty);
    RB_GC_GUARD(split);
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
    id_split_options = rb_intern("split_generate_options");
    rb_define_singleton_method(tj_mToJson, "generate", to_json_s_generate, -1);
    rb_define_singleton_method(tj_mToJson, "pretty_generate", to_json_s_pretty_generate, -1);
}
