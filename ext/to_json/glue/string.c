/* Glue. The only user of RSTRING_PTR: borrowing, transcoding, and Strings that we build. */
#include "string.h"

#include "../core/utf8.h"
#include "errors.h"

int tj_utf8_index;
VALUE tj_utf8_ascii;
static int ascii_index, binary_index;
static ID id_encode, id_scrub;
static VALUE sym_invalid, sym_undef, sym_replace;

void tj_string_init(void)
{
    tj_utf8_index = rb_utf8_encindex();
    tj_utf8_ascii = (VALUE)tj_utf8_index << RUBY_ENCODING_SHIFT | RUBY_ENC_CODERANGE_7BIT;
    ascii_index = rb_usascii_encindex();
    binary_index = rb_ascii8bit_encindex();
    id_encode = rb_intern("encode");
    id_scrub = rb_intern("scrub");
    sym_invalid = ID2SYM(rb_intern("invalid"));
    sym_undef = ID2SYM(rb_intern("undef"));
    sym_replace = ID2SYM(rb_intern("replace"));
    VALUE symbols[] = {sym_invalid, sym_undef, sym_replace};
    for (int i = 0; i < 3; i++) rb_gc_register_mark_object(symbols[i]); /* a Symbol may be dynamic, and move */
}

size_t tj_string_bytes(VALUE string, const uint8_t **bytes)
{
    *bytes = (const uint8_t *)RSTRING_PTR(string);
    return (size_t)RSTRING_LEN(string);
}

static TJ_NOINLINE bool unknown_code_range_cold(VALUE string, int encoding, const uint8_t *bytes, size_t size)
{
    bool ascii;
    size_t valid = tj_utf8_valid_prefix(bytes, size, &ascii);
    if (valid < size) return false;
    if (ascii) ENC_CODERANGE_SET(string, ENC_CODERANGE_7BIT);
    else if (encoding == tj_utf8_index) ENC_CODERANGE_SET(string, ENC_CODERANGE_VALID);
    else return encoding == binary_index;
    return true;
}

bool tj_string_text(VALUE string, const uint8_t **bytes, size_t *size)
{
    int encoding = RB_ENCODING_GET_INLINED(string);
    *size = tj_string_bytes(string, bytes);
    if (tj_string_known(string)) return true;
    if (encoding != tj_utf8_index && encoding != ascii_index && encoding != binary_index) return false;
    if (ENC_CODERANGE(string) == ENC_CODERANGE_7BIT) return true;
    return unknown_code_range_cold(string, encoding, *bytes, *size);
}

bool tj_string_text_under(const tj_rules *rules, VALUE string, const uint8_t **bytes, size_t *size)
{
    if (!tj_string_text(string, bytes, size)) return false;
    return TJ_LIKELY(!rules->binary_refused) || RB_ENCODING_GET_INLINED(string) != binary_index || ENC_CODERANGE(string) == ENC_CODERANGE_7BIT;
}

/* The first byte of `string` at which no character begins. */
static size_t first_defect(VALUE string)
{
    rb_encoding *encoding = rb_enc_get(string);
    const char *start = RSTRING_PTR(string), *end = RSTRING_END(string), *at = start;
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
    if (!t->replace) return rb_funcall(t->string, id_encode, 1, utf8);
    VALUE options = rb_hash_new();
    rb_hash_aset(options, sym_invalid, sym_replace);
    rb_hash_aset(options, sym_undef, sym_replace);
    VALUE arguments[2] = {utf8, options};
    return rb_funcallv_kw(t->string, id_encode, 2, arguments, RB_PASS_KEYWORDS);
}

/* `string` as valid UTF-8 text, by transcoding or replacing. May run Ruby. */
static VALUE utf8_text_cold(tj_writer *w, VALUE string)
{
    int encoding = RB_ENCODING_GET_INLINED(string);
    bool replace = w->rules->invalid_replace;
    bool same_bytes = encoding == tj_utf8_index || (encoding == binary_index && !w->rules->binary_refused); /* US-ASCII beyond ASCII is broken */
    /* A plain String: what was patched into a subclass does not concern the bytes. */
    VALUE plain = rb_enc_str_new(RSTRING_PTR(string), RSTRING_LEN(string), rb_enc_get(string));
    if (same_bytes) {
        rb_enc_associate_index(plain, tj_utf8_index);
        if (replace) return rb_funcall(plain, id_scrub, 0);
    } else {
        struct transcoding t = {plain, replace};
        int state = 0;
        VALUE text = rb_protect(transcode, (VALUE)&t, &state);
        if (!state) return text;
        VALUE error = rb_errinfo();
        if (!RTEST(rb_obj_is_kind_of(error, rb_eEncodingError))) rb_jump_tag(state);
        rb_set_errinfo(Qnil);
        if (ENC_CODERANGE_BROKEN != rb_enc_str_coderange(plain)) {
            VALUE words = rb_funcall(error, rb_intern("message"), 0);
            tj_raise(w, tj_eEncoding, "a String in %s has no UTF-8 form: %" PRIsVALUE ". Pass invalid: :replace to write U+FFFD instead.",
                     rb_enc_name(rb_enc_get(plain)), words);
        }
    }
    size_t offset = first_defect(plain);
    unsigned byte = (uint8_t)RSTRING_PTR(plain)[offset];
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

void tj_write_text(tj_writer *w, VALUE owner, tj_escape_mode mode)
{
    size_t size = (size_t)RSTRING_LEN(owner), done = 0;
    const bool delivers = tj_delivers(w);
    const size_t chunk = w->delivery.chunk ? w->delivery.chunk : TJ_CHUNK;
    if (delivers) owner = rb_str_new_frozen(owner); /* delivering runs Ruby, which may change it */
    /* What is left is what is needed where nothing has to be escaped, which is most often. */
    while (done < size) {
        size_t room = size - done + TJ_ESCAPE_SLACK;
        if (delivers) { /* fills the chunk that was begun first */
            size_t used = tj_buffer_used(&w->out), most = used + 64 <= chunk ? chunk - used : chunk;
            if (room > most) room = most;
        }
        if (room < 64) room = 64;
        uint8_t *at = tj_reserve(w, room);
        tj_escape(&at, w->out.limit, (const uint8_t *)RSTRING_PTR(owner), size, &done, mode);
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

void tj_write_bytes_of(tj_writer *w, VALUE string)
{
    if (!RTEST(string)) return;
    size_t size = (size_t)RSTRING_LEN(string);
    uint8_t *at = tj_reserve(w, size);
    memcpy(at, RSTRING_PTR(string), size);
    tj_commit(w, at + size);
    RB_GC_GUARD(string);
}

/* rb_utf8_str_new without looking the encoding up: 100 instructions of 630 on 3.1. */
VALUE tj_string_new(const uint8_t *bytes, size_t size)
{
    VALUE string = rb_str_new((const char *)bytes, (long)size);
    RB_ENCODING_SET_INLINED(string, tj_utf8_index);
    return string;
}

void tj_string_append(VALUE target, VALUE whole, const uint8_t *bytes, size_t size)
{
    int encoding = RB_ENCODING_GET_INLINED(target);
    bool ascii = true;
    if (whole) bytes = (const uint8_t *)RSTRING_PTR(whole); /* becoming one may have moved them */
    if (encoding == ascii_index) tj_utf8_valid_prefix(bytes, size, &ascii);
    if (!ascii) rb_enc_associate_index(target, encoding = tj_utf8_index);
    if (whole && encoding == tj_utf8_index && RSTRING_LEN(target) == 0) rb_str_replace(target, whole); /* shares, copies nothing */
    else rb_str_cat(target, (const char *)bytes, (long)size);
    RB_GC_GUARD(whole);
}

VALUE tj_carrier_new(void) { return rb_obj_hide(rb_str_buf_new(TJ_CHUNK)); }

VALUE tj_carried(VALUE carrier, const uint8_t *bytes, size_t size)
{
    memcpy(RSTRING_PTR(carrier), bytes, size);
    VALUE text = rb_str_new_static(RSTRING_PTR(carrier), (long)size);
    RB_ENCODING_SET_INLINED(text, tj_utf8_index);
    return text;
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
    if (spare > used / 24) rb_str_resize(storage, (long)used); /* less is cheaper to keep than to give back */
    rb_obj_reveal(storage, rb_cString);
    return storage;
}
