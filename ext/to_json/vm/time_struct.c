/* Vm. Finds out at load where a Time stores that it is in UTC, and whether its first word is the
 * number of its nanoseconds: see time_struct.h.
 *
 * Gate: 64 bits, Ruby 3.1 and newer. There is no upper bound, because the probe notices a change.
 * It does not expect a certain place: it looks for a bit that is set in every Time in UTC and in no
 * other, among Times that differ in everything else. It follows no pointer of the struct. It reads
 * no more than the size of the struct, where the Time tells that size. */
#include "time_struct.h"

uint8_t tj_utc_bit;
size_t tj_utc_byte;

enum { FLAGS = 40, SIZE = 46 }; /* flags and small fields follow five words; the struct is packed */

/* [Times in UTC, all others]. They are few, since each process makes them at its start. */
static const char *const samples =
    "instants = [-1, 1_700_000_000, 951_782_399, Rational(7, 3)]\n"
    "forms = ->(way, at) { [way.(at), way.(at).tap(&:to_s), way.(at).tap(&:zone).dup] }\n"
    "made = ->(ways) { instants.flat_map { |at| ways.flat_map { |way| forms.(way, at) } } }\n"
    "utc = [->(at) { Time.at(at).utc }, ->(at) { Time.at(at, in: 'UTC') },\n"
    "       ->(at) { Time.new(2000, 1, 1, 0, 0, 0, 3600).utc + at },\n"
    "       ->(at) { t = Time.at(at).utc; Time.utc(t.year, t.month, t.day) }]\n"
    "others = [->(at) { Time.at(at) }, ->(at) { Time.at(at, in: '+00:00') },\n"
    "          ->(at) { Time.at(at).utc.getlocal }, ->(at) { Time.at(at).utc.localtime(0) },\n"
    "          ->(at) { Time.at(at, in: '-05:30') },\n"
    "          ->(at) { Time.at(at).utc.getlocal('+00:00') },\n"
    "          ->(at) { Time.local(2000 + at.to_i % 30) }]\n"
    "[utc, others].map { |ways| made.(ways).select { |time| time.instance_of?(Time) } }";

/* Returns 1 if the bit is set in all of `times`, 0 if it is set in none, else -1. */
static int bit_of_all(VALUE times, size_t byte, uint8_t bit)
{
    int seen = -1;
    for (long i = 0; i < RARRAY_LEN(times); i++) {
        int set = (TJ_TIME_BYTES(RARRAY_AREF(times, i))[byte] & bit) != 0;
        if (seen >= 0 && set != seen) return -1;
        seen = set;
    }
    return seen;
}

static bool look_for_bit(VALUE utc, VALUE others)
{
    VALUE sample = rb_ary_entry(utc, 0);
    if (!RB_TYPE_P(sample, T_DATA) || !RTYPEDDATA_P(sample)) return false;
    size_t (*size_of)(const void *) = RTYPEDDATA_TYPE(sample)->function.dsize;
    size_t size = size_of ? size_of(TJ_TIME_BYTES(sample)) : 0;
    /* 0: embedded in the object, whose slot is larger */
    if (size != SIZE && size != 0) return false;
    for (size_t byte = FLAGS; byte < SIZE; byte++) {
        for (uint8_t bit = 0x80; bit; bit >>= 1) {
            if (bit_of_all(utc, byte, bit) != 1 || bit_of_all(others, byte, bit) != 0) continue;
            tj_utc_byte = byte;
            tj_utc_bit = bit;
            return true;
        }
    }
    return false;
}

static VALUE first_word(const char *code)
{
    VALUE time = rb_eval_string(code), word;
    memcpy(&word, TJ_TIME_BYTES(time), sizeof word);
    RB_GC_GUARD(time);
    return word;
}

static bool begins_with_nanoseconds(void)
{
    return first_word("Time.at(5, 7, :nsec).utc") == LL2NUM(5000000007) &&
           first_word("Time.at(-3, in: 'UTC')") == LL2NUM(-3000000000) &&
           !FIXNUM_P(first_word("Time.at(Rational(7, 3)).utc")) &&
           !FIXNUM_P(first_word("Time.at(2**70).utc"));
}

static bool compare(bool spoilt)
{
    VALUE kinds = rb_eval_string(samples);
    VALUE utc = rb_ary_entry(kinds, 0), others = rb_ary_entry(kinds, 1);
    if (spoilt) rb_ary_push(others, rb_ary_entry(utc, 0));
    bool found = look_for_bit(utc, others) && begins_with_nanoseconds();
    RB_GC_GUARD(kinds);
    return found;
}

void tj_time_struct_init(void)
{
    bool known = TJ_RUBY_AT_LEAST(3, 1) && SIZEOF_VALUE == 8 && SIZEOF_LONG == 8;
    if (!tj_vm_holds("time_struct", known, compare)) tj_utc_bit = 0;
}
