/* Values. Writes Strings of any encoding and size as JSON text. */
#ifndef TJ_STRING_VALUE_H
#define TJ_STRING_VALUE_H

#include "../writer/writer.h"

/* The UTF-8 text that is written for `string`: itself or another String. Raises like
 * tj_write_string_cold. */
VALUE tj_utf8_text(tj_writer *w, VALUE string);

/* Writes `string` with quotes, whatever its encoding and size. May run Ruby (flush). Raises
 * ToJson::EncodingError with the offset, unless invalid: :replace. */
void tj_write_string_cold(tj_writer *w, VALUE string);
void tj_write_key_text_cold(tj_writer *w, VALUE text);

/* Writes the bytes of `owner`, which are valid text, without quotes under `mode`. Keeps `owner`
 * alive. If the document is delivered, `owner` must be frozen. */
void tj_write_text(tj_writer *w, VALUE owner, tj_escape_mode mode);

/* Writes ASCII text from C with or without quotes. May run Ruby (flush), which must not change or
 * free the bytes. */
void tj_write_ascii(tj_writer *w, const uint8_t *bytes, size_t size, bool quoted);
/* The same for a String that Ruby code may still hold, and change. */
void tj_write_ascii_of(tj_writer *w, VALUE text, bool quoted);

#endif
