/* Writer. Raises the errors of the core; no other file does. */
#include "errors.h"

#include "path.h"

VALUE tj_mToJson, tj_eError, tj_eGrammar, tj_eNesting, tj_eEncoding, tj_eNumber, tj_eUnsupported,
    tj_eSerializerNotFound, tj_eFragment, tj_eDuplicateKey, tj_eSink;
static VALUE ePoisoned;

static ID id_path;
static VALUE no_interrupts; /* {Object => :never} */

void tj_errors_init(void)
{
    static const struct {
        VALUE *klass;
        const char *name;
    } classes[] = {
        {&tj_eError, "Error"},
        {&tj_eGrammar, "GrammarError"},
        {&tj_eNesting, "NestingError"},
        {&tj_eEncoding, "EncodingError"},
        {&tj_eNumber, "NumberError"},
        {&tj_eUnsupported, "UnsupportedTypeError"},
        {&tj_eSerializerNotFound, "SerializerNotFound"},
        {&tj_eFragment, "FragmentError"},
        {&tj_eDuplicateKey, "DuplicateKeyError"},
        {&tj_eSink, "SinkError"},
        {&ePoisoned, "PoisonedError"},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        *classes[i].klass = rb_const_get(tj_mToJson, rb_intern(classes[i].name));
        /* defined in Ruby, so compaction would move them */
        rb_gc_register_mark_object(*classes[i].klass);
    }
    id_path = rb_intern("@path");
    rb_gc_register_mark_object(no_interrupts = rb_hash_new());
    rb_hash_aset(no_interrupts, rb_cObject, ID2SYM(rb_intern("never")));
    rb_obj_freeze(no_interrupts);
}

static VALUE new_error(VALUE klass, VALUE path, VALUE text)
{
    VALUE message = path;
    if (!NIL_P(path)) {
        message = rb_str_dup(path);
        rb_str_cat_cstr(message, ": ");
        /* what `inspect` wrote is in the default encoding */
        rb_str_append(message, rb_str_conv_enc(text, rb_enc_get(text), rb_utf8_encoding()));
    } else message = text;
    VALUE error = rb_exc_new_str(klass, message);
    rb_ivar_set(error, id_path, path);
    return error;
}

/* Under a dialect, the class that its library would raise: lib/to_json/dialects/registry.rb. */
static VALUE class_under(const tj_writer *w, VALUE klass)
{
    if (!w || w->blocked & TJ_IDLE || !w->rules->family ||
        !RTEST(rb_class_inherited_p(klass, tj_eError)))
        return klass;
    return rb_funcall(tj_mToJson, rb_intern("error_class"), 2, INT2FIX(w->rules->dialect), klass);
}

void tj_raise(tj_writer *w, VALUE klass, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    VALUE text = rb_vsprintf(format, arguments);
    va_end(arguments);
    VALUE theirs = class_under(w, klass);
    VALUE error = new_error(theirs, w ? tj_path(w) : Qnil, text);
    if (theirs != klass)
        rb_ivar_set(error, rb_intern("@__to_json_location"), rb_ivar_get(error, id_path));
    rb_exc_raise(error);
}

/* Uses the message of the dialect's library, if lib/to_json/dialects/registry.rb has it. */
NORETURN(static void raise_too_deep(tj_writer *w));
static void raise_too_deep(tj_writer *w)
{
    uint32_t most = w->grammar.max_nesting, around = w->rules->given.depth;
    VALUE theirs = Qnil;
    if (w->rules->family)
        theirs = rb_funcall(tj_mToJson, rb_intern("nesting_words"), 2, INT2FIX(w->rules->dialect),
                            ULL2NUM((unsigned long long)most + around));
    if (!NIL_P(theirs)) tj_raise(w, tj_eNesting, "%" PRIsVALUE, theirs);
    if (around > 0)
        tj_raise(
            w, tj_eNesting,
            "nested more than %u deep below the %u containers that depth: counts. "
            "Raise max_depth: if that is meant; a structure that contains itself never ends.",
            most, around);
    tj_raise(
        w, tj_eNesting,
        "nested more than %u deep. Raise max_depth: if that is meant; "
        "a structure that contains itself never ends.",
        most);
}

void tj_raise_status(tj_writer *w, tj_status status)
{
    switch (status) {
    case TJ_NO_MEMORY: rb_memerror();
    case TJ_TOO_LARGE: rb_raise(rb_eNoMemError, "the document is larger than memory can address");
    case TJ_TOO_DEEP: raise_too_deep(w);
    case TJ_NEEDS_KEY:
        tj_raise(
            w, tj_eGrammar,
            "a value where a key is expected: this object already has pairs. Use put :key, value.");
    case TJ_NEEDS_VALUE:
        tj_raise(
            w, tj_eGrammar,
            "a pair where a value is expected: this slot already has a value. "
            "Use value, or write everything as pairs.");
    case TJ_SLOT_TAKEN:
        tj_raise(w, tj_eGrammar, "a second value in a slot that takes one. Use array for several.");
    case TJ_TWO_ROOTS:
        tj_raise(w, tj_eGrammar,
                 "a second value at the root: a document has one. Use array for several.");
    case TJ_NOTHING_OPEN:
        tj_raise(w, tj_eGrammar, "close without a matching open in this block.");
    case TJ_UNCLOSED:
        tj_raise(w, tj_eGrammar,
                 "left open at the end of its block. Every open and open_array needs a close.");
    case TJ_CLOSED_LEVEL:
        tj_raise(
            w, tj_eGrammar,
            "a call in the middle of a value that is being written. "
            "Only blocks of the DSL may write.");
    default:
        tj_raise(w, tj_eError, "internal error of to_json (status %d). Please report it.",
                 (int)status);
    }
}

static VALUE raise_forgotten(VALUE argument)
{
    (void)argument;
    tj_raise(NULL, tj_eError,
             "Ruby forgot the exception that ended this call, because the handler of a signal "
             "(trap) rescued another one at that moment. Let handlers only set a variable or write "
             "to a pipe.");
}

TJ_COLD void tj_replace_forgotten_cold(int *state)
{
    if (NIL_P(rb_errinfo())) rb_protect(raise_forgotten, Qnil, state);
}

struct located {
    const tj_writer *w;
    VALUE error;
    VALUE plan; /* or Qfalse */
    VALUE below; /* a String that ends the path; 0: the Plan finds it by the line that raised */
    bool begun;
};

static VALUE locate_body(VALUE argument)
{
    const struct located *located = (const struct located *)argument;
    VALUE path = tj_path(located->w);
    if (located->below || RTEST(located->plan)) {
        VALUE field = located->below
                          ? located->below
                          : rb_funcall(located->plan, rb_intern("field_at"), 1, located->error);
        if (RB_TYPE_P(field, T_STRING)) {
            rb_str_cat_cstr(path, ".");
            rb_str_append(path, field);
        }
    }
    rb_funcall(tj_mToJson, rb_intern("located"), 2, located->error, path);
    return Qnil;
}

static VALUE rescue_all(VALUE argument, VALUE (*rescuer)(VALUE, VALUE))
{
    return rb_rescue2(locate_body, argument, rescuer, argument, rb_eStandardError,
                      rb_eSysStackError, rb_eNoMemError, (VALUE)0);
}

static VALUE failed_again(VALUE argument, VALUE failure)
{
    (void)argument;
    return failure;
}

/* A failure of our own must not hide the error. But if the failure is the exception of a signal's
 * handler, it must not get lost. Such a failure does not come a second time. */
static VALUE not_located(VALUE argument, VALUE failure)
{
    if (RTEST(rb_obj_is_kind_of(failure, rb_eStandardError)) &&
        NIL_P(rescue_all(argument, failed_again)))
        rb_exc_raise(failure);
    return Qnil;
}

/* Stores the path of the error. */
static VALUE locate_quietly(RB_BLOCK_CALL_FUNC_ARGLIST(yielded, argument))
{
    (void)yielded, (void)argc, (void)argv, (void)blockarg;
    ((struct located *)argument)->begun = true;
    return rescue_all(argument, not_located);
}

/* locate_quietly rescues our own failures only. handle_interrupt makes exceptions from other
 * threads wait until it has returned. */
static VALUE locate_protected(VALUE argument)
{
    return rb_block_call(rb_cThread, rb_intern("handle_interrupt"), 1, &no_interrupts,
                         locate_quietly, argument);
}

/* Whether handle_interrupt itself failed for lack of memory or stack. After locate_quietly nothing
 * of ours can fail, so a later exception of this kind comes from another thread. */
static bool had_no_room(const struct located *located)
{
    VALUE why = rb_errinfo();
    /* a throw has no exception object */
    if (located->begun || !RB_TYPE_P(why, T_OBJECT)) return false;
    return RTEST(rb_obj_is_kind_of(why, rb_eSysStackError)) ||
           RTEST(rb_obj_is_kind_of(why, rb_eNoMemError));
}

static int locate(const tj_writer *w, VALUE error, VALUE plan, VALUE below)
{
    if (!RTEST(rb_obj_is_kind_of(error, rb_eException)) || RB_OBJ_FROZEN(error)) return 0;
    if (!NIL_P(rb_attr_get(error, id_path))) return 0;
    /* This is not asked in Ruby, because YJIT keeps each singleton class that its code meets. */
    if (RTEST(rb_ivar_defined(error, rb_intern("@__to_json_location")))) return 0;
    if (error == rb_eNoMemError || RTEST(rb_obj_is_kind_of(error, rb_eNoMemError))) return 0;
    VALUE saved = rb_errinfo();
    struct located located = {.w = w, .error = error, .plan = plan, .below = below};
    int state = 0;
    tj_rb_protect(locate_protected, (VALUE)&located, &state);
    if (TJ_UNLIKELY(state) && !had_no_room(&located)) return state;
    rb_set_errinfo(saved);
    return 0;
}

int tj_locate(const tj_writer *w, VALUE error)
{
    /* inside a pair, the path names it already */
    if (tj_top(&w->grammar)->label) return locate(w, error, Qfalse, 0);
    return locate(w, error, w->plan, w->reading ? rb_sym2str(w->reading) : 0);
}

int tj_locate_below(const tj_writer *w, VALUE error, VALUE below)
{
    int state = locate(w, error, Qfalse, below);
    RB_GC_GUARD(below);
    return state;
}

void tj_raise_too_late(void)
{
    tj_raise(
        NULL, tj_eGrammar,
        "this call returned after its document had ended: it was left waiting in a Fiber or "
        "a Thread. Let all calls return before the document ends.");
}

void tj_raise_poisoned(tj_writer *w)
{
    if (w->blocked & TJ_PARKED)
        tj_raise(
            w, ePoisoned,
            "an element was left half written, in a Fiber or a Thread. "
            "Yield the next one only after the block has returned.");
    if (w->delivery.failed)
        tj_raise(
            w, ePoisoned,
            "an earlier write of the Sink failed, and may have sent a part of its bytes. "
            "Let errors of the Sink leave json!.");
    tj_raise(w, ePoisoned,
             "an earlier error could not be undone, because its bytes had been delivered. "
             "Let errors leave json! when streaming, or rescue before writing.");
}

VALUE tj_class_words(VALUE value) { return rb_class_name(rb_class_real(CLASS_OF(value))); }
