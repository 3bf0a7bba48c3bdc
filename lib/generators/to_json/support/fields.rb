# frozen_string_literal: true

module ToJson
  module Generators
    # What a generated serializer declares, and what it says about the rest.
    #
    # - `names`: of its attributes, in order
    # - `blocks`: attributes that a block gives: the name and the Ruby of the block
    # - `associations`: lines of the class body; one that begins with "# " waits for something
    # - `secrets`: names that were left out
    # - `binaries`: columns that were left out because their bytes are no text
    # - `enums`: the names of the values of each enum
    # @api private
    class Fields
      attr_reader :names, :blocks, :associations, :secrets, :binaries, :enums

      def initialize
        @names = []
        @blocks = {}
        @associations = []
        @secrets = []
        @binaries = []
        @enums = {}
      end

      def add(*names) = @names.concat(names.map(&:to_s)).uniq!

      def empty? = @names.empty? && @blocks.empty? && @associations.empty?

      # @return [Array<String>] the keys of a document without a view, in order
      def keys(in_view:)
        @names + @blocks.keys + (in_view ? [] : written.map { |line| line[/\A\w+ :"?(\w+)/, 1] })
      end

      # @return [Array<String>] the lines of the associations that are written
      def written = @associations.grep_v(/\A#/)

      # @return [Array<String>] the lines of `attributes`, none longer than `width`
      def attribute_lines(width: 100, indent: 2)
        return [] if @names.empty?

        lines = [+"attributes"]
        @names.each_with_index do |name, index|
          word = " #{name.to_sym.inspect}#{"," unless index == @names.size - 1}"
          lines << +"          " if lines.last.size + word.size + indent > width
          lines.last << word
        end
        lines
      end
    end
  end
end
