/* Plans. The slow path of a Part: it needs Ruby, more room, indentation, or an error. It writes op
 * by op, under one tj_protect. */
#include "item_cold.h"

#include "flags.h"
#include "../writer/levels.h"
#include "../writer/errors.h"
#include "../values/fragment.h"
#include "../values/library_value.h"
#include "../writer/string.h"
#include "../values/time_value.h"
#include "../values/value.h"
#include "../values/collection.h"
#include "../writer/protect.h"
#include "../values/pair.h"

/* -- objects ----------------------------------------------------------------------------------- */

/* Begins an object at the current level, which is empty. May run Ruby (flush). */
static void begin_object(tj_writer *w)
{
    tj_level *level = tj_top(&w->grammar);
    if (TJ_UNLIKELY(level->state != TJ_EMPTY ||
                    level->kind == TJ_TREE)) {
        /* a second value, or a value where a pair is expected */
        tj_begin_value(w);
        tj_raise_status(w, TJ_CLOSED_LEVEL);
    }
}

/* Ends the object. Writes the opening brace too if it has no pairs. May run Ruby (flush). */
static void end_object(tj_writer *w)
{
    tj_level *level = tj_top(&w->grammar);
    if (level->state == TJ_EMPTY) {
        if (TJ_UNLIKELY(w->grammar.nesting >= w->grammar.max_nesting))
            tj_raise_status(w, TJ_TOO_DEEP);
        tj_begin_value(w);
        tj_write_byte(w, '{');
    } else {
        w->grammar.nesting--;
        if (TJ_UNLIKELY(w->layout != NULL)) tj_end_line(w, true);
    }
    tj_write_byte(w, '}');
    level = tj_top(&w->grammar);
    level->label = level->kind == TJ_LIST ? 0 : level->label;
    level->state = level->kind == TJ_LIST ? TJ_EMPTY : TJ_VALUES;
}

/* -- as: --------------------------------------------------------------------------------------- */

static VALUE mConversion;
static ID convert_ids[TJ_AS_KINDS];

void tj_item_cold_init(void)
{
#define TJ_CONVERT_ID(NAME, name, function) convert_ids[TJ_AS_##NAME] = rb_intern(#name);
    TJ_AS_TABLE(TJ_CONVERT_ID)
    mConversion = rb_define_module_under(tj_mToJson, "Conversion");
    rb_gc_register_mark_object(mConversion); /* defined in Ruby: compaction would move it */
}

/* Writes the result of ToJson::Conversion. Meanwhile, calls of the DSL are refused. */
static void write_converted(tj_writer *w, const tj_op *op, VALUE v)
{
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->blocked |= TJ_VALUE_DUE;
    VALUE result = op->as == TJ_AS_TIME
                       ? rb_funcall(mConversion, convert_ids[op->as], 2, v, op->format)
                       : rb_funcall(mConversion, convert_ids[op->as], 1, v);
    tj_check_alive(w);
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
    tj_write_value(w, result);
    RB_GC_GUARD(result);
}

/* -- ops --------------------------------------------------------------------------------------- */

struct item {
    tj_writer *w;
    const tj_part *part;
    const VALUE *values;
    VALUE elements;
};

/* Applies the options of the field to *v. Returns false if the pair is left out. Runs Ruby, because
 * blank? may be the user's. */
static bool is_due(tj_writer *w, const tj_op *op, VALUE *v)
{
    if (!(op->flags & TJ_FIELD_FLAGS)) return true;
    w->blocked |= TJ_VALUE_DUE;
    tj_top(&w->grammar)->label = op->name;
    enum tj_verdict verdict = tj_flags_of(op, v, true);
    tj_check_alive(w);
    tj_top(&w->grammar)->label = 0;
    return verdict == TJ_WRITE;
}

VALUE tj_indexable(VALUE v)
{
    if (RB_SPECIAL_CONST_P(v) || RBASIC_CLASS(v) != rb_cArray) return Qfalse;
    long size = RARRAY_LEN(v);
    for (long i = 0; i < size; i++) {
        VALUE element = RARRAY_AREF(v, i);
        if (TJ_UNLIKELY(RB_SPECIAL_CONST_P(element) || RB_BUILTIN_TYPE(element) == T_HASH))
            return Qfalse;
    }
    return v;
}

VALUE tj_begin_many(tj_writer *w, VALUE many, const char *instead)
{
    if (tj_is_row_list(many)) {
        tj_open_list(w);
        return w->delivery.flush_interval ? Qfalse : many;
    }
    VALUE array = tj_is_array(many) ? many : rb_check_array_type(many); /* a relation's */
    VALUE elements = NIL_P(array) || w->delivery.flush_interval
                       ? Qfalse
                       : tj_indexable(array); /* a loop in Ruby does not flush between records */
    if (!RTEST(elements) && !tj_is_many(many))
        tj_raise(w, tj_eUnsupported,
                 "%" PRIsVALUE
                 " where a collection is due. Give an Array, a relation or another Enumerable, "
                 "or %s.",
                 tj_class_words(many), instead);
    tj_check_alive(w);
    tj_open_list(w);
    return elements;
}

static void write_identifier(tj_writer *w, const tj_op *each, VALUE id)
{
    tj_begin_pair(w, ID2SYM(rb_intern("type")));
    tj_write_value(w, each->otherwise);
    tj_begin_pair(w, each->name);
    write_converted(w, each, id);
    tj_top(&w->grammar)->label = 0;
}

/* Writes the pair of an id, or of an Array of ids. Runs Ruby. */
static void write_identifiers(tj_writer *w, const tj_op *op, VALUE v)
{
    const tj_op *each = op + 1;
    if (!RB_TYPE_P(v, T_ARRAY)) {
        tj_mark before = tj_mark_take(w);
        tj_begin_slot(w, op->name, &before);
        write_identifier(w, each, v);
        tj_close_slot(w, true);
        return;
    }
    tj_begin_pair(w, op->name);
    tj_open_list(w);
    for (long i = 0; i < RARRAY_LEN(v); i++) {
        if (TJ_UNLIKELY((i & 1023) == 1023)) rb_thread_check_ints();
        begin_object(w);
        write_identifier(w, each, RARRAY_AREF(v, i));
        end_object(w);
        tj_check_alive(w);
    }
    tj_close_list(w);
    RB_GC_GUARD(v);
}

static VALUE item_body(VALUE argument)
{
    struct item *item = (struct item *)argument;
    tj_writer *w = item->w;
    const tj_part *part = item->part;
    const VALUE *values = item->values;
    if (part->flags & TJ_PART_BEGINS) begin_object(w);
    for (const tj_op *op = part->ops, *end = op + part->count; op < end; op++) {
        if (op->kind == TJ_OP_END) {
            tj_close_slot(w, true);
            continue;
        }
        VALUE v = *values++;
        if (TJ_UNLIKELY(tj_is_attached(w->pool, v))) { /* has_one_attached: nil without a file */
            tj_top(&w->grammar)->label = op->name;
            if (tj_is_unattached(w, v)) v = Qnil;
            tj_top(&w->grammar)->label = 0;
        }
        if (!is_due(w, op, &v)) {
            values += op->skip_values;
            op += op->skip_ops;
        } else if (op->kind == TJ_OP_VALUE || NIL_P(v)) {
            tj_begin_pair(w, op->name);
            if (op->as == TJ_AS_IS || NIL_P(v)) tj_write_value(w, v);
            else write_converted(w, op, v);
            values += op->skip_values;
            op += op->skip_ops;
            tj_top(&w->grammar)->label = 0;
        } else if (op->kind == TJ_OP_IDENTIFIERS) {
            write_identifiers(w, op++, v);
            tj_top(&w->grammar)->label = 0;
        } else if (op->kind == TJ_OP_LIST) {
            tj_begin_pair(w, op->name);
            item->elements = tj_begin_many(w, v, TJ_HAS_ONE);
        } else {
            tj_mark before = tj_mark_take(w);
            tj_begin_slot(w, op->name, &before);
            if (op->kind == TJ_OP_SLOT) item->elements = Qtrue;
        }
    }
    if (part->flags & TJ_PART_ENDS) end_object(w);
    return Qnil;
}

VALUE tj_item_cold(tj_writer *w, const tj_part *part, const VALUE *values)
{
    tj_mark mark = tj_mark_take(w);
    struct item item = {w, part, values, Qnil};
    unsigned due = w->blocked & TJ_VALUE_DUE;
    tj_protect(w, &mark, item_body, (VALUE)&item);
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | due;
    return item.elements;
}
