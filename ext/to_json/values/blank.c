/* Values. What is blank: blank? of ActiveSupport if it is loaded, else nil, false, empty or white
 * space. */
#include "blank.h"

#include "../writer/errors.h"

static VALUE not_blank;

void tj_blank_init(void)
{
    not_blank = rb_const_get(tj_mToJson, rb_intern("NOT_BLANK"));
    rb_gc_register_mark_object(not_blank);
}

bool tj_is_blank(VALUE v)
{
    if (NIL_P(v) || v == Qfalse) return true;
    /* ActiveSupport */
    if (rb_respond_to(v, rb_intern("blank?")))
        return RTEST(rb_funcallv(v, rb_intern("blank?"), 0, NULL));
    if (RB_TYPE_P(v, T_STRING)) {
        v = rb_str_export_to_enc(v, rb_utf8_encoding());
        /* not blank, so that it is written, which raises with the path */
        if (rb_enc_str_coderange(v) == ENC_CODERANGE_BROKEN) return false;
        if (rb_enc_str_asciionly_p(v) || rb_enc_get(v) == rb_utf8_encoding())
            return !RTEST(rb_funcall(v, rb_intern("match?"), 1, not_blank));
        return false; /* such as binary text: white space is ASCII there */
    }
    return rb_respond_to(v, rb_intern("empty?")) &&
           RTEST(rb_funcallv(v, rb_intern("empty?"), 0, NULL));
}
