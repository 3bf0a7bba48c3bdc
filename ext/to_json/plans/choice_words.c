/* Plans. The words of a choice as bytes. */
#include "choice_words.h"

#include "../writer/string.h"

#include <ruby/encoding.h>

TJ_INLINE bool add_bytes(tj_words *k, uint8_t kind, const void *bytes, size_t size)
{
    if (TJ_UNLIKELY(size >= TJ_LONGEST_CHOICE - k->size)) return false;
    k->bytes[k->size++] = kind;
    if (size > 0) memcpy(k->bytes + k->size, bytes, size); /* `bytes` may be NULL */
    k->size += (uint32_t)size;
    return true;
}

static bool add_text(tj_words *k, uint8_t kind, VALUE text)
{
    const uint8_t *bytes;
    size_t size = tj_string_bytes(text, &bytes);
    int encoding = RB_ENCODING_GET(text);
    bool added = size < TJ_LONGEST_CHOICE && add_bytes(k, kind, &encoding, sizeof encoding) &&
                 add_bytes(k, '#', &size, sizeof size) && add_bytes(k, '"', bytes, size);
    RB_GC_GUARD(text);
    return added;
}

TJ_INLINE bool add_symbol(tj_words *k, VALUE symbol)
{
    return add_bytes(k, ':', &symbol, sizeof symbol);
}

static bool add(tj_words *k, VALUE given);

struct adding {
    tj_words *words;
    bool added;
};

static int add_pair(VALUE name, VALUE part, VALUE argument)
{
    struct adding *adding = (struct adding *)argument;
    bool is_name = RB_SYMBOL_P(name) || tj_is_exact_string(name);
    adding->added = is_name && add(adding->words, name) && add(adding->words, part);
    return adding->added ? ST_CONTINUE : ST_STOP;
}

/* Adds Symbols, Strings, and Arrays and Hashes of these; static Symbols, which are never collected,
 * by their number. Returns false for anything else, and for what is too long. Runs no Ruby. */
static bool add(tj_words *k, VALUE given)
{
    if (RB_STATIC_SYM_P(given)) return add_symbol(k, given);
    if (NIL_P(given) || given == Qtrue) return add_bytes(k, RTEST(given) ? '+' : '-', NULL, 0);
    if (RB_SPECIAL_CONST_P(given)) return false;
    if (RB_DYNAMIC_SYM_P(given)) return add_text(k, ';', rb_sym2str(given));
    VALUE klass = RBASIC_CLASS(given);
    if (klass == rb_cString) return add_text(k, '$', given);
    if (klass == rb_cArray) {
        if (!add_bytes(k, '[', NULL, 0)) return false;
        for (long i = 0; i < RARRAY_LEN(given); i++) {
            VALUE item = RARRAY_AREF(given, i);
            bool added = TJ_LIKELY(RB_STATIC_SYM_P(item)) ? add_symbol(k, item) : add(k, item);
            if (TJ_UNLIKELY(!added)) return false;
        }
        return add_bytes(k, ']', NULL, 0);
    }
    if (klass != rb_cHash || !add_bytes(k, '{', NULL, 0)) return false;
    struct adding adding = {k, true};
    rb_hash_foreach(given, add_pair, (VALUE)&adding);
    return adding.added && add_bytes(k, '}', NULL, 0);
}

bool tj_words_of(tj_words *k, bool pairs, VALUE view, VALUE only, VALUE except)
{
    k->size = 1; /* the first byte says what follows */
    k->bytes[0] = (uint8_t)(pairs | !NIL_P(view) << 1 | !NIL_P(only) << 2 | !NIL_P(except) << 3);
    return (NIL_P(view) || add(k, view)) && (NIL_P(only) || add(k, only)) &&
           (NIL_P(except) || add(k, except));
}

/* -- copies ------------------------------------------------------------------------------------ */

static int copy_pair(VALUE name, VALUE part, VALUE copy)
{
    rb_hash_aset(copy, tj_words_copy(name), tj_words_copy(part));
    return ST_CONTINUE;
}

/* A Hash that compares by identity may have a name twice: the copy is smaller. */
VALUE tj_words_copy(VALUE given)
{
    if (RB_SPECIAL_CONST_P(given) || RB_SYMBOL_P(given)) return given;
    if (RB_BUILTIN_TYPE(given) == T_STRING) return rb_str_new_frozen(given);
    if (RB_BUILTIN_TYPE(given) == T_HASH) {
        VALUE copy = rb_hash_new();
        rb_hash_foreach(given, copy_pair, copy);
        return copy;
    }
    VALUE copy = rb_ary_new_capa(RARRAY_LEN(given));
    for (long i = 0; i < RARRAY_LEN(given); i++)
        rb_ary_push(copy, tj_words_copy(RARRAY_AREF(given, i)));
    return copy;
}

bool tj_words_of_copies(tj_words *k, bool pairs, VALUE *view, VALUE *only, VALUE *except)
{
    if (!tj_words_of(k, pairs, *view, *only, *except)) return false;
    tj_words copied;
    VALUE copies[] = {tj_words_copy(*view), tj_words_copy(*only), tj_words_copy(*except)};
    if (!tj_words_of(&copied, pairs, copies[0], copies[1], copies[2]) || copied.size != k->size)
        return false;
    *view = copies[0];
    *only = copies[1];
    *except = copies[2];
    return true;
}
