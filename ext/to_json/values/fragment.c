/* Values. Fragments: text that is checked once, and then copied. */
#include "fragment.h"

#include "../writer/errors.h"
#include "../writer/string.h"

#include "../core/text/validate.h"
#include "string_value.h"

static void fragment_mark(void *json) { rb_gc_mark((VALUE)json); }

/* The data pointer is the frozen String itself, so there is nothing to allocate or free. */
const rb_data_type_t tj_fragment_type = {
    .wrap_struct_name = "ToJson::Fragment",
    .function = {.dmark = fragment_mark, .dfree = RUBY_NEVER_FREE},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

static void check_text(tj_writer *w, VALUE json, const char *what, VALUE source)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(json, &bytes);
    tj_defect defect;
    tj_status status = tj_validate(bytes, size, TJ_VALIDATE_MAX_NESTING, &defect);
    RB_GC_GUARD(json);
    if (TJ_LIKELY(status == TJ_OK)) return;
    tj_raise(w, tj_eFragment,
             "%s%" PRIsVALUE " is not valid JSON: %s at offset %" PRIuSIZE " of %" PRIuSIZE
             " bytes. Give one JSON value in UTF-8.",
             what, source, defect.message, defect.offset, size);
}

VALUE tj_fragment_new(VALUE klass, VALUE json, bool check)
{
    if (!RB_TYPE_P(json, T_STRING))
        rb_raise(rb_eTypeError, "ToJson::Fragment.new takes a String of JSON, got %" PRIsVALUE,
                 tj_class_words(json));
    json = rb_str_new_frozen(json);
    if (check) check_text(NULL, json, "the text of this Fragment", rb_str_new_cstr(""));
    VALUE fragment = TypedData_Wrap_Struct(klass, &tj_fragment_type, (void *)json);
    return rb_obj_freeze(fragment);
}

VALUE tj_fragment_text(VALUE fragment)
{
    return (VALUE)rb_check_typeddata(fragment, &tj_fragment_type);
}

void tj_splice_verbatim(tj_writer *w, VALUE json)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(json, &bytes),
           most = w->delivery.chunk && w->delivery.chunk < TJ_CHUNK ? w->delivery.chunk : TJ_CHUNK;
    if (size <= most) tj_write_ascii(w, bytes, size, false);
    else {
        for (size_t done = 0; done < size;) {
            size_t part = size - done < most ? size - done : most;
            if (part < size - done)
                while (part > 0 && (bytes[done + part] & 0xC0) == 0x80) part--;
            /* a Fragment whose text was not checked: all of it in one piece */
            if (part == 0) part = size - done;
            uint8_t *at = tj_reserve(w, part);
            tj_string_bytes(json, &bytes);
            memcpy(at, bytes + done, part);
            tj_commit(w, at + part);
            done += part;
        }
    }
    RB_GC_GUARD(json);
}

static void write_spliced(tj_writer *w, VALUE json)
{
    /* Outside of strings, JSON has none of < > & U+2028 U+2029. So escaping them everywhere is the
     * same as escaping them in strings. */
    if (w->rules->escape == TJ_ESCAPE_HTML || w->rules->escape & TJ_ESCAPE_MARKUP)
        tj_write_text(w, json, TJ_ESCAPE_HTML_IN_JSON);
    else tj_splice_verbatim(w, json);
    RB_GC_GUARD(json);
}

void tj_write_fragment(tj_writer *w, VALUE fragment)
{
    write_spliced(w, (VALUE)RTYPEDDATA_DATA(fragment));
}

void tj_splice_checked(tj_writer *w, VALUE json, VALUE source)
{
    json = rb_str_new_frozen(json);
    check_text(w, json, "what to_json gave for ", source);
    write_spliced(w, json);
}

void tj_splice_trusted(tj_writer *w, VALUE json) { write_spliced(w, rb_str_new_frozen(json)); }
