/* Classes. put_field and put_fields, and their conditional forms. */
#include "classes.h"

#include "../values/blank.h"
#include "../values/collection.h"
#include "../values/pair.h"
#include "../plans/reader.h"
#include "../documents/document.h"
#include "dsl.h"
#include "../writer/protect.h"
#include "../writer/binding.h"

static ID id_call;

enum filter { ALL, UNLESS_NIL, UNLESS_BLANK, IF, UNLESS };

/* -- the list of fields ----------------------------------------------------------------------- */

static bool is_name(VALUE v) { return RB_SYMBOL_P(v) || RB_TYPE_P(v, T_STRING); }

static void add_list(tj_writer *w, tj_fields *fields, VALUE overflow, int argc, const VALUE *argv);

struct adding {
    tj_writer *w;
    tj_fields *fields;
    VALUE overflow;
};

static void add(tj_writer *w, tj_fields *fields, VALUE overflow, VALUE source, VALUE name)
{
    if (NIL_P(name)) name = source;
    if (!is_name(source) || !is_name(name))
        tj_raise(
            w, rb_eArgError,
            "put_fields takes Symbols, Strings, pairs of them, Arrays and Hashes; got %" PRIsVALUE
            ".",
            tj_class_words(is_name(source) ? name : source));
    /* more than one native call takes: the rest is stored as source and name in turn */
    if (fields->count == TJ_PART_SLOTS) {
        rb_ary_push(overflow, source);
        rb_ary_push(overflow, name);
        return;
    }
    fields->symbols &= RB_SYMBOL_P(source) && RB_SYMBOL_P(name);
    fields->sources[fields->count] = source;
    fields->names[fields->count++] = name;
}

static int add_pair_i(VALUE source, VALUE name, VALUE argument)
{
    struct adding *adding = (struct adding *)argument;
    add(adding->w, adding->fields, adding->overflow, source, name);
    return ST_CONTINUE;
}

static void add_any(tj_writer *w, tj_fields *fields, VALUE overflow, VALUE entry)
{
    if (TJ_LIKELY(is_name(entry))) add(w, fields, overflow, entry, Qnil);
    else if (RB_TYPE_P(entry, T_ARRAY)) {
        bool pair = RARRAY_LEN(entry) == 2 && is_name(RARRAY_AREF(entry, 0)) &&
                    is_name(RARRAY_AREF(entry, 1));
        if (pair) add(w, fields, overflow, RARRAY_AREF(entry, 0), RARRAY_AREF(entry, 1));
        else add_list(w, fields, overflow, (int)RARRAY_LEN(entry), RARRAY_CONST_PTR(entry));
    } else if (RB_TYPE_P(entry, T_HASH)) {
        struct adding adding = {w, fields, overflow};
        rb_hash_foreach(entry, add_pair_i, (VALUE)&adding);
    } else add(w, fields, overflow, entry, Qnil); /* raises */
}

static void add_list(tj_writer *w, tj_fields *fields, VALUE overflow, int argc, const VALUE *argv)
{
    for (int i = 0; i < argc; i++) add_any(w, fields, overflow, argv[i]);
}

/* -- reading ---------------------------------------------------------------------------------- */

static VALUE read_key(VALUE hash, VALUE source)
{
    VALUE symbol = source;
    if (!RB_SYMBOL_P(source)) symbol = rb_check_symbol(&source);
    if (!NIL_P(symbol)) {
        VALUE found = rb_hash_lookup2(hash, symbol, Qundef);
        if (found != Qundef) return found;
    }
    VALUE text = RB_SYMBOL_P(source) ? rb_sym2str(source) : source;
    return rb_hash_lookup2(hash, text, Qnil);
}

static VALUE read_field(VALUE object, VALUE source)
{
    if (tj_is_hash(object)) return read_key(object, source);
    if (RB_STATIC_SYM_P(source)) return rb_funcallv_public(object, RB_SYM2ID(source), 0, NULL);
    /* replaced by a String if it has no ID, so that no method has this name */
    VALUE named = source;
    ID id = RB_SYMBOL_P(source) ? rb_check_id(&named) : 0;
    if (id) return rb_funcallv_public(object, id, 0, NULL);
    return rb_funcallv_public(object, rb_intern("public_send"), 1, &source);
}

static bool passes(VALUE v, enum filter filter, VALUE condition)
{
    switch (filter) {
    case ALL: return true;
    case UNLESS_NIL: return !NIL_P(v);
    case UNLESS_BLANK: return !tj_is_blank(v);
    default: break;
    }
    VALUE answer = RB_SYMBOL_P(condition) ? rb_funcallv_public(v, rb_sym2id(condition), 0, NULL)
                                          : rb_funcall(condition, id_call, 1, v);
    return RTEST(answer) == (filter == IF);
}

/* -- writing ---------------------------------------------------------------------------------- */

struct put_fields {
    tj_writer *w;
    VALUE object, condition, overflow;
    enum filter filter;
    tj_fields fields;
};

static void put_one(struct put_fields *p, VALUE source, VALUE name)
{
    VALUE v = read_field(p->object, source);
    if (!passes(v, p->filter, p->condition)) return;
    tj_writer *w = p->w;
    tj_top(&w->grammar)->label = 0;
    tj_put(w, name, v);
}

static VALUE put_all(VALUE argument)
{
    struct put_fields *p = (struct put_fields *)argument;
    for (int i = 0; i < p->fields.count; i++) put_one(p, p->fields.sources[i], p->fields.names[i]);
    if (RTEST(p->overflow))
        for (long i = 0; i + 1 < RARRAY_LEN(p->overflow); i += 2)
            put_one(p, RARRAY_AREF(p->overflow, i), RARRAY_AREF(p->overflow, i + 1));
    return Qnil;
}

/* Whether a getter of the object may read and assign instance variables that a block has in common
 * with it: the object is the caller. Getters of others rarely do, and comparing variables for each
 * of them would cost more than the fields. */
static bool is_caller(const tj_writer *w, VALUE object)
{
    return TJ_UNLIKELY(w->variables.shared) &&
           (w->variables.caller == object || w->variables.around);
}

static VALUE write_fields(VALUE argument)
{
    struct put_fields *p = (struct put_fields *)argument;
    bool overflowing = RTEST(p->overflow) && RARRAY_LEN(p->overflow) > 0;
    if (TJ_LIKELY(p->filter == ALL && !overflowing && !tj_is_hash(p->object))) {
        const tj_reader *reader = tj_reader_of(p->w->pool, &p->fields);
        if (TJ_LIKELY(reader != NULL)) {
            tj_read_and_emit(reader, p->w, p->object);
            return Qnil;
        }
    }
    tj_mark mark = tj_mark_take(p->w);
    tj_protect(p->w, &mark, put_all, (VALUE)p);
    return Qnil;
}

static VALUE put_fields(int argc, VALUE *argv, VALUE self, enum filter filter)
{
    struct put_fields p;
    p.w = tj_writer_of(self);
    int first = filter == IF || filter == UNLESS ? 1 : 0;
    if (TJ_UNLIKELY(argc <= first))
        tj_raise(p.w, rb_eArgError, "put_fields takes %san object and names of its fields.",
                 first ? "a condition, " : "");
    p.condition = first ? argv[0] : Qnil;
    if (first && !RB_SYMBOL_P(p.condition) && !rb_respond_to(p.condition, id_call))
        tj_raise(p.w, rb_eArgError, "a condition is a Symbol or a Proc; got %" PRIsVALUE ".",
                 tj_class_words(p.condition));
    p.object = tj_variables_object(&p.w->variables, argv[first]);
    p.filter = filter;
    p.overflow = Qfalse;
    p.fields.count = 0;
    p.fields.symbols = true;
    bool many = argc - first - 1 > TJ_PART_SLOTS;
    /* collections of any size */
    for (int i = first + 1; i < argc && !many; i++)
        many = RB_TYPE_P(argv[i], T_ARRAY) || RB_TYPE_P(argv[i], T_HASH);
    if (TJ_UNLIKELY(many)) p.overflow = rb_ary_new();
    /* a single Array is a list of fields, or a pair */
    if (argc == first + 2 && RB_TYPE_P(argv[first + 1], T_ARRAY)) {
        add_any(p.w, &p.fields, p.overflow, argv[first + 1]);
    } else add_list(p.w, &p.fields, p.overflow, argc - first - 1, argv + first + 1);
    if (is_caller(p.w, p.object))
        tj_variables_in_caller(&p.w->variables, write_fields, (VALUE)&p);
    else write_fields((VALUE)&p);
    RB_GC_GUARD(p.overflow);
    return Qnil;
}

static VALUE read_body(VALUE argument)
{
    const VALUE *pair = (const VALUE *)argument;
    return read_field(pair[0], pair[1]);
}

static VALUE put_field(int argc, VALUE *argv, VALUE self, enum filter filter)
{
    int first = filter == IF || filter == UNLESS ? 1 : 0, fields = argc - first - 1;
    bool names = fields >= 1;
    for (int i = first + 1; i < argc; i++) names &= is_name(argv[i]);
    if (fields < 1 || fields > 2 || !names) { /* put_field o, a: :b and put_field o, [:a, :b] */
        bool one = fields == 1 &&
                   (RB_TYPE_P(argv[argc - 1], T_HASH)
                        ? RHASH_SIZE(argv[argc - 1]) == 1
                        : RB_TYPE_P(argv[argc - 1], T_ARRAY) && RARRAY_LEN(argv[argc - 1]) <= 2);
        if (!one || rb_block_given_p())
            tj_raise(
                tj_writer_of(self), rb_eArgError,
                "put_field takes %san object, a field and optionally the name to write it "
                "under. Use put_fields for several.",
                first ? "a condition, " : "");
        return put_fields(argc, argv, self, filter);
    }
    tj_writer *w = tj_writer_of(self);
    VALUE condition = first ? argv[0] : Qnil,
          name = fields == 2 ? argv[first + 2] : argv[first + 1];
    if (first && !RB_SYMBOL_P(condition) && !rb_respond_to(condition, id_call))
        tj_raise(w, rb_eArgError, "a condition is a Symbol or a Proc; got %" PRIsVALUE ".",
                 tj_class_words(condition));
    VALUE pair[2] = {tj_variables_object(&w->variables, argv[first]), argv[first + 1]};
    VALUE v = is_caller(w, pair[0])
                  ? tj_variables_in_caller(&w->variables, read_body, (VALUE)pair)
                  : read_field(pair[0], pair[1]);
    if (!passes(v, filter, condition)) return Qnil;
    if (rb_block_given_p()) tj_put_with_block(w, name, v, Qundef);
    else tj_put(w, name, v);
    RB_GC_GUARD(v);
    return Qnil;
}

#define FIELD_WORD(name, filter)                                          \
    static VALUE dsl_put_field_##name(int argc, VALUE *argv, VALUE self)  \
    {                                                                     \
        return put_field(argc, argv, self, filter);                       \
    }                                                                     \
    static VALUE dsl_put_fields_##name(int argc, VALUE *argv, VALUE self) \
    {                                                                     \
        return put_fields(argc, argv, self, filter);                      \
    }
FIELD_WORD(all, ALL)
FIELD_WORD(unless_nil, UNLESS_NIL)
FIELD_WORD(unless_blank, UNLESS_BLANK)
FIELD_WORD(if, IF)
FIELD_WORD(unless, UNLESS)

void tj_define_dsl_fields(void)
{
    VALUE mDSL = rb_define_module_under(tj_mToJson, "DSL");
    id_call = rb_intern("call");
    rb_define_method(mDSL, "put_field", dsl_put_field_all, -1);
    rb_define_method(mDSL, "put_fields", dsl_put_fields_all, -1);
    rb_define_method(mDSL, "put_field_unless_nil", dsl_put_field_unless_nil, -1);
    rb_define_method(mDSL, "put_fields_unless_nil", dsl_put_fields_unless_nil, -1);
    rb_define_method(mDSL, "put_field_unless_blank", dsl_put_field_unless_blank, -1);
    rb_define_method(mDSL, "put_fields_unless_blank", dsl_put_fields_unless_blank, -1);
    rb_define_method(mDSL, "put_field_if", dsl_put_field_if, -1);
    rb_define_method(mDSL, "put_fields_if", dsl_put_fields_if, -1);
    rb_define_method(mDSL, "put_field_unless", dsl_put_field_unless, -1);
    rb_define_method(mDSL, "put_fields_unless", dsl_put_fields_unless, -1);
}
