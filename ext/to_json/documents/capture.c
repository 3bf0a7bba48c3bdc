/* Documents. Copies the text of a value from the document, and inserts it where the same value is
 * written again. */
#include "capture.h"

#include "../writer/captures.h"
#include "../writer/levels.h"
#include "../values/fragment.h"
#include "../writer/string.h"
#include "../writer/protect.h"
#include "../writer/errors.h"

static VALUE capture_body(VALUE nothing)
{
    (void)nothing;
    return rb_yield(Qnil);
}

VALUE tj_capture(tj_writer *w, VALUE part, enum tj_allowed_reads allowed)
{
    const tj_level *level = tj_top(&w->grammar);
    /* the comma */
    size_t start = tj_buffer_offset(&w->out), lead = level->kind == TJ_LIST && level->count > 0;
    size_t reads = w->context_reads, found = w->context_found;
    /* a store may rescue an exception of its block, and return something else */
    tj_mark mark = tj_mark_take(w);
    VALUE writer = w->self, capture = tj_capture_begins(w, part);
    if (start < w->delivery.hold_from) w->delivery.hold_from = start;
    int state = tj_try(w, capture_body, Qnil);
    bool outside = tj_capture_ends(w, capture);
    if (TJ_UNLIKELY(state)) tj_leave(w, &mark, state);
    tj_check_alive(w);
    w->delivery.hold_from = mark.hold_from;
    size_t end = tj_buffer_offset(&w->out);
    RB_GC_GUARD(writer);
    RB_GC_GUARD(capture);
    bool kept = allowed == TJ_READS_NONE ? w->context_reads == reads
                                         : allowed == TJ_READS_ANY || w->context_found == found;
    if (TJ_UNLIKELY(outside)) kept = false;
    VALUE text = Qnil;
    if (TJ_LIKELY(kept && end > start + lead && start >= w->out.flushed))
        text = rb_obj_freeze(
            tj_string_new(w->out.start + (start - w->out.flushed) + lead, end - start - lead));
    tj_flush_if_due(w); /* from now on it may be delivered */
    return text;
}

/* A store may give any text, so < > & in it are escaped again. Text that was captured under these
 * escapes has none. Then U+2028 stays as it is, which tj_splice_trusted would escape too. */
static void splice(tj_writer *w, VALUE text)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes), i = 0;
    if (w->rules->escape == (TJ_ESCAPE_COMPOSED | TJ_ESCAPE_MARKUP)) {
        while (i < size && bytes[i] != '<' && bytes[i] != '>' && bytes[i] != '&') i++;
        if (i == size) {
            tj_splice_verbatim(w, text);
            return;
        }
    }
    tj_splice_trusted(w, text);
}

void tj_write_captured(tj_writer *w, VALUE text)
{
    tj_begin_value(w);
    splice(w, rb_str_new_frozen(text));
    if (tj_top(&w->grammar)->kind != TJ_LIST) return;
    tj_end_element(w);
    tj_flush_if_due(w);
}
