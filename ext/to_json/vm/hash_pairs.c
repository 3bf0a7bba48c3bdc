/* Vm. Finds out at load whether the pairs of a Hash can be read from its memory: see hash_pairs.h.
 *
 * Gate: 64 bits, Ruby 3.1 to 3.4. The upper bound is needed, because the probe follows the pointer
 * that it takes for the entries of a table. On a Ruby with another layout it could crash before it
 * can say so. Before you raise the bound, compare hash.c and st.c of the new Ruby. */
#include "hash_pairs.h"

bool tj_pairs_readable;
static const struct st_hash_type *identity; /* of Hashes that compare by identity */

static const struct st_table *table_of(VALUE hash)
{
#if TJ_RUBY_AT_MOST(3, 2)
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

/* Hashes of both forms (up to eight pairs, and more), with all kinds of changes behind them. They
 * are few, since each process makes them at its start; test/robustness/vm_test.rb writes more. */
static const char *const samples =
    "made = [0, 2, 8, 9, 17].map do |size|\n"
    "  size.times.to_h { |i| [i.odd? ? i : \"text #{i}\", i] }\n"
    "end\n"
    "changes = [->(h) { h }, ->(h) { h.delete(h.first&.first) },\n"
    "           ->(h) { h.delete(h.keys[h.size / 2]) },\n"
    "           ->(h) { h.delete(h.keys.last) }, ->(h) { h.shift; h.shift; h[:new] = 1 },\n"
    "           ->(h) { h.keys.each_with_index { |key, i| h.delete(key) if i % 3 > 0 } },\n"
    "           ->(h) { h.keys.each { |key| h.delete(key) } }, ->(h) { h.clear; h[1] = 2 },\n"
    "           ->(h) { h.default = 5; h.rehash }, ->(h) { h.freeze },\n"
    "           ->(h) { h.keys.drop(2).each { |key| h.delete(key) } }]\n"
    "made.flat_map do |hash|\n"
    "  changes.map { |change| hash.dup.tap(&change) } +\n"
    "    [{}.compare_by_identity.update(hash), Hash.new { 1 }.update(hash)]\n"
    "end";

static int collect(VALUE key, VALUE value, VALUE list)
{
    rb_ary_push(list, key);
    rb_ary_push(list, value);
    return ST_CONTINUE;
}

static bool same(VALUE hash, bool spoilt)
{
    VALUE expected = rb_ary_new();
    rb_hash_foreach(hash, collect, expected);
    if (spoilt) rb_ary_push(expected, hash);
    tj_pairs pairs = tj_pairs_of(hash);
    long found = 0, size = RARRAY_LEN(expected);
    for (size_t i = 0; i < pairs.count; i++, pairs.at += pairs.step) {
        if (tj_pair_gone(pairs.at, pairs.step)) continue;
        if (found + 2 > size || RARRAY_AREF(expected, found) != pairs.at[0] ||
            RARRAY_AREF(expected, found + 1) != pairs.at[1]) return false;
        found += 2;
    }
    RB_GC_GUARD(hash);
    RB_GC_GUARD(expected);
    return found == size;
}

static bool compare(bool spoilt)
{
    VALUE hashes = rb_eval_string(samples);
    bool readable = true;
    for (long i = 0; i < RARRAY_LEN(hashes) && readable; i++)
        readable = same(RARRAY_AREF(hashes, i), spoilt);
    VALUE sample = rb_eval_string("{}.compare_by_identity.update(\"\" => 1)");
    if (RBASIC(sample)->flags & TJ_HASH_IS_TABLE) identity = table_of(sample)->type;
    RB_GC_GUARD(sample);
    RB_GC_GUARD(hashes);
    return readable && identity != NULL;
}

void tj_hash_pairs_init(void)
{
    bool known = TJ_RUBY_AT_LEAST(3, 1) && TJ_RUBY_AT_MOST(3, 4) && SIZEOF_VALUE == 8;
    tj_pairs_readable = tj_vm_holds("hash_pairs", known, compare);
}
