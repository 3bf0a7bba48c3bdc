/* Classes. ToJson::Rows::Cell: a column of a document that is written from rows, see
 * lib/to_json/rows/casts.rb. */
#include "classes.h"

#include "../values/cell.h"

static VALUE cell_s_new(VALUE klass, VALUE kind, VALUE type)
{
    (void)klass;
    return tj_cell_new(kind, type);
}

void tj_define_cell(void)
{
    rb_define_singleton_method(tj_cCell, "new", cell_s_new, 2);
    rb_define_method(tj_cCell, "of", tj_cell_of, 1);
    rb_define_method(tj_cCell, "value", tj_cell_value, 0);
    VALUE rows = rb_const_get(tj_mToJson, rb_intern("Rows"));
    rb_funcall(rows, rb_intern("private_constant"), 2, ID2SYM(rb_intern("Cell")),
               ID2SYM(rb_intern("Casts")));
}
