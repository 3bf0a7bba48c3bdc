/* Values. What is blank: blank? of ActiveSupport if it is loaded, else nil, false, empty or white
 * space. */
#include "blank.h"

#include "../writer/errors.h"

static ID id_blank_p, id_empty_p, id_match_p;
static VALUE not_blank;

void tj_blank_init(void)
{
    id_blank_p = rb_intern("blank?");
    id_empty_p = rb_intern("empty?");
    id_match_p = rb_intern("match?");
    not_blank = rb_const_get(tj_mToJson, rb_intern("NOT_BLANK"));
    rb_gc_register_mark_object(not_blank);
}

bool tj_is_blank(VALUE v)
{
    if (NIL_P(v) || v == Qfalse) return true;
    /* ActiveSupport */
    if (rb_respond_to(v, id_blank_p)) return RTEST(rb_funcallv(v, id_blank_p, 0, NULL));
    if (RB_TYPE_P(v, T_STRING)) {
        v = rb_str_export_to_enc(v, rb_utf8_encoding());
        /* not blank, so that it is written, which raises with the path */
        if (rb_enc_str_coderange(v) == ENC_CODERANGE_BROKEN) return false;
        VALUE stripped = rb_funcall(v, id_match_p, 1, not_blank);
        return !RTEST(stripped);
    }
    return rb_respond_to(v, id_empty_p) && RTEST(rb_funcallv(v, id_empty_p, 0, NULL));
}
