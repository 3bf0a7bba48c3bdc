/* Glue. Pairs that take more than copying: under tj_protect, so that a failure leaves no trace. */
#include "pair.h"

#include "document.h"

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
    tj_protect(w, &mark, put_body, (VALUE)&pair);
    RB_GC_GUARD(key);
    RB_GC_GUARD(v);
}
