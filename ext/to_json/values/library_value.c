/* Values. Collections, and instances of library classes, which may not be loaded. */
#include "library_value.h"

#include "../writer/errors.h"
#include "../writer/levels.h"
#include "../writer/pool.h"
#include "../writer/string.h"
#include "collection.h"
#include "contained.h"
#include "string_value.h"
#include "time_value.h"
#include "value.h"

static VALUE cLookup;
static VALUE str_plain_notation;

void tj_library_value_init(void)
{
    cLookup = rb_define_class_under(tj_mToJson, "Lookup", rb_cObject);
    rb_gc_register_mark_object(cLookup);
    str_plain_notation = rb_obj_freeze(rb_str_new_cstr("F"));
    rb_gc_register_mark_object(str_plain_notation);
}

/* Whether it is an element that a word of the DSL was given in a collection, without a block. */
static bool is_element(const tj_writer *w)
{
    const tj_level *level = tj_top(&w->grammar);
    if (w->frame_count == 0 || RTEST(w->plan)) return false;
    return (level->kind == TJ_LIST || level->kind == TJ_TREE) && !level->label && level->count > 0;
}

void tj_raise_unsupported(tj_writer *w, VALUE v, const char *advice)
{
    if (rb_respond_to(rb_obj_class(v), rb_intern("model_name")))
        tj_raise(w, tj_eSerializerNotFound,
                 "%" PRIsVALUE
                 " is a model: its columns are not written by default. "
                 "Put its fields, or use %" PRIsVALUE ".%s",
                 tj_class_words(v), rb_funcall(cLookup, rb_intern("words_for"), 1, v),
                 is_element(w) ? " If a block was meant to write it: braces give the block to the "
                                 "last call, as in array Post.limit(2) { ... }. Write "
                                 "array(Post.limit(2)) { |post| ... }, or do ... end."
                               : "");
    if (tj_is_attached(w->pool, v))
        advice = "It is an attachment: put its filename, or a url of it.";
    if (RTEST(rb_obj_is_kind_of(v, rb_const_get(tj_mToJson, rb_intern("Stream")))))
        advice = "A Stream is a body: give it to Rack, or read it by each.";
    tj_raise(w, tj_eUnsupported, "%" PRIsVALUE " has no JSON form. %s", tj_class_words(v), advice);
}

/* -- collections ------------------------------------------------------------------------------- */

static void write_item(tj_writer *w, VALUE item, void *data)
{
    (void)data;
    tj_next_in_tree(w);
    tj_write_value(w, item);
}

/* Returns false if it only has a to_ary that returned nil. */
bool tj_write_collection(tj_writer *w, VALUE many)
{
    if (rb_respond_to(many, rb_intern("to_ary"))) {
        VALUE array = rb_funcallv(many, rb_intern("to_ary"), 0, NULL);
        tj_check_alive(w);
        if (RB_TYPE_P(array, T_ARRAY)) {
            tj_write_array(w, array);
            return true;
        }
        if (!RTEST(rb_obj_is_kind_of(many, rb_mEnumerable))) return false;
    }
    tj_open_tree(w, '[');
    tj_each(w, many, write_item, NULL, 0);
    tj_close_tree(w, ']');
    return true;
}

/* -- library classes --------------------------------------------------------------------------- */

bool tj_is_class(VALUE *known, const char *name, VALUE klass)
{
    if (TJ_UNLIKELY(!*known)) {
        ID id = rb_intern(name);
        if (!rb_const_defined(rb_cObject, id) || !NIL_P(rb_autoload_p(rb_cObject, id)))
            return false;
        *known = rb_const_get(rb_cObject, id);
    }
    return *known == klass;
}

VALUE tj_loaded_module(const char *const *names)
{
    VALUE scope = rb_cObject;
    for (; *names; names++) {
        ID id = rb_intern(*names);
        if (!rb_const_defined_at(scope, id) || !NIL_P(rb_autoload_p(scope, id))) return Qfalse;
        scope = rb_const_get_at(scope, id);
        if (!RB_TYPE_P(scope, T_CLASS) && !RB_TYPE_P(scope, T_MODULE)) return Qfalse;
    }
    return scope;
}

bool tj_is_time_with_zone(tj_pool *pool, VALUE klass)
{
    static const char *const names[] = {"ActiveSupport", "TimeWithZone", NULL};
    if (!pool->time_with_zone) pool->time_with_zone = tj_loaded_module(names);
    return pool->time_with_zone == klass;
}

void tj_find_attached(tj_pool *pool)
{
    static const char *const names[] = {"ActiveStorage", "Attached", "One", NULL};
    if (!pool->attached_one) pool->attached_one = tj_loaded_module(names);
}

bool tj_is_unattached(tj_writer *w, VALUE v)
{
    if (!tj_is_attached(w->pool, v)) return false;
    unsigned before = w->blocked & TJ_VALUE_DUE;
    w->blocked |= TJ_VALUE_DUE;
    bool attached = RTEST(rb_funcallv(v, rb_intern("attached?"), 0, NULL));
    w->blocked = (w->blocked & ~(unsigned)TJ_VALUE_DUE) | before;
    tj_check_alive(w);
    return !attached;
}

/* Errors are Enumerable, and have an as_json that returns the messages of each attribute. */
bool tj_are_errors(VALUE v)
{
    static const char *const names[] = {"ActiveModel", "Errors", NULL};
    if (!rb_respond_to(v, rb_intern("full_messages"))) return false;
    VALUE errors = tj_loaded_module(names);
    return errors && RTEST(rb_obj_is_kind_of(v, errors));
}

bool tj_is_date(tj_pool *pool, VALUE klass) { return tj_is_class(&pool->date, "Date", klass); }
bool tj_is_decimal(tj_pool *pool, VALUE klass)
{
    return tj_is_class(&pool->big_decimal, "BigDecimal", klass);
}

VALUE tj_decimal_text(tj_writer *w, VALUE decimal)
{
    VALUE text = rb_funcallv(decimal, rb_intern("to_s"), 1, &str_plain_notation);
    if (!RB_TYPE_P(text, T_STRING))
        tj_raise(w, tj_eError, "to_s of %" PRIsVALUE " did not return a String.",
                 tj_class_words(decimal));
    return text;
}

static void write_decimal(tj_writer *w, VALUE decimal)
{
    VALUE text = tj_decimal_text(w, decimal);
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes);
    /* "NaN", "Infinity" */
    if (TJ_UNLIKELY(size == 0 || bytes[size - 1] < '0' || bytes[size - 1] > '9')) {
        if (w->rules->nan != TJ_NAN_NULL)
            tj_raise(w, tj_eNumber,
                     "BigDecimal %" PRIsVALUE
                     " is not valid JSON. Pass nan: :null to write null instead.",
                     text);
        tj_write_ascii(w, (const uint8_t *)"null", 4, false);
        return;
    }
    tj_write_ascii_of(w, text, !w->rules->decimal_number);
}

/* Writes `v` by the row of the table that names `klass`. */
bool tj_write_library_value(tj_writer *w, VALUE v, VALUE klass)
{
    tj_pool *pool = w->pool;
    if (klass == rb_cTime) tj_write_time_value(w, v);
    /* first, because looking up a class that is not loaded takes long */
    else if (klass == pool->big_decimal) write_decimal(w, v);
    else if (klass == pool->date) tj_write_date_value(w, v);
    else if (klass == rb_cRange || klass == rb_cEnumerator || tj_is_class(&pool->set, "Set", klass))
        tj_write_collection(w, v);
    else if (tj_is_class(&pool->date, "Date", klass)) tj_write_date_value(w, v);
    else if (tj_is_class(&pool->date_time, "DateTime", klass)) tj_write_date_time(w, v);
    else if (tj_is_class(&pool->big_decimal, "BigDecimal", klass)) write_decimal(w, v);
    else if (klass == rb_cRational) tj_write_string_cold(w, rb_obj_as_string(v));
    else if (tj_is_time_with_zone(pool, klass)) tj_write_time_with_zone(w, v);
    else if (klass == rb_cModule || klass == rb_cClass) {
        VALUE name = rb_mod_name(v);
        if (NIL_P(name)) tj_raise_unsupported(w, v, "This one has no name.");
        tj_write_string_cold(w, name);
    } else return false;
    return true;
}
