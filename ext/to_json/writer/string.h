/* Writer. Ruby Strings as bytes, and bytes as Strings. Only this room uses RSTRING_PTR. */
#ifndef TJ_STRING_H
#define TJ_STRING_H

#include "writer.h"

/* Set once at load. */
extern int tj_utf8_index;
extern int tj_binary_index;
extern VALUE tj_utf8_ascii; /* the flags for encoding and code range of an ASCII String in UTF-8 */
void tj_string_init(void);

/* Borrows the bytes of `string`: they are valid until Ruby runs or the String changes. The caller
 * keeps it alive with RB_GC_GUARD after the last use. */
size_t tj_string_bytes(VALUE string, const uint8_t **bytes);

/* Whether Ruby knows that the String is valid UTF-8, as it does of most Strings: its bytes need no
 * check. In the flags the code range (1: ASCII, 2: valid) is below the encoding. */
TJ_INLINE bool tj_string_known(VALUE string)
{
    const VALUE unit = RUBY_ENC_CODERANGE_7BIT, mask = RUBY_ENCODING_MASK | RUBY_ENC_CODERANGE_MASK;
    _Static_assert(RUBY_ENC_CODERANGE_VALID == 2 * RUBY_ENC_CODERANGE_7BIT &&
                       RUBY_ENCODING_MASK >> RUBY_ENCODING_SHIFT == RUBY_ENCODING_INLINE_MAX &&
                       1 << RUBY_ENCODING_SHIFT == 4 * RUBY_ENC_CODERANGE_7BIT,
                   "one field");
    return ((RBASIC(string)->flags & mask) - tj_utf8_ascii) / unit <= 1;
}

/* A String of no subclass. */
TJ_INLINE bool tj_is_exact_string(VALUE v)
{
    return !RB_SPECIAL_CONST_P(v) && RBASIC_CLASS(v) == rb_cString;
}

/* Whether its bytes are those of `text`. */
bool tj_string_is(VALUE string, const char *text);

TJ_INLINE bool tj_string_begins_with(VALUE string, char byte)
{
    return RSTRING_LEN(string) > 0 && *RSTRING_PTR(string) == byte;
}

/* Whether its first byte is printable ASCII and no space: it is not blank, whatever the rules. */
TJ_INLINE bool tj_string_begins_with_a_letter(VALUE string)
{
    return RSTRING_LEN(string) > 0 && *RSTRING_PTR(string) > ' ' && *RSTRING_PTR(string) < 0x7F;
}

/* Borrows the bytes if they can be written: a UTF-8 or ASCII String that is valid. The result of a
 * check is stored in the String. Returns false if it is broken or must be transcoded. */
bool tj_string_text(VALUE string, const uint8_t **bytes, size_t *size);

/* The same, but refuses binary Strings if the Rules do. */
bool tj_string_text_under(const tj_rules *rules, VALUE string, const uint8_t **bytes, size_t *size);

/* Whether there is < > & U+2028 or U+2029, which ActiveSupport escapes. */
bool tj_string_has_markup(VALUE string);

/* A new UTF-8 String of these bytes. */
VALUE tj_string_new(const uint8_t *bytes, size_t size);

/* A new String (no subclass) with the same bytes and encoding. */
VALUE tj_string_plain(VALUE string);

/* Memory for the pieces of a document, one after another, at most TJ_CHUNK bytes each. */
VALUE tj_carrier_new(void);
/* A String over a copy of `bytes` in the carrier. The String is hidden: it has no class, so only C
 * functions may get it. The caller keeps the carrier alive and unchanged until the caller has
 * emptied the String. */
VALUE tj_carried(VALUE carrier, const uint8_t *bytes, size_t size);

/* Whether its encoding is UTF-8, US-ASCII or binary. */
bool tj_takes_json(VALUE string);

/* Appends the document to `target` as << does. `whole` is a String with the same bytes, or
 * Qfalse. */
void tj_string_append(VALUE target, VALUE whole, const uint8_t *bytes, size_t size);

/* The hidden String in which a long document is written. */
VALUE tj_storage_new(size_t capacity);
void tj_storage_grow(VALUE storage, size_t used, size_t capacity);
uint8_t *tj_storage_bytes(VALUE storage, size_t *capacity);
/* Turns it into an ordinary String of `used` bytes, without its spare memory. */
VALUE tj_storage_reveal(VALUE storage, size_t used);

/* Writes a String with its quotes at `at`, if the buffer has room for the worst case. Returns NULL
 * if it has not, or if more than copying and escaping is needed. Never runs Ruby. */
TJ_INLINE uint8_t *tj_simple_string(tj_writer *w, uint8_t *at, VALUE string)
{
    const uint8_t *bytes;
    size_t size;
    if (TJ_LIKELY(tj_string_known(string))) {
        bytes = (const uint8_t *)RSTRING_PTR(string);
        size = (size_t)RSTRING_LEN(string);
    } else if (!tj_string_text_under(w->rules, string, &bytes, &size)) return NULL;
    /* On 64 bits no String is long enough for this to overflow. */
    if (sizeof size < 8 && size > SIZE_MAX / 8) return NULL;
    if (TJ_UNLIKELY(size * TJ_ESCAPE_GROWTH + TJ_ESCAPE_SLACK + 2 > (size_t)(w->out.limit - at)))
        return NULL;
    *at++ = '"';
    at = tj_unsafe_escape(at, bytes, size, w->rules->escape);
    *at++ = '"';
    RB_GC_GUARD(string);
    return at;
}

#endif
