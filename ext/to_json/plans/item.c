/* Plans. The easy way of a Part: nothing in the Writer changes until all of it stands behind the cursor. */
#include "item.h"

#include "item_cold.h"
#include "../values/library_value.h"
#include "../values/pair.h"
#include "../values/time_value.h"

#include "../core/numbers/time.h"
#include "../writer/errors.h"

TJ_INLINE bool is_string(VALUE v) { return !RB_SPECIAL_CONST_P(v) && RBASIC_CLASS(v) == rb_cString; }

static ID id_to_ary;

void tj_item_init(void) { id_to_ary = rb_intern("to_ary"); }

/* What `as:` makes of the values that need no Ruby; NULL for all others. TJ_SIMPLE_ROOM. */
static uint8_t *typed_value(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v)
{
    if (NIL_P(v)) return tj_write_word(at, v);
    switch (op->as) {
    case TJ_AS_STRING:
        if (is_string(v) || RB_STATIC_SYM_P(v)) return tj_unsafe_simple(w, at, v);
        if (!RB_FIXNUM_P(v) && !RB_FLONUM_P(v)) return NULL;
        *at++ = '"';
        at = RB_FIXNUM_P(v) ? tj_write_int64(at, RB_FIX2LONG(v)) : tj_write_double(at, rb_float_value(v));
        *at++ = '"';
        return at;
    case TJ_AS_INTEGER: return RB_FIXNUM_P(v) && TJ_LIKELY(!w->rules->canonical) ? tj_write_int64(at, RB_FIX2LONG(v)) : NULL;
    case TJ_AS_FLOAT:
        if (RB_FLONUM_P(v)) return w->rules->write_double(at, rb_float_value(v));
        return RB_FIXNUM_P(v) ? w->rules->write_double(at, (double)RB_FIX2LONG(v)) : NULL;
    case TJ_AS_BOOLEAN: return tj_write_word(at, RTEST(v) ? Qtrue : Qfalse);
    case TJ_AS_TIME:
        if (RB_SPECIAL_CONST_P(v) || RBASIC_CLASS(v) != rb_cTime || op->time == TJ_TIME_STRFTIME) return NULL;
        if (op->time == TJ_TIME_RULES && TJ_UNLIKELY(w->rules->family != NULL)) return NULL;
        return op->time == TJ_TIME_RULES ? tj_flat_time(w, at, v) : tj_flat_time_as(w, at, v, op->time);
    default: return NULL;
    }
}

TJ_INLINE uint8_t *easy_value(tj_writer *w, uint8_t *at, const tj_op *op, VALUE v, uint32_t nesting)
{
    if (TJ_UNLIKELY(op->as != TJ_AS_IS)) return (size_t)(w->out.limit - at) < TJ_SIMPLE_ROOM + TJ_TIME_SIZE ? NULL : typed_value(w, at, op, v);
    uint8_t *end = tj_simple_value(w, at, v);
    if (TJ_UNLIKELY(!end)) end = tj_flat_value(w, at, v, nesting);
    return end;
}

enum skipping { WRITTEN, SKIPPED, NOT_EASY };
static enum skipping skipping_of(const tj_op *op, VALUE v)
{
    if (v == tj_skip) return SKIPPED;
    if (op->flags & TJ_OP_SKIP_NIL) return NIL_P(v) ? SKIPPED : WRITTEN;
    if (!(op->flags & TJ_OP_SKIP_BLANK)) return WRITTEN;
    if (!RTEST(v)) return SKIPPED;
    if (RB_SPECIAL_CONST_P(v)) return RB_SYMBOL_P(v) ? NOT_EASY : WRITTEN;
    return is_string(v) && tj_string_begins_with_a_letter(v) ? WRITTEN : NOT_EASY;
}

/* Where a part begins to write: the separator and the brace that are due. */
typedef struct {
    bool easy, opens; /* opens: the object's brace is written here */
} beginning;

TJ_INLINE beginning try_begin(tj_writer *w, const tj_part *part, uint8_t **at)
{
    const tj_level *level = tj_top(&w->grammar);
    beginning b = {false, false};
    if (level->state == TJ_PAIRS) {
        b.easy = !(part->flags & TJ_PART_BEGINS) && w->grammar.nesting + part->depth <= w->grammar.max_nesting;
        return b;
    }
    if (level->state != TJ_EMPTY || level->kind == TJ_TREE || w->grammar.nesting + part->depth + 1 > w->grammar.max_nesting + (part->flags & TJ_PART_BEGINS))
        return b;
    if (level->kind == TJ_LIST && level->count > 0) *(*at)++ = ',';
    *(*at)++ = '{';
    b.easy = b.opens = true;
    return b;
}

/* The level learns what was written: an object that is open now, or one that is whole. */
TJ_INLINE void enter_object(tj_writer *w, const tj_part *part, bool opened)
{
    tj_level *level = tj_top(&w->grammar);
    bool ends = part->flags & TJ_PART_ENDS, list = level->kind == TJ_LIST;
    if (opened) level->count += list;
    if (!ends && opened) w->grammar.nesting++;
    if (ends && !opened) w->grammar.nesting--;
    level->state = !ends ? TJ_PAIRS : list ? TJ_EMPTY : TJ_VALUES;
}

/* The Array that a relation or the like gives, while bytes stand behind the cursor: Qfalse where there is none, or where
 * the Writer did not stay as it was. Runs Ruby. */
static VALUE to_ary_beside(tj_writer *w, VALUE v)
{
    const uint8_t *cursor = w->out.cursor;
    size_t top = w->grammar.top;
    if (RB_SPECIAL_CONST_P(v) || !rb_method_boundp(CLASS_OF(v), id_to_ary, 0)) return Qfalse;
    VALUE array = rb_check_array_type(v);
    tj_check_alive(w);
    if (NIL_P(array) || RBASIC_CLASS(array) != rb_cArray || w->out.cursor != cursor || w->grammar.top != top) return Qfalse;
    return array;
}

/* The last op, whose value stays open. */
static uint8_t *try_open(tj_writer *w, const tj_op *op, VALUE v, uint8_t *at, VALUE *walked)
{
    *walked = Qnil;
    if (NIL_P(v)) return tj_write_word(at, v);
    if (TJ_UNLIKELY(tj_is_attached(w->pool, v))) return NULL;
    tj_grammar *g = &w->grammar;
    if (TJ_UNLIKELY(g->nesting + 2 > g->max_nesting || g->top + 1 == g->capacity)) return NULL; /* the object's own brace may come on top */
    if (op->kind == TJ_OP_SLOT) {
        *walked = Qtrue;
        return at;
    }
    if (TJ_UNLIKELY(RB_SPECIAL_CONST_P(v) || RBASIC_CLASS(v) != rb_cArray)) {
        v = to_ary_beside(w, v);
        if (v == Qfalse) return NULL;
    }
    *at++ = '[';
    if (RARRAY_LEN(v) > 0) *walked = w->delivery.flush_interval ? Qfalse : tj_walkable(v);
    else *at++ = ']';
    return at;
}

/* The same for the Parts that most objects are: 190 instructions instead of 300 for an object of one or two values. False, nothing changed,
 * where it takes more. */
TJ_INLINE bool try_plain(tj_writer *w, const tj_part *part, const VALUE *values)
{
    tj_level *level = tj_top(&w->grammar);
    if (TJ_UNLIKELY(w->encode_anew || w->consult & TJ_ROWS_SIMPLE || level->state != TJ_EMPTY || level->kind == TJ_TREE)) return false;
    if (TJ_UNLIKELY(w->grammar.nesting >= w->grammar.max_nesting || !tj_buffer_has(&w->out, TJ_LEAD_ROOM + 1))) return false;
    const int html = w->rules->escape == TJ_ESCAPE_HTML;
    const bool list = level->kind == TJ_LIST;
    uint8_t *at = w->out.cursor;
    if (list && level->count > 0) *at++ = ',';
    *at++ = '{';
    for (const tj_op *op = part->ops, *end = op + part->count; op < end; op++) {
        if (TJ_UNLIKELY((size_t)(w->out.limit - at) < TJ_KEY_ROOM(TJ_PLAIN_TEXT) + TJ_SIMPLE_ROOM)) return false;
        memcpy(at, part->text + op->offset[html], TJ_PLAIN_TEXT);
        at = tj_unsafe_simple(w, at + op->size[html], *values++);
        if (TJ_UNLIKELY(!at)) return false;
    }
    if (TJ_UNLIKELY(at >= w->out.limit)) return false;
    *at++ = '}';
    level->count += list;
    level->state = list ? TJ_EMPTY : TJ_VALUES;
    tj_commit_simple(w, at);
    return true;
}

/* `read`: what Hashes inside hold stands in `values`. Unless it is done, nothing has changed. */
enum easily { DONE, NOT_SO_EASY, HASH_INSIDE };
static enum easily try_item(tj_writer *w, const tj_part *part, const VALUE *values, bool read, VALUE *walked)
{
    if (TJ_UNLIKELY(w->encode_anew || !tj_buffer_has(&w->out, TJ_LEAD_ROOM + 2))) return NOT_SO_EASY;
    uint8_t *at = w->out.cursor;
    beginning begun = try_begin(w, part, &at);
    if (TJ_UNLIKELY(!begun.easy)) return NOT_SO_EASY;
    const int html = w->rules->escape == TJ_ESCAPE_HTML;
    /* Deeper than any value's own container stands. */
    const uint32_t inside = w->grammar.nesting + part->depth + (begun.opens && !(part->flags & TJ_PART_BEGINS)) + 1;
    bool first = begun.opens;
    uint8_t skip = 0; /* bytes of the next text that an object which was nil has no use for */
    const tj_op *op = part->ops, *end = op + part->count;
    *walked = Qnil;
    for (; op < end; op++) {
        if (TJ_UNLIKELY((size_t)(w->out.limit - at) < TJ_KEY_ROOM(op->size[html]) + TJ_SIMPLE_ROOM)) return NOT_SO_EASY;
        const uint8_t *text = part->text + op->offset[html];
        if (TJ_UNLIKELY(op->kind == TJ_OP_END)) {
            if (op->size[html] > 0) {
                at = tj_copy_key(at, text, op->size[html], skip);
                skip = 0;
            }
            first = false;
            continue;
        }
        VALUE v = *values++;
        if (TJ_UNLIKELY(op->flags)) {
            if (op->flags & TJ_OP_DEFAULT && NIL_P(v)) v = op->otherwise;
            if (TJ_UNLIKELY(tj_is_attached(w->pool, v))) return NOT_SO_EASY;
            if (op->flags & TJ_OP_MAY_SKIP) {
                enum skipping skipping = skipping_of(op, v);
                if (skipping == NOT_EASY) return NOT_SO_EASY;
                if (skipping == SKIPPED) {
                    if (op->kind == TJ_OP_OPEN) skip = op->skip_text;
                    values += op->skip_values;
                    op += op->skip_ops;
                    continue;
                }
            }
            if (op->flags & TJ_OP_DYNAMIC) skip = first;
        }
        at = tj_copy_key(at, text, op->size[html], skip);
        skip = 0;
        if (TJ_LIKELY(op->kind == TJ_OP_VALUE)) {
            at = easy_value(w, at, op, v, inside);
            if (TJ_UNLIKELY(!at)) return NOT_SO_EASY;
        } else if (op->kind == TJ_OP_OPEN) {
            if (NIL_P(v)) {
                at = tj_write_word(at, v);
                values += op->skip_values;
                skip = op->skip_text;
                op += op->skip_ops;
            } else {
                if (TJ_UNLIKELY(!RB_SPECIAL_CONST_P(v) && RB_BUILTIN_TYPE(v) == T_HASH && !read)) return HASH_INSIDE;
                if (TJ_UNLIKELY(tj_is_attached(w->pool, v))) return NOT_SO_EASY;
                *at++ = '{';
                first = true;
                continue;
            }
        } else {
            at = try_open(w, op, v, at, walked);
            if (TJ_UNLIKELY(!at)) return NOT_SO_EASY;
        }
        first = false;
    }
    if (TJ_UNLIKELY(first && !(part->flags & TJ_PART_ENDS))) return DONE; /* nothing was due: not even the brace */
    if (part->flags & TJ_PART_ENDS) {
        if (TJ_UNLIKELY(at >= w->out.limit)) return NOT_SO_EASY;
        *at++ = '}';
    }
    enter_object(w, part, begun.opens);
    tj_commit_simple(w, at);
    if (*walked == Qnil) return DONE;
    tj_level *level = tj_top(&w->grammar);
    op = end - 1;
    level->label = op->name;
    tj_push(&w->grammar, op->kind == TJ_OP_LIST ? TJ_LIST : TJ_SLOT, tj_buffer_offset(&w->out), level->state, level->count);
    return DONE;
}

/* -- rows ------------------------------------------------------------------------------------------- */

VALUE tj_row_value(VALUE row, VALUE source)
{
    VALUE v = rb_hash_lookup2(row, source, Qundef);
    if (TJ_LIKELY(v != Qundef)) return v;
    return rb_hash_lookup2(row, rb_sym2str(source), Qnil);
}

/* The values of the ops from `first` to `end`: what stands in `given`, but what has a key is read from `row`, and from Hashes
 * inside. `row` 0: all as given; `given` NULL: nothing was. False where an object inside is no Hash, or an op has no key. */
static bool read_row(const tj_op *first, const tj_op *end, VALUE row, const VALUE *given, VALUE *values)
{
    for (const tj_op *op = first; op < end; op++) {
        if (op->kind == TJ_OP_END) continue;
        bool same = row && (op->flags & TJ_OP_SAME), keyed = row && !same && !NIL_P(op->source) && !(given && *given == tj_skip);
        if (!keyed && !given && (!same || (op->flags & TJ_OP_OPTIONAL))) return false;
        VALUE v = keyed ? tj_row_value(row, op->source) : given ? *given : Qtrue;
        *values++ = v;
        if (given) given++;
        if (op->kind != TJ_OP_OPEN) continue;
        bool hash = !RB_SPECIAL_CONST_P(v) && RB_BUILTIN_TYPE(v) == T_HASH;
        if (keyed && !hash && !NIL_P(v)) return false;
        hash |= same && v == Qtrue;
        if (hash && !read_row(op + 1, op + 1 + op->skip_ops, same ? row : v, given, values)) return false;
        if (!hash && given) memcpy(values, given, op->skip_values * sizeof(VALUE));
        if (given) given += op->skip_values;
        values += op->skip_values;
        op += op->skip_ops;
    }
    return true;
}

static VALUE write_read(tj_writer *w, const tj_part *part, const VALUE *values)
{
    VALUE walked;
    if (TJ_LIKELY(try_item(w, part, values, true, &walked) == DONE)) return walked;
    return tj_item_cold(w, part, values);
}

VALUE tj_row(tj_writer *w, const tj_part *part, VALUE row)
{
    VALUE values[TJ_PART_SLOTS];
    if (part->values > TJ_PART_SLOTS || !read_row(part->ops, part->ops + part->count, row, NULL, values)) return Qundef;
    VALUE walked = write_read(w, part, values);
    RB_GC_GUARD(row);
    return walked;
}

/* -- calls ------------------------------------------------------------------------------------------ */

VALUE tj_item(tj_writer *w, const tj_part *part, int count, const VALUE *values)
{
    if (TJ_UNLIKELY((uint32_t)count != part->values))
        rb_raise(rb_eArgError, "item: a Part of %u values was given %d", part->values, count);
    if (part->flags & TJ_PART_PLAIN && TJ_LIKELY(try_plain(w, part, values))) return Qnil;
    VALUE walked, read[TJ_PART_SLOTS];
    enum easily easily = try_item(w, part, values, false, &walked);
    if (TJ_LIKELY(easily == DONE)) return walked;
    if (easily != DONE && count <= TJ_PART_SLOTS && part->depth > (part->flags & TJ_PART_BEGINS) && read_row(part->ops, part->ops + part->count, 0, values, read))
        return write_read(w, part, read);
    return tj_item_cold(w, part, values);
}
