/* Classes. ToJson::DSL: put, value, array, open, close. Each call is one C function. */
#include "classes.h"

#include "../writer/levels.h"
#include "../values/pair.h"
#include "../documents/document.h"
#include "../values/collection.h"
#include "dsl.h"
#include "../writer/protect.h"
#include "../writer/binding.h"

struct step {
    tj_writer *w;
    VALUE key;   /* of the pair; Qundef for a value */
    VALUE value;
    int argc;
    const VALUE *argv;
    size_t index;
    /* taken just before the step; a pointer, because clearing so large a struct costs 10 ns (`rep
     * stos`) */
    const tj_mark *mark;
};

static void begin(struct step *step)
{
    if (step->key == Qundef) tj_begin_value(step->w);
    else tj_begin_pair(step->w, step->key);
}

static void done(struct step *step)
{
    tj_level *level = tj_top(&step->w->grammar);
    if (level->kind != TJ_TREE) level->label = 0;
    tj_flush_if_due(step->w);
}

static VALUE as_one_step(struct step *step, VALUE (*body)(VALUE))
{
    tj_mark mark = tj_mark_take(step->w);
    step->mark = &mark;
    tj_variables_give(&step->w->variables);
    VALUE result = tj_protect(step->w, &mark, body, (VALUE)step);
    tj_variables_take(&step->w->variables);
    RB_GC_GUARD(step->key);
    RB_GC_GUARD(step->value);
    return result;
}

static VALUE as_block_step(struct step *step, VALUE (*body)(VALUE))
{
    tj_mark mark = tj_mark_take(step->w);
    step->mark = &mark;
    VALUE result = tj_protect_block(step->w, &mark, body, (VALUE)step);
    RB_GC_GUARD(step->key);
    RB_GC_GUARD(step->value);
    return result;
}

/* Raises unless the block has closed everything that it opened. */
static void check_closed(tj_writer *w, size_t level)
{
    tj_check_alive(w);
    if (TJ_UNLIKELY(w->blocked)) tj_raise_blocked(Qnil, w);
    if (TJ_UNLIKELY(w->grammar.top != level)) tj_raise_status(w, TJ_UNCLOSED);
}

/* -- slots ------------------------------------------------------------------------------------ */

static VALUE slot_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    tj_writer *w = step->w;
    tj_begin_slot(w, step->key, step->mark);
    size_t floor = w->floor, level = w->floor = w->grammar.top;
    if (step->value == Qundef) rb_yield_values(0);
    else rb_yield(step->value);
    check_closed(w, level);
    w->floor = floor;
    tj_close_slot(w, false);
    return Qnil;
}

/* -- lists ------------------------------------------------------------------------------------ */

struct yielded {
    struct step *step;
    VALUE item;
};

static VALUE yield_body(VALUE argument)
{
    const struct yielded *yielded = (const struct yielded *)argument;
    struct step *step = yielded->step;
    return step->argc == 2 ? rb_yield_values(2, yielded->item, SIZET2NUM(step->index++))
                           : rb_yield(yielded->item);
}

static void yield_item(tj_writer *w, VALUE item, void *data)
{
    struct yielded yielded = {data, item};
    size_t level = w->grammar.top;
    tj_variables_in_block(&w->variables, yield_body, (VALUE)&yielded);
    tj_check_alive(w);
    check_closed(w, level);
    tj_end_element(w);
}

static void write_item(tj_writer *w, VALUE item, void *data)
{
    (void)data;
    tj_begin_value(w);
    tj_write_value(w, item);
}

static VALUE list_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    tj_writer *w = step->w;
    begin(step);
    tj_open_list(w);
    size_t floor = w->floor;
    w->floor = w->grammar.top;
    if (step->value != Qundef) {
        tj_variables_give(&w->variables);
        tj_each(w, step->value, step->argc ? yield_item : write_item, step, sizeof *step);
        tj_variables_take(&w->variables);
    }
    w->floor = floor;
    tj_close_list(w);
    done(step);
    return Qnil;
}

/* Writes a list for each of argv, with the block if there is one. */
static VALUE listed_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    tj_writer *w = step->w;
    begin(step);
    tj_open_list(w);
    size_t floor = w->floor;
    w->floor = w->grammar.top;
    int count = (int)step->index;
    step->index = 0;
    for (int i = 0; i < count; i++) {
        if (step->argc) yield_item(w, step->argv[i], step);
        else write_item(w, step->argv[i], step);
        tj_flush_if_due(w);
    }
    w->floor = floor;
    tj_close_list(w);
    done(step);
    return Qnil;
}

static VALUE bare_list_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    tj_writer *w = step->w;
    begin(step);
    tj_open_list(w);
    size_t floor = w->floor, level = w->floor = w->grammar.top;
    rb_yield_values(0);
    check_closed(w, level);
    w->floor = floor;
    tj_close_list(w);
    done(step);
    return Qnil;
}

static VALUE plain_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    begin(step);
    tj_write_value(step->w, step->value);
    done(step);
    return Qnil;
}

static bool many(VALUE value, VALUE collection)
{
    if (collection == Qundef || NIL_P(collection)) return tj_is_many(value);
    return RTEST(collection);
}

/* How many arguments the block takes: 2 (item, index), or 1. Makes a Proc, because Ruby's C API has
 * no other way to ask. */
static int block_wants(void) { return rb_proc_arity(rb_block_proc()) == 2 ? 2 : 1; }

void tj_put_with_block(tj_writer *w, VALUE key, VALUE value, VALUE collection)
{
    struct step step = {.w = w, .key = key, .value = value};
    if (NIL_P(value)) as_one_step(&step, plain_body);
    else if (many(value, collection)) {
        step.argc = block_wants();
        as_block_step(&step, list_body);
    } else as_block_step(&step, slot_body);
}

/* -- put, value, array ------------------------------------------------------------------------- */

static int put_pair_i(VALUE key, VALUE value, VALUE argument)
{
    tj_put((tj_writer *)argument, key, value);
    return ST_CONTINUE;
}

static VALUE put_pairs_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    rb_hash_foreach(step->value, put_pair_i, (VALUE)step->w);
    return Qnil;
}

/* The value of {collection: x} if `options` has no other key, else Qundef. */
static VALUE collection_option(VALUE options)
{
    if (!RB_TYPE_P(options, T_HASH) || RHASH_SIZE(options) != 1) return Qundef;
    return rb_hash_lookup2(options, ID2SYM(rb_intern("collection")), Qundef);
}

static TJ_NOINLINE VALUE put_other(int argc, VALUE *argv, tj_writer *w, bool keywords)
{
    bool block = rb_block_given_p();
    struct step step = {.w = w, .key = argc > 0 ? argv[0] : Qnil, .value = Qundef};
    if (argc == 1 && !block && RB_TYPE_P(argv[0], T_HASH)) {
        step.value = argv[0];
        if (RHASH_SIZE(step.value) > 0) as_one_step(&step, put_pairs_body);
    } else if (argc == 1 && block && !RB_TYPE_P(argv[0], T_HASH)) {
        as_block_step(&step, slot_body);
    } else if (argc == 2 && block) {
        tj_put_with_block(w, argv[0], argv[1], Qundef);
    } else if (argc == 3 && block && keywords && collection_option(argv[2]) != Qundef) {
        tj_put_with_block(w, argv[0], argv[1], collection_option(argv[2]));
    } else {
        tj_raise(
            w, rb_eArgError,
            "put takes a key and a value, a key and a block, both, or keywords "
            "(got %d arguments%s). "
            "put :name, \"Fred\"; put name: \"Fred\"; put :friend do ... end",
            argc, block ? " and a block" : "");
    }
    return Qnil;
}

static VALUE dsl_put(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = tj_writer_of(self);
    if (TJ_LIKELY(argc == 2)) {
        if (TJ_LIKELY(!rb_block_given_p())) {
            tj_put(w, argv[0], argv[1]);
            return Qnil;
        }
    } else if (TJ_LIKELY(argc == 1 && !RB_TYPE_P(argv[0], T_HASH)) && rb_block_given_p()) {
        struct step step = {.w = w, .key = argv[0], .value = Qundef};
        as_block_step(&step, slot_body);
        return Qnil;
    }
    return put_other(argc, argv, w, rb_keyword_given_p());
}

static VALUE dsl_value(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = tj_writer_of(self);
    bool block = rb_block_given_p();
    if (TJ_LIKELY(argc == 1 && !block && tj_try_put_value(w, argv[0]))) {
        tj_flush_if_due(w);
        return Qnil;
    }
    bool keywords = block && rb_keyword_given_p();
    struct step step = {.w = w, .key = Qundef, .value = argc > 0 ? argv[0] : Qundef};
    if (argc == 1 && !block) as_one_step(&step, plain_body);
    else if (argc == 0 && block) as_block_step(&step, slot_body);
    else if (argc == 1 && block && !keywords) tj_put_with_block(w, Qundef, argv[0], Qundef);
    else if (argc == 2 && block && keywords && collection_option(argv[1]) != Qundef)
        tj_put_with_block(w, Qundef, argv[0], collection_option(argv[1]));
    else
        tj_raise(
            w, rb_eArgError,
            "value takes one value, keywords or a block (got %d arguments%s). "
            "Use array for several.",
            argc, block ? " and a block" : "");
    return Qnil;
}

static VALUE dsl_array(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = tj_writer_of(self);
    bool keywords = argc == 2 && rb_keyword_given_p(), block = rb_block_given_p();
    struct step step = {.w = w, .key = Qundef, .value = Qundef};
    VALUE collection = Qundef;
    if (keywords && collection_option(argv[1]) != Qundef) {
        collection = collection_option(argv[1]);
        argc = 1;
    }
    if (argc == 0 && block) {
        as_block_step(&step, bare_list_body);
        return Qnil;
    }
    step.argc = block ? block_wants() : 0;
    if (argc == 0 || (argc == 1 && NIL_P(argv[0]))) {
        as_one_step(&step, list_body);
    } else if (argc == 1 && many(argv[0], collection)) {
        step.value = argv[0];
        (block ? as_block_step : as_one_step)(&step, list_body);
    } else {
        step.argv = argv;
        step.index = (size_t)argc;
        (block ? as_block_step : as_one_step)(&step, listed_body);
    }
    return Qnil;
}

/* -- open, open_array, close ------------------------------------------------------------------- */

static VALUE open_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    tj_begin_slot(step->w, step->key, step->mark);
    return Qnil;
}

static VALUE dsl_open(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 0, 1);
    struct step step = {.w = tj_writer_of(self), .key = argc == 1 ? argv[0] : Qundef};
    if (rb_block_given_p())
        tj_raise(
            step.w, rb_eArgError,
            "open takes no block: close ends what it begins. "
            "Use put :key do ... end or value do ... end.");
    as_one_step(&step, open_body);
    return Qnil;
}

static VALUE open_array_body(VALUE argument)
{
    struct step *step = (struct step *)argument;
    begin(step);
    tj_open_list(step->w);
    return Qnil;
}

static VALUE dsl_open_array(VALUE self)
{
    struct step step = {.w = tj_writer_of(self), .key = Qundef};
    if (rb_block_given_p())
        tj_raise(step.w, rb_eArgError,
                 "open_array takes no block: close ends what it begins. Use array do ... end.");
    as_one_step(&step, open_array_body);
    return Qnil;
}

static VALUE close_body(VALUE argument)
{
    tj_writer *w = ((struct step *)argument)->w;
    if (tj_top(&w->grammar)->kind == TJ_LIST) tj_close_list(w);
    else tj_close_slot(w, false);
    return Qnil;
}

static VALUE dsl_close(VALUE self)
{
    struct step step = {.w = tj_writer_of(self), .key = Qundef};
    if (TJ_UNLIKELY(step.w->grammar.top <= step.w->floor)) tj_raise_status(step.w, TJ_NOTHING_OPEN);
    if (TJ_UNLIKELY(tj_top(&step.w->grammar)->kind == TJ_TREE))
        tj_raise_status(step.w, TJ_CLOSED_LEVEL);
    close_body((VALUE)&step);
    return Qnil;
}

void tj_define_dsl(void)
{
    VALUE mDSL = rb_define_module_under(tj_mToJson, "DSL");
    rb_define_method(mDSL, "put", dsl_put, -1);
    rb_define_method(mDSL, "value", dsl_value, -1);
    rb_define_method(mDSL, "array", dsl_array, -1);
    rb_define_method(mDSL, "open", dsl_open, -1);
    rb_define_method(mDSL, "open_array", dsl_open_array, 0);
    rb_define_method(mDSL, "close", dsl_close, 0);
}
