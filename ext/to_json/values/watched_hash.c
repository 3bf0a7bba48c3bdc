/* Values. Hashes whose keys must be examined: for duplicates, for mixed types, or for a dialect. */
#include "watched_hash.h"

#include "../writer/levels.h"
#include "hash_key.h"
#include "value.h"

struct watched {
    tj_writer *w;
    VALUE seen;  /* the texts of the keys so far, if duplicates raise; else Qfalse */
    VALUE mixed; /* the Hash, while mixed keys are looked for; else Qfalse */
    int first;   /* type of the first key */
};

/* Like json: if a String or Symbol follows a first key of another type, examines all keys, once. */
static void look_for_mixed(tj_writer *w, struct watched *watched, int type)
{
    if (watched->first == T_NONE) watched->first = type;
    if ((type != T_STRING && type != T_SYMBOL) || watched->first == type) return;
    tj_check_mixed(w, watched->mixed);
    watched->mixed = Qfalse;
}

static int watched_pair_i(VALUE key, VALUE value, VALUE argument)
{
    struct watched *watched = (struct watched *)argument;
    tj_writer *w = watched->w;
    tj_next_in_tree(w);
    tj_top(&w->grammar)->label = key;
    w->key_converted = false;
    if (RTEST(watched->seen)) tj_check_duplicate(w, watched->seen, key);
    if (RTEST(watched->mixed)) {
        look_for_mixed(w, watched, rb_type(key));
        if (w->rules->keys_become_text && !RB_SYMBOL_P(key) && !RB_TYPE_P(key, T_STRING)) {
            key = tj_key_text(w, key);
            if (RTEST(watched->mixed)) look_for_mixed(w, watched, T_STRING);
        }
    }
    tj_write_key(w, key);
    tj_write_value(w, value);
    RB_GC_GUARD(key);
    return ST_CONTINUE;
}

void tj_write_watched_hash(tj_writer *w, VALUE hash)
{
    const tj_rules *rules = w->rules;
    if (rules->family && rules->family->hash) hash = rules->family->hash(w, hash);
    tj_open_tree(w, '{');
    struct watched watched = {w, rules->duplicates == TJ_DUPLICATES_RAISE ? rb_hash_new() : Qfalse,
                          rules->duplicates == TJ_DUPLICATES_MIXED ? hash : Qfalse, T_NONE};
    if (RHASH_SIZE(hash) > 0) rb_hash_foreach(hash, watched_pair_i, (VALUE)&watched);
    RB_GC_GUARD(watched.seen);
    tj_close_tree(w, '}');
    RB_GC_GUARD(hash);
}
