/* Writer. Makes the text of paths. tj_locate in errors.c appends the field that was read. */
#include "path.h"

#include "string.h"

/* Of longer paths only the first and the last parts are shown. */
#define PATH_HEAD 12
#define PATH_TAIL 4

static bool is_plain_name(VALUE text)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes);
    if (size == 0 || (bytes[0] >= '0' && bytes[0] <= '9')) return false;
    for (size_t i = 0; i < size; i++) {
        uint8_t c = bytes[i];
        bool name =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!name) return false;
    }
    RB_GC_GUARD(text);
    return true;
}

/* As the document has the key. A text that has no UTF-8 form is shown as bytes. */
static VALUE in_utf8(VALUE text)
{
    text = rb_str_conv_enc(text, rb_enc_get(text), rb_utf8_encoding());
    int encoding = RB_ENCODING_GET(text);
    if (encoding == tj_utf8_index || encoding == tj_binary_index) return text;
    text = rb_str_dup(text);
    rb_enc_associate_index(text, tj_binary_index);
    return text;
}

static void append_key(VALUE path, VALUE key)
{
    VALUE text = RB_SYMBOL_P(key) ? rb_sym2str(key) : key;
    if (RB_INTEGER_TYPE_P(key) || RB_FLOAT_TYPE_P(key) || RB_SPECIAL_CONST_P(text))
        text = rb_obj_as_string(key);
    if (RB_TYPE_P(text, T_STRING)) text = in_utf8(text);
    if (RB_TYPE_P(text, T_STRING) && is_plain_name(text)) {
        rb_str_cat_cstr(path, ".");
        rb_str_append(path, text);
    } else {
        rb_str_cat_cstr(path, "[");
        rb_str_append(path, RB_TYPE_P(text, T_STRING) ? rb_str_inspect(text) : rb_any_to_s(text));
        rb_str_cat_cstr(path, "]");
    }
}

/* Appends the parts of the path that belong to one level: an index, a key, both for a pair in an
 * element of a list, or none. Returns how many. */
static size_t append_level(VALUE path, const tj_level *level, bool write)
{
    bool tree = level->kind == TJ_TREE && !level->label && level->count > 0,
         list = level->kind == TJ_LIST;
    if ((tree || list) && write) {
        size_t index = list && level->state == TJ_EMPTY ? level->count : level->count - 1;
        rb_str_catf(path, "[%" PRIuSIZE "]", index);
    }
    if (level->label && write) append_key(path, (VALUE)level->label);
    return (size_t)(tree || list) + (level->label != 0);
}

VALUE tj_path(const tj_writer *w)
{
    VALUE path = rb_utf8_str_new_cstr("$");
    if (TJ_UNLIKELY(w->record != SIZE_MAX)) rb_str_catf(path, "[%" PRIuSIZE "]", w->record);
    size_t parts = 0, part = 0;
    bool cut = false;
    for (size_t i = 0; i <= w->grammar.top; i++)
        parts += append_level(path, &w->grammar.levels[i], false);
    for (size_t i = 0; i <= w->grammar.top; i++) {
        bool shown = part < PATH_HEAD || part + PATH_TAIL >= parts;
        if (!shown && !cut) rb_str_cat_cstr(path, "\xE2\x80\xA6");
        cut |= !shown;
        part += append_level(path, &w->grammar.levels[i], shown);
    }
    return path;
}
