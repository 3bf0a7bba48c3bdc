/* LowerBound.block!(caller) { … }: the words on a new object with the caller's instance variables,
 * which are copied as memory. For one class of callers in a process; the buffer of a block that is
 * left early is lost. */
static VALUE block_class, template;
static size_t slot_count;
static buffer *block_buffer;

static VALUE block_put(int argc, VALUE *argv, VALUE self)
{
    return put_into(block_buffer, argc, argv);
}

static int set_i(ID name, VALUE value, st_data_t object)
{
    rb_ivar_set((VALUE)object, name, value);
    return ST_CONTINUE;
}

static __attribute__((noinline, cold)) void learn_caller(VALUE caller)
{
    rb_gc_register_address(&block_class);
    rb_gc_register_address(&template);
    block_class = rb_class_new(rb_obj_class(caller));
    rb_define_method(block_class, "put", block_put, -1);
    for (int i = 0; i < 2; i++) { /* the second has room for all of them within */
        template = rb_obj_alloc(block_class);
        rb_ivar_foreach(caller, set_i, (st_data_t)template);
    }
    slot_count = rb_ivar_count(template);
#if defined(ROBJECT_NUMIV) /* Ruby 3.1 */
    bool room = ROBJECT_NUMIV(rb_obj_alloc(block_class)) >= slot_count;
#else
    bool room = RB_FL_ANY_RAW(template, ROBJECT_EMBED);
#endif
    if (!room) unwritable("objects of this Ruby, whose instance variables lie elsewhere");
}

/* Ruby 3.1 gives a new object its slots, later ones with its shape, the upper half of the flags. */
static VALUE block(VALUE klass, VALUE caller)
{
    if (RB_UNLIKELY(!template)) learn_caller(caller);
    VALUE self = rb_obj_alloc(block_class);
    memcpy(ROBJECT_IVPTR(self), ROBJECT_IVPTR(caller), slot_count * sizeof(VALUE));
#if !defined(ROBJECT_NUMIV)
    RBASIC(self)->flags = (RBASIC(self)->flags & 0xffffffffu) | RBASIC(template)->flags >> 32 << 32;
#endif
    block_buffer = take();
    VALUE keeps = block_buffer->self;
    rb_obj_instance_exec(0, NULL, self);
    VALUE text = finish_object(block_buffer);
    RB_GC_GUARD(keeps);
    return text;
}
