# frozen_string_literal: true

# Core. Prints float_grisu_table.h; test/lint/generated_test.rb checks that the file is what this
# prints. Run `cd ext/to_json/core/numbers && ruby float_grisu_table.rb > float_grisu_table.h`.

SMALLEST = -348
STEP = 8
COUNT = 87

# The 64 leading bits of 10**power, rounded to the nearest Integer.
def scaled(power)
  value = Rational(10)**power
  shift = 63 - (Math.log2(10) * power).floor
  shift += 1 while (value * (Rational(2)**shift)) < 2**63
  shift -= 1 while (value * (Rational(2)**shift)) >= 2**64
  (value * (Rational(2)**shift)).round
end

puts <<~HEADER
  /* Core. Every eighth power of ten for float_grisu.c. tj_grisu_powers[i] is
   * 10^(TJ_GRISU_POWER_MIN + TJ_GRISU_POWER_STEP * i) * 2^s, rounded, with the s that gives
   * exactly 64 bits. float_grisu_table.rb generates this file: change that one. */
  #ifndef TJ_FLOAT_GRISU_TABLE_H
  #define TJ_FLOAT_GRISU_TABLE_H

  #include <stdint.h>

  #define TJ_GRISU_POWER_MIN (#{SMALLEST})
  #define TJ_GRISU_POWER_STEP #{STEP}
  #define TJ_GRISU_POWERS #{COUNT}

  static const uint64_t tj_grisu_powers[TJ_GRISU_POWERS] = {
HEADER
Array.new(COUNT) { |i| SMALLEST + (STEP * i) }.each_slice(4) do |powers|
  puts "  #{powers.map { |power| format("0x%016x,", scaled(power)) }.join(" ")}"
end
puts "};", "", "#endif"
