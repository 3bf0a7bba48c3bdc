/* Plans. Builds Parts: encodes every key once, together with the punctuation before it. */
#include "part.h"

#include "../writer/errors.h"
#include "../writer/string.h"

#include <ruby/encoding.h>

VALUE tj_skip;

static void part_mark(void *data)
{
    const tj_part *part = data;
    for (uint32_t i = 0; i < part->count; i++) { /* a Symbol may be dynamic */
        rb_gc_mark(part->ops[i].name);
        rb_gc_mark(part->ops[i].key);
        rb_gc_mark(part->ops[i].source);
        rb_gc_mark(part->ops[i].format);
        rb_gc_mark(part->ops[i].otherwise);
    }
}

static void part_free(void *data)
{
    ruby_xfree(((tj_part *)data)->text);
    ruby_xfree(data);
}

static size_t part_memsize(const void *data)
{
    const tj_part *part = data;
    return sizeof *part + part->count * sizeof(tj_op) + part->text_size + 32;
}

const rb_data_type_t tj_part_type = {
    .wrap_struct_name = "ToJson::Part",
    .function = {.dmark = part_mark, .dfree = part_free, .dsize = part_memsize},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE,
};

void tj_part_init(void)
{
    tj_skip = rb_const_get(tj_mToJson, rb_intern("SKIP"));
    rb_gc_register_mark_object(tj_skip); /* pins */
}

static tj_part *part_alloc(VALUE klass, size_t count, size_t text, VALUE *object)
{
    *object = TypedData_Wrap_Struct(klass, &tj_part_type, NULL);
    tj_part *part = ruby_xcalloc(1, sizeof *part + count * sizeof(tj_op));
    part->text = ruby_xcalloc(1, text + 32);
    part->text_size = (uint32_t)text;
    RTYPEDDATA_DATA(*object) = part;
    return part;
}

/* Computes what follows from the ops: the number of values, the depth, and what to skip if an inner
 * object is nil. */
static void settle(tj_part *part, unsigned flags)
{
    struct {
        uint32_t op, value;
    } opened[UINT8_MAX];
    unsigned open = 0, begins = (flags & TJ_PART_BEGINS) != 0;
    uint8_t joined = 0; /* objects that ended just before; their braces are in the next text */
    bool plain = flags == TJ_PART_WHOLE;
    part->depth = (uint8_t)begins;
    for (uint32_t i = 0; i < part->count; i++) {
        tj_op *op = &part->ops[i];
        if (op->kind == TJ_OP_END) {
            if (open-- == 0) rb_raise(rb_eArgError, "an end without an object in a Part");
            tj_op *object = &part->ops[opened[open].op];
            object->skip_ops = (uint16_t)(i - opened[open].op);
            object->skip_values = (uint16_t)(part->values - opened[open].value - 1);
            object->skip_text = op->size[0] > 0 ? 0 : ++joined;
            continue;
        }
        joined = 0;
        if (op->kind == TJ_OP_IDENTIFIER) {
            if (i == 0 || op[-1].kind != TJ_OP_IDENTIFIERS || op->as != TJ_AS_STRING ||
                !RB_TYPE_P(op->otherwise, T_STRING))
                rb_raise(rb_eArgError, "a wrong identifier in a Part");
            op[-1].skip_ops = 1;
            continue;
        }
        if (op->kind == TJ_OP_IDENTIFIERS && open + begins + 2 > part->depth)
            part->depth = (uint8_t)(open + begins + 2);
        if (open > 0) {
            const tj_op *object = &part->ops[opened[open - 1].op];
            op->around = object->flags & TJ_OP_SAME ? object->around
                                                    : (uint16_t)(opened[open - 1].value + 1);
        }
        if (op->kind == TJ_OP_OPEN) {
            if (open + begins + 1 >= UINT8_MAX)
                rb_raise(rb_eArgError, "a Part of too many objects");
            opened[open].op = i;
            opened[open++].value = part->values;
            if (open + begins > part->depth) part->depth = (uint8_t)(open + begins);
        }
        plain &= op->kind == TJ_OP_VALUE && op->as == TJ_AS_IS && op->flags == 0 &&
                 op->size[0] <= TJ_PLAIN_TEXT && op->size[1] <= TJ_PLAIN_TEXT;
        part->values++;
    }
    for (uint32_t i = 0; i < part->count; i++)
        if (part->ops[i].kind == TJ_OP_IDENTIFIERS && part->ops[i].skip_ops == 0)
            rb_raise(rb_eArgError, "identifiers without their text in a Part");
    if (open > 0) rb_raise(rb_eArgError, "an object without an end in a Part");
    part->flags = (uint8_t)(flags | (plain ? TJ_PART_PLAIN : 0));
}

VALUE tj_part_of_names(VALUE klass, int count, const VALUE *names)
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
    VALUE object;
    tj_part *part = part_alloc(klass, (size_t)count, total, &object);
    uint8_t *at = part->text;
    for (int i = 0; i < count; i++) {
        const uint8_t *bytes;
        size_t size = tj_string_bytes(rb_sym2str(names[i]), &bytes);
        tj_op *op = &part->ops[i];
        op->offset[0] = op->offset[1] = (uint32_t)(at - part->text);
        op->size[0] = op->size[1] = (uint32_t)size + 4;
        op->name = names[i];
        op->source = op->format = op->otherwise = Qnil;
        *at++ = ',';
        *at++ = '"';
        memcpy(at, bytes, size);
        at += size;
        *at++ = '"';
        *at++ = ':';
    }
    if (count > 0) part->ops[0].flags = TJ_OP_DYNAMIC;
    part->count = (uint32_t)count;
    settle(part, 0);
    return rb_obj_freeze(object);
}

/* -- from a description ------------------------------------------------------------------------ */

static unsigned below(unsigned limit, VALUE number)
{
    if (!FIXNUM_P(number) || FIX2LONG(number) < 0 || FIX2LONG(number) >= (long)limit)
        rb_raise(rb_eArgError, "an op of a Part out of bounds");
    return (unsigned)FIX2LONG(number);
}

/* The String that a parser has for the key, or 0 if the Symbol is nil or no text. */
static VALUE key_of(VALUE name)
{
    const uint8_t *bytes;
    size_t size;
    if (!RB_SYMBOL_P(name)) return 0;
    VALUE text = rb_sym2str(name);
    if (!tj_string_text(text, &bytes, &size)) return 0;
    VALUE key = rb_enc_interned_str((const char *)bytes, (long)size, rb_utf8_encoding());
    RB_GC_GUARD(text);
    return key;
}

static uint8_t *copy_text(tj_part *part, uint8_t *at, tj_op *op, int which, VALUE text)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes);
    memcpy(at, bytes, size);
    op->offset[which] = (uint32_t)(at - part->text);
    op->size[which] = (uint32_t)size;
    RB_GC_GUARD(text);
    return at + size;
}

VALUE tj_part_new(VALUE klass, VALUE flags, VALUE ops)
{
    Check_Type(ops, T_ARRAY);
    ops = rb_obj_freeze(rb_ary_dup(ops));
    long count = RARRAY_LEN(ops);
    size_t total = 0;
    for (long i = 0; i < count; i++) {
        VALUE op = RARRAY_AREF(ops, i);
        if (!RB_TYPE_P(op, T_ARRAY) || RARRAY_LEN(op) != TJ_OPERANDS)
            rb_raise(rb_eArgError, "an op of a Part has %d entries", TJ_OPERANDS);
        for (int text = TJ_AT_PLAIN; text <= TJ_AT_SAFE; text++) {
            Check_Type(RARRAY_AREF(op, text), T_STRING);
            total += RSTRING_LEN(RARRAY_AREF(op, text));
        }
    }
    if (total > UINT32_MAX / 2 || count > UINT16_MAX)
        rb_raise(rb_eArgError, "a Part of too much text");
    VALUE object;
    tj_part *part = part_alloc(klass, (size_t)count, total, &object);
    uint8_t *at = part->text;
    for (long i = 0; i < count; i++) {
        VALUE given[TJ_OPERANDS];
        for (int n = 0; n < TJ_OPERANDS; n++) given[n] = RARRAY_AREF(RARRAY_AREF(ops, i), n);
        tj_op *op = &part->ops[i];
        op->kind = (uint8_t)below(TJ_OP_KINDS, given[TJ_AT_KIND]);
        op->as = (uint8_t)below(TJ_AS_KINDS, given[TJ_AT_AS]);
        op->flags = (uint8_t)below(1 << TJ_OP_FLAGS, given[TJ_AT_FLAGS]);
        op->name = given[TJ_AT_NAME];
        op->key = key_of(op->name);
        op->source = given[TJ_AT_SOURCE];
        op->format = given[TJ_AT_FORMAT];
        op->time = (uint8_t)(NIL_P(op->format) ? TJ_TIME_RULES : tj_time_rule_of(op->format));
        op->otherwise = given[TJ_AT_DEFAULT];
        at = copy_text(part, at, op, 0, given[TJ_AT_PLAIN]);
        at = copy_text(part, at, op, 1, given[TJ_AT_SAFE]);
        part->count = (uint32_t)i + 1;
    }
    settle(part, below(1 << TJ_PART_FLAGS, flags));
    RB_GC_GUARD(ops);
    return rb_obj_freeze(object);
}
