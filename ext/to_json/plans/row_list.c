/* Plans. Writes rows of a database by their raw values, without the getters of their Row. */
#include "row_list.h"

#include "../values/cell.h"
#include "item.h"

/* Finds the place in a row of what the getter `source` returns. `columns` has it if that is the raw
 * value, or what a Cell makes of it: RowClass in lib/to_json/rows/row_class.rb. */
static bool find_column(VALUE row, VALUE columns, VALUE source, tj_row_column *column)
{
    VALUE found = rb_hash_lookup2(columns, source, Qnil);
    if (NIL_P(found)) return false;
    VALUE way = rb_ary_entry(found, 1);
    *column = (tj_row_column){.place = NUM2LONG(rb_ary_entry(found, 0)), .as_is = way};
    if (!RB_SYMBOL_P(way)) return true;
    column->cell = rb_ivar_get(row, rb_sym2id(way));
    return tj_is_cell(column->cell);
}

bool tj_row_list_of(const tj_writer *w, VALUE list, VALUE part, tj_row_list *found)
{
    if (NIL_P(part) || w->encode_anew || w->consult & TJ_CLASSES_SIMPLE) return false;
    found->part = RTYPEDDATA_DATA(part);
    if (!(found->part->flags & TJ_PART_PLAIN) || found->part->count > TJ_PART_SLOTS) return false;
    VALUE row = rb_ivar_get(list, rb_intern("@row")),
          columns = rb_ivar_get(row, rb_intern("@columns"));
    found->rows = rb_ivar_get(list, rb_intern("@rows"));
    if (!RB_TYPE_P(columns, T_HASH) || !RB_TYPE_P(found->rows, T_ARRAY)) return false;
    for (uint32_t i = 0; i < found->part->count; i++)
        if (!find_column(row, columns, found->part->ops[i].source, &found->columns[i]))
            return false;
    return true;
}

static bool is_as_is(VALUE raw, VALUE type)
{
    if (type == rb_cInteger) return RB_INTEGER_TYPE_P(raw);
    return type == rb_cFloat ? RB_FLOAT_TYPE_P(raw)
                             : type == rb_cString && RB_TYPE_P(raw, T_STRING);
}

bool tj_try_row(tj_writer *w, const tj_row_list *list, long index)
{
    VALUE row = rb_ary_entry(list->rows, index), values[TJ_PART_SLOTS];
    if (!RB_TYPE_P(row, T_ARRAY)) return false;
    for (uint32_t i = 0; i < list->part->count; i++) {
        const tj_row_column *column = &list->columns[i];
        VALUE raw = rb_ary_entry(row, column->place);
        values[i] = raw;
        if (column->cell) {
            if (!tj_cell_take(column->cell, raw, &values[i])) return false;
        } else if (!NIL_P(raw) && !is_as_is(raw, column->as_is)) return false;
    }
    bool written = tj_try_plain_item(w, list->part, values);
    RB_GC_GUARD(row);
    return written;
}
