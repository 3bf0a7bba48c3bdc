/* Plans. Builds Parts: every key encoded once, with what stands before it. */
#include "part.h"

#include "../writer/errors.h"
#include "../writer/string.h"

VALUE tj_skip;

static void part_mark(void *data)
{
    const tj_part *part = data;
    for (uint32_t i = 0; i < part->count; i++) { /* a Symbol may be dynamic */
        rb_gc_mark(part->ops[i].name);
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
    part->count = part->values = (uint32_t)count;
    return rb_obj_freeze(object);
}

VALUE tj_part_of_fields(VALUE klass, int count, const VALUE *sources, const VALUE *names)
{
    VALUE object = tj_part_of_names(klass, count, names);
    if (NIL_P(object)) return Qnil;
    tj_part *part = RTYPEDDATA_DATA(object);
    part->ops[0].flags = 0; /* no comma */
    part->ops[0].offset[0]++, part->ops[0].offset[1]++;
    part->ops[0].size[0]--, part->ops[0].size[1]--;
    part->flags = TJ_PART_BEGINS | TJ_PART_ENDS | TJ_PART_PLAIN;
    part->depth = 1;
    for (int i = 0; i < count; i++) {
        part->ops[i].source = sources[i];
        if (part->ops[i].size[0] > TJ_PLAIN_TEXT) part->flags &= (uint8_t)~TJ_PART_PLAIN;
    }
    return object;
}

/* -- as lib/to_json/compiling describes it ---------------------------------------------------------  */

/* An op: [kind, text, html text, name, as, flags, source, [skip ops, values, text], time rule, format, default]. */
enum { AT_KIND, AT_TEXT, AT_HTML, AT_NAME, AT_AS, AT_FLAGS, AT_SOURCE, AT_SKIP, AT_TIME, AT_FORMAT, AT_OTHERWISE, OP_SIZE };

static VALUE entry(VALUE op, int index) { return RARRAY_AREF(op, index); }

static unsigned small(VALUE number)
{
    if (!FIXNUM_P(number) || FIX2LONG(number) < 0 || FIX2LONG(number) > UINT16_MAX) rb_raise(rb_eArgError, "an op of a Part out of bounds");
    return (unsigned)FIX2LONG(number);
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
        if (!RB_TYPE_P(op, T_ARRAY) || RARRAY_LEN(op) != OP_SIZE) rb_raise(rb_eArgError, "an op of a Part has %d entries", OP_SIZE);
        Check_Type(entry(op, AT_TEXT), T_STRING);
        Check_Type(entry(op, AT_HTML), T_STRING);
        total += RSTRING_LEN(entry(op, AT_TEXT)) + RSTRING_LEN(entry(op, AT_HTML));
    }
    if (total > UINT32_MAX / 2 || count > UINT16_MAX) rb_raise(rb_eArgError, "a Part of too much text");
    VALUE object;
    tj_part *part = part_alloc(klass, (size_t)count, total, &object);
    part->flags = (uint8_t)small(flags) & (TJ_PART_BEGINS | TJ_PART_ENDS);
    bool plain = part->flags == (TJ_PART_BEGINS | TJ_PART_ENDS);
    uint8_t *at = part->text;
    unsigned depth = part->flags & TJ_PART_BEGINS ? 1 : 0, deepest = depth;
    for (long i = 0; i < count; i++) {
        VALUE description = RARRAY_AREF(ops, i), skip = entry(description, AT_SKIP);
        tj_op *op = &part->ops[i];
        op->kind = (uint8_t)small(entry(description, AT_KIND));
        op->as = (uint8_t)small(entry(description, AT_AS));
        op->flags = (uint8_t)small(entry(description, AT_FLAGS));
        op->time = (uint8_t)small(entry(description, AT_TIME));
        op->name = entry(description, AT_NAME);
        op->source = entry(description, AT_SOURCE);
        op->format = entry(description, AT_FORMAT);
        op->otherwise = entry(description, AT_OTHERWISE);
        if (!NIL_P(skip)) {
            op->skip_ops = (uint16_t)small(RARRAY_AREF(skip, 0));
            op->skip_values = (uint16_t)small(RARRAY_AREF(skip, 1));
            op->skip_text = (uint8_t)small(RARRAY_AREF(skip, 2));
        }
        at = copy_text(part, at, op, 0, entry(description, AT_TEXT));
        at = copy_text(part, at, op, 1, entry(description, AT_HTML));
        part->count = (uint32_t)i + 1;
        if (op->kind == TJ_OP_OPEN) depth++;
        if (op->kind == TJ_OP_END) depth--;
        else part->values++;
        if (depth > deepest) deepest = depth;
        plain &= op->kind == TJ_OP_VALUE && op->as == TJ_AS_IS && op->flags == 0 && op->size[0] <= TJ_PLAIN_TEXT && op->size[1] <= TJ_PLAIN_TEXT;
    }
    if (plain) part->flags |= TJ_PART_PLAIN;
    if (deepest > UINT8_MAX) rb_raise(rb_eArgError, "a Part of too many objects");
    part->depth = (uint8_t)deepest;
    RB_GC_GUARD(ops);
    return rb_obj_freeze(object);
}
