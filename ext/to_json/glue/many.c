/* Glue. What is many, and how it is walked. */
#include "many.h"

#include "document.h"
#include "errors.h"

static ID id_each, id_begin, id_end, id_infinite_p, id_to_ary, id_respond_to_missing, id_respond_to, id_each_entry;

void tj_many_init(void)
{
    id_each = rb_intern("each");
    id_begin = rb_intern("begin");
    id_end = rb_intern("end");
    id_infinite_p = rb_intern("infinite?");
    id_to_ary = rb_intern("to_ary");
    id_respond_to_missing = rb_intern("respond_to_missing?");
    id_respond_to = rb_intern("respond_to?");
    id_each_entry = rb_intern("each_entry"); /* what every Enumerable has: one look, where a model's ancestors are a hundred */
}

/* What answers to whatever it is asked, as OrderedOptions do, must give an Array too. May run Ruby. */
static bool has_to_ary(VALUE v)
{
    ID id = id_to_ary;
    if (!rb_respond_to(v, id)) return false;
    return rb_method_boundp(CLASS_OF(v), id, TJ_PUBLICLY) || RB_TYPE_P(rb_funcallv(v, id, 0, NULL), T_ARRAY);
}

/* Whether nobody but its class says what it responds to, and that has no to_ary: three looks into method caches. One that
 * is private, as every model of ActiveRecord has it, says no too: asking the model takes a microsecond. */
TJ_INLINE bool surely_no_to_ary(VALUE v)
{
    VALUE klass = CLASS_OF(v);
    ID id = id_to_ary;
    if (rb_method_boundp(klass, id, 0)) return !rb_method_boundp(klass, id, TJ_PUBLICLY);
    return rb_method_basic_definition_p(klass, id_respond_to_missing) && rb_method_basic_definition_p(klass, id_respond_to);
}

bool tj_is_many(VALUE v)
{
    if (RB_SPECIAL_CONST_P(v)) return false;
    switch (RB_BUILTIN_TYPE(v)) {
    case T_OBJECT:
        if (TJ_LIKELY(surely_no_to_ary(v))) return rb_method_boundp(CLASS_OF(v), id_each_entry, 0) && RTEST(rb_obj_is_kind_of(v, rb_mEnumerable));
        break;
    case T_STRUCT: /* a Struct, a Data, and a Range */
        if (TJ_LIKELY(RBASIC_CLASS(v) != rb_cRange && surely_no_to_ary(v))) return RTEST(rb_obj_is_kind_of(v, rb_cRange));
        break;
    case T_ARRAY: return true;
    case T_STRING: case T_HASH: case T_FILE: case T_FLOAT: case T_BIGNUM: case T_SYMBOL: return has_to_ary(v);
    default: break;
    }
    if (RTEST(rb_obj_is_kind_of(v, rb_mEnumerable))) {
        if (!RTEST(rb_obj_is_kind_of(v, rb_cDir)) && !RTEST(rb_obj_is_kind_of(v, rb_cStruct)) &&
            !RTEST(rb_obj_is_kind_of(v, rb_cIO))) return true;
    }
    return has_to_ary(v);
}

/* One walk of a collection that yields by itself. An object of Ruby's: its each may keep the block that it was given, and
 * call it, or come back to it in a Fiber, when tj_each has long returned. */
struct walk {
    tj_writer *w;
    void (*each_item)(tj_writer *, VALUE, void *);
    bool over;
    size_t size; /* of data, in VALUEs */
    VALUE data[]; /* a copy of the caller's */
};

static void walk_mark(void *pointer)
{
    struct walk *walk = pointer;
    if (!walk) return;
    rb_gc_mark(walk->w->self);
    rb_gc_mark_locations(walk->data, walk->data + walk->size);
}

static const rb_data_type_t walk_type = {
    .wrap_struct_name = "ToJson walk",
    .function = {.dmark = walk_mark, .dfree = RUBY_DEFAULT_FREE},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

struct item {
    struct walk *walk;
    VALUE item;
};

static VALUE walk_item(VALUE argument)
{
    struct item *item = (struct item *)argument;
    item->walk->each_item(item->walk->w, item->item, item->walk->data);
    return Qnil;
}

/* Each element by itself: a collection's each may rescue what one of them raised, and then nothing of it stays. */
static VALUE walk_i(RB_BLOCK_CALL_FUNC_ARGLIST(first, record))
{
    struct walk *walk = RTYPEDDATA_DATA(record);
    (void)blockarg;
    if (walk->over) tj_raise_too_late();
    tj_check_alive(walk->w);
    struct item item = {walk, argc > 1 ? rb_ary_new_from_values(argc, argv) : first};
    tj_mark mark = tj_mark_take(walk->w);
    tj_protect_block(walk->w, &mark, walk_item, (VALUE)&item);
    RB_GC_GUARD(item.item);
    RB_GC_GUARD(record);
    return Qnil;
}

static VALUE walk_body(VALUE argument)
{
    VALUE *pair = (VALUE *)argument;
    return rb_block_call(pair[0], id_each, 0, NULL, walk_i, pair[1]);
}

static VALUE walk_over(VALUE record)
{
    ((struct walk *)RTYPEDDATA_DATA(record))->over = true;
    return Qnil;
}

static void check_range(tj_writer *w, VALUE range)
{
    VALUE end = rb_funcallv(range, id_end, 0, NULL);
    bool endless = NIL_P(end);
    if (RB_FLOAT_TYPE_P(end)) endless = RTEST(rb_funcallv(end, id_infinite_p, 0, NULL));
    if (endless) tj_raise(w, tj_eUnsupported, "an endless Range never ends. Use (range).first(n), or give it an end.");
    if (!rb_respond_to(rb_funcallv(range, id_begin, 0, NULL), rb_intern("succ")))
        tj_raise(w, tj_eUnsupported, "a Range of %" PRIsVALUE " cannot be iterated. Use (range).step(n), or put its begin and end.",
                 tj_class_words(rb_funcallv(range, id_begin, 0, NULL)));
}

void tj_each(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE, void *), void *data, size_t size)
{
    if (!RB_TYPE_P(many, T_ARRAY) && rb_respond_to(many, id_to_ary)) {
        VALUE array = rb_funcallv(many, id_to_ary, 0, NULL);
        if (RB_TYPE_P(array, T_ARRAY)) many = array;
    }
    if (RB_TYPE_P(many, T_ARRAY)) {
        for (long i = 0; i < RARRAY_LEN(many); i++) {
            if ((i & 1023) == 1023) rb_thread_check_ints();
            each_item(w, RARRAY_AREF(many, i), data);
        }
        RB_GC_GUARD(many);
        return;
    }
    if (RTEST(rb_obj_is_kind_of(many, rb_cRange))) check_range(w, many);
    size_t words = (size + sizeof(VALUE) - 1) / sizeof(VALUE);
    VALUE record = TypedData_Wrap_Struct(0, &walk_type, NULL);
    struct walk *walk = ruby_xcalloc(1, sizeof *walk + words * sizeof(VALUE));
    walk->w = w;
    walk->each_item = each_item;
    walk->size = words;
    if (size > 0) memcpy(walk->data, data, size);
    RTYPEDDATA_DATA(record) = walk;
    VALUE pair[2] = {many, record};
    rb_ensure(walk_body, (VALUE)pair, walk_over, record);
    tj_check_alive(w);
}
