/* Values. Dispatches on exact core classes. */
#include "value.h"

#include "../writer/levels.h"
#include "../writer/errors.h"
#include "../core/numbers/time.h"
#include "cell.h"
#include "fragment.h"
#include "string_value.h"
#include "contained.h"

#include <math.h>

const tj_word tj_words[8] = {
    [TJ_WORD_PLACE(Qnil)] = {"null", 4},
    [TJ_WORD_PLACE(Qtrue)] = {"true", 4},
    [TJ_WORD_PLACE(Qfalse)] = {"false", 5},
};
_Static_assert(TJ_WORD_PLACE(Qnil) != TJ_WORD_PLACE(Qtrue) &&
                   TJ_WORD_PLACE(Qnil) != TJ_WORD_PLACE(Qfalse) &&
                   TJ_WORD_PLACE(Qtrue) != TJ_WORD_PLACE(Qfalse) && Qtrue < 64 && Qnil < 64,
               "words have places of their own");

void tj_write_value(tj_writer *w, VALUE v)
{
    uint8_t *at = tj_reserve(w, TJ_SIMPLE_ROOM);
    uint8_t *end = tj_simple_value(w, at, v);
    if (TJ_LIKELY(end != NULL)) tj_commit_simple(w, end);
    else tj_write_other(w, v);
}

/* Calls a hook of the dialect, which may run user code: no call of the DSL may write meanwhile, as
 * in tj_write_cold. */
static bool written_by(tj_writer *w, bool (*hook)(tj_writer *w, VALUE v), VALUE v)
{
    if (!hook) return false;
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->blocked |= TJ_VALUE_DUE;
    bool written = hook(w, v);
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
    return written;
}

void tj_write_float(tj_writer *w, VALUE v)
{
    double value = RFLOAT_VALUE(v);
    uint8_t *at = tj_reserve(w, TJ_FLOAT_SIZE);
    if (TJ_LIKELY(isfinite(value))) {
        tj_commit(w, w->rules->write_double(at, value));
        return;
    }
    const tj_family *family = w->rules->family;
    if (family && written_by(w, family->not_finite, v)) return;
    if (w->rules->nan == TJ_NAN_NULL) tj_commit(w, tj_write_word(at, Qnil));
    else if (w->rules->nan == TJ_NAN_TEXT) {
        const char *text = isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
        tj_write_ascii(w, (const uint8_t *)text, strlen(text), false);
    } else
        tj_raise(w, tj_eNumber, "%s is not valid JSON. Pass nan: :null to write null instead.",
                 isnan(value) ? "Float::NAN" : value > 0 ? "Float::INFINITY" : "-Float::INFINITY");
}

static void write_symbol(tj_writer *w, VALUE v)
{
    const tj_family *family = w->rules->family;
    if (w->consult_symbols && family && written_by(w, family->symbol, v)) return;
    tj_write_string_cold(w, rb_sym2str(v));
}

/* Writes a Cell, or the value of it where the Rules or the dialect may need the object. */
static TJ_COLD void write_cell(tj_writer *w, VALUE cell)
{
    const tj_family *family = w->rules->family;
    uint8_t *end = NULL;
    if (!w->consult && w->rules->dialect == TJ_STANDARD)
        end = tj_try_cell(w, tj_reserve(w, TJ_TIME_SIZE + 2), cell);
    if (end) tj_commit(w, end);
    else if (w->consult || !family || !written_by(w, family->cell, cell)) {
        VALUE value = tj_cell_value(cell);
        tj_check_alive(w);
        tj_write_value(w, value);
        RB_GC_GUARD(value);
    }
}

void tj_write_other(tj_writer *w, VALUE v)
{
    if (TJ_UNLIKELY(tj_is_cell(v))) {
        write_cell(w, v);
        return;
    }
    if (TJ_UNLIKELY(w->consult)) {
        if (w->converting) w->converting = false;
        else if (w->rules->converted && tj_convert(w, v)) return;
        const tj_family *family = w->rules->family;
        if (family && written_by(w, family->consult, v)) return;
        uint8_t *end = tj_unsafe_simple(w, tj_reserve(w, TJ_SIMPLE_ROOM), v);
        if (end) {
            tj_commit_simple(w, end);
            return;
        }
    }
    if (RB_STATIC_SYM_P(v)) {
        write_symbol(w, v);
        return;
    }
    VALUE klass = RBASIC_CLASS(v);
    switch (RB_BUILTIN_TYPE(v)) {
    case T_STRING:
        if (klass != rb_cString) break;
        tj_write_string_cold(w, v);
        return;
    case T_ARRAY:
        if (klass != rb_cArray) break;
        tj_write_array(w, v);
        return;
    case T_HASH:
        if (klass != rb_cHash) break;
        tj_write_hash(w, v);
        return;
    case T_FLOAT: tj_write_float(w, v); return;
    case T_SYMBOL: write_symbol(w, v); return;
    case T_BIGNUM: {
        const tj_family *family = w->rules->family;
        if (family && written_by(w, family->bignum, v)) return;
        VALUE digits = rb_big2str(v, 10);
        tj_write_ascii_of(w, digits, false);
        return;
    }
    case T_DATA:
        if (!RTYPEDDATA_P(v)) break;
        if (RTYPEDDATA_TYPE(v) == &tj_serializer_type) {
            tj_write_serializer(w, v);
            return;
        }
        if (RTYPEDDATA_TYPE(v) == &tj_fragment_type) {
            tj_write_fragment(w, v);
            return;
        }
        break;
    default: break;
    }
    tj_write_cold(w, v);
}

void tj_check_interrupts(tj_writer *w)
{
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->until_interrupts = TJ_INTERRUPT_EVERY;
    w->blocked |= TJ_VALUE_DUE; /* as in tj_write_cold: the place of the value is taken */
    rb_thread_check_ints();
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
}

void tj_next_in_tree(tj_writer *w)
{
    if (TJ_UNLIKELY(--w->until_interrupts <= 0)) tj_check_interrupts(w);
    if (tj_top(&w->grammar)->count++ > 0) tj_write_byte(w, ',');
    if (TJ_UNLIKELY(w->layout != NULL)) tj_break_line(w, tj_top(&w->grammar)->count_below == '}');
}
