/* Values. Strings as JSON text, whatever their encoding and size. */
#ifndef TJ_STRING_VALUE_H
#define TJ_STRING_VALUE_H

#include "../writer/writer.h"

void tj_string_value_init(void);

/* `string` as the UTF-8 text that is written for it, itself or another. Raises as tj_write_string_cold. */
VALUE tj_utf8_text(tj_writer *w, VALUE string);

/* Writes `string` with its quotes, whatever its encoding and size. May run Ruby (flush), raises
 * ToJson::EncodingError with the offset, unless invalid: :replace. */
void tj_write_string_cold(tj_writer *w, VALUE string);
void tj_write_key_text_cold(tj_writer *w, VALUE text);

/* Writes bytes that are text already, unquoted, under `mode`. `owner` keeps them alive. */
void tj_write_text(tj_writer *w, VALUE owner, tj_escape_mode mode);

/* Writes a pure ASCII C buffer between quotes, or bare. */
void tj_write_ascii(tj_writer *w, const uint8_t *bytes, size_t size, bool quoted);

#endif
