/* Values. The general way to write pairs: under tj_protect, so that a failure changes nothing. */
#include "pair.h"

#include "../writer/levels.h"
#include "../writer/protect.h"
#include "../writer/stack.h"
#include "cell.h"
#include "hash_key.h"
#include "time_value.h"

#include "../core/numbers/time.h"

/* For longer Arrays trying first does not pay. */
#define FLAT_ARRAY 64

static uint8_t *try_flat_array(tj_writer *w, uint8_t *at, VALUE array)
{
    long size = RARRAY_LEN(array); /* stays the same, because nothing here runs Ruby */
    const VALUE *items = tj_items_of(array);
    *at++ = '[';
    for (long i = 0; i < size; i++) {
        if (TJ_UNLIKELY((size_t)(w->out.limit - at) < TJ_SIMPLE_ROOM + 2)) return NULL;
        if (i > 0) *at++ = ',';
        at = tj_unsafe_simple(w, at, items[i]);
        if (TJ_UNLIKELY(!at)) return NULL;
    }
    if (TJ_UNLIKELY(at >= w->out.limit)) return NULL;
    *at++ = ']';
    RB_GC_GUARD(array);
    return at;
}

uint8_t *tj_try_flat_value(tj_writer *w, uint8_t *at, VALUE v, uint32_t nesting)
{
    if (RB_SPECIAL_CONST_P(v) || w->consult) return NULL;
    if (RBASIC_CLASS(v) == rb_cArray && RARRAY_LEN(v) <= FLAT_ARRAY &&
        nesting <= w->grammar.max_nesting)
        return try_flat_array(w, at, v);
    if (RBASIC_CLASS(v) == rb_cTime && (size_t)(w->out.limit - at) >= TJ_TIME_SIZE + 2 &&
        w->rules->dialect == TJ_STANDARD)
        return tj_try_time(w, at, v);
    if (tj_is_cell(v) && (size_t)(w->out.limit - at) >= TJ_TIME_SIZE + 2 &&
        w->rules->dialect == TJ_STANDARD)
        return tj_try_cell(w, at, v);
    return NULL;
}

/* -- beginning pairs and slots ----------------------------------------------------------------- */

void tj_begin_pair(tj_writer *w, VALUE key)
{
    if (TJ_LIKELY(tj_try_begin_pair(w, key))) return;
    tj_lead lead;
    tj_check(w, tj_pair(&w->grammar, &lead));
    tj_write_lead(w, &lead);
    tj_top(&w->grammar)->label = key;
    tj_write_key(w, key);
}

void tj_begin_slot_cold(tj_writer *w, VALUE key, const tj_mark *before)
{
    tj_check_stack(w);
    /* While the key is written, the slot is not yet a level, so a flush would treat its bytes as
     * settled. */
    size_t hold_from = w->delivery.hold_from;
    if (TJ_UNLIKELY(RTEST(w->sink))) {
        size_t settled = tj_settled(&w->grammar, before->offset);
        if (settled < hold_from) w->delivery.hold_from = settled;
    }
    if (key == Qundef) tj_begin_value(w);
    else tj_begin_pair(w, key);
    tj_check(
        w, tj_push(&w->grammar, TJ_SLOT, before->offset, before->level.state, before->level.count));
    w->delivery.hold_from = hold_from;
}

/* -- whole pairs ------------------------------------------------------------------------------- */

struct pair {
    tj_writer *w;
    VALUE key, value;
};

static VALUE put_body(VALUE argument)
{
    struct pair *pair = (struct pair *)argument;
    tj_begin_pair(pair->w, pair->key);
    tj_write_value(pair->w, pair->value);
    tj_top(&pair->w->grammar)->label = 0;
    return Qnil;
}

void tj_put_cold(tj_writer *w, VALUE key, VALUE v)
{
    tj_mark mark = tj_mark_take(w);
    struct pair pair = {w, key, v};
    tj_variables_give(&w->variables);
    tj_protect(w, &mark, put_body, (VALUE)&pair);
    tj_variables_take(&w->variables);
    RB_GC_GUARD(key);
    RB_GC_GUARD(v);
}
