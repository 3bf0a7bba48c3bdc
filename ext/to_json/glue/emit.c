/* Glue. The hot loop: static bytes and values in turn, as long as values are simple. */
#include "plan.h"

#include "document.h"
#include "pair.h"

struct rest {
    tj_writer *w;
    const tj_plan *plan;
    const VALUE *values;
    uint32_t from;
};

static VALUE emit_rest(VALUE argument)
{
    struct rest *rest = (struct rest *)argument;
    for (uint32_t i = rest->from; i < rest->plan->count; i++) tj_put(rest->w, rest->plan->slots[i].name, rest->values[i]);
    return Qnil;
}

void tj_emit(tj_writer *w, const tj_plan *plan, int count, const VALUE *values)
{
    if (TJ_UNLIKELY((uint32_t)count != plan->count))
        rb_raise(rb_eArgError, "emit: a Plan of %u slots was given %d values", plan->count, count);
    tj_easy_lead lead, first = {false, 0};
    uint8_t *at = w->out.cursor;
    uint32_t i = 0;
    if (TJ_LIKELY(tj_buffer_has(&w->out, TJ_LEAD_ROOM)) && (at = tj_lead_easily(w, at, &lead)) != NULL) {
        first = lead;
        uint8_t *done = w->out.cursor; /* up to here whole pairs stand, nothing committed yet */
        for (; i < plan->count; i++) {
            const tj_plan_slot *slot = &plan->slots[i];
            if (TJ_UNLIKELY((size_t)(w->out.limit - at) < TJ_KEY_ROOM(slot->size) + TJ_SIMPLE_ROOM)) break;
            at = tj_copy_key(at, plan->bytes + slot->offset, slot->size, lead.skip);
            uint8_t *end = tj_simple_value(w, at, values[i]);
            if (TJ_UNLIKELY(!end) && !(end = tj_flat_value(w, at, values[i], w->grammar.nesting + first.opens + 1))) break;
            at = end;
            lead.skip = 0;
            done = at;
        }
        at = done;
        if (TJ_LIKELY(i == plan->count)) {
            if (count == 0) return;
            tj_enter_pair(w, &first);
            tj_commit_simple(w, at);
            return;
        }
    }
    /* Something took more. From here on Ruby may run: what stands is kept, the whole call can be undone. */
    tj_mark mark = tj_mark_take(w);
    if (i > 0) {
        tj_enter_pair(w, &first);
        tj_commit_simple(w, at);
    }
    struct rest rest = {w, plan, values, i};
    tj_protect(w, &mark, emit_rest, (VALUE)&rest);
}
