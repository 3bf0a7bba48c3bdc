/* Dialects. The dialects :json and :json2. */
#ifndef TJ_DIALECT_JSON_H
#define TJ_DIALECT_JSON_H

#include "../writer/writer.h"

/* What json does with a large Integer: it asks Integer#to_s, which somebody may have replaced. */
bool tj_json_bignum(tj_writer *w, VALUE v);

/* json 2.x takes a binary String for text where it is UTF-8: a copy that says so; else Qundef. */
VALUE tj_json2_binary(VALUE string);

/* Says what they do; before the first Rules are made. */
void tj_dialect_json_init(void);

#endif
