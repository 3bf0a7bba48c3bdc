/* Writer. Ruby Strings as bytes, both ways. The only user of RSTRING_PTR. */
#ifndef TJ_STRING_H
#define TJ_STRING_H

#include "writer.h"

/* Set once at load. */
extern int tj_utf8_index;
extern int tj_binary_index;
extern VALUE tj_utf8_ascii; /* what the flags of a String of ASCII in UTF-8 have of encoding and code range */
void tj_string_init(void);

/* Borrows the bytes of `string`: valid until Ruby runs or the String changes. The caller keeps it
 * alive with RB_GC_GUARD after the last use. */
size_t tj_string_bytes(VALUE string, const uint8_t **bytes);

/* Text that needs no look at its bytes: exactly UTF-8 and known to be valid. Most Strings. The flags have the code range (1: ASCII, 2: valid)
 * below the encoding. */
TJ_INLINE bool tj_string_known(VALUE string)
{
    const VALUE unit = RUBY_ENC_CODERANGE_7BIT, mask = RUBY_ENCODING_MASK | RUBY_ENC_CODERANGE_MASK;
    _Static_assert(RUBY_ENC_CODERANGE_VALID == 2 * RUBY_ENC_CODERANGE_7BIT && RUBY_ENCODING_MASK >> RUBY_ENCODING_SHIFT == RUBY_ENCODING_INLINE_MAX &&
                       1 << RUBY_ENCODING_SHIFT == 4 * RUBY_ENC_CODERANGE_7BIT, "one field");
    return ((RBASIC(string)->flags & mask) - tj_utf8_ascii) / unit <= 1;
}

/* Whether its first byte is one of printable ASCII other than space: not blank, by anybody's rules. */
TJ_INLINE bool tj_string_begins_with_a_letter(VALUE string)
{
    return RSTRING_LEN(string) > 0 && *RSTRING_PTR(string) > ' ' && *RSTRING_PTR(string) < 0x7F;
}

/* The same for text that can be written as it is: a UTF-8 (or ASCII) String known to be valid, or
 * found valid now, in which case the String learns it. False when it needs transcoding or is broken. */
bool tj_string_text(VALUE string, const uint8_t **bytes, size_t *size);

/* The same, but for binary Strings where the Rules refuse them. */
bool tj_string_text_under(const tj_rules *rules, VALUE string, const uint8_t **bytes, size_t *size);

/* A new UTF-8 String of these bytes. */
VALUE tj_string_new(const uint8_t *bytes, size_t size);

/* A new String of the same bytes and encoding, of no subclass. */
VALUE tj_string_plain(VALUE string);

/* Memory for one piece of a document after another, at most TJ_CHUNK bytes each; and a String whose
 * bytes stand there. The caller keeps the carrier alive and untouched until it has emptied that
 * String. */
VALUE tj_carrier_new(void);
VALUE tj_carried(VALUE carrier, const uint8_t *bytes, size_t size);

/* Appends the document to a String as << would; `whole` is the same bytes as a String, or Qfalse. */
void tj_string_append(VALUE target, VALUE whole, const uint8_t *bytes, size_t size);

/* The hidden String in which a long document grows. */
VALUE tj_storage_new(size_t capacity);
void tj_storage_grow(VALUE storage, size_t used, size_t capacity);
uint8_t *tj_storage_bytes(VALUE storage, size_t *capacity);
/* Makes it an ordinary String of `used` bytes, its spare memory given back. */
VALUE tj_storage_reveal(VALUE storage, size_t used);

/* Writes a String with its quotes at `at` where the buffer has room for the worst; NULL where not, or
 * where it takes more than copying and escaping. Never runs Ruby. */
TJ_INLINE uint8_t *tj_simple_string(tj_writer *w, uint8_t *at, VALUE string)
{
    const uint8_t *bytes;
    size_t size;
    if (TJ_LIKELY(tj_string_known(string))) {
        bytes = (const uint8_t *)RSTRING_PTR(string);
        size = (size_t)RSTRING_LEN(string);
    } else if (!tj_string_text_under(w->rules, string, &bytes, &size)) return NULL;
    /* With 64 bits no String has so many bytes that this wraps: they stand in memory. */
    if (sizeof size < 8 && size > SIZE_MAX / 8) return NULL;
    if (TJ_UNLIKELY(size * TJ_ESCAPE_GROWTH + TJ_ESCAPE_SLACK + 2 > (size_t)(w->out.limit - at))) return NULL;
    *at++ = '"';
    at = tj_unsafe_escape(at, bytes, size, w->rules->escape);
    *at++ = '"';
    RB_GC_GUARD(string);
    return at;
}

#endif
