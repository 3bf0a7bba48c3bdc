/* Writer. Borrows the bytes of Strings, and makes Strings. Only this file uses RSTRING_PTR. */
#include "string.h"

#include "../core/text/utf8.h"

int tj_utf8_index;
VALUE tj_utf8_ascii;
int tj_binary_index;
static int ascii_index;

void tj_string_init(void)
{
    tj_utf8_index = rb_utf8_encindex();
    tj_utf8_ascii = (VALUE)tj_utf8_index << RUBY_ENCODING_SHIFT | RUBY_ENC_CODERANGE_7BIT;
    ascii_index = rb_usascii_encindex();
    tj_binary_index = rb_ascii8bit_encindex();
}

size_t tj_string_bytes(VALUE string, const uint8_t **bytes)
{
    *bytes = (const uint8_t *)RSTRING_PTR(string);
    return (size_t)RSTRING_LEN(string);
}

bool tj_string_is(VALUE string, const char *text)
{
    size_t size = strlen(text);
    bool same = (size_t)RSTRING_LEN(string) == size && memcmp(RSTRING_PTR(string), text, size) == 0;
    RB_GC_GUARD(string);
    return same;
}

static TJ_NOINLINE bool unknown_code_range_cold(VALUE string, int encoding, const uint8_t *bytes,
                                                size_t size)
{
    bool ascii;
    size_t valid = tj_utf8_valid_prefix(bytes, size, &ascii);
    if (valid < size) return false;
    if (ascii) ENC_CODERANGE_SET(string, ENC_CODERANGE_7BIT);
    else if (encoding == tj_utf8_index) ENC_CODERANGE_SET(string, ENC_CODERANGE_VALID);
    else return encoding == tj_binary_index;
    return true;
}

bool tj_string_text(VALUE string, const uint8_t **bytes, size_t *size)
{
    int encoding = RB_ENCODING_GET_INLINED(string);
    *size = tj_string_bytes(string, bytes);
    if (tj_string_known(string)) return true;
    if (encoding != tj_utf8_index && encoding != ascii_index && encoding != tj_binary_index)
        return false;
    if (ENC_CODERANGE(string) == ENC_CODERANGE_7BIT) return true;
    return unknown_code_range_cold(string, encoding, *bytes, *size);
}

bool tj_string_text_under(const tj_rules *rules, VALUE string, const uint8_t **bytes, size_t *size)
{
    if (!tj_string_text(string, bytes, size)) return false;
    return TJ_LIKELY(!rules->binary_refused) ||
           RB_ENCODING_GET_INLINED(string) != tj_binary_index ||
           ENC_CODERANGE(string) == ENC_CODERANGE_7BIT;
}

bool tj_string_has_markup(VALUE string)
{
    const char *at = RSTRING_PTR(string);
    size_t size = (size_t)RSTRING_LEN(string);
    if (memchr(at, '<', size) || memchr(at, '>', size) || memchr(at, '&', size)) return true;
    const char *end = at + size;
    while ((at = memchr(at, 0xe2, (size_t)(end - at))) != NULL) {
        if (end - at > 2 && (uint8_t)at[1] == 0x80 && ((uint8_t)at[2] & 0xfe) == 0xa8) return true;
        at++;
    }
    return false;
}

/* rb_utf8_str_new without looking up the encoding: 100 instructions of 630 on Ruby 3.1. */
VALUE tj_string_new(const uint8_t *bytes, size_t size)
{
    VALUE string = rb_str_new((const char *)bytes, (long)size);
    RB_ENCODING_SET_INLINED(string, tj_utf8_index);
    return string;
}

bool tj_takes_json(VALUE string)
{
    int encoding = RB_ENCODING_GET_INLINED(string);
    return encoding == tj_utf8_index || encoding == ascii_index || encoding == tj_binary_index;
}

VALUE tj_string_plain(VALUE string)
{
    VALUE plain = rb_enc_str_new(RSTRING_PTR(string), RSTRING_LEN(string), rb_enc_get(string));
    RB_GC_GUARD(string);
    return plain;
}

void tj_string_append(VALUE target, VALUE whole, const uint8_t *bytes, size_t size)
{
    int encoding = RB_ENCODING_GET_INLINED(target);
    bool ascii = true;
    /* making the String may have moved them */
    if (whole) bytes = (const uint8_t *)RSTRING_PTR(whole);
    if (encoding == ascii_index) tj_utf8_valid_prefix(bytes, size, &ascii);
    if (!ascii) rb_enc_associate_index(target, encoding = tj_utf8_index);
    /* shares the memory, copies nothing */
    if (whole && encoding == tj_utf8_index && RSTRING_LEN(target) == 0)
        rb_str_replace(target, whole);
    else rb_str_cat(target, (const char *)bytes, (long)size);
    RB_GC_GUARD(whole);
}

VALUE tj_carrier_new(void) { return rb_obj_hide(rb_str_buf_new(TJ_CHUNK)); }

VALUE tj_carried(VALUE carrier, const uint8_t *bytes, size_t size)
{
    memcpy(RSTRING_PTR(carrier), bytes, size);
    VALUE text = rb_str_new_static(RSTRING_PTR(carrier), (long)size);
    RB_ENCODING_SET_INLINED(text, tj_utf8_index);
    return rb_obj_hide(text); /* else a heap walk could make a copy that shares the memory */
}

VALUE tj_storage_new(size_t capacity)
{
    VALUE storage = rb_str_buf_new((long)capacity);
    rb_enc_associate_index(storage, tj_utf8_index);
    return rb_obj_hide(storage);
}

void tj_storage_grow(VALUE storage, size_t used, size_t capacity)
{
    rb_str_set_len(storage, (long)used);
    rb_str_modify_expand(storage, (long)(capacity - used));
}

uint8_t *tj_storage_bytes(VALUE storage, size_t *capacity)
{
    *capacity = (size_t)rb_str_capacity(storage);
    return (uint8_t *)RSTRING_PTR(storage);
}

VALUE tj_storage_reveal(VALUE storage, size_t used)
{
    rb_str_set_len(storage, (long)used);
    size_t spare = (size_t)rb_str_capacity(storage) - used;
    /* less is cheaper to keep than to give back */
    if (spare > used / 24) rb_str_resize(storage, (long)used);
    rb_obj_reveal(storage, rb_cString);
    return storage;
}
