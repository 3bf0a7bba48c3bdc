# frozen_string_literal: true

# Demo, output: a table of text that reads the same on a terminal and in a log.

module Demo
  module Table
    # Lines up rows of Strings under a heading; the first column to the left, numbers to the right.
    #
    #     Table.format(["way", "ms"], [["ours", "1.5"]])
    #     # => "way    ms\n----  ---\nours  1.5\n"
    #
    # @param heading [Array<String>]
    # @param rows [Array<Array<String>>] as many cells each as the heading has
    # @return [String] lines without trailing blanks
    def self.format(heading, rows)
      widths = [heading, *rows].transpose.map { |column| column.map(&:length).max }
      [heading, widths.map { |width| "-" * width }, *rows].map do |cells|
        line = cells.each_with_index.map do |cell, i|
          i.zero? ? cell.ljust(widths[i]) : cell.rjust(widths[i])
        end
        "#{line.join("  ").rstrip}\n"
      end.join
    end

    # @return [String] with a comma at each thousand: 1234567 => "1,234,567"
    def self.thousands(number)
      number.to_s.gsub(/\d(?=(\d{3})+\z)/, "\\0,")
    end
  end
end
