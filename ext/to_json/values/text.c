/* Values. Checks JSON text in Strings, and changes its white space, without parsing it into
 * values. */
#include "text.h"

#include "../writer/string.h"

#include "../core/text/validate.h"

VALUE tj_text_defect(VALUE json, size_t max_depth)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(json, &bytes);
    tj_defect defect;
    tj_status status = tj_validate(bytes, size, max_depth, &defect);
    RB_GC_GUARD(json);
    if (TJ_LIKELY(status == TJ_OK)) return Qnil;
    return rb_assoc_new(SIZET2NUM(defect.offset), rb_utf8_str_new_cstr(defect.message));
}

void tj_text_relayout(VALUE json, tj_relayout r)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(json, &bytes);
    /* Lines of NDJSON are short, and there are many. */
    uint8_t small[2048];
    VALUE kept = 0;
    size_t room = size <= sizeof small ? sizeof small : TJ_CHUNK;
    uint8_t *chunk = room == TJ_CHUNK ? ALLOCV_N(uint8_t, kept, TJ_CHUNK) : small;
    for (;;) {
        size = tj_string_bytes(json, &bytes);
        size_t written = tj_relayout_write(&r, bytes, size, chunk, room);
        if (written == 0) break;
        rb_yield(tj_string_new(chunk, written));
    }
    if (kept) ALLOCV_END(kept);
    RB_GC_GUARD(json);
}
