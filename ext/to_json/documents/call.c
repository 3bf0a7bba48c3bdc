/* Documents. Separates the keywords of json! from those of `serialize`, and stores the arguments of
 * `new`. */
#include "call.h"

#include "../vm/hash_pairs.h"
#include "../writer/binding.h"
#include "../writer/captures.h"

/* The keywords of json!, by tj_keyword. Marked, because Ruby may collect a Symbol whose name it
 * first met in a String. */
static VALUE key_symbols[TJ_KEY_COUNT];

/* Where a tj_call has the value of each keyword. `chunk` and `flush` stand in its options of the
 * delivery. */
static const size_t key_places[TJ_KEY_CHUNK] = {
    offsetof(tj_call, view), offsetof(tj_call, only),       offsetof(tj_call, except),
    offsetof(tj_call, root), offsetof(tj_call, meta),       offsetof(tj_call, collection),
    offsetof(tj_call, context), offsetof(tj_call, into),    offsetof(tj_call, rules),
    offsetof(tj_call, max_depth), offsetof(tj_call, rows)};

void tj_call_init(void)
{
    static const char *const names[TJ_KEY_COUNT] = {"view",       "only",      "except", "root",
                                                 "meta",       "collection", "context", "into",
                                                 "rules",      "max_depth", "rows",   "chunk",
                                                 "flush"};
    for (int i = 0; i < TJ_KEY_COUNT; i++) {
        key_symbols[i] = ID2SYM(rb_intern(names[i]));
        rb_gc_register_mark_object(key_symbols[i]);
    }
}

static int reserved_index(VALUE key)
{
    for (int i = 0; i < TJ_KEY_COUNT; i++)
        if (key_symbols[i] == key) return i;
    return -1;
}

struct split {
    tj_call *call;
    VALUE chunk, flush; /* Qundef if not given */
    long given, passed; /* how many keywords are ours, and how many are not */
};

static int split_i(VALUE key, VALUE value, VALUE argument)
{
    struct split *split = (struct split *)argument;
    int index = reserved_index(key);
    if (TJ_UNLIKELY(index < 0)) {
        split->passed++;
        return ST_CONTINUE;
    }
    split->given++;
    if (TJ_LIKELY(index < TJ_KEY_CHUNK))
        *(VALUE *)((char *)split->call + key_places[index]) = value;
    else if (index == TJ_KEY_CHUNK) split->chunk = value;
    else split->flush = value;
    return ST_CONTINUE;
}

/* rb_hash_foreach takes 250 instructions besides the pairs. */
TJ_INLINE void each_keyword(VALUE keywords, int (*take)(VALUE, VALUE, VALUE), void *into)
{
    if (TJ_UNLIKELY(!tj_pairs_readable)) {
        rb_hash_foreach(keywords, take, (VALUE)into);
        return;
    }
    tj_pairs pairs = tj_pairs_of(keywords);
    for (size_t i = 0; i < pairs.count; i++) {
        const VALUE *pair = pairs.at + i * pairs.step;
        if (!tj_pair_gone(pair, pairs.step) && take(pair[0], pair[1], (VALUE)into) == ST_STOP)
            return;
    }
}

static int keyword_i(VALUE key, VALUE value, VALUE argument)
{
    tj_keywords *k = (tj_keywords *)argument;
    int index = reserved_index(key);
    if (TJ_UNLIKELY(index < 0)) {
        k->given = TJ_KEYWORDS_OTHER;
        return ST_STOP;
    }
    if (NIL_P(value) && index != TJ_KEY_CONTEXT) return ST_CONTINUE;
    k->given |= 1u << index;
    k->at[index] = value;
    return ST_CONTINUE;
}

void tj_keywords_of(tj_keywords *k, VALUE keywords)
{
    k->given = 0;
    each_keyword(keywords, keyword_i, k);
}

static int drop_reserved_i(VALUE key, VALUE value, VALUE passed)
{
    if (reserved_index(key) < 0) rb_hash_aset(passed, key, value);
    return ST_CONTINUE;
}

static VALUE merged(VALUE stored, VALUE given)
{
    if (!RTEST(stored)) return given;
    if (!RTEST(given)) return stored;
    return rb_hash_update_by(rb_hash_dup(stored), given, NULL);
}

void tj_note_stored(tj_pool *pool, VALUE stored)
{
    if (TJ_LIKELY(pool->captures == 0) || !RTEST(stored)) return;
    VALUE keywords = RARRAY_AREF(stored, 0), context = ID2SYM(rb_intern("context"));
    if (RTEST(keywords) && rb_hash_lookup2(keywords, context, Qundef) != Qundef)
        tj_note_unknown(NULL);
}

void tj_call_split(tj_call *call, int argc, const VALUE *argv, bool keywords, VALUE stored)
{
    *call = TJ_PLAIN_CALL(tj_pool_current(), argc, argv);
    VALUE given = Qfalse;
    if (keywords) given = argv[--call->argc];
    if (RTEST(stored)) { /* [keywords or nil, *arguments], frozen */
        if (call->argc == 0) {
            call->argc = (int)RARRAY_LEN(stored) - 1;
            call->argv = RARRAY_CONST_PTR(stored) + 1;
        }
        given = merged(RARRAY_AREF(stored, 0), given);
        tj_note_stored(call->pool, stored);
    }
    if (!RTEST(given)) return;
    struct split split = {call, Qundef, Qundef, 0, 0};
    each_keyword(given, split_i, &split);
    if (split.chunk != Qundef) call->delivery_options.chunk = tj_chunk_option(split.chunk);
    if (split.flush != Qundef) call->delivery_options.flush = tj_flush_option(split.flush);
    if (split.passed == 0) return;
    call->keywords = given;
    if (split.given > 0) {
        call->keywords = rb_hash_new();
        rb_hash_foreach(given, drop_reserved_i, call->keywords);
    }
}

void tj_check_delivery_options(const tj_call *call)
{
    if (call->into == Qundef || NIL_P(call->into))
        tj_refuse_delivery_options(&call->delivery_options);
}

void tj_store_arguments(VALUE self, int argc, const VALUE *argv, bool keywords)
{
    if (argc == 0 || (argc == 1 && !keywords && tj_give_lone(self, argv[0]))) return;
    VALUE stored = rb_ary_new_capa(argc + 1);
    rb_ary_push(stored, keywords ? rb_obj_freeze(rb_hash_dup(argv[argc - 1])) : Qnil);
    rb_ary_cat(stored, argv, argc - (keywords ? 1 : 0));
    tj_give_arguments(self, rb_obj_freeze(stored));
}

/* The first given keyword that needs declared fields, or -1. */
static int declared_keyword(const tj_call *call)
{
    const VALUE given[] = {call->view, call->only, call->except,
                           call->root, call->meta, call->collection};
    for (int i = TJ_KEY_VIEW; i < TJ_KEY_CONTEXT; i++)
        if (given[i] != Qundef && RTEST(given[i])) return i;
    return -1;
}

bool tj_asks_declared(const tj_call *call) { return declared_keyword(call) >= 0; }

void tj_refuse_declared_keywords(const tj_call *call)
{
    int key = declared_keyword(call);
    if (TJ_UNLIKELY(key >= 0))
        rb_raise(
            rb_eArgError,
            "%" PRIsVALUE
            ": needs declared fields, but this serializer declares none. "
            "Give the argument another name.",
            key_symbols[key]);
}

VALUE tj_run_serialize(tj_writer *w, VALUE self, const tj_call *call)
{
    tj_runs_code(w, self);
    if (TJ_LIKELY(!RTEST(call->keywords)))
        return rb_funcallv(self, rb_intern("serialize"), call->argc, call->argv);
    VALUE arguments = rb_ary_new_from_values(call->argc, call->argv);
    rb_ary_push(arguments, call->keywords);
    VALUE result = rb_funcallv_kw(self, rb_intern("serialize"), (int)RARRAY_LEN(arguments),
                                  RARRAY_CONST_PTR(arguments), RB_PASS_KEYWORDS);
    RB_GC_GUARD(arguments);
    return result;
}
