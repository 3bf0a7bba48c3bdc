/* Writer. Instance variables that the receiver of a block and its caller have in common. */
#include "variables.h"

#include <string.h>

void tj_variables_mark(const tj_variables *v)
{
    if (!v->shared) return;
    rb_gc_mark(v->receiver);
    rb_gc_mark(v->caller);
    if (v->around) rb_gc_mark(v->writer_around);
    for (long i = 0; i < v->count; i++) rb_gc_mark(v->values[i]);
}

void tj_variables_free(tj_variables *v)
{
    ruby_xfree(v->names);
    ruby_xfree(v->values);
}

size_t tj_variables_memsize(const tj_variables *v)
{
    return (size_t)v->capacity * (sizeof *v->names + sizeof *v->values);
}

static void reserve(tj_variables *v, long count)
{
    if (TJ_LIKELY(count <= v->capacity)) return;
    long capacity = count < 16 ? 16 : count * 2;
    v->names = ruby_xrealloc2(v->names, (size_t)capacity, sizeof *v->names);
    v->values = ruby_xrealloc2(v->values, (size_t)capacity, sizeof *v->values);
    v->capacity = capacity;
}

void tj_variables_share(tj_variables *v, long count, const ID *names, const VALUE *values)
{
    reserve(v, count);
    if (count > 0) memcpy(v->names, names, (size_t)count * sizeof *names);
    if (count > 0) memcpy(v->values, values, (size_t)count * sizeof *values);
    v->count = count;
    v->around = NULL;
    v->shared = true;
}

/* Those of the block around, if that block is still at work; else NULL. */
static tj_variables *around(const tj_variables *v)
{
    tj_variables *outer = v->around;
    return outer && outer->shared && outer->receiver == v->caller ? outer : NULL;
}

struct comparison {
    tj_variables *v;
    long next; /* the variable that is expected next, unless some were added or removed */
    long seen;
};

/* The place of a variable, or v->count. */
static long place_of(struct comparison *c, ID name)
{
    const tj_variables *v = c->v;
    long i = c->next;
    if (TJ_UNLIKELY(i >= v->count || v->names[i] != name))
        for (i = 0; i < v->count && v->names[i] != name; i++) {}
    c->next = i + 1;
    return i;
}

static void keep(tj_variables *v, long i, ID name, VALUE value)
{
    reserve(v, i + 1);
    v->names[i] = name;
    v->values[i] = value;
    if (i == v->count) v->count++;
}

static int give_i(ID name, VALUE value, st_data_t argument)
{
    struct comparison *c = (struct comparison *)argument;
    if (!tj_is_variable(name)) return ST_CONTINUE;
    long i = place_of(c, name);
    if (TJ_LIKELY(i < c->v->count && c->v->values[i] == value)) return ST_CONTINUE;
    rb_ivar_set(c->v->caller, name, value);
    keep(c->v, i, name, value);
    return ST_CONTINUE;
}

VALUE tj_variables_object(const tj_variables *v, VALUE object)
{
    for (; v && v->shared; v = around(v))
        if (object == v->receiver) object = v->caller;
    return object;
}

bool tj_variables_are_frozen(const tj_variables *v)
{
    if (RB_OBJ_FROZEN(v->caller)) return true;
    const tj_variables *outer = around(v);
    return outer && tj_variables_are_frozen(outer);
}

void tj_variables_return(tj_variables *v)
{
    struct comparison c = {v, 0, 0};
    if (!v->shared) return;
    rb_ivar_foreach(v->receiver, give_i, (st_data_t)&c);
    if (TJ_UNLIKELY(around(v) != NULL)) tj_variables_return(v->around);
}

void tj_variables_give_shared(tj_variables *v)
{
    if (TJ_LIKELY(!tj_variables_are_frozen(v))) tj_variables_return(v);
}

static int take_i(ID name, VALUE value, st_data_t argument)
{
    struct comparison *c = (struct comparison *)argument;
    if (!tj_is_variable(name)) return ST_CONTINUE;
    c->seen++;
    long i = place_of(c, name);
    bool known = i < c->v->count;
    if (TJ_LIKELY(known && c->v->values[i] == value)) return ST_CONTINUE;
    VALUE its = rb_attr_get(c->v->receiver, name);
    if (known ? its == c->v->values[i] : !RTEST(rb_ivar_defined(c->v->receiver, name)))
        rb_ivar_set(c->v->receiver, name, value);
    keep(c->v, i, name, value);
    return ST_CONTINUE;
}

static void forget_removed(tj_variables *v)
{
    for (long i = v->count - 1; i >= 0; i--) {
        ID name = v->names[i];
        if (RTEST(rb_ivar_defined(v->caller, name))) continue;
        if (rb_attr_get(v->receiver, name) == v->values[i] &&
            RTEST(rb_ivar_defined(v->receiver, name)))
            rb_obj_remove_instance_variable(v->receiver, ID2SYM(name));
        v->count--;
        memmove(v->names + i, v->names + i + 1, (size_t)(v->count - i) * sizeof *v->names);
        memmove(v->values + i, v->values + i + 1, (size_t)(v->count - i) * sizeof *v->values);
    }
}

void tj_variables_take_shared(tj_variables *v)
{
    if (TJ_UNLIKELY(around(v) != NULL)) tj_variables_take_shared(v->around);
    struct comparison c = {v, 0, 0};
    rb_ivar_foreach(v->caller, take_i, (st_data_t)&c);
    if (TJ_UNLIKELY(c.seen < v->count)) forget_removed(v);
}

static VALUE give_at_end(VALUE argument)
{
    tj_variables_give((tj_variables *)argument);
    return Qnil;
}

static VALUE take_at_end(VALUE argument)
{
    tj_variables_take((tj_variables *)argument);
    return Qnil;
}

VALUE tj_variables_in_block(tj_variables *v, VALUE (*body)(VALUE), VALUE argument)
{
    if (TJ_LIKELY(!v->shared)) return body(argument);
    tj_variables_take(v);
    return rb_ensure(body, argument, give_at_end, (VALUE)v);
}

VALUE tj_variables_in_caller(tj_variables *v, VALUE (*body)(VALUE), VALUE argument)
{
    if (TJ_LIKELY(!v->shared)) return body(argument);
    tj_variables_give(v);
    return rb_ensure(body, argument, take_at_end, (VALUE)v);
}
