/* Plans. A Part as a Hash, for to_h. It applies the flags of an op as item.c does, and lets item.c
 * write what is not the same as text and as a value. */
#include "item_values.h"

#include "../values/collection.h"
#include "../values/library_value.h"
#include "../values/parsed.h"
#include "../values/value.h"
#include "../writer/string.h"
#include "flags.h"
#include "item.h"

/* Objects inside each other. */
#define DEEPEST 8

typedef struct {
    tj_writer *w;
    const tj_op *op, *end;
    const VALUE *values; /* the next one */
    uint32_t inside; /* the nesting of a value that is a container */
} reading;

static VALUE text_value(const reading *r, VALUE v)
{
    const uint8_t *bytes;
    size_t size;
    if (!tj_string_text_under(r->w->rules, v, &bytes, &size)) return Qundef;
    VALUE text = tj_string_new(bytes, size);
    RB_GC_GUARD(v);
    return text;
}

/* A value that is written behind the cursor, where it need not stay, and read from there. */
static VALUE written_value(const reading *r, VALUE v)
{
    uint8_t *at = r->w->out.cursor, *end = tj_item_value(r->w, at, r->op, v, r->inside);
    return end ? tj_parsed_bytes(at, (size_t)(end - at)) : Qundef;
}

static VALUE value_of(const reading *r, VALUE v)
{
    if (TJ_LIKELY(r->op->as == TJ_AS_IS)) {
        if (RB_FIXNUM_P(v) || tj_is_word(v)) return v;
        if (RB_FLONUM_P(v) && r->w->rules->write_double == tj_write_double) return v;
        if (tj_is_exact_string(v)) return text_value(r, v);
    }
    return written_value(r, v);
}

/* The Hash of the ops up to the end of an object; r->op is then at that end. */
static VALUE object_of(reading *r)
{
    VALUE pairs[2 * TJ_PART_SLOTS];
    long count = 0;
    for (; r->op < r->end && r->op->kind != TJ_OP_END; r->op++) {
        const tj_op *op = r->op;
        VALUE v = *r->values++, value;
        enum tj_verdict verdict = TJ_WRITE;
        if (TJ_UNLIKELY(op->flags)) {
            if (TJ_UNLIKELY(tj_is_attached(r->w->pool, v))) return Qundef;
            verdict = tj_flags_of(op, &v, false);
            if (TJ_UNLIKELY(verdict == TJ_ASK)) return Qundef;
        }
        if (verdict == TJ_LEAVE_OUT || (op->kind == TJ_OP_OPEN && NIL_P(v))) {
            r->values += op->skip_values;
            r->op += op->skip_ops;
            if (verdict == TJ_LEAVE_OUT) continue;
            value = Qnil;
        } else if (op->kind == TJ_OP_VALUE) {
            value = value_of(r, v);
        } else {
            bool hash = tj_is_hash(v);
            if (op->kind != TJ_OP_OPEN || hash || tj_is_attached(r->w->pool, v)) return Qundef;
            r->op++;
            value = object_of(r);
        }
        if (TJ_UNLIKELY(value == Qundef || !op->key || count == 2 * TJ_PART_SLOTS)) return Qundef;
        pairs[count++] = op->key;
        pairs[count++] = value;
    }
    VALUE object = rb_hash_new();
    rb_hash_bulk_insert(count, pairs, object);
    return object;
}

VALUE tj_item_values(tj_writer *w, const tj_part *part, int count, const VALUE *values)
{
    const tj_grammar *g = &w->grammar;
    if ((part->flags & TJ_PART_WHOLE) != TJ_PART_WHOLE || (uint32_t)count != part->values ||
        part->depth > DEEPEST || w->encode_anew || w->consult & TJ_CLASSES_SIMPLE)
        return Qundef;
    if (g->top > 0 || g->levels[0].state != TJ_EMPTY || g->levels[0].kind == TJ_TREE ||
        g->nesting + part->depth > g->max_nesting || !tj_buffer_has(&w->out, TJ_SIMPLE_ROOM))
        return Qundef;
    reading r = {w, part->ops, part->ops + part->count, values, g->nesting + part->depth + 1};
    return object_of(&r);
}
