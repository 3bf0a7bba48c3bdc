/* Glue. Builds Plans: every key encoded once, with its comma before and its colon behind. */
#include "plan.h"

#include "errors.h"
#include "string.h"

static void plan_mark(void *data)
{
    const tj_plan *plan = data;
    for (uint32_t i = 0; i < plan->count; i++) rb_gc_mark(plan->slots[i].name); /* a Symbol may be dynamic */
}

static size_t plan_memsize(const void *data)
{
    const tj_plan *plan = data;
    return sizeof *plan + plan->static_size + 32;
}

const rb_data_type_t tj_plan_type = {
    .wrap_struct_name = "ToJson::Plan",
    .function = {.dmark = plan_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = plan_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

VALUE tj_plan_new(VALUE klass, int count, const VALUE *names)
{
    size_t total = 0;
    for (int i = 0; i < count; i++) {
        const uint8_t *bytes;
        size_t size;
        VALUE text = rb_sym2str(names[i]);
        if (!tj_string_text(text, &bytes, &size)) return Qnil;
        if (tj_escape_plain_prefix(bytes, size, TJ_ESCAPE_HTML) < size) return Qnil;
        total += size + 4;
        if (total > UINT32_MAX / 2) return Qnil;
    }
    tj_plan *plan = ruby_xcalloc(1, sizeof *plan + total + 32);
    VALUE object = TypedData_Wrap_Struct(klass, &tj_plan_type, plan);
    uint8_t *at = plan->bytes;
    for (int i = 0; i < count; i++) {
        const uint8_t *bytes;
        size_t size = tj_string_bytes(rb_sym2str(names[i]), &bytes);
        plan->slots[i] = (tj_plan_slot){(uint32_t)(at - plan->bytes), (uint32_t)size + 4, names[i]};
        *at++ = ',';
        *at++ = '"';
        memcpy(at, bytes, size);
        at += size;
        *at++ = '"';
        *at++ = ':';
    }
    plan->count = (uint32_t)count;
    plan->static_size = (uint32_t)total;
    return rb_obj_freeze(object);
}
