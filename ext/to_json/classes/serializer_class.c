/* Classes. ToJson::Serializer and ToJson::Serialize: json!, encode!, scope, context. */
#include "classes.h"

#include "../documents/declared.h"
#include "../documents/direct.h"
#include "../documents/records.h"
#include "../documents/document.h"
#include "block_context.h"
#include "../writer/binding.h"
#include "../writer/captures.h"
#include "../writer/pool.h"
#include "../writer/string.h"

static VALUE cSerializer, mInterop;
static ID id_encoded, id_object;

static VALUE serializer_initialize(int argc, VALUE *argv, VALUE self)
{
    bool keywords = rb_keyword_given_p();
    if (keywords) { /* new refuses what json! would refuse */
        tj_call call;
        tj_call_split(&call, argc, argv, true, Qnil);
        if (tj_asks_declared(&call) && tj_plan_of(rb_obj_class(self)) == Qfalse)
            tj_refuse_declared_keywords(&call);
    }
    tj_store_arguments(self, argc, argv, keywords);
    return self;
}

/* A copy has what the original has; Ruby has copied its instance variables. These methods, because
 * users define initialize_copy, perhaps without super. */
static void copy_arguments(VALUE self, VALUE original)
{
    VALUE arguments = tj_arguments_of(original);
    if (!NIL_P(arguments)) tj_give_arguments(self, arguments);
}

static VALUE serializer_initialize_dup(VALUE self, VALUE original)
{
    copy_arguments(self, original);
    return rb_call_super(1, &original);
}

static VALUE serializer_initialize_clone(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, 2);
    copy_arguments(self, argv[0]);
    return rb_call_super_kw(argc, argv, RB_PASS_CALLED_KEYWORDS);
}

/* -- instances -------------------------------------------------------------------------------- */

static VALUE instance_document(int argc, VALUE *argv, VALUE self, bool keywords)
{
    tj_call call;
    VALUE stored = tj_arguments_of(self);
    tj_call_split(&call, argc, argv, keywords, stored);
    if (keywords) tj_check_delivery_options(&call);
    bool block = rb_block_given_p();
    VALUE scope = call.argc > 0 ? call.argv[0] : Qnil;
    if (TJ_UNLIKELY(block)) tj_block_inherits(self, &call, argc, argv, keywords, &scope);
    VALUE result = tj_run_document(self, scope, &call,
                                   TJ_UNLIKELY(block) ? TJ_RUN_YIELD : TJ_RUN_SERIALIZE);
    RB_GC_GUARD(stored);
    RB_GC_GUARD(call.keywords);
    return result;
}

static VALUE instance_json(int argc, VALUE *argv, VALUE self)
{
    bool keywords = rb_keyword_given_p();
    if (TJ_LIKELY(!keywords && !rb_block_given_p())) {
        tj_pool *pool = tj_pool_current();
        VALUE document =
            argc == 0 && tj_has_arguments(self) ? tj_run_lone(pool, self) : Qundef;
        if (document != Qundef) return document;
        if (tj_open_document(pool, self, argc > 0 ? argv[0] : Qnil))
            return tj_continue_document(self, argc, argv);
    }
    return instance_document(argc, argv, self, keywords);
}

/* `ours`: nobody else has the document. With `into:` it is a String of the caller. */
static VALUE keep_encoded(VALUE self, VALUE document, bool ours)
{
    VALUE text = RB_TYPE_P(document, T_STRING) ? document : Qnil;
    bool copy = !ours && !NIL_P(text);
    rb_ivar_set(self, id_encoded, copy ? rb_str_new_frozen(text) : rb_obj_freeze(text));
    return self;
}

static VALUE instance_encode(int argc, VALUE *argv, VALUE self)
{
    return keep_encoded(self, instance_document(argc, argv, self, rb_keyword_given_p()), false);
}

/* The document of encode!, or nil. A cached part that gets it must not be kept, because nothing
 * tells any more what the code in it read. */
static VALUE encoded_of(VALUE self)
{
    VALUE text = rb_attr_get(self, id_encoded);
    if (!NIL_P(text)) tj_note_unknown(NULL);
    return text;
}

/* __to_json_in_place: the document for a place inside another one, without the root of the class.
 * Returns what `encode!` of the class kept, because its arguments are gone. */
static VALUE instance_in_place(VALUE self)
{
    VALUE stored = tj_arguments_of(self);
    VALUE kept = NIL_P(stored) ? encoded_of(self) : Qnil;
    if (!NIL_P(kept)) return kept;
    tj_call call;
    tj_call_split(&call, 0, NULL, false, stored);
    if (call.root == Qundef && tj_plan_of(rb_obj_class(self)) != Qfalse) call.root = Qfalse;
    VALUE result =
        tj_run_document(self, call.argc > 0 ? call.argv[0] : Qnil, &call, TJ_RUN_SERIALIZE);
    RB_GC_GUARD(stored);
    RB_GC_GUARD(call.keywords);
    return result;
}

/* Interop.markup?(text) */
static VALUE interop_s_has_markup(VALUE self, VALUE text)
{
    (void)self;
    return RB_TYPE_P(text, T_STRING) && tj_string_has_markup(text) ? Qtrue : Qfalse;
}

/* The text of json! without arguments. If json! is known to be our own, this does its work without
 * calling it: a call of Ruby from C takes a tenth of the time of a small document. */
static VALUE text_of(VALUE self)
{
    tj_pool *pool = tj_pool_current();
    VALUE klass = CLASS_OF(self); /* a singleton class keeps no Plan */
    VALUE kept = tj_is_serializer(self) ? tj_plan_kept_of(pool, klass) : Qundef;
    VALUE text = Qundef;
    if (kept != Qundef && tj_plan_get(kept)->own_json) text = tj_run_lone(pool, self);
    return text != Qundef ? text : rb_funcallv(self, rb_intern("json!"), 0, NULL);
}

/* For other generators. Inside another value of the json gem, whose State counts containers, it is
 * the document for a place inside. `json!` and `escaped` run Ruby. */
static VALUE instance_to_json(int argc, VALUE *argv, VALUE self)
{
    VALUE state = argc > 0 ? argv[0] : Qnil;
    bool plain = NIL_P(state) || RB_TYPE_P(state, T_HASH);
    if (TJ_UNLIKELY(!plain) && RTEST(rb_funcall(mInterop, rb_intern("inside?"), 1, state)))
        return instance_in_place(self);
    VALUE text = encoded_of(self);
    if (NIL_P(text)) text = text_of(self);
    if (plain && RB_TYPE_P(text, T_STRING) && TJ_UNLIKELY(tj_string_has_markup(text)) &&
        rb_const_defined_at(rb_cObject, rb_intern("ActiveSupport")))
        text = rb_funcall(mInterop, rb_intern("escaped"), 2, text, state);
    return text;
}

static VALUE instance_encoded(VALUE self) { return encoded_of(self); }

/* __to_json_arguments: what `new` was given, [keywords or nil, *arguments], frozen; or nil. */
static VALUE instance_arguments(VALUE self)
{
    VALUE stored = tj_arguments_of(self);
    tj_note_stored(tj_pool_current(), stored);
    return stored;
}

/* -- declared fields -------------------------------------------------------------------------- */

static VALUE instance_object(VALUE self) { return rb_attr_get(self, id_object); }

static VALUE call_named(VALUE argument)
{
    VALUE *call = (VALUE *)argument;
    return rb_funcallv(call[0], rb_sym2id(call[1]), 0, NULL);
}

static VALUE object_back(VALUE argument)
{
    VALUE *call = (VALUE *)argument;
    rb_ivar_set(call[0], id_object, call[2]);
    return Qnil;
}

/* __to_json_with(object, name): calls a method without parameters, which sees `object`. Restores
 * `object` afterwards. */
static VALUE instance_with(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 2, 2);
    VALUE call[3] = {self, argv[1], instance_object(self)};
    rb_ivar_set(self, id_object, argv[0]);
    return rb_ensure(call_named, (VALUE)call, object_back, (VALUE)call);
}

/* For a class with its own serialize: the Plan and the Mask that the call left of the declared
 * fields, or nil. */
static VALUE instance_selected(VALUE self) { return rb_attr_get(self, tj_id_selected); }

/* __to_json_put(plan, mask, object): writes the fields as pairs of the object at hand */
static VALUE instance_put(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 3, 3);
    tj_writer *w = tj_writer_of(self);
    rb_check_typeddata(argv[0], &tj_plan_type);
    tj_put_declared(w, self, argv[0], argv[1], argv[2]);
    return Qnil;
}

/* -- classes ---------------------------------------------------------------------------------- */

/* json! and encode! of a class. *instance becomes the serializer that wrote the document, or stays
 * as it is if the fields need none. `instance` may be NULL. */
static VALUE class_document(int argc, VALUE *argv, VALUE klass, bool keywords, VALUE *instance)
{
    if (TJ_UNLIKELY(klass == cSerializer)) {
        if (!rb_block_given_p()) rb_funcall(klass, rb_intern("__to_json_refuse_no_block"), 0);
        return tj_block_document(argc, argv, keywords);
    }
    tj_call call;
    tj_call_split(&call, argc, argv, keywords, Qnil);
    if (keywords) tj_check_delivery_options(&call);
    tj_declared declared;
    if (tj_declared_of(klass, &call, &declared)) {
        VALUE document = tj_run_plan(klass, &call, &declared, instance);
        RB_GC_GUARD(call.keywords);
        return document;
    }
    VALUE self = tj_fresh_serializer(call.pool, klass);
    if (instance) *instance = self;
    /* `new` may be redefined and return an instance of another class */
    enum tj_run how = rb_obj_class(self) == klass ? TJ_RUN_UNDECLARED : TJ_RUN_SERIALIZE;
    VALUE result = tj_run_document(self, call.argc > 0 ? call.argv[0] : Qnil, &call, how);
    RB_GC_GUARD(call.keywords);
    return result;
}

static VALUE class_json(int argc, VALUE *argv, VALUE klass)
{
    bool keywords = rb_keyword_given_p();
    tj_pool *pool = tj_pool_current();
    VALUE kept = tj_plan_kept_of(pool, klass), instance;
    if (TJ_UNLIKELY(kept == Qundef && klass != cSerializer)) {
        tj_plan_of(klass);
        kept = tj_plan_kept(klass); /* frozen classes and other Ractors keep none */
    }
    if (TJ_LIKELY(kept != Qundef)) {
        if (tj_plan_get(kept)->declares) {
            if (TJ_LIKELY(argc == 1 && !keywords)) {
                const tj_plan *plan = tj_plan_get(kept);
                VALUE rules = tj_plan_rules(plan);
                tj_one one = {NULL, kept, Qnil, argv[0], plan->root_one,
                              tj_no_context, rules, Qfalse, false};
                VALUE document = tj_run_one(pool, &one);
                RB_GC_GUARD(rules);
                RB_GC_GUARD(kept);
                if (TJ_LIKELY(document != Qundef)) return document;
            } else if (argc == 2 && keywords) {
                VALUE document = tj_run_with_keywords(pool, kept, argv[0], argv[1]);
                RB_GC_GUARD(kept);
                if (TJ_LIKELY(document != Qundef)) return document;
            }
        } else if (!keywords && tj_plan_get(kept)->allocated) {
            instance = tj_open_fresh(pool, klass, kept, argc > 0 ? argv[0] : Qnil);
            if (RTEST(instance)) return tj_continue_document(instance, argc, argv);
        }
    }
    if (TJ_UNLIKELY(klass == cSerializer && !rb_block_given_p()))
        return rb_funcallv_kw(klass, rb_intern("__to_json_without_block"), argc, argv, keywords);
    return class_document(argc, argv, klass, keywords, NULL);
}

static VALUE class_to_h(int argc, VALUE *argv, VALUE klass)
{
    return tj_run_values(argc, argv, klass, rb_keyword_given_p());
}

static VALUE class_encode(int argc, VALUE *argv, VALUE klass)
{
    VALUE instance = Qnil;
    VALUE document = class_document(argc, argv, klass, rb_keyword_given_p(), &instance);
    /* The block form has no instance yet; declared fields may need one. */
    if (TJ_UNLIKELY(klass == cSerializer || NIL_P(instance))) instance = tj_serializer_alloc(klass);
    return keep_encoded(instance, document, !rb_keyword_given_p());
}

/* __to_json_check(*arguments, **keywords): raises what json! would raise before it writes
 * anything */
static VALUE class_check_call(int argc, VALUE *argv, VALUE klass)
{
    tj_call call;
    tj_call_split(&call, argc, argv, rb_keyword_given_p(), Qnil);
    if (klass != cSerializer) tj_check_call(klass, &call);
    else tj_check_delivery(klass, &call);
    RB_GC_GUARD(call.keywords);
    return Qnil;
}

/* __to_json_records(on_error, sequence, block, *arguments, **keywords): see tj_run_records. With a
 * block, that is the block form. */
static VALUE class_records(int argc, VALUE *argv, VALUE klass)
{
    rb_check_arity(argc, 3, UNLIMITED_ARGUMENTS);
    if (!NIL_P(argv[2]) && !RTEST(rb_obj_is_proc(argv[2])))
        rb_raise(rb_eTypeError, "a Proc is due");
    tj_call call;
    tj_call_split(&call, argc - 3, argv + 3, rb_keyword_given_p(), Qnil);
    tj_check_delivery_options(&call);
    tj_record_options options = {argv[0], RTEST(argv[1]), argv[2], Qfalse, NULL};
    tj_block_receiver receiver;
    if (rb_block_given_p()) {
        tj_check_records(klass, &call);
        options.block = rb_block_proc();
        VALUE caller = tj_block_self();
        if (tj_block_has_words(caller)) {
            options.caller = caller;
            tj_block_inherits(caller, &call, argc, argv, rb_keyword_given_p(), NULL);
        } else tj_block_receiver_make(options.receiver = &receiver, caller);
    }
    VALUE result = tj_run_records(klass, &call, &options);
    if (options.receiver) {
        RB_GC_GUARD(receiver.self);
        RB_GC_GUARD(options.block);
    }
    RB_GC_GUARD(call.keywords);
    return result;
}

/* The same for records that are written later: raises what is known now. */
static VALUE class_check_records(int argc, VALUE *argv, VALUE klass)
{
    tj_call call;
    tj_call_split(&call, argc, argv, rb_keyword_given_p(), Qnil);
    tj_check_records(klass, &call);
    RB_GC_GUARD(call.keywords);
    return Qnil;
}

/* ToJson.json { |j| j.put ... } */
static VALUE to_json_s_json(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    if (!rb_block_given_p())
        tj_raise(NULL, tj_eError,
                 "ToJson.json needs a block: ToJson.json { |j| j.put :name, \"Fred\" }");
    VALUE receiver = tj_serializer_alloc(cSerializer);
    tj_call call;
    tj_call_split(&call, argc, argv, rb_keyword_given_p(), Qnil);
    tj_check_delivery_options(&call);
    if (call.argc > 0 || RTEST(call.keywords))
        rb_raise(
            rb_eArgError,
            "ToJson.json takes into:, chunk:, flush:, rules:, context: and max_depth: only; "
            "its block sees your variables");
    call.argc = 1;
    call.argv = &receiver;
    VALUE result = tj_run_document(receiver, Qnil, &call, TJ_RUN_YIELD);
    RB_GC_GUARD(receiver);
    return result;
}

void tj_define_serializer(void)
{
    id_encoded = rb_intern("__to_json_encoded");
    id_object = rb_intern("__to_json_object");
    cSerializer = rb_define_class_under(tj_mToJson, "Serializer", rb_cObject);
    mInterop = rb_define_module_under(tj_mToJson, "Interop");
    rb_gc_register_mark_object(mInterop);
    rb_define_alloc_func(cSerializer, tj_serializer_alloc);
    rb_define_private_method(cSerializer, "initialize", serializer_initialize, -1);
    rb_define_private_method(cSerializer, "initialize_dup", serializer_initialize_dup, 1);
    rb_define_private_method(cSerializer, "initialize_clone", serializer_initialize_clone, -1);
    rb_define_method(cSerializer, "object", instance_object, 0);
    rb_define_private_method(cSerializer, "__to_json_put", instance_put, -1);
    rb_define_private_method(cSerializer, "__to_json_selected", instance_selected, 0);
    rb_define_method(cSerializer, "__to_json_with", instance_with, -1);

    tj_mSerialize = rb_define_module_under(tj_mToJson, "Serialize");
    rb_include_module(tj_mSerialize, rb_const_get(tj_mToJson, rb_intern("DSL")));
    rb_define_method(tj_mSerialize, "json!", instance_json, -1);
    rb_define_method(tj_mSerialize, "encode!", instance_encode, -1);
    rb_define_method(tj_mSerialize, "to_json", instance_to_json, -1);
    rb_define_singleton_method(mInterop, "markup?", interop_s_has_markup, 1);
    rb_define_private_method(tj_mSerialize, "encoded_json", instance_encoded, 0);
    rb_define_private_method(tj_mSerialize, "__to_json_arguments", instance_arguments, 0);
    rb_define_private_method(tj_mSerialize, "__to_json_in_place", instance_in_place, 0);
    rb_define_method(tj_mSerialize, "scope", tj_scope_word, 0);
    rb_define_method(tj_mSerialize, "context", tj_context_word, 0);
    rb_include_module(cSerializer, tj_mSerialize);

    VALUE mClassMethods = rb_define_module_under(tj_mSerialize, "ClassMethods");
    rb_define_method(mClassMethods, "json!", class_json, -1);
    rb_define_method(mClassMethods, "encode!", class_encode, -1);
    rb_extend_object(cSerializer, mClassMethods);
    VALUE mDeclarations = rb_define_module_under(tj_mToJson, "Declarations");
    rb_define_method(mDeclarations, "to_h", class_to_h, -1);
    rb_define_singleton_method(tj_mToJson, "json", to_json_s_json, -1);
    rb_define_private_method(mClassMethods, "__to_json_check", class_check_call, -1);
    rb_define_private_method(mClassMethods, "__to_json_check_records", class_check_records, -1);
    rb_define_private_method(mClassMethods, "__to_json_records", class_records, -1);
}
