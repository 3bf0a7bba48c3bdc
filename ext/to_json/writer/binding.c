/* Writer. Which Writer a serializer is bound to, and the frames of a document. */
#include "binding.h"

#include "errors.h"
#include "stack.h"

VALUE tj_mSerialize, tj_no_context;
bool tj_expects_captures;
VALUE tj_mHeld;
static VALUE cSerializer;
static ID id_state;

static void serializer_mark(void *data)
{
    void *object = tj_data_of(data);
    const tj_given *given = tj_data_bits(data) == TJ_HAS_GIVEN ? object : NULL;
    const tj_writer *w = given ? given->writer : object;
    if (given) rb_gc_mark(given->arguments);
    if (tj_data_bits(data) == TJ_HAS_LONE) rb_gc_mark((VALUE)object);
    else if (w) rb_gc_mark(w->self);
}

static void serializer_free(void *data)
{
    if (tj_data_bits(data) == TJ_HAS_GIVEN) ruby_xfree(tj_data_of(data));
}

static size_t serializer_memsize(const void *data)
{
    return tj_data_bits(data) == TJ_HAS_GIVEN ? sizeof(tj_given) : 0;
}

/* A document can be abandoned in a Fiber that is never resumed: the Writer then lives as long as
 * its serializer. */
const rb_data_type_t tj_serializer_type = {
    .wrap_struct_name = "ToJson::Serializer",
    .function = {.dmark = serializer_mark,
                 .dfree = serializer_free,
                 .dsize = serializer_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

/* Marshal writes the variable as well. A copy of the object then has nil in it. */
static VALUE writer_dump(VALUE self, VALUE level) { return rb_str_new(NULL, 0); }
static VALUE writer_s_load(VALUE self, VALUE text) { return Qnil; }

void tj_binding_init(void)
{
    VALUE cWriter = rb_const_get(tj_mToJson, rb_intern("Writer"));
    rb_define_private_method(cWriter, "_dump", writer_dump, 1);
    rb_define_private_method(rb_singleton_class(cWriter), "_load", writer_s_load, 1);
    cSerializer = rb_const_get(tj_mToJson, rb_intern("Serializer"));
    tj_mHeld = rb_define_module_under(rb_define_module_under(tj_mToJson, "Envelope"), "Held");
    /* without @: hidden from instance_variables, inspect and Rails' instance_values */
    id_state = rb_intern("__to_json");
    tj_no_context = rb_obj_freeze(rb_hash_new());
    rb_gc_register_mark_object(tj_no_context);
}

VALUE tj_serializer_alloc(VALUE klass)
{
    return TypedData_Wrap_Struct(klass, &tj_serializer_type, NULL);
}

void tj_give_arguments(VALUE serializer, VALUE arguments)
{
    tj_given *given = tj_given_of(serializer);
    if (TJ_LIKELY(!given)) {
        given = RB_ALLOC(tj_given);
        *given = (tj_given){tj_writer_behind(serializer), Qnil};
        RTYPEDDATA_DATA(serializer) = (void *)((uintptr_t)given | TJ_HAS_GIVEN);
    }
    RB_OBJ_WRITE(serializer, &given->arguments, arguments);
}

bool tj_give_lone(VALUE serializer, VALUE argument)
{
    bool idle = RTYPEDDATA_DATA(serializer) == NULL;
    if (!idle || RB_SPECIAL_CONST_P(argument) || argument & TJ_DATA_BITS) return false;
    RTYPEDDATA_DATA(serializer) = (void *)(argument | TJ_HAS_LONE);
    RB_OBJ_WRITTEN(serializer, Qundef, argument);
    return true;
}

VALUE tj_arguments_of(VALUE self)
{
    if (!tj_is_serializer(self)) return Qnil;
    VALUE lone = tj_lone_argument(self);
    if (lone != Qundef) tj_give_arguments(self, rb_obj_freeze(rb_ary_new_from_args(2, Qnil, lone)));
    const tj_given *given = tj_given_of(self);
    return given ? given->arguments : Qnil;
}

bool tj_allocates(VALUE klass)
{
    if (klass == cSerializer || !RB_TYPE_P(klass, T_CLASS)) return false;
    return RTEST(rb_class_inherited_p(klass, cSerializer));
}

VALUE tj_fresh_serializer(struct tj_pool *pool, VALUE klass)
{
    tj_check_stack_of_documents(pool);
    bool direct = rb_class_get_superclass(klass) == cSerializer || klass == cSerializer;
    if (TJ_LIKELY(direct || tj_allocates(klass))) return tj_serializer_alloc(klass);
    VALUE made = rb_funcallv(klass, rb_intern("new"), 0, NULL);
    tj_arguments_of(made); /* as tj_bind_serializer needs them; the `new` may be the user's */
    return made;
}

tj_writer *tj_writer_behind_cold(VALUE self)
{
    tj_pool *pool = tj_pool_current();
    if (TJ_LIKELY(pool->current != NULL && pool->receiver == self)) return pool->current;
    VALUE state = rb_ivar_get(self, id_state);
    if (RB_SPECIAL_CONST_P(state) || !RB_TYPE_P(state, T_DATA) || !RTYPEDDATA_P(state)) return NULL;
    if (RTYPEDDATA_TYPE(state) != &tj_writer_type) return NULL;
    tj_writer *w = RTYPEDDATA_DATA(state);
    /* A copy of a serializer at work has the same instance variable, but no frame. */
    if ((w->blocked & TJ_IDLE) || !tj_frame_of(w, self)) return NULL;
    pool->current = w;
    pool->receiver = self;
    return w;
}

void tj_refuse_frozen(VALUE self)
{
    if (TJ_LIKELY(!RB_OBJ_FROZEN(self) || tj_is_serializer(self))) return;
    tj_raise(NULL, tj_eError,
             "a frozen %" PRIsVALUE
             " cannot serialize: include ToJson::Serialize keeps its state in the object. "
             "Use dup.json!, a ToJson::Serializer, or ToJson.json { |j| ... }.",
             tj_class_words(self));
}

void tj_bind(tj_writer *w, VALUE self)
{
    if (tj_is_serializer(self)) {
        tj_bind_serializer(w, self);
        return;
    }
    tj_refuse_frozen(self);
    rb_ivar_set(self, id_state, w->self);
    tj_pool *pool = tj_pool_current();
    if (TJ_UNLIKELY(pool->receiver == self)) pool->current = NULL; /* of another document */
}

/* The Writer to which `self` is bound in this thread; NULL if the thread of its Writer is dead. */
static tj_writer *outer_of(VALUE self)
{
    for (;;) {
        tj_writer *w = tj_writer_behind(self);
        /* its document has ended, and a Fiber that wrote in it was not resumed */
        if (w && w->blocked & TJ_IDLE) {
            tj_unbind(self);
            return NULL;
        }
        if (TJ_LIKELY(!w || w->thread == rb_thread_current())) return w;
        VALUE writer = w->self, thread = w->thread;
        bool alive = RTEST(rb_funcall(thread, rb_intern("alive?"), 0)); /* others may run */
        bool same = tj_writer_behind(self) == w && w->thread == thread;
        RB_GC_GUARD(writer);
        if (!same) continue;
        if (!alive) {
            tj_unbind(self);
            return NULL;
        }
        tj_raise(NULL, tj_eError,
                 "%" PRIsVALUE
                 " is writing a document in another thread, and cannot write two. "
                 "Give each thread an object of its own.",
                 tj_class_words(self));
    }
}

/* Whether it is a record, or a Delegator of one, whose clone clones the record. Not an object that
 * forwards in other ways, since its clone keeps the record that it has. */
static bool is_record(VALUE self)
{
    ID method = rb_intern("changed_attribute_names_to_save"), delegator = rb_intern("Delegator");
    if (tj_is_serializer(self)) return false;
    if (rb_method_boundp(CLASS_OF(self), method, 0)) return true;
    return rb_const_defined(rb_cObject, delegator) &&
           RTEST(rb_obj_is_kind_of(self, rb_const_get(rb_cObject, delegator))) &&
           rb_respond_to(self, method);
}

VALUE tj_free_self_cold(VALUE self, bool yields, tj_outer *outer)
{
    if (yields || is_record(self) || RB_TYPE_P(self, T_CLASS) || RB_TYPE_P(self, T_MODULE)) {
        tj_writer *w = outer_of(self);
        if (w) *outer = (tj_outer){w, w->self, w->documents};
        return self;
    }
    return RB_OBJ_FROZEN(self) ? rb_obj_dup(self) : rb_obj_clone(self);
}

void tj_bind_again(const tj_outer *outer, VALUE self)
{
    const tj_writer *w = outer->w;
    if (TJ_LIKELY(!w) || w->blocked & TJ_IDLE || w->documents != outer->document) return;
    if (RB_OBJ_FROZEN(self) && !tj_is_serializer(self)) return; /* meanwhile */
    tj_bind(outer->w, self);
}

void tj_unbind(VALUE self)
{
    if (tj_is_serializer(self)) {
        tj_unbind_serializer(self);
        return;
    }
    if (TJ_UNLIKELY(RB_OBJ_FROZEN(self))) {
        tj_writer *before = tj_writer_behind(self);
        /* it was frozen during the document and keeps its Writer for ever: `running` keeps this
         * Writer out of the pool */
        if (before) before->running++;
    } else rb_ivar_set(self, id_state, Qnil);
    tj_pool *pool = tj_pool_current();
    if (pool->receiver == self) pool->current = NULL;
}

void tj_raise_blocked(VALUE self, tj_writer *w)
{
    if (!w || (w->blocked & TJ_IDLE))
        tj_raise(
            NULL, tj_eGrammar,
            "%" PRIsVALUE
            " is not writing a document now. "
            "Call the DSL inside serialize, or inside the block of json!.",
            tj_class_words(self));
    if (w->blocked & TJ_DELIVERING)
        tj_raise(w, tj_eGrammar,
                 "the DSL was called inside the write method of the Sink. "
                 "Call it after write has returned.");
    if (w->blocked & TJ_VALUE_DUE) tj_raise_status(w, TJ_CLOSED_LEVEL);
    tj_raise_poisoned(w);
}

/* -- frames ------------------------------------------------------------------------------------ */

static int is_hidden(ID name, VALUE value, st_data_t found)
{
    (void)value;
    if (strncmp(rb_id2name(name), "__to_json", 9) == 0) return ST_CONTINUE;
    *(bool *)found = true;
    return ST_STOP;
}

static bool has_state(VALUE self, bool variables)
{
    bool found = CLASS_OF(self) != rb_obj_class(self);
    if (TJ_UNLIKELY(variables && !found)) rb_ivar_foreach(self, is_hidden, (st_data_t)&found);
    return found;
}

bool tj_has_state(VALUE self) { return has_state(self, rb_ivar_count(self) > 0); }

void tj_push_frame(tj_writer *w, VALUE self, VALUE scope, VALUE context)
{
    if (TJ_UNLIKELY(w->frame_count == w->frame_capacity)) {
        size_t capacity = w->frame_capacity * 2;
        tj_frame *grown = tj_realloc(w->frames, capacity * sizeof *grown);
        if (!grown) tj_raise_status(w, TJ_NO_MEMORY);
        w->frames = grown;
        w->frame_capacity = capacity;
    }
    bool reader = true, state = true; /* without a cache nobody asks */
    if (TJ_UNLIKELY(tj_expects_captures)) {
        bool serializer = tj_is_serializer(self);
        /* any other object has variables in most cases */
        bool variables = serializer ? rb_ivar_count(self) > 0 : !RB_SPECIAL_CONST_P(self);
        reader = variables && tj_is_reader(self);
        state = serializer && has_state(self, variables);
    }
    w->frames[w->frame_count++] = (tj_frame){self, scope, context, false, reader, state, false};
}

bool tj_has_context(const tj_writer *w, VALUE context)
{
    for (size_t i = 0; i < w->frame_count; i++)
        if (w->frames[i].context == context) return true;
    return false;
}

tj_frame *tj_frame_of(tj_writer *w, VALUE self)
{
    for (size_t i = w->frame_count; i > 0; i--)
        if (w->frames[i - 1].self == self) return &w->frames[i - 1];
    return NULL;
}

VALUE tj_helper_context(const tj_writer *w, VALUE self)
{
    for (size_t i = 0; i < w->helper_count; i++)
        if (w->helpers[i].self == self) return w->helpers[i].context;
    return Qundef;
}

VALUE tj_context_of(tj_writer *w, VALUE self)
{
    tj_frame *frame = NIL_P(self) ? NULL : tj_frame_of(w, self);
    if (frame) return frame->context;
    VALUE context = tj_helper_context(w, self);
    if (context != Qundef) return context;
    return w->frame_count > 0 ? w->frames[w->frame_count - 1].context : Qundef;
}
