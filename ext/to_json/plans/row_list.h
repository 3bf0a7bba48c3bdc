/* Plans. Reads Lists of rows (lib/to_json/rows/list.rb) without Ruby. */
#ifndef TJ_ROW_LIST_H
#define TJ_ROW_LIST_H

#include "part.h"

/* Where a value of a Part stands in a row. */
typedef struct {
    long place;
    VALUE cell;  /* takes the raw value; or 0 */
    VALUE as_is; /* without a Cell: Integer, Float or String, which are written as they are */
} tj_row_column;

typedef struct {
    const tj_part *part;
    VALUE rows; /* an Array of Arrays */
    tj_row_column columns[TJ_PART_SLOTS];
} tj_row_list;

/* Fills `found`, which must be on the stack. Returns false unless `part` is a ToJson::Part that
 * writes all of an object, and the List says where its values stand. Runs no Ruby. */
bool tj_row_list_of(const tj_writer *w, VALUE list, VALUE part, tj_row_list *found);

/* Writes the object of a row, if that needs no Ruby. Else returns false, and has written nothing.
 */
bool tj_try_row(tj_writer *w, const tj_row_list *list, long index);

#endif
