/* Values. What is many, and how a collection is iterated. */
#include "collection.h"

#include <ruby/ractor.h>
#include <ruby/version.h>

#include "../writer/errors.h"
#include "../writer/protect.h"

static VALUE data_class; /* 0 if this Ruby has no Data; the C API has no name for it */
static ID id_to_ary;
VALUE tj_cRowList, tj_cMoved;

/* Raises unless rb_method_boundp treats TJ_PUBLICLY as we expect. */
static void check_method_boundp(void)
{
    VALUE klass = rb_eval_string("Class.new { def a; end; def b; end; def c; end;"
                                 "            protected :b; private :c }");
    const char *const names[] = {"a", "b", "c"};
    bool right = true;
    for (int i = 0; i < 3; i++) {
        ID id = rb_intern(names[i]);
        bool is_public = rb_method_boundp(klass, id, TJ_PUBLICLY);
        right &= rb_method_boundp(klass, id, 0) && is_public == (i == 0);
    }
    RB_GC_GUARD(klass);
    if (!right)
        rb_raise(rb_eLoadError, "to_json: rb_method_boundp of this Ruby treats public methods in "
                                "another way. Please report it with the version of Ruby.");
}

void tj_collection_init(void)
{
    check_method_boundp();
    id_to_ary = rb_intern("to_ary");
    VALUE rows = rb_define_module_under(tj_mToJson, "Rows");
    tj_cRowList = rb_define_class_under(rows, "List", rb_cObject);
    rb_include_module(tj_cRowList, rb_mEnumerable);
    rb_gc_register_mark_object(tj_cRowList);
    ID moved = rb_intern("MovedObject");
    tj_cMoved = rb_const_defined(rb_cRactor, moved) ? rb_const_get(rb_cRactor, moved) : Qundef;
    ID data = rb_intern("Data");
    if (rb_const_defined(rb_cObject, data) && NIL_P(rb_autoload_p(rb_cObject, data))) {
        /* on Ruby 3.1 it may be a class of the user's, which does no harm */
        data_class = rb_const_get(rb_cObject, data);
        rb_gc_register_mark_object(data_class);
    }
    /* every Enumerable has this method, so it stands for a look through all ancestors, of which a
     * model has a hundred */
}

/* Whether to_ary returns an Array. Asked of objects that respond to any method, such as
 * OrderedOptions. May run Ruby. */
static bool has_to_ary(VALUE v)
{
    ID id = id_to_ary;
    if (!rb_respond_to(v, id)) return false;
    return rb_method_boundp(CLASS_OF(v), id, TJ_PUBLICLY) ||
           RB_TYPE_P(rb_funcallv(v, id, 0, NULL), T_ARRAY);
}

/* Whether the object has no to_ary, if only its class decides that: three lookups in method caches.
 * A private to_ary, which every ActiveRecord model has, counts as none. Asking the model instead
 * takes a microsecond. */
TJ_INLINE bool surely_no_to_ary(VALUE v)
{
    VALUE klass = CLASS_OF(v);
    ID id = id_to_ary;
    if (rb_method_boundp(klass, id, 0)) return !rb_method_boundp(klass, id, TJ_PUBLICLY);
    return rb_method_basic_definition_p(klass, rb_intern("respond_to_missing?")) &&
           rb_method_basic_definition_p(klass, rb_intern("respond_to?"));
}

/* If the class inherits directly from Object, comparing its ancestors is faster than looking up a
 * method. A model has a hundred ancestors. */
TJ_INLINE bool is_enumerable(VALUE v)
{
    VALUE klass = CLASS_OF(v);
    if (rb_class_get_superclass(klass) != rb_cObject &&
        !rb_method_boundp(klass, rb_intern("each_entry"), 0))
        return false;
    return RTEST(rb_obj_is_kind_of(v, rb_mEnumerable));
}

/* For a T_STRUCT (a Struct, a Data or a Range): whether it is an Enumerable but no Struct. A class
 * that inherits directly from Struct or Data and includes nothing, as most do, needs no look at its
 * ancestors. */
TJ_INLINE bool is_enumerable_struct(VALUE v)
{
    VALUE above = rb_class_get_superclass(CLASS_OF(v));
    if (above == rb_cStruct || above == data_class || RTEST(rb_obj_is_kind_of(v, rb_cStruct)))
        return false;
    return RTEST(rb_obj_is_kind_of(v, rb_mEnumerable));
}

bool tj_surely_one(VALUE v)
{
    if (RB_SPECIAL_CONST_P(v)) return false;
    switch (RB_BUILTIN_TYPE(v)) {
    case T_OBJECT: return surely_no_to_ary(v) && !is_enumerable(v);
    case T_STRUCT:
        return RBASIC_CLASS(v) != rb_cRange && surely_no_to_ary(v) && !is_enumerable_struct(v);
    default: return false;
    }
}

/* Whoever writes it would mean the object for which it stands. */
static void refuse_block_receiver(VALUE v)
{
    VALUE forwarder = rb_const_get(tj_mToJson, rb_intern("BlockForwarder"));
    if (TJ_LIKELY(!RTEST(rb_class_inherited_p(rb_obj_class(v), forwarder)))) return;
    tj_raise(NULL, tj_eError,
             "self in the block form stands for your object, and is no value. Pass itself, which "
             "is your object, or use ToJson.json { |j| ... }.");
}

bool tj_is_many(VALUE v)
{
    if (RB_SPECIAL_CONST_P(v)) return false;
    switch (RB_BUILTIN_TYPE(v)) {
    case T_OBJECT:
        if (TJ_LIKELY(surely_no_to_ary(v))) return is_enumerable(v);
        refuse_block_receiver(v);
        break;
    case T_STRUCT:
        if (TJ_LIKELY(RBASIC_CLASS(v) != rb_cRange && surely_no_to_ary(v)))
            return is_enumerable_struct(v);
        break;
    case T_ARRAY: return RBASIC_CLASS(v) != tj_cMoved;
    case T_STRING: case T_HASH: case T_FILE: case T_FLOAT: case T_BIGNUM: case T_SYMBOL:
        return has_to_ary(v);
    default: break;
    }
    if (RTEST(rb_obj_is_kind_of(v, rb_mEnumerable))) {
        if (!RTEST(rb_obj_is_kind_of(v, rb_cDir)) && !RTEST(rb_obj_is_kind_of(v, rb_cStruct)) &&
            !RTEST(rb_obj_is_kind_of(v, rb_cIO))) return true;
    }
    return has_to_ary(v);
}

struct lists {
    tj_writer *w;
    VALUE first;
    void (*each_list)(tj_writer *, VALUE, void *);
    void *data;
};

static VALUE lists_body(VALUE argument)
{
    const struct lists *lists = (const struct lists *)argument;
    for (VALUE list = lists->first; !NIL_P(list);
         list = rb_funcallv(lists->first, rb_intern("following"), 0, NULL)) {
        tj_check_alive(lists->w);
        lists->each_list(lists->w, list, lists->data);
        RB_GC_GUARD(list);
    }
    tj_check_alive(lists->w);
    return Qnil;
}

static VALUE lists_left(VALUE first)
{
    return rb_funcallv(first, rb_intern("leave"), 0, NULL);
}

void tj_each_list(tj_writer *w, VALUE first, void (*each_list)(tj_writer *, VALUE, void *),
                  void *data)
{
    struct lists lists = {w, first, each_list, data};
    rb_ensure(lists_body, (VALUE)&lists, lists_left, first);
}

/* One iteration of a collection that has its own `each`. Such a method may keep our block and call
 * it, or resume it in a Fiber, long after tj_each has returned. */
struct iteration {
    tj_writer *w;
    void (*each_item)(tj_writer *, VALUE, void *);
    bool over;
    /* an element is being written, perhaps in a Fiber or a Thread that was left there */
    bool at_work;
    bool refused; /* another element came meanwhile */
    bool apart; /* an element that fails is taken back */
    size_t size; /* of data, in VALUEs */
    VALUE data[]; /* a copy of the caller's data */
};

static void iteration_mark(void *pointer)
{
    struct iteration *iteration = pointer;
    if (!iteration) return;
    rb_gc_mark(iteration->w->self);
    rb_gc_mark_locations(iteration->data, iteration->data + iteration->size);
}

static const rb_data_type_t iteration_type = {
    .wrap_struct_name = "ToJson iteration",
    .function = {.dmark = iteration_mark, .dfree = RUBY_DEFAULT_FREE},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

struct item {
    struct iteration *iteration;
    VALUE item;
};

static VALUE iteration_item(VALUE argument)
{
    struct item *item = (struct item *)argument;
    item->iteration->each_item(item->iteration->w, item->item, item->iteration->data);
    return Qnil;
}

NORETURN(static void raise_half_written(const struct iteration *iteration));
static void raise_half_written(const struct iteration *iteration)
{
    tj_raise(
        iteration->w, tj_eGrammar,
        "this %s was left half written, in a Fiber or a Thread. "
        "Yield the next one only after the block has returned.",
        iteration->w->record == SIZE_MAX ? "element" : "record");
}

/* Writes one element under its own mark: `each` of the collection may rescue an exception of the
 * element, and then nothing of it must remain. */
static VALUE iteration_i(RB_BLOCK_CALL_FUNC_ARGLIST(first, record))
{
    struct iteration *iteration = RTYPEDDATA_DATA(record);
    (void)blockarg;
    if (iteration->over) tj_raise_too_late();
    tj_check_alive(iteration->w);
    if (TJ_UNLIKELY(iteration->at_work)) {
        iteration->refused = true;
        raise_half_written(iteration);
    }
    /* `each` has rescued what poisoned the document, and goes on */
    if (TJ_UNLIKELY(iteration->w->blocked & TJ_POISONED)) tj_raise_poisoned(iteration->w);
    struct item item = {iteration, argc > 1 ? rb_ary_new_from_values(argc, argv) : first};
    tj_mark mark = tj_mark_take(iteration->w);
    iteration->at_work = true;
    int state = tj_try(iteration->w, iteration_item, (VALUE)&item);
    iteration->at_work = false;
    if (TJ_UNLIKELY(state)) {
        if (iteration->apart) tj_leave_block(iteration->w, &mark, state);
        rb_jump_tag(state);
    }
    tj_flush_if_due(iteration->w);
    RB_GC_GUARD(item.item);
    RB_GC_GUARD(record);
    return Qnil;
}

struct yielding {
    VALUE receiver;
    ID method;
    int argc;
    const VALUE *argv;
    VALUE record; /* the struct iteration, as an object */
};

static VALUE iteration_body(VALUE argument)
{
    const struct yielding *yielding = (const struct yielding *)argument;
    return rb_block_call(yielding->receiver, yielding->method, yielding->argc, yielding->argv,
                         iteration_i, yielding->record);
}

/* The iteration is over. If an element is at work, its call may still return, but its mark is gone:
 * nothing more may be written in this document. */
static VALUE iteration_over(VALUE record)
{
    struct iteration *iteration = RTYPEDDATA_DATA(record);
    iteration->over = true;
    if (TJ_UNLIKELY(iteration->at_work) && !(iteration->w->blocked & TJ_IDLE))
        iteration->w->blocked |= TJ_POISONED | TJ_PARKED;
    return Qnil;
}

static void check_range(tj_writer *w, VALUE range)
{
    VALUE end = rb_funcallv(range, rb_intern("end"), 0, NULL);
    bool endless = NIL_P(end);
    if (RB_FLOAT_TYPE_P(end)) endless = RTEST(rb_funcallv(end, rb_intern("infinite?"), 0, NULL));
    if (endless)
        tj_raise(w, tj_eUnsupported,
                 "an endless Range never ends. Use (range).first(n), or give it an end.");
    if (!rb_respond_to(rb_funcallv(range, rb_intern("begin"), 0, NULL), rb_intern("succ")))
        tj_raise(w, tj_eUnsupported,
                 "a Range of %" PRIsVALUE
                 " cannot be iterated. Use (range).step(n), or put its begin and end.",
                 tj_class_words(rb_funcallv(range, rb_intern("begin"), 0, NULL)));
}

/* Iterates over what `receiver` yields to the block of that call. */
static void iterate(tj_writer *w, const struct yielding *yielding,
                 void (*each_item)(tj_writer *, VALUE, void *), void *data, size_t size, bool apart)
{
    size_t words = (size + sizeof(VALUE) - 1) / sizeof(VALUE);
    VALUE record = TypedData_Wrap_Struct(0, &iteration_type, NULL);
    struct iteration *iteration = ruby_xcalloc(1, sizeof *iteration + words * sizeof(VALUE));
    iteration->w = w;
    iteration->each_item = each_item;
    iteration->apart = apart;
    iteration->size = words;
    if (size > 0) memcpy(iteration->data, data, size);
    RTYPEDDATA_DATA(record) = iteration;
    struct yielding call = *yielding;
    call.record = record;
    rb_ensure(iteration_body, (VALUE)&call, iteration_over, record);
    tj_check_alive(w);
    /* the collection's `each` may have rescued the exception about it */
    if (TJ_UNLIKELY(iteration->at_work || iteration->refused)) raise_half_written(iteration);
    RB_GC_GUARD(record);
}

void tj_each_yielded(tj_writer *w, VALUE receiver, ID method, int argc, const VALUE *argv,
                     void (*each_item)(tj_writer *, VALUE, void *), void *data, size_t size)
{
    struct yielding yielding = {receiver, method, argc, argv, 0};
    iterate(w, &yielding, each_item, data, size, true);
}

static void each(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE, void *),
                 void *data, size_t size, bool apart)
{
    if (!tj_is_array(many) && rb_respond_to(many, id_to_ary)) {
        VALUE array = rb_funcallv(many, id_to_ary, 0, NULL);
        if (RB_TYPE_P(array, T_ARRAY)) many = array;
    }
    if (tj_is_array(many)) {
        for (long i = 0; i < RARRAY_LEN(many); i++) {
            if ((i & 1023) == 1023) rb_thread_check_ints();
            each_item(w, RARRAY_AREF(many, i), data);
            tj_flush_if_due(w);
        }
        RB_GC_GUARD(many);
        return;
    }
    if (RTEST(rb_obj_is_kind_of(many, rb_cRange))) check_range(w, many);
    struct yielding yielding = {many, rb_intern("each"), 0, NULL, 0};
    iterate(w, &yielding, each_item, data, size, apart);
}

void tj_each(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE, void *), void *data,
             size_t size)
{
    each(w, many, each_item, data, size, true);
}

void tj_each_together(tj_writer *w, VALUE many, void (*each_item)(tj_writer *, VALUE, void *),
                      void *data, size_t size)
{
    each(w, many, each_item, data, size, false);
}
