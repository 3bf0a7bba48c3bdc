# frozen_string_literal: true

# Fuzz. Trees on paper for what is compared with a live library: Ruby source, built anew for each
# side.

module Fuzz
  # A tree: a leaf is its source; a list and a table hold papers. `around` is source with %s for the
  # literal.
  class Paper
    attr_reader :row, :parts

    # @param row [String] which kind of value it is
    # @param source [String, nil] of a leaf
    # @param parts [Array<Paper>, Array<Array(Paper, Paper)>] of a list, of a table
    def initialize(row, source = nil, parts: nil, around: "%s")
      @row = row
      @leaf = source
      @parts = parts
      @around = around
    end

    def source
      return @leaf if @leaf

      pairs = @parts.first.is_a?(Array)
      inner = @parts.map do |part|
        pairs ? "[#{part[0].source}, #{part[1].source}]" : part.source
      end.join(", ")
      # no literal: in some the parser of 3.3.8 crashes, over keys that are equal
      @around.sub("%s") { table? ? "Hash[[#{inner}]]" : "[#{inner}]" }
    end

    def table? = @row.start_with?("Hash")

    # @return [Object] a new one each time
    def build = eval(source) # rubocop:disable Security/Eval

    def each_row(&block)
      block.call(@row)
      @parts&.flatten&.each { |part| part.each_row(&block) }
    end

    # @return [Array<Paper>] the boldest first
    def simpler
      return @leaf == "nil" ? [] : [Paper.new("nil", "nil")] unless @parts

      [Paper.new("nil", "nil"), *@parts.flatten, *without_one, *simpler_one]
    end

    private

    def with(parts) = Paper.new(@row, parts: parts, around: @around)
    def without_one
      @parts.each_index.map { |i| with(@parts.dup.tap { |parts| parts.delete_at(i) }) }
    end

    def simpler_one
      @parts.each_with_index.flat_map do |part, i|
        (part.is_a?(Array) ? part.last : part).simpler.map do |less|
          with(@parts.dup.tap { |parts| parts[i] = part.is_a?(Array) ? [part.first, less] : less })
        end
      end
    end
  end
end
