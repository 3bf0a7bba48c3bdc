# frozen_string_literal: true

# Core. Prints float_table.h; test/lint/generated_test.rb compares the two, and
# test/native/float_test.c checks every number. Run
# `cd ext/to_json/core/numbers && ruby float_table.rb > float_table.h`.

SMALLEST = -292
LARGEST = 324

# 10**power scaled by a power of two into [2**127, 2**128), rounded up.
def scaled(power)
  value = Rational(10)**power
  shift = 127 - (Math.log2(10) * power).floor
  shift += 1 while (value * (Rational(2)**shift)) < 2**127
  shift -= 1 while (value * (Rational(2)**shift)) >= 2**128
  (value * (Rational(2)**shift)).ceil
end

puts <<~HEADER
  /* Core. Powers of ten for float.c: tj_float_powers[i] is the upper and the lower half of
   * ceil(10^(i + TJ_FLOAT_POWER_MIN) * 2^s), with the s that gives exactly 128 bits.
   * float_table.rb generates this file: change that one. */
  #ifndef TJ_FLOAT_TABLE_H
  #define TJ_FLOAT_TABLE_H

  #include <stdint.h>

  #define TJ_FLOAT_POWER_MIN (#{SMALLEST})
  #define TJ_FLOAT_POWER_MAX #{LARGEST}

  static const uint64_t tj_float_powers[#{LARGEST - SMALLEST + 1}][2] = {
HEADER
(SMALLEST..LARGEST).each_slice(2) do |powers|
  puts "  " + powers.map { |power|
    upper, lower = scaled(power).divmod(2**64)
    format("{0x%016x, 0x%016x},", upper, lower)
  }.join(" ")
end
puts "};", "", "#endif"
