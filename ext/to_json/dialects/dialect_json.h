/* Dialects. The dialects :json and :json2.
 *
 * This room writes, byte for byte, what other libraries write. Each dialect fills a tj_family with
 * its functions, which the room of values calls. What is the same for all dialects does not belong
 * here, and no file may change what another dialect writes. */
#ifndef TJ_DIALECT_JSON_H
#define TJ_DIALECT_JSON_H

#include "../writer/writer.h"

/* json calls Integer#to_s for a large Integer, which may be redefined. */
bool tj_json_bignum(tj_writer *w, VALUE v);

/* json 2.x writes a binary String that is valid UTF-8 as text: returns a copy in UTF-8; otherwise
 * Qundef. */
VALUE tj_json2_binary(VALUE string);

/* Registers the functions of both dialects; called before the first Rules are made. */
void tj_dialect_json_init(void);

#endif
