/* Documents. From the arguments of json! to the code of a Plan: views, Masks, one or many, root and
 * meta. */
#include "declared.h"

#include "../writer/levels.h"
#include "../writer/errors.h"
#include "../delivery/flush.h"
#include "../plans/choices.h"
#include "../plans/item_cold.h"
#include "../writer/binding.h"
#include "../values/value.h"
#include "../values/collection.h"
#include "../writer/protect.h"
#include "../writer/stack.h"
#include "../writer/string.h"
#include "../values/pair.h"

static VALUE mEnvelope, mRows, sym_meta;
ID tj_id_selected;

void tj_declared_init(void)
{
    tj_id_selected = rb_intern("__to_json_selected"); /* without @: hidden */
    sym_meta = ID2SYM(rb_intern("meta"));
    rb_gc_register_mark_object(sym_meta);
    mEnvelope = rb_define_module_under(tj_mToJson, "Envelope");
    mRows = rb_define_module_under(tj_mToJson, "Rows");
    rb_gc_register_mark_object(mRows);
    rb_gc_register_mark_object(mEnvelope);
}

static bool given(VALUE keyword) { return TJ_UNLIKELY(keyword != Qundef && !NIL_P(keyword)); }

/* The keys that `root:` of a call asks for. A String is no Symbol: it may be a client's. */
static void take_root(tj_declared *d, VALUE serializer_class, VALUE root)
{
    if (root == Qfalse) d->root_one = d->root_many = Qnil;
    else if (RB_SYMBOL_P(root) || tj_is_exact_string(root)) d->root_one = d->root_many = root;
    else {
        VALUE roots = rb_funcall(mEnvelope, rb_intern("roots"), 2, serializer_class, root);
        d->root_one = rb_ary_entry(roots, 0);
        d->root_many = rb_ary_entry(roots, 1);
    }
}

static bool is_meta(VALUE root)
{
    return root == sym_meta || (tj_is_exact_string(root) && tj_string_is(root, "meta"));
}

bool tj_declared_of(VALUE serializer_class, const tj_call *call, tj_declared *d)
{
    VALUE plan = tj_plan_kept_of(call->pool, serializer_class);
    if (TJ_UNLIKELY(plan == Qundef)) plan = tj_plan_of(serializer_class);
    if (plan == Qfalse || !tj_plan_get(plan)->declares) return false;
    VALUE mask = Qnil;
    if (given(call->view) || given(call->only) || given(call->except)) {
        tj_chosen chosen =
            tj_choose(call->pool, serializer_class, given(call->view) ? call->view : Qnil,
                      given(call->only) ? call->only : Qnil,
                      given(call->except) ? call->except : Qnil, false);
        plan = chosen.plan;
        mask = chosen.mask;
    }
    const tj_plan *p = tj_plan_get(plan);
    if (TJ_UNLIKELY(RTEST(call->keywords)) && !p->imperative)
        rb_funcall(mEnvelope, rb_intern("refuse"), 3, serializer_class, call->keywords,
                   INT2FIX(call->argc));
    *d = (tj_declared){plan, mask, p->root_one, p->root_many, p->meta, -1};
    if (given(call->root)) take_root(d, serializer_class, call->root);
    if (given(call->meta) && call->meta != Qfalse) {
        if (!RB_TYPE_P(call->meta, T_HASH))
            rb_raise(rb_eArgError, "meta: takes a Hash; got %" PRIsVALUE, rb_obj_class(call->meta));
        if (NIL_P(d->root_one))
            rb_raise(
                rb_eArgError,
                "meta: is written beside the data, which needs a root: "
                "declare root :post, :posts or pass root: :posts.");
        d->meta = call->meta;
    } else if (NIL_P(d->root_one) || call->meta == Qfalse) d->meta = Qnil;
    if (TJ_UNLIKELY(!NIL_P(d->meta) && (is_meta(d->root_one) || is_meta(d->root_many))))
        rb_raise(
            rb_eArgError,
            "root: meta is written under the key meta, too. "
            "Give the root another name, or pass meta: false.");
    if (given(call->collection)) d->many = RTEST(call->collection);
    return true;
}

void tj_select(VALUE self, const tj_declared *d)
{
    if (!tj_plan_get(d->plan)->imperative || RB_OBJ_FROZEN(self)) return;
    if (NIL_P(d->mask) && NIL_P(rb_attr_get(self, tj_id_selected))) return;
    rb_ivar_set(self, tj_id_selected, d->mask);
}

/* -- serializers with their own serialize ------------------------------------------------------ */

struct serialize {
    VALUE self;
    const tj_call *call;
};

/* Writes `object` as a value, by the call with `object` as first argument. */
static void serialize_value(tj_writer *w, VALUE object, void *data)
{
    const struct serialize *serialize = data;
    tj_mark before = tj_mark_take(w);
    tj_begin_value(w);
    if (NIL_P(object)) {
        tj_write_value(w, Qnil);
        if (tj_top(&w->grammar)->kind == TJ_LIST) tj_end_element(w);
        return;
    }
    tj_check_stack(w);
    tj_check(w,
             tj_push(&w->grammar, TJ_SLOT, before.offset, before.level.state, before.level.count));
    size_t floor = w->floor;
    unsigned due = w->blocked & TJ_VALUE_DUE;
    w->floor = w->grammar.top;
    w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    VALUE arguments = rb_ary_new_from_values(serialize->call->argc, serialize->call->argv);
    rb_ary_store(arguments, 0, object);
    tj_call call = TJ_PLAIN_CALL(w->pool, (int)RARRAY_LEN(arguments), RARRAY_CONST_PTR(arguments));
    call.keywords = serialize->call->keywords;
    tj_run_serialize(w, serialize->self, &call);
    tj_check_alive(w);
    if (TJ_UNLIKELY(w->blocked & ~(unsigned)TJ_VALUE_DUE)) tj_raise_blocked(serialize->self, w);
    RB_GC_GUARD(arguments);
    if (w->grammar.top != w->floor) tj_raise_status(w, TJ_UNCLOSED);
    w->floor = floor;
    w->blocked |= due;
    tj_close_slot(w, true);
    if (tj_top(&w->grammar)->kind == TJ_LIST) tj_end_element(w);
}

bool tj_serializes_itself(const tj_declared *d, const tj_call *call)
{
    if (!tj_plan_get(d->plan)->imperative || !NIL_P(d->root_one)) return false;
    return call->argc == 0 ||
           (!NIL_P(call->argv[0]) && !(d->many < 0 ? tj_is_many(call->argv[0]) : d->many));
}

/* -- data, root and meta ----------------------------------------------------------------------- */

/* Without to_json/active_record, Rows has no method `of`. */
VALUE tj_rows_of(tj_writer *w, const tj_call *call, const tj_declared *d)
{
    VALUE objects = call->argv[0];
    if (RB_SPECIAL_CONST_P(objects) || RB_BUILTIN_TYPE(objects) != T_OBJECT || !w->pool->main)
        return objects;
    if (RB_SYMBOL_P(d->meta)) return objects; /* its block gets the relation */
    VALUE arguments[] = {objects, tj_plan_get(d->plan)->klass,
                         given(call->view) ? call->view : Qnil, d->mask,
                         call->rows == Qundef ? Qnil : call->rows,
                         tj_delivers(w) ? Qtrue : Qfalse};
    VALUE rows = rb_check_funcall(mRows, rb_intern("of"), 6, arguments);
    tj_check_alive(w);
    return rows == Qundef || NIL_P(rows) ? objects : rows;
}

static void write_data(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *d,
                       bool many)
{
    VALUE object = call->argv[0];
    bool imperative = tj_plan_get(d->plan)->imperative;
    struct serialize serialize = {self, call};
    if (NIL_P(object)) {
        tj_begin_value(w);
        tj_write_value(w, Qnil);
    } else if (many) {
        tj_begin_value(w);
        if (!imperative) object = tj_rows_of(w, call, d);
        VALUE elements = tj_begin_many(w, object, "call one, which takes a single object");
        if (imperative) tj_each(w, object, serialize_value, &serialize, sizeof serialize);
        else tj_write_many(w, d->plan, self, object, elements, d->mask);
        tj_close_list(w);
    } else if (imperative) serialize_value(w, object, &serialize);
    else tj_write_one(w, d->plan, self, object, d->mask);
}

void tj_check_count(const tj_declared *d, const tj_call *call)
{
    if (TJ_UNLIKELY(call->argc != 1 && (call->argc == 0 || !tj_plan_get(d->plan)->imperative)))
        rb_funcall(mEnvelope, rb_intern("refuse_count"), 2, tj_plan_get(d->plan)->klass,
                   INT2FIX(call->argc));
}

void tj_write_declared(tj_writer *w, VALUE self, const tj_call *call, const tj_declared *d)
{
    tj_check_count(d, call);
    VALUE object = call->argv[0];
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->blocked |= TJ_VALUE_DUE; /* no word of the DSL may write while the Plan writes */
    VALUE plan_before = w->plan;
    w->plan = d->plan;
    bool many = d->many < 0 ? tj_is_many(object) : d->many;
    VALUE root = many && !NIL_P(object) ? d->root_many : d->root_one;
    if (TJ_LIKELY(NIL_P(root))) write_data(w, self, call, d, many);
    else {
        tj_mark mark = tj_mark_take(w);
        tj_begin_slot(w, root, &mark);
        write_data(w, self, call, d, many);
        tj_close_slot(w, true);
        VALUE meta =
            RB_SYMBOL_P(d->meta) ? rb_funcall(self, rb_sym2id(d->meta), 1, object) : d->meta;
        if (!NIL_P(meta)) {
            if (TJ_UNLIKELY(!RB_TYPE_P(meta, T_HASH)))
                tj_raise(w, tj_eUnsupported,
                         "meta: its block returned %" PRIsVALUE ". It must return a Hash, or nil.",
                         tj_class_words(meta));
            tj_check_alive(w);
            tj_begin_pair(w, sym_meta);
            tj_write_value(w, meta);
            tj_top(&w->grammar)->label = 0;
            RB_GC_GUARD(meta);
        }
    }
    tj_check_alive(w);
    w->plan = plan_before;
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
}

struct put {
    tj_writer *w;
    VALUE self, plan, mask, object;
};

static VALUE put_body(VALUE argument)
{
    struct put *put = (struct put *)argument;
    VALUE plan_before = put->w->plan;
    put->w->plan = put->plan;
    put->w->blocked |= TJ_VALUE_DUE;
    tj_write_one(put->w, put->plan, put->self, put->object, put->mask);
    tj_check_alive(put->w);
    put->w->plan = plan_before;
    put->w->blocked &= ~(unsigned)TJ_VALUE_DUE;
    return Qnil;
}

void tj_put_declared(tj_writer *w, VALUE self, VALUE plan, VALUE mask, VALUE object)
{
    tj_mark mark = tj_mark_take(w);
    struct put put = {w, self, plan, mask, object};
    tj_protect(w, &mark, put_body, (VALUE)&put);
    RB_GC_GUARD(object);
    RB_GC_GUARD(mask);
}
