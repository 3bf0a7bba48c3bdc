/* Glue. Tells at load whether Hashes can be read where they stand: see hash_pairs.h. */
#include "hash_pairs.h"

bool tj_pairs_readable;
static const struct st_hash_type *identity; /* of the tables of Hashes that compare by identity */

static const struct st_table *table_of(VALUE hash)
{
#if RUBY_API_VERSION_MAJOR == 3 && RUBY_API_VERSION_MINOR < 3
    return (const struct st_table *)((const VALUE *)hash)[2];
#else
    return (const struct st_table *)((const VALUE *)hash + 3);
#endif
}

bool tj_hash_by_identity(VALUE hash)
{
    if (!tj_pairs_readable) return RTEST(rb_funcall(hash, rb_intern("compare_by_identity?"), 0));
    return (RBASIC(hash)->flags & TJ_HASH_IS_TABLE) && table_of(hash)->type == identity;
}

/* Hashes of every size, form and past. */
static const char *const samples =
    "sizes = [0, 1, 2, 7, 8, 9, 16, 17, 40]\n"
    "kinds = [->(i) { i }, ->(i) { \"text #{i}\" }]\n"
    "made = sizes.flat_map { |size| kinds.map { |kind| size.times.to_h { |i| [kind.(i), \"v#{i}\"] } } }\n"
    "changes = [->(h) { h }, ->(h) { h.delete(h.first&.first) }, ->(h) { h.delete(h.keys[h.size / 2]) }, ->(h) { h.delete(h.keys.last) },\n"
    "           ->(h) { h.shift; h.shift; h[:new] = 1 }, ->(h) { h.keys.each_with_index { |key, i| h.delete(key) if i % 3 > 0 } },\n"
    "           ->(h) { h.keys.each { |key| h.delete(key) } }, ->(h) { h.clear; h[1] = 2 }, ->(h) { h.default = 5; h.rehash },\n"
    "           ->(h) { h.keys.drop(2).each { |key| h.delete(key) } }, ->(h) { h.freeze }]\n"
    "made.flat_map { |hash| changes.map { |change| hash.dup.tap(&change) } + [{}.compare_by_identity.update(hash), Hash.new { 1 }.update(hash)] }";

static int collect(VALUE key, VALUE value, VALUE list)
{
    rb_ary_push(list, key);
    rb_ary_push(list, value);
    return ST_CONTINUE;
}

static bool same(VALUE hash)
{
    VALUE expected = rb_ary_new();
    rb_hash_foreach(hash, collect, expected);
    tj_pairs pairs = tj_pairs_of(hash);
    long found = 0, size = RARRAY_LEN(expected);
    for (size_t i = 0; i < pairs.count; i++, pairs.at += pairs.step) {
        if (tj_pair_gone(pairs.at, pairs.step)) continue;
        if (found + 2 > size || RARRAY_AREF(expected, found) != pairs.at[0] || RARRAY_AREF(expected, found + 1) != pairs.at[1]) return false;
        found += 2;
    }
    RB_GC_GUARD(hash);
    RB_GC_GUARD(expected);
    return found == size;
}

void tj_hash_pairs_init(void)
{
#if RUBY_API_VERSION_MAJOR == 3 && RUBY_API_VERSION_MINOR <= 4 && SIZEOF_VALUE == 8
    VALUE hashes = rb_eval_string(samples);
    bool readable = true;
    for (long i = 0; i < RARRAY_LEN(hashes) && readable; i++) readable = same(RARRAY_AREF(hashes, i));
    VALUE sample = rb_eval_string("{}.compare_by_identity.update(\"\" => 1)");
    if (RBASIC(sample)->flags & TJ_HASH_IS_TABLE) identity = table_of(sample)->type;
    readable &= identity != NULL;
    RB_GC_GUARD(sample);
    tj_pairs_readable = readable;
    RB_GC_GUARD(hashes);
#endif
}
