/* Glue. Documents and serializers in place: who points at which Writer, and that all let go again. */
#include "serializer.h"

#include <ruby/version.h>

#include "block_frame.h"
#include "document.h"
#include "errors.h"
#include "flush.h"
#include "pool.h"
#include "splice.h"
#include "value.h"

VALUE tj_mSerialize;
static VALUE cSerializer, no_context;
static ID id_state, id_arguments, id_effective_rules, id_kept_rules, id_serialize, id_coerce, id_encoded, id_instance_exec, id_new;

/* Taken by json! and not passed on; those after `max_depth` need declared fields. */
enum { KEY_CONTEXT, KEY_RULES, KEY_INTO, KEY_MAX_DEPTH, KEY_VIEW, KEY_ONLY, KEY_EXCEPT, KEY_ROOT, KEY_META, KEY_COLLECTION, KEY_COUNT };
static VALUE key_symbols[KEY_COUNT]; /* a Symbol may be dynamic: somebody may have made it from a String before */

static void serializer_mark(void *data) { rb_gc_mark(((tj_writer *)data)->self); }

/* The data pointer is the Writer it works on, or NULL. A Writer that was abandoned in mid-document (a
 * Fiber that never came back) lives as long as a serializer points at it. */
const rb_data_type_t tj_serializer_type = {
    .wrap_struct_name = "ToJson::Serializer",
    .function = {.dmark = serializer_mark, .dfree = RUBY_NEVER_FREE},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

void tj_serializer_init(void)
{
    cSerializer = rb_const_get(tj_mToJson, rb_intern("Serializer"));
    /* No @: invisible to instance_variables, inspect and Rails' instance_values. */
    id_state = rb_intern("__to_json");
    id_arguments = rb_intern("__to_json_arguments");
    id_effective_rules = rb_intern("effective_rules");
    id_kept_rules = rb_intern("@to_json_effective_rules");
    id_serialize = rb_intern("serialize");
    id_coerce = rb_intern("coerce");
    id_encoded = rb_intern("__to_json_encoded");
    id_new = rb_intern("new");
    id_instance_exec = rb_intern("instance_exec");
    static const char *const names[KEY_COUNT] = {"context", "rules", "into", "max_depth", "view",
                                                 "only", "except", "root", "meta", "collection"};
    for (int i = 0; i < KEY_COUNT; i++) {
        key_symbols[i] = ID2SYM(rb_intern(names[i]));
        rb_gc_register_mark_object(key_symbols[i]);
    }
    no_context = rb_obj_freeze(rb_hash_new());
    rb_gc_register_mark_object(no_context);
}

VALUE tj_serializer_alloc(VALUE klass) { return TypedData_Wrap_Struct(klass, &tj_serializer_type, NULL); }

VALUE tj_fresh_serializer(VALUE klass)
{
    tj_check_stack_of_documents(tj_pool_current());
    bool ours = RTEST(rb_class_inherited_p(klass, cSerializer));
    return TJ_LIKELY(ours) ? tj_serializer_alloc(klass) : rb_funcallv(klass, id_new, 0, NULL);
}

__thread tj_last_receiver tj_last;

/* -- pointing -------------------------------------------------------------------------------- */

static bool is_serializer(VALUE self)
{
    return RB_TYPE_P(self, T_DATA) && RTYPEDDATA_P(self) && RTYPEDDATA_TYPE(self) == &tj_serializer_type;
}

tj_writer *tj_writer_behind_cold(VALUE self)
{
    VALUE state = rb_ivar_get(self, id_state);
    if (RB_SPECIAL_CONST_P(state) || !RB_TYPE_P(state, T_DATA) || !RTYPEDDATA_P(state)) return NULL;
    if (RTYPEDDATA_TYPE(state) != &tj_writer_type) return NULL;
    tj_writer *w = RTYPEDDATA_DATA(state);
    /* A copy of a serializer that was at work points at its Writer too. */
    if ((w->trouble & TJ_IDLE) || !tj_frame_of(w, self)) return NULL;
    w->receiver = self;
    tj_last = (tj_last_receiver){self, w};
    return w;
}

static void refuse_frozen(VALUE self)
{
    if (TJ_LIKELY(!RB_OBJ_FROZEN(self) || is_serializer(self))) return;
    tj_raise(NULL, tj_eError,
             "a frozen %" PRIsVALUE " cannot serialize: include ToJson::Serialize keeps its state in the object. "
             "Use dup.json!, a ToJson::Serializer, or ToJson.json { |j| ... }.",
             tj_class_words(self));
}

void tj_point_at(VALUE self, tj_writer *w)
{
    if (is_serializer(self)) {
        RTYPEDDATA_DATA(self) = w;
        if (w) RB_OBJ_WRITTEN(self, Qundef, w->self);
        return;
    }
    tj_writer *before = tj_writer_behind(self);
    if (before && before->receiver == self) before->receiver = 0;
    if (TJ_UNLIKELY(RB_OBJ_FROZEN(self))) {
        if (w) refuse_frozen(self);
        if (before) before->running++; /* it was frozen on the way: what it points at for ever must stay idle, so it is not pooled */
        return;
    }
    rb_ivar_set(self, id_state, w ? w->self : Qnil);
    if (!w) return;
    w->receiver = self;
    tj_last = (tj_last_receiver){self, w};
}

void tj_raise_trouble(VALUE self, tj_writer *w)
{
    if (!w || (w->trouble & TJ_IDLE))
        tj_raise(NULL, tj_eGrammar,
                 "%" PRIsVALUE " is writing no document now. Call the DSL inside serialize, or inside the block of json!.",
                 tj_class_words(self));
    if (w->trouble & TJ_DELIVERING)
        tj_raise(w, tj_eGrammar, "a call of the DSL from inside the write of the Sink, which is still at it.");
    if (w->trouble & TJ_VALUE_DUE) tj_raise_status(w, TJ_CLOSED_LEVEL);
    tj_raise_poisoned(w);
}

/* -- arguments ------------------------------------------------------------------------------- */

static int reserved_index(VALUE key)
{
    for (int i = 0; i < KEY_COUNT; i++)
        if (key_symbols[i] == key) return i;
    return -1;
}

struct split {
    tj_call *call;
    bool mixed; /* reserved keywords among others */
    long passed;
};

static int split_i(VALUE key, VALUE value, VALUE argument)
{
    struct split *split = (struct split *)argument;
    int index = reserved_index(key);
    switch (index) {
    case -1: split->passed++; return ST_CONTINUE;
    case KEY_CONTEXT: split->call->context = value; break;
    case KEY_RULES: split->call->rules = value; break;
    case KEY_INTO: split->call->into = value; break;
    case KEY_MAX_DEPTH: split->call->max_depth = value; break;
    default:
        if (RTEST(value))
            rb_raise(rb_eArgError, "%" PRIsVALUE ": needs declared fields, and this serializer writes its own. Use an argument of another name.",
                     key);
    }
    split->mixed = true;
    return ST_CONTINUE;
}

static int drop_reserved_i(VALUE key, VALUE value, VALUE passed)
{
    if (reserved_index(key) < 0) rb_hash_aset(passed, key, value);
    return ST_CONTINUE;
}

static VALUE merged(VALUE stored, VALUE given)
{
    if (!RTEST(stored)) return given;
    if (!RTEST(given)) return stored;
    return rb_funcall(stored, rb_intern("merge"), 1, given);
}

static const tj_call none_given = {0, NULL, Qfalse, Qundef, Qundef, Qundef, Qundef};

void tj_call_split(tj_call *call, int argc, const VALUE *argv, bool keywords, VALUE stored)
{
    *call = none_given;
    call->argc = argc;
    call->argv = argv;
    VALUE given = Qfalse;
    if (keywords) given = argv[--call->argc];
    if (RTEST(stored)) { /* [keywords or nil, *arguments], frozen */
        if (call->argc == 0) {
            call->argc = (int)RARRAY_LEN(stored) - 1;
            call->argv = RARRAY_CONST_PTR(stored) + 1;
        }
        given = merged(RARRAY_AREF(stored, 0), given);
    }
    if (!RTEST(given)) return;
    struct split split = {call, false, 0};
    rb_hash_foreach(given, split_i, (VALUE)&split);
    if (split.passed == 0) return;
    call->keywords = given;
    if (split.mixed) {
        call->keywords = rb_hash_new();
        rb_hash_foreach(given, drop_reserved_i, call->keywords);
    }
}

void tj_store_arguments(VALUE self, int argc, const VALUE *argv, bool keywords)
{
    if (argc == 0) return;
    tj_call check;
    tj_call_split(&check, argc, argv, keywords, Qnil); /* what json! would refuse, new refuses */
    VALUE stored = rb_ary_new_capa(argc + 1);
    rb_ary_push(stored, keywords ? rb_obj_freeze(rb_hash_dup(argv[argc - 1])) : Qnil);
    rb_ary_cat(stored, argv, argc - (keywords ? 1 : 0));
    rb_ivar_set(self, id_arguments, rb_obj_freeze(stored));
}

VALUE tj_stored_arguments(VALUE self) { return rb_ivar_get(self, id_arguments); }

/* -- running --------------------------------------------------------------------------------- */

static VALUE run_serialize(VALUE self, const tj_call *call)
{
    if (TJ_LIKELY(!RTEST(call->keywords))) return rb_funcallv(self, id_serialize, call->argc, call->argv);
    VALUE arguments = rb_ary_new_from_values(call->argc, call->argv);
    rb_ary_push(arguments, call->keywords);
    VALUE result = rb_funcallv_kw(self, id_serialize, (int)RARRAY_LEN(arguments), RARRAY_CONST_PTR(arguments), RB_PASS_KEYWORDS);
    RB_GC_GUARD(arguments);
    return result;
}

struct in_place {
    tj_writer *w;
    VALUE self;
    tj_call call;
};

static VALUE in_place_serialize(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    VALUE context = p->call.context;
    if (context == Qundef) context = p->w->frame_count ? p->w->frames[p->w->frame_count - 1].context : no_context;
    tj_push_frame(p->w, p->self, p->call.argc > 0 ? p->call.argv[0] : Qnil, context);
    return run_serialize(p->self, &p->call);
}

static VALUE in_place_let_go(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_point_at(p->self, NULL);
    return Qnil;
}

static VALUE in_place_body(VALUE argument)
{
    struct in_place *p = (struct in_place *)argument;
    tj_writer *w = p->w;
    size_t floor = w->floor;
    unsigned value_due = w->trouble & TJ_VALUE_DUE;
    w->floor = w->grammar.top;
    w->trouble &= ~(unsigned)TJ_VALUE_DUE;
    tj_point_at(p->self, w);
    rb_ensure(in_place_serialize, argument, in_place_let_go, argument);
    tj_check_alive(w);
    w->trouble |= value_due;
    if (w->grammar.top != w->floor) tj_raise_status(w, TJ_UNCLOSED);
    w->frame_count--;
    w->floor = floor;
    tj_close_slot(w, true);
    return Qnil;
}

void tj_write_serializer(tj_writer *w, VALUE serializer)
{
    struct in_place p = {.w = w, .self = serializer};
    if (tj_writer_behind(serializer)) p.self = rb_obj_dup(serializer); /* busy: recursion into the same instance */
    VALUE stored = tj_stored_arguments(serializer);
    VALUE kept = NIL_P(stored) ? rb_attr_get(serializer, id_encoded) : Qnil;
    if (!NIL_P(kept)) { /* encode! of the class: no arguments to make it anew from */
        tj_splice_checked(w, kept, tj_class_words(serializer));
        return;
    }
    tj_call_split(&p.call, 0, NULL, false, stored);
    if (p.call.into != Qundef)
        tj_raise(w, rb_eArgError, "into: has no meaning for a serializer inside a document.");
    /* Serializers whose value is a serializer open nothing, and may still never end. */
    if (TJ_UNLIKELY(w->frame_count > (size_t)w->grammar.max_nesting + w->grammar.nesting)) tj_raise_status(w, TJ_TOO_DEEP);
    tj_check_stack(w);
    tj_mark mark = tj_mark_take(w);
    tj_check(w, tj_push(&w->grammar, TJ_SLOT, mark.offset, mark.level.state, mark.level.count));
    tj_protect(w, &mark, in_place_body, (VALUE)&p);
    RB_GC_GUARD(stored);
    RB_GC_GUARD(p.self);
    RB_GC_GUARD(p.call.keywords);
}

static VALUE coerced_rules(VALUE given)
{
    return rb_funcall(rb_const_get(tj_mToJson, rb_intern("Rules")), id_coerce, 1, given);
}

static VALUE rules_for(VALUE self, const tj_call *call)
{
    if (TJ_UNLIKELY(call->rules != Qundef && !NIL_P(call->rules))) return coerced_rules(call->rules);
    VALUE klass = rb_obj_class(self);
    VALUE rules = rb_ivar_get(klass, id_kept_rules);
    if (TJ_UNLIKELY(NIL_P(rules))) rules = rb_funcall(tj_mToJson, id_effective_rules, 1, klass);
    if (rules == Qtrue) rules = tj_default_rules; /* the class leaves it to the global default */
    return rules;
}

struct document {
    VALUE self; /* the serializer, or Qundef for a bare value */
    VALUE scope;
    const tj_call *call;
    tj_writer *w;
    enum tj_run run;
    bool keywords; /* the running method was given some */
    tj_stand_in *stand_in; /* NULL but for the block form */
};

/* rb_obj_instance_exec would take the last argument for keywords whenever json! itself was given some. */
static VALUE call_block(const struct document *d)
{
    const tj_call *call = d->call;
    bool yields = d->run == TJ_RUN_YIELD, keywords = RTEST(call->keywords);
    if (TJ_LIKELY(!keywords && !d->keywords))
        return yields ? rb_yield_values2(call->argc, call->argv) : rb_obj_instance_exec(call->argc, call->argv, d->self);
    VALUE arguments = rb_ary_new_from_values(call->argc, call->argv);
    if (keywords) rb_ary_push(arguments, call->keywords);
    int count = (int)RARRAY_LEN(arguments), pass = keywords ? RB_PASS_KEYWORDS : RB_NO_KEYWORDS;
    VALUE result = yields ? rb_yield_values_kw(count, RARRAY_CONST_PTR(arguments), pass)
                          : rb_funcall_with_block_kw(d->self, id_instance_exec, count, RARRAY_CONST_PTR(arguments), rb_block_proc(), pass);
    RB_GC_GUARD(arguments);
    return result;
}

static VALUE document_body(VALUE argument)
{
    struct document *d = (struct document *)argument;
    tj_writer *w = d->w;
    const tj_call *call = d->call;
    if (d->run == TJ_RUN_VALUE) {
        tj_begin_value(w);
        tj_write_value(w, call->argv[0]);
    } else {
        tj_push_frame(w, d->self, d->scope, call->context != Qundef ? call->context : no_context);
        if (TJ_LIKELY(d->run == TJ_RUN_SERIALIZE)) run_serialize(d->self, call);
        else call_block(d);
        if (TJ_UNLIKELY(w->trouble)) tj_raise_trouble(d->self, w);
    }
    tj_end_root(w);
    return tj_finish(w);
}

/* 0 where the call has none: the Rules' holds. */
static uint32_t max_depth_of(const tj_call *call)
{
    VALUE depth = call->max_depth;
    if (TJ_LIKELY(depth == Qundef || NIL_P(depth))) return 0;
    if (!FIXNUM_P(depth) || FIX2LONG(depth) < 1 || FIX2LONG(depth) > INT32_MAX)
        rb_raise(rb_eArgError, "max_depth: takes an Integer from 1 to %d; got %" PRIsVALUE, INT32_MAX, rb_inspect(depth));
    return (uint32_t)FIX2LONG(depth);
}

static void point(const struct document *d, tj_writer *w)
{
    if (d->self == Qundef) return;
    if (!d->stand_in || RB_OBJ_FROZEN(d->self)) {
        tj_point_at(d->self, w);
        return;
    }
    tj_stand_in_point(d->stand_in, w ? w->self : Qnil);
    d->w->receiver = w ? d->self : 0;
    if (w) tj_last = (tj_last_receiver){d->self, w};
}

static VALUE run(struct document *d, VALUE rules, VALUE sink, bool pretty)
{
    uint32_t max_depth = max_depth_of(d->call);
    tj_check_stack_of_documents(tj_pool_current());
    if (d->self != Qundef) refuse_frozen(d->self);
    tj_writer *w = d->w = tj_acquire(rules, sink);
    VALUE writer = w->self;
    if (TJ_UNLIKELY(max_depth)) w->grammar.max_nesting = max_depth;
    w->pretty = pretty;
    tj_note_stack(w);
    point(d, w);
    int state = 0;
    VALUE result = rb_protect(document_body, (VALUE)d, &state);
    if (TJ_UNLIKELY(state == TJ_STATE_RAISE)) tj_locate(w, rb_errinfo());
    point(d, NULL);
    tj_release(w);
    if (d->stand_in) tj_stand_in_return(d->stand_in);
    RB_GC_GUARD(writer);
    RB_GC_GUARD(rules);
    if (TJ_UNLIKELY(state)) rb_jump_tag(state);
    return result;
}

static VALUE sink_of(const tj_call *call)
{
    if (TJ_LIKELY(call->into == Qundef || NIL_P(call->into))) return Qfalse;
    tj_check_sink(call->into);
    return call->into;
}

VALUE tj_run_document(VALUE self, VALUE scope, const tj_call *call, enum tj_run how)
{
    VALUE sink = sink_of(call), rules = rules_for(self, call); /* run Ruby, and so other threads: before it is seen to be idle */
    if (TJ_UNLIKELY(tj_writer_behind(self) != NULL)) self = rb_obj_dup(self);
    struct document d = {.self = self, .scope = scope, .call = call, .run = how, .keywords = how == TJ_RUN_YIELD && rb_keyword_given_p()};
    VALUE result = run(&d, rules, sink, false);
    RB_GC_GUARD(self);
    return result;
}

VALUE tj_run_block(tj_stand_in *stand_in, VALUE scope, const tj_call *call, bool keywords)
{
    VALUE sink = sink_of(call), self = stand_in->self;
    struct document d = {.self = self, .scope = scope, .call = call, .run = TJ_RUN_EXEC, .keywords = keywords, .stand_in = stand_in};
    VALUE result = run(&d, rules_for(self, call), sink, false);
    RB_GC_GUARD(self);
    RB_GC_GUARD(stand_in->template);
    return result;
}

/* Most serializers have no instance variable at all, which is one bit. */
static bool has_stored_arguments(VALUE self)
{
#if RUBY_API_VERSION_MAJOR == 3
    if (is_serializer(self) && !RB_FL_ANY_RAW(self, RUBY_FL_EXIVAR)) return false;
#endif
    return RTEST(tj_stored_arguments(self));
}

/* An entry that a stack overflow left could not even call tj_drop_document. Its frame is gone then: a live one
 * lies above those that run now. Of another Fiber's nothing is known. */
static bool abandoned(const tj_writer *w)
{
    const void *frame = w->opened_by ? tj_running_frame() : NULL;
    const void *start = w->vm_stack, *end = w->vm_stack_end;
    return frame && frame >= start && frame < end && w->opened_by < frame;
}

bool tj_open_document(VALUE self, VALUE scope)
{
    VALUE rules = rules_for(self, &none_given); /* first, as in tj_run_document */
    tj_writer *before = tj_writer_behind(self);
    if (TJ_UNLIKELY(before != NULL)) {
        if (!abandoned(before)) return false;
        before->running++; /* not pooled: somebody may still hold it */
        tj_point_at(self, NULL);
        tj_release(before);
    }
    if (TJ_UNLIKELY(has_stored_arguments(self))) return false;
    tj_check_stack_of_documents(tj_pool_current());
    refuse_frozen(self);
    tj_writer *w = tj_acquire(rules, Qfalse);
    tj_note_stack(w);
    w->opened_by = tj_running_frame();
    tj_point_at(self, w);
    tj_push_frame(w, self, scope, no_context);
    RB_GC_GUARD(rules);
    return true;
}

VALUE tj_close_document(VALUE self)
{
    tj_writer *w = tj_writer_of(self);
    tj_end_root(w);
    VALUE result = tj_finish(w);
    tj_point_at(self, NULL);
    tj_release(w);
    return result;
}

void tj_drop_document(VALUE self, VALUE error)
{
    tj_writer *w = tj_writer_behind(self);
    if (!w || !tj_called_beside(w->opened_by)) return;
    if (!NIL_P(error)) tj_locate(w, error);
    tj_point_at(self, NULL);
    tj_release(w);
}

VALUE tj_generate(const tj_call *call, bool pretty)
{
    VALUE rules = call->rules != Qundef && !NIL_P(call->rules) ? coerced_rules(call->rules) : tj_default_rules;
    struct document d = {.self = Qundef, .scope = Qnil, .call = call, .run = TJ_RUN_VALUE};
    return run(&d, rules, sink_of(call), pretty);
}
