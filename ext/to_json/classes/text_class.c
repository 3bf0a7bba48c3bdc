/* Classes. ToJson::Text and ToJson::Tree: JSON text as text, and as values; their files in
 * lib/to_json/values document them. */
#include "classes.h"

#include "../values/parsed.h"
#include "../values/text.h"

static VALUE text_s_defect_of(VALUE self, VALUE json, VALUE max_depth)
{
    (void)self;
    Check_Type(json, T_STRING);
    return tj_text_defect(json, NUM2SIZET(max_depth));
}

/* Yields the text in chunks and returns nil; if the text is invalid, yields nothing and returns the
 * defect. */
static VALUE text_s_chunks(VALUE self, VALUE json, VALUE max_depth, VALUE layout, VALUE indent,
                           VALUE filler)
{
    (void)self;
    Check_Type(json, T_STRING);
    json = rb_str_new_frozen(json); /* the block may change the caller's String */
    tj_relayout r = {.layout = (tj_layout)NUM2INT(layout),
                     .indent = NUM2SIZET(indent),
                     .filler = (uint8_t)NUM2INT(filler)};
    VALUE defect = tj_text_defect(json, NUM2SIZET(max_depth));
    if (NIL_P(defect)) tj_text_relayout(json, r);
    return defect;
}

static VALUE tree_s_parse(VALUE self, VALUE json)
{
    (void)self;
    Check_Type(json, T_STRING);
    return tj_parsed(json);
}

void tj_define_text(void)
{
    VALUE module = rb_define_module_under(tj_mToJson, "Text");
    rb_define_singleton_method(module, "defect_of", text_s_defect_of, 2);
    rb_define_private_method(rb_singleton_class(module), "chunks", text_s_chunks, 5);
    module = rb_define_module_under(tj_mToJson, "Tree");
    rb_define_singleton_method(module, "parse", tree_s_parse, 1);
}
