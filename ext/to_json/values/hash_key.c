/* Values. Keys of Hashes and Structs, the general way: any object can be a key. */
#include "hash_key.h"

#include "../writer/errors.h"
#include "../writer/key_table.h"
#include "../writer/levels.h"
#include "../writer/string.h"
#include "string_value.h"
#include "user_call.h"
#include "value.h"

VALUE tj_key_text(tj_writer *w, VALUE key)
{
    if (RB_SYMBOL_P(key)) return rb_sym2str(key);
    if (RB_TYPE_P(key, T_STRING) && RBASIC_CLASS(key) == rb_cString) return key;
    const tj_family *family = w->rules->family;
    if (family && family->key_text) return family->key_text(w, key);
    if (w->rules->dialect == TJ_STRICT && !RB_TYPE_P(key, T_STRING))
        tj_raise(w, tj_eUnsupported,
                 "%" PRIsVALUE " cannot be a key under the :strict dialect. "
                 "Use a String or Symbol.",
                 tj_class_words(key));
    VALUE text = tj_call_closed(w, key, rb_intern("to_s"), 0, NULL);
    if (!RB_TYPE_P(text, T_STRING))
        tj_raise(w, tj_eUnsupported, "to_s of a key returned %" PRIsVALUE " instead of a String.",
                 tj_class_words(text));
    return text;
}

static TJ_NOINLINE void write_key_anew(tj_writer *w, VALUE key)
{
    uint8_t *end = NULL;
    if (!RB_SPECIAL_CONST_P(key) && RBASIC_CLASS(key) == rb_cString)
        end = tj_simple_string(w, tj_reserve(w, TJ_SIMPLE_ROOM), key);
    if (end) tj_commit_simple(w, end);
    else {
        VALUE text = tj_key_text(w, key);
        tj_write_key_text_cold(w, text);
        RB_GC_GUARD(text);
    }
    if (TJ_UNLIKELY(w->layout != NULL)) tj_write_bytes_of(w, w->layout->space_before);
    tj_write_byte(w, ':');
    if (TJ_UNLIKELY(w->layout != NULL)) tj_write_bytes_of(w, w->layout->space);
}

void tj_write_key(tj_writer *w, VALUE key)
{
    const tj_key *known = TJ_UNLIKELY(w->encode_anew) ? NULL : tj_key_of(w->pool, key);
    if (TJ_UNLIKELY(!known)) {
        write_key_anew(w, key);
        return;
    }
    const uint8_t *bytes = known->bytes + 1;
    size_t size = known->size - 1;
    /* may deliver, and Ruby code of the Sink may make `known` move */
    uint8_t *at = tj_reserve(w, size);
    memcpy(at, bytes, size);
    tj_commit(w, at + size);
}

void tj_check_mixed(tj_writer *w, VALUE hash)
{
    VALUE text = tj_call_closed(w, tj_mToJson, rb_intern("mixed_duplicate"), 1, &hash);
    if (!NIL_P(text))
        tj_raise(w, tj_eDuplicateKey, "detected duplicate key %" PRIsVALUE " in %" PRIsVALUE,
                 rb_str_inspect(text), rb_inspect(hash));
}

void tj_check_duplicate(tj_writer *w, VALUE seen, VALUE key)
{
    VALUE text = tj_utf8_text(w, tj_key_text(w, key));
    if (!NIL_P(rb_hash_lookup(seen, text)))
        tj_raise(w, tj_eDuplicateKey,
                 "two keys of one Hash have the text %" PRIsVALUE
                 ". Drop duplicates: :raise to write both.",
                 rb_str_inspect(text));
    rb_hash_aset(seen, text, Qtrue);
}
