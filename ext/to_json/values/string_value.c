/* Values. Strings as JSON text: transcoded or repaired if the Rules say so, escaped, in quotes. */
#include "string_value.h"

#include "../delivery/flush.h"
#include "../writer/errors.h"
#include "../writer/protect.h"
#include "../writer/string.h"

/* The offset of the first byte that begins no character. */
static size_t first_defect(VALUE string)
{
    rb_encoding *encoding = rb_enc_get(string);
    const uint8_t *bytes;
    size_t size = tj_string_bytes(string, &bytes);
    const char *start = (const char *)bytes, *end = start + size, *at = start;
    while (at < end) {
        int length = rb_enc_precise_mbclen(at, end, encoding);
        if (!MBCLEN_CHARFOUND_P(length)) break;
        at += MBCLEN_CHARFOUND_LEN(length);
    }
    RB_GC_GUARD(string);
    return (size_t)(at - start);
}

struct transcoding {
    VALUE string;
    bool replace;
};

static VALUE transcode(VALUE argument)
{
    struct transcoding *t = (struct transcoding *)argument;
    VALUE utf8 = rb_enc_from_encoding(rb_utf8_encoding());
    int flags = t->replace ? ECONV_INVALID_REPLACE | ECONV_UNDEF_REPLACE : 0;
    return rb_str_encode(t->string, utf8, flags, Qnil);
}

/* `string` as valid UTF-8, transcoded or with replacements. May run Ruby. */
static VALUE utf8_text_cold(tj_writer *w, VALUE string)
{
    int encoding = RB_ENCODING_GET_INLINED(string);
    bool replace = w->rules->invalid_replace;
    /* US-ASCII with bytes above 127 is broken */
    bool same_bytes =
        encoding == tj_utf8_index || (encoding == tj_binary_index && !w->rules->binary_refused);
    VALUE plain = tj_string_plain(string);
    if (same_bytes) {
        rb_enc_associate_index(plain, tj_utf8_index);
        if (replace) {
            VALUE text = rb_str_scrub(plain, Qnil);
            return NIL_P(text) ? plain : text; /* nil: nothing to replace */
        }
    } else {
        struct transcoding t = {plain, replace};
        int state = 0;
        VALUE text = tj_rb_protect(transcode, (VALUE)&t, &state);
        if (!state) return text;
        if (state != TJ_STATE_RAISE) rb_jump_tag(state); /* rb_errinfo is no exception then */
        VALUE error = rb_errinfo();
        if (!RTEST(rb_obj_is_kind_of(error, rb_eEncodingError))) rb_jump_tag(state);
        rb_set_errinfo(Qnil);
        if (ENC_CODERANGE_BROKEN != rb_enc_str_coderange(plain)) {
            VALUE words = rb_funcall(error, rb_intern("message"), 0);
            tj_raise(w, tj_eEncoding,
                     "a String in %s has no UTF-8 form: %" PRIsVALUE
                     ". Pass invalid: :replace to write U+FFFD instead.",
                     rb_enc_name(rb_enc_get(plain)), words);
        }
    }
    size_t offset = first_defect(plain);
    const uint8_t *bytes;
    tj_string_bytes(plain, &bytes);
    unsigned byte = bytes[offset];
    tj_raise(w, tj_eEncoding,
             "invalid %s in a String of %" PRIuSIZE " bytes: byte 0x%02X at offset %" PRIuSIZE
             " begins no character. Pass invalid: :replace to write U+FFFD instead.",
             rb_enc_name(rb_enc_get(string)), (size_t)RSTRING_LEN(plain), byte, offset);
}

VALUE tj_utf8_text(tj_writer *w, VALUE string)
{
    const uint8_t *bytes;
    size_t size;
    if (tj_string_known(string)) return string;
    if (!tj_string_text_under(w->rules, string, &bytes, &size)) return utf8_text_cold(w, string);
    if (RB_ENCODING_GET_INLINED(string) == tj_utf8_index) return string;
    VALUE text = tj_string_new(bytes, size);
    RB_GC_GUARD(string);
    return text;
}

/* `string`, or a frozen copy if the document is delivered: that runs Ruby code, which could change
 * the String. */
static VALUE frozen_if_delivered(const tj_writer *w, VALUE string)
{
    return tj_delivers(w) ? rb_str_new_frozen(string) : string;
}

void tj_write_text(tj_writer *w, VALUE owner, tj_escape_mode mode)
{
    const bool delivers = tj_delivers(w);
    const size_t chunk = w->delivery.chunk ? w->delivery.chunk : TJ_CHUNK;
    const uint8_t *bytes;
    size_t size = tj_string_bytes(owner, &bytes), done = 0;
    /* Most strings need no escape, so each step first reserves what is left without escapes. */
    while (done < size) {
        size_t room = size - done + TJ_ESCAPE_SLACK;
        if (delivers) { /* first fills the chunk that was begun */
            size_t used = tj_buffer_used(&w->out), most = used + 64 <= chunk ? chunk - used : chunk;
            if (room > most) room = most;
        }
        if (room < 64) room = 64;
        uint8_t *at = tj_reserve(w, room);
        tj_string_bytes(owner, &bytes);
        tj_escape(&at, w->out.limit, bytes, size, &done, mode);
#ifdef TJ_DEBUG
        w->out.reserved = w->out.limit;
#endif
        tj_commit(w, at);
    }
    RB_GC_GUARD(owner);
}

static void write_string_cold(tj_writer *w, VALUE string, bool key)
{
    const uint8_t *bytes;
    size_t size;
    if (!tj_string_text_under(w->rules, string, &bytes, &size)) {
        const tj_family *family = w->rules->family;
        VALUE other = family && family->not_text ? family->not_text(w, string, key) : Qundef;
        if (other == Qfalse) return;
        string = other == Qundef ? utf8_text_cold(w, string) : other;
    }
    string = frozen_if_delivered(w, string);
    tj_write_byte(w, '"');
    tj_write_text(w, string, w->rules->escape);
    tj_write_byte(w, '"');
    RB_GC_GUARD(string);
}

void tj_write_string_cold(tj_writer *w, VALUE string) { write_string_cold(w, string, false); }

void tj_write_key_text_cold(tj_writer *w, VALUE text) { write_string_cold(w, text, true); }

void tj_write_ascii(tj_writer *w, const uint8_t *bytes, size_t size, bool quoted)
{
    uint8_t *at = tj_reserve(w, size + 2);
    if (quoted) *at++ = '"';
    memcpy(at, bytes, size);
    at += size;
    if (quoted) *at++ = '"';
    tj_commit(w, at);
}

void tj_write_ascii_of(tj_writer *w, VALUE text, bool quoted)
{
    const uint8_t *bytes;
    text = frozen_if_delivered(w, text);
    size_t size = tj_string_bytes(text, &bytes);
    tj_write_ascii(w, bytes, size, quoted);
    RB_GC_GUARD(text);
}
