/* Plans. The fast path of a Part. It writes behind the cursor and changes nothing else of the
 * Writer until the Part is complete. So it can give up at any op, and item_cold.c begins anew. */
#include "item.h"

#include "flags.h"
#include "item_cold.h"
#include "../values/collection.h"
#include "../values/library_value.h"
#include "../values/pair.h"
#include "../values/time_value.h"

#include "../core/numbers/time.h"
#include "../writer/errors.h"
#include "../writer/levels.h"

static ID id_to_ary;

void tj_item_init(void) { id_to_ary = rb_intern("to_ary"); }

/* -- as: ------------------------------------------------------------------------------------------
 * Each function writes `v` converted, or returns NULL if only Ruby can convert it. There is room
 * for TJ_SIMPLE_ROOM + TJ_TIME_SIZE bytes. */

static uint8_t *as_string(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    (void)op;
    if (tj_is_exact_string(v) || RB_STATIC_SYM_P(v)) return tj_unsafe_simple(w, at, v);
    if (!RB_FIXNUM_P(v) && !RB_FLONUM_P(v)) return NULL;
    *at++ = '"';
    at = RB_FIXNUM_P(v) ? tj_write_int64(at, RB_FIX2LONG(v))
                        : tj_write_double(at, rb_float_value(v));
    *at++ = '"';
    return at;
}

static uint8_t *as_integer(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    (void)op;
    return RB_FIXNUM_P(v) && TJ_LIKELY(!w->rules->canonical) ? tj_write_int64(at, RB_FIX2LONG(v))
                                                             : NULL;
}

static uint8_t *as_float(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    (void)op;
    if (RB_FLONUM_P(v)) return w->rules->write_double(at, rb_float_value(v));
    return RB_FIXNUM_P(v) ? w->rules->write_double(at, (double)RB_FIX2LONG(v)) : NULL;
}

static uint8_t *as_boolean(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    (void)w, (void)op;
    return tj_write_word(at, RTEST(v) ? Qtrue : Qfalse);
}

static uint8_t *as_time(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    if (RB_SPECIAL_CONST_P(v) || RBASIC_CLASS(v) != rb_cTime || op->time == TJ_TIME_STRFTIME)
        return NULL;
    if (op->time != TJ_TIME_RULES) return tj_try_time_as(w, at, v, op->time);
    bool asks = w->consult || w->rules->dialect != TJ_STANDARD;
    return TJ_UNLIKELY(asks) ? NULL : tj_try_time(w, at, v);
}

static uint8_t *as_ruby_has_it(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    (void)w, (void)at, (void)op, (void)v;
    return NULL;
}

static uint8_t *typed_value(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    if ((size_t)(w->out.limit - at) < TJ_SIMPLE_ROOM + TJ_TIME_SIZE) return NULL;
    if (NIL_P(v)) return tj_write_word(at, v);
    switch (op->as) {
#define TJ_TYPED(NAME, name, function) \
    case TJ_AS_##NAME: return function(w, at, op, v);
        TJ_AS_TABLE(TJ_TYPED)
    default: return NULL;
    }
}

TJ_INLINE uint8_t *any_value(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v, uint32_t nesting)
{
    if (TJ_UNLIKELY(op->as != TJ_AS_IS)) return typed_value(w, at, op, v);
    uint8_t *end = tj_simple_value(w, at, v);
    return TJ_LIKELY(end != NULL) ? end : tj_try_flat_value(w, at, v, nesting);
}

uint8_t *tj_item_value(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v, uint32_t nesting)
{
    return any_value(w, at, op, v, nesting);
}

/* -- objects and ops --------------------------------------------------------------------------- */

/* Writes the comma and the brace that are due before a Part at *at. Sets *opens if it wrote the
 * brace of the object. Returns false if only the slow path can begin the Part. */
TJ_INLINE bool try_begin(tj_writer *w, unsigned flags, uint32_t depth, uint8_t **at, bool *opens)
{
    const tj_level *level = tj_top(&w->grammar);
    const uint32_t begins = (flags & TJ_PART_BEGINS) != 0, most = w->grammar.max_nesting;
    *opens = false;
    if (level->state == TJ_PAIRS) return !begins && w->grammar.nesting + depth <= most;
    if (level->state != TJ_EMPTY || level->kind == TJ_TREE ||
        w->grammar.nesting + depth + 1 > most + begins)
        return false;
    if (level->kind == TJ_LIST && level->count > 0) *(*at)++ = ',';
    *(*at)++ = '{';
    return *opens = true;
}

/* Updates the level: the Part has written a whole object, or one that is still open. */
TJ_INLINE void enter_object(tj_writer *w, unsigned flags, bool opened)
{
    tj_level *level = tj_top(&w->grammar);
    bool ends = flags & TJ_PART_ENDS, list = level->kind == TJ_LIST;
    if (opened) level->count += list;
    if (!ends && opened) w->grammar.nesting++;
    if (ends && !opened) w->grammar.nesting--;
    level->state = !ends ? TJ_PAIRS : list ? TJ_EMPTY : TJ_VALUES;
}

/* The result of to_ary, called while unfinished bytes stand behind the cursor. Returns Qfalse if it
 * is no Array, or if the call has used the Writer. Runs Ruby. */
static VALUE to_ary_beside(tj_writer *w, VALUE v)
{
    const uint8_t *cursor = w->out.cursor;
    size_t top = w->grammar.top;
    if (RB_SPECIAL_CONST_P(v) || !rb_method_boundp(CLASS_OF(v), id_to_ary, 0)) return Qfalse;
    VALUE array = rb_check_array_type(v);
    tj_check_alive(w);
    if (NIL_P(array) || RBASIC_CLASS(array) != rb_cArray || w->out.cursor != cursor ||
        w->grammar.top != top)
        return Qfalse;
    return array;
}

/* Opens the array or the slot of the last op. Returns NULL if the slow path must do it. */
static uint8_t *try_open(tj_writer *w, const tj_op *op, VALUE v, uint8_t *at, VALUE *elements)
{
    *elements = Qnil;
    if (NIL_P(v)) return tj_write_word(at, v);
    if (TJ_UNLIKELY(tj_is_attached(w->pool, v))) return NULL;
    tj_grammar *g = &w->grammar;
    if (TJ_UNLIKELY(g->nesting + 2 > g->max_nesting || g->top + 1 == g->capacity))
        return NULL; /* the object's own brace may come on top */
    if (op->kind == TJ_OP_SLOT) {
        *elements = Qtrue;
        return at;
    }
    if (TJ_UNLIKELY(RB_SPECIAL_CONST_P(v) || RBASIC_CLASS(v) != rb_cArray)) {
        if (tj_is_row_list(v)) {
            *at++ = '[';
            *elements = w->delivery.flush_interval ? Qfalse : v;
            return at;
        }
        v = to_ary_beside(w, v);
        if (v == Qfalse) return NULL;
    }
    *at++ = '[';
    if (RARRAY_LEN(v) > 0) *elements = w->delivery.flush_interval ? Qfalse : tj_indexable(v);
    else *at++ = ']';
    return at;
}

/* Writes an identifier for an id, or an array of these for an Array of ids. Returns NULL if the
 * slow path must do it. */
static uint8_t *try_identifiers(tj_writer *w, const tj_part *part, const tj_op *op, VALUE v,
                                uint8_t *at)
{
    if (NIL_P(v)) return tj_write_word(at, v);
    const tj_op *each = op + 1;
    const int html = w->rules->escape == TJ_ESCAPE_HTML;
    const size_t size = each->size[html], room = TJ_KEY_ROOM(size) + TJ_SIMPLE_ROOM + 3;
    const uint8_t *text = part->text + each->offset[html];
    const bool many = !RB_SPECIAL_CONST_P(v) && RBASIC_CLASS(v) == rb_cArray;
    const long count = many ? RARRAY_LEN(v) : 1;
    if (many) *at++ = '[';
    for (long i = 0; i < count; i++) {
        if (TJ_UNLIKELY((size_t)(w->out.limit - at) < room)) return NULL;
        if (i > 0) *at++ = ',';
        at = tj_copy_key(at, text, size, 0);
        at = as_string(w, at, each, many ? RARRAY_AREF(v, i) : v);
        if (TJ_UNLIKELY(!at)) return NULL;
        *at++ = '}';
    }
    if (many) *at++ = ']';
    return at;
}

/* Writes all ops. Returns false, and has changed nothing, if the slow path must write the Part.
 * `plain`: the Part is TJ_PART_PLAIN. Most Parts are; because `plain` is a constant here, they take
 * 190 instructions instead of 300. `read`: `values` already has the values of inner Hashes. */
TJ_INLINE bool write_ops(tj_writer *w, const tj_part *part, const VALUE *values, const bool plain,
                         const bool read, VALUE *elements)
{
    const unsigned flags = plain ? TJ_PART_WHOLE : part->flags;
    const uint32_t depth = plain ? 1 : part->depth;
    *elements = Qnil;
    if (TJ_UNLIKELY(w->encode_anew || !tj_buffer_has(&w->out, TJ_LEAD_ROOM + 2))) return false;
    /* also about nil for an object, and about what `as:` makes */
    if (TJ_UNLIKELY(w->consult & TJ_CLASSES_SIMPLE)) return false;
    uint8_t *at = w->out.cursor;
    bool opens;
    if (TJ_UNLIKELY(!try_begin(w, flags, depth, &at, &opens))) return false;
    const int html = w->rules->escape == TJ_ESCAPE_HTML;
    /* the nesting of a value that is a container */
    const uint32_t inside = w->grammar.nesting + depth + (opens && !(flags & TJ_PART_BEGINS)) + 1;
    bool first = opens;
    uint8_t skip = 0; /* bytes of the next text to leave out, because they belong to a nil object */
    const tj_op *op = part->ops, *end = op + part->count;
    for (; op < end; op++) {
        const size_t size = op->size[html],
                     room = TJ_KEY_ROOM(plain ? TJ_PLAIN_TEXT : size) + TJ_SIMPLE_ROOM;
        if (TJ_UNLIKELY((size_t)(w->out.limit - at) < room)) return false;
        const uint8_t *text = part->text + op->offset[html];
        if (plain) {
            memcpy(at, text, TJ_PLAIN_TEXT);
            at += size;
            VALUE v = *values++;
            uint8_t *after = tj_unsafe_simple(w, at, v);
            if (TJ_UNLIKELY(!after) && !(after = tj_try_flat_value(w, at, v, inside))) return false;
            at = after;
            continue;
        }
        if (TJ_UNLIKELY(op->kind == TJ_OP_END)) {
            if (size > 0) {
                at = tj_copy_key(at, text, size, skip);
                skip = 0;
            }
            first = false;
            continue;
        }
        VALUE v = *values++;
        if (TJ_UNLIKELY(op->flags)) {
            if (TJ_UNLIKELY(tj_is_attached(w->pool, v))) return false;
            enum tj_verdict verdict = tj_flags_of(op, &v, false);
            if (verdict == TJ_ASK) return false;
            if (verdict == TJ_LEAVE_OUT) {
                if (op->kind == TJ_OP_OPEN) skip = op->skip_text;
                values += op->skip_values;
                op += op->skip_ops;
                continue;
            }
            if (op->flags & TJ_OP_DYNAMIC) skip = first;
        }
        at = tj_copy_key(at, text, size, skip);
        skip = 0;
        first = false;
        if (TJ_LIKELY(op->kind == TJ_OP_VALUE)) at = any_value(w, at, op, v, inside);
        else if (op->kind == TJ_OP_IDENTIFIERS) at = try_identifiers(w, part, op++, v, at);
        else if (op->kind != TJ_OP_OPEN) at = try_open(w, op, v, at, elements);
        else if (NIL_P(v)) {
            at = tj_write_word(at, v);
            values += op->skip_values;
            skip = op->skip_text;
            op += op->skip_ops;
        } else {
            if (TJ_UNLIKELY((!read && tj_is_hash(v)) || tj_is_attached(w->pool, v))) return false;
            *at++ = '{';
            first = true;
        }
        if (TJ_UNLIKELY(!at)) return false;
    }
    if (!plain && TJ_UNLIKELY(first && !(flags & TJ_PART_ENDS)))
        return true; /* no field was written, and so no brace is needed */
    if (flags & TJ_PART_ENDS) {
        if (TJ_UNLIKELY(at >= w->out.limit)) return false;
        *at++ = '}';
    }
    enter_object(w, flags, opens);
    tj_commit_simple(w, at);
    if (plain || *elements == Qnil) return true;
    tj_level *level = tj_top(&w->grammar);
    op = end - 1;
    level->label = op->name;
    tj_push(&w->grammar, op->kind == TJ_OP_LIST ? TJ_LIST : TJ_SLOT, tj_buffer_offset(&w->out),
            level->state, level->count);
    return true;
}

bool tj_try_plain_item(tj_writer *w, const tj_part *part, const VALUE *values)
{
    VALUE elements;
    return write_ops(w, part, values, true, true, &elements);
}

static bool try_item(tj_writer *w, const tj_part *part, const VALUE *values, bool read,
                     VALUE *elements)
{
    return write_ops(w, part, values, false, read, elements);
}

/* -- rows -------------------------------------------------------------------------------------- */

VALUE tj_row_value(VALUE row, VALUE source)
{
    VALUE v = rb_hash_lookup2(row, source, Qundef);
    if (TJ_LIKELY(v != Qundef)) return v;
    return rb_hash_lookup2(row, rb_sym2str(source), Qnil);
}

/* Fills `values` of a Part. With a Hash `row` (and `given` NULL), each value is looked up by its
 * key. With `row` 0, the values are `given`; those of an inner object that is a Hash are looked up
 * in it. Returns false if Ruby must read a value. */
static bool read_row(const tj_part *part, VALUE row, const VALUE *given, VALUE *values)
{
    if (part->values > TJ_PART_SLOTS) return false;
    VALUE *at = values;
    for (const tj_op *op = part->ops, *end = op + part->count; op < end; op++) {
        if (op->kind == TJ_OP_END || op->kind == TJ_OP_IDENTIFIER) continue;
        const VALUE from = op->around ? values[op->around - 1] : row;
        const bool same = op->flags & TJ_OP_SAME;
        VALUE v = given ? *given++ : Qtrue;
        if (tj_is_hash(from) && !same && !NIL_P(op->source) && v != tj_skip)
            v = tj_row_value(from, op->source);
        else if (!given && !NIL_P(from) && (!same || op->flags & TJ_OP_OPTIONAL)) return false;
        *at++ = v;
    }
    return true;
}

static VALUE write_read(tj_writer *w, const tj_part *part, const VALUE *values)
{
    VALUE elements;
    if (TJ_LIKELY(try_item(w, part, values, true, &elements))) return elements;
    return tj_item_cold(w, part, values);
}

VALUE tj_row(tj_writer *w, const tj_part *part, VALUE row)
{
    VALUE values[TJ_PART_SLOTS];
    if (!read_row(part, row, NULL, values)) return Qundef;
    VALUE elements = write_read(w, part, values);
    RB_GC_GUARD(row);
    return elements;
}

/* -- calls ------------------------------------------------------------------------------------- */

VALUE tj_item(tj_writer *w, const tj_part *part, int count, const VALUE *values)
{
    if (TJ_UNLIKELY((uint32_t)count != part->values))
        rb_raise(rb_eArgError, "item: a Part of %u values was given %d", part->values, count);
    VALUE elements, read[TJ_PART_SLOTS];
    if (part->flags & TJ_PART_PLAIN && TJ_LIKELY(tj_try_plain_item(w, part, values))) return Qnil;
    if (TJ_LIKELY(try_item(w, part, values, false, &elements))) return elements;
    if (part->depth > (part->flags & TJ_PART_BEGINS) && read_row(part, 0, values, read))
        return write_read(w, part, read);
    return tj_item_cold(w, part, values);
}

void tj_close_item(tj_writer *w)
{
    if (tj_top(&w->grammar)->kind == TJ_LIST) {
        tj_close_list(w);
        return;
    }
    VALUE around = (VALUE)tj_top(&w->grammar)->around;
    tj_close_slot(w, true);
    if (around) w->plan = around;
}
