/* Classes. ToJson::Writer: the methods that generated code calls. Users never see a Writer. */
#include "classes.h"

#include "../values/blank.h"
#include "../documents/capture.h"
#include "../documents/declared.h"
#include "../writer/levels.h"
#include "../writer/path.h"
#include "../plans/item.h"
#include "../plans/item_cold.h"
#include "../writer/pool.h"
#include "../documents/in_place.h"
#include "../documents/value_site.h"
#include "../values/value.h"
#include "../values/collection.h"
#include "../values/library_value.h"
#include "../vm/vm.h"
#include "../writer/protect.h"
#include "../writer/contexts.h"

TJ_INLINE tj_writer *ready(VALUE self)
{
    tj_writer *w = RTYPEDDATA_DATA(self); /* only Writers have these methods */
    if (TJ_UNLIKELY(w->blocked & ~(unsigned)TJ_VALUE_DUE)) tj_raise_blocked(self, w);
    return w;
}

/* emit(part, *values): pairs of put_fields */
static VALUE writer_emit(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = rb_check_typeddata(self, &tj_writer_type);
    if (argc < 1) rb_error_arity(argc, 1, UNLIMITED_ARGUMENTS);
    if (TJ_UNLIKELY(w->blocked)) tj_raise_blocked(self, w);
    tj_item(w, rb_check_typeddata(argv[0], &tj_part_type), argc - 1, argv + 1);
    return Qnil;
}

/* item(part, *values): see tj_item */
static VALUE writer_item(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    if (argc < 1) rb_error_arity(argc, 1, UNLIMITED_ARGUMENTS);
    return tj_item(w, tj_part_of(argv[0]), argc - 1, argv + 1);
}

/* close: ends the array or the slot that an item opened */
static VALUE writer_close(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    tj_writer *w = ready(self);
    tj_close_item(w);
    return Qnil;
}

/* finish(opened, part): calls close, unless `opened` is nil, and then item without values */
static VALUE writer_finish(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 2, 2);
    if (!NIL_P(argv[0])) tj_close_item(w);
    return tj_item(w, tj_part_of(argv[1]), 0, NULL);
}

/* Sets the Plan whose lines tell which field is read. tj_mark_restore resets it after an
 * exception. */
TJ_INLINE VALUE enter_plan(tj_writer *w, VALUE plan)
{
    VALUE before = w->plan;
    w->plan = plan;
    return before;
}

/* iterate(plan, serializer, many, mask): writes the elements of a collection. Generated `items`
 * reads an Array of objects */
static VALUE writer_iterate(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 4, 4);
    rb_check_typeddata(argv[0], &tj_plan_type);
    VALUE before = enter_plan(w, argv[0]);
    VALUE elements = w->delivery.flush_interval ? Qfalse
                     : tj_is_row_list(argv[2])  ? argv[2]
                                                : tj_indexable(argv[2]);
    tj_write_many(w, argv[0], argv[1], argv[2], elements, argv[3]);
    w->plan = before;
    return Qnil;
}

/* one(plan, serializer, object, mask): writes an object, or null, as a value or an element */
static VALUE writer_one(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 4, 4);
    if (!NIL_P(argv[2])) rb_check_typeddata(argv[0], &tj_plan_type);
    if (NIL_P(argv[2])) {
        tj_begin_value(w);
        tj_write_value(w, Qnil);
        tj_end_element(w);
    } else {
        VALUE before = enter_plan(w, argv[0]);
        tj_write_one(w, argv[0], argv[1], argv[2], argv[3]);
        tj_check_alive(w);
        w->plan = before;
    }
    return Qnil;
}

/* look_up(part, site, serializer or nil, *values, class of the last value or false): the same as
 * item. If the Part leaves a slot open, this writes the last value into it by the serializer that
 * the value tells; see tj_write_by_site */
static VALUE writer_look_up(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    if (argc < 5) rb_error_arity(argc, 5, UNLIMITED_ARGUMENTS);
    rb_check_typeddata(argv[1], &tj_value_site_type);
    if (NIL_P(tj_item(w, tj_part_of(argv[0]), argc - 4, argv + 3))) return Qnil;
    return tj_write_by_site(w, argv[1], argv[2], argv[argc - 2], argv[argc - 1]);
}

/* many(values): begins an array as a value; returns what item returns for an array */
static VALUE writer_many(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 1, 1);
    tj_begin_value(w);
    return tj_begin_many(w, argv[0], TJ_HAS_ONE);
}

/* many?(value) */
static VALUE writer_many_p(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 1, 1);
    return tj_is_many(argv[0]) ? Qtrue : Qfalse;
}

/* lone(value): returns nil for nil, and the value if it is one object whose fields can be written.
 * Returns SKIP for many objects, and if the Rules or the dialect must be asked about the value */
static VALUE writer_lone(int argc, VALUE *argv, VALUE self)
{
    const tj_writer *w = RTYPEDDATA_DATA(self);
    rb_check_arity(argc, 1, 1);
    VALUE v = argv[0];
    if (NIL_P(v)) return v;
    if (w->consult || tj_is_attached(w->pool, v)) return tj_skip;
    bool hash = !RB_SPECIAL_CONST_P(v) && RBASIC_CLASS(v) == rb_cHash;
    return hash || tj_surely_one(v) ? v : tj_skip;
}

/* blank?(value) */
static VALUE writer_blank_p(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 1, 1);
    return tj_is_blank(argv[0]) ? Qtrue : Qfalse;
}

/* each(many[, together]) { |element| }: inside an open array. together: output that an element
 * wrote before an exception is kept */
static void yield_item(tj_writer *w, VALUE item, void *data)
{
    (void)w, (void)data;
    rb_yield(item);
}

static VALUE writer_each(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 1, 2);
    if (argc > 1 && RTEST(argv[1])) tj_each_together(w, argv[0], yield_item, NULL, 0);
    else tj_each(w, argv[0], yield_item, NULL, 0);
    return Qnil;
}

/* at(row, key): the value of a Hash under a Symbol, then under a String, else nil; of another
 * object the result of its method */
static VALUE writer_at(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 2, 2);
    if (tj_is_hash(argv[0])) return tj_row_value(argv[0], argv[1]);
    return rb_funcallv_public(argv[0], rb_sym2id(argv[1]), 0, NULL);
}

/* helper(class, serializer or nil[, context]): the document's serializer of that class */
static VALUE writer_helper(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 2, 3);
    Check_Type(argv[0], T_CLASS);
    VALUE context = argc > 2 ? argv[2] : tj_context_of(w, argv[1]);
    return tj_helper_of(w, argv[0], context == Qundef ? Qnil : context);
}

/* The arguments of `run` and `merge` after the object. */
typedef struct {
    VALUE context, selected;
} in_place_options;

static in_place_options options_of(tj_writer *w, int argc, const VALUE *argv)
{
    rb_check_arity(argc, 3, 5);
    Check_Type(argv[0], T_CLASS);
    in_place_options options = {argc > 3 && argv[3] != tj_skip ? argv[3]
                                                               : tj_context_of(w, argv[1]),
                                argc > 4 && !NIL_P(argv[4]) ? argv[4] : 0};
    return options;
}

/* run(class, serializer or nil, object[, context or SKIP[, selected]]): writes the object by a
 * serializer with its own serialize */
static VALUE writer_run(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    in_place_options options = options_of(w, argc, argv);
    tj_write_by(w, argv[0], argv[2], options.context, options.selected);
    return Qnil;
}

/* merge: the same, as pairs of the object at hand */
static VALUE writer_merge(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    in_place_options options = options_of(w, argc, argv);
    tj_merge_by(w, argv[0], argv[2], options.context, options.selected);
    return Qnil;
}

/* enter(context): sets the context until `leave`. After an exception the frames are restored, or
 * the document ends. */
static VALUE writer_enter(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 1, 1);
    tj_push_frame(w, Qnil, w->frame_count > 0 ? w->frames[w->frame_count - 1].scope : Qnil,
                  argv[0]);
    return Qnil;
}

static VALUE writer_leave(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    tj_writer *w = ready(self);
    if (w->frame_count > 0) tj_helpers_leave(w, w->frames[--w->frame_count].context);
    return Qnil;
}

/* capture(serializer, allowed_reads) { ... }: the text that the block writes. nil, false, true: the
 * values of enum tj_allowed_reads. See tj_capture */
static VALUE writer_capture(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 2, 2);
    return tj_capture(ready(self), argv[0], RTEST(argv[1])   ? TJ_READS_ANY
                                            : NIL_P(argv[1]) ? TJ_READS_NONE
                                                             : TJ_READS_EMPTY);
}

/* apart { ... }: if the block is left early, nothing that it wrote remains */
static VALUE apart_body(VALUE nothing)
{
    (void)nothing;
    return rb_yield(Qnil);
}

static VALUE writer_apart(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    tj_writer *w = ready(self);
    tj_mark mark = tj_mark_take(w);
    tj_protect(w, &mark, apart_body, Qnil);
    tj_check_alive(w);
    return Qnil;
}

/* splice(text): writes captured text */
static VALUE writer_splice(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 1, 1);
    Check_Type(argv[0], T_STRING);
    tj_write_captured(w, argv[0]);
    return Qnil;
}

/* flushes?: whether the document has a flush: */
static VALUE writer_flushes_p(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    return ready(self)->delivery.flush_interval != 0 ? Qtrue : Qfalse;
}

/* flush_if_due: an element has ended; delivers if flush: asks for it */
static VALUE writer_flush_if_due(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    tj_flush_if_due(ready(self));
    return Qnil;
}

/* give(values): keeps an Array of values for the resource that is written next. They are not read
 * from its object */
static VALUE writer_give(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    Check_Type(argv[0], T_ARRAY);
    return ready(self)->given = argv[0];
}

/* given: these values */
static VALUE writer_given(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    tj_writer *w = ready(self);
    return w->given ? w->given : Qnil;
}

/* locate(error, below): keeps with the error where it was raised: the current path, followed by
 * `below`. Only the first such call for an error counts. */
static VALUE writer_locate(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 2, 2);
    Check_Type(argv[1], T_STRING);
    int state = tj_locate_below(ready(self), argv[0], argv[1]);
    if (state) rb_jump_tag(state);
    return Qnil;
}

/* plain_rules(serializer): the Rules of the document; nil where no text of the serializer may be
 * kept: see tj_text_is_plain */
static VALUE writer_plain_rules(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 1);
    tj_writer *w = ready(self);
    return tj_text_is_plain(w, argv[0]) ? w->rules_object : Qnil;
}

/* max_depth: the document's */
static VALUE writer_max_depth(int argc, VALUE *argv, VALUE self)
{
    (void)argv;
    rb_check_arity(argc, 0, 0);
    return UINT2NUM(ready(self)->grammar.max_nesting);
}

/* context(serializer, read): its context. read: the context becomes a part of a key, so captures
 * around it need not note the read */
static VALUE writer_context(int argc, VALUE *argv, VALUE self)
{
    tj_writer *w = ready(self);
    rb_check_arity(argc, 2, 2);
    VALUE context = tj_context_of(w, argv[0]);
    if (context == Qundef) return Qnil;
    if (RTEST(argv[1])) tj_note_read(w, argv[0], context);
    return context;
}

void tj_define_writer(void)
{
    VALUE klass = rb_const_get(tj_mToJson, rb_intern("Writer"));
    const struct {
        const char *name;
        VALUE (*function)(int, VALUE *, VALUE);
    } words[] = {{"emit", writer_emit},
                 {"item", writer_item},
                 {"close", writer_close},
                 {"finish", writer_finish},
                 {"iterate", writer_iterate},
                 {"one", writer_one},
                 {"look_up", writer_look_up},
                 {"many", writer_many},
                 {"many?", writer_many_p},
                 {"lone", writer_lone},
                 {"blank?", writer_blank_p},
                 {"each", writer_each},
                 {"at", writer_at},
                 {"helper", writer_helper},
                 {"run", writer_run},
                 {"merge", writer_merge},
                 {"enter", writer_enter},
                 {"leave", writer_leave},
                 {"capture", writer_capture},
                 {"splice", writer_splice},
                 {"apart", writer_apart},
                 {"flushes?", writer_flushes_p},
                 {"flush_if_due", writer_flush_if_due},
                 {"give", writer_give},
                 {"given", writer_given},
                 {"locate", writer_locate},
                 {"plain_rules", writer_plain_rules},
                 {"max_depth", writer_max_depth},
                 {"context", writer_context}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        rb_define_method(klass, words[i].name, words[i].function, -1);
}
