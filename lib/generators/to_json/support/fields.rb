# frozen_string_literal: true

module ToJson
  module Generators
    # What a generated serializer declares, and what it says about the rest.
    #
    # - `names`: of its attributes, in order
    # - `writable`: those of them that a controller reads from parameters
    # - `blocks`: attributes that a block gives: the name and the Ruby of the block
    # - `associations`: lines of the class body; one that begins with "# " waits for something
    # - `secrets`: names that were left out
    # - `binaries`: columns that were left out because their bytes are no text
    # - `enums`: the names of the values of each enum
    # @api private
    class Fields
      attr_reader :names, :writable, :blocks, :associations, :secrets, :binaries, :enums

      def initialize
        @names = []
        @writable = []
        @blocks = {}
        @associations = []
        @secrets = []
        @binaries = []
        @enums = {}
      end

      def add(*names) = @names.concat(names.map(&:to_s)).uniq!

      # @param permitted [Boolean] whether a controller of Rails' own would permit them
      def add_permitted(permitted, *names)
        add(*names)
        @writable |= names.map(&:to_s) if permitted
      end

      def empty? = @names.empty? && @blocks.empty? && @associations.empty?

      # @return [Array<String>] the keys of a document without a view, in order
      def keys(in_view:)
        @names + @blocks.keys + (in_view ? [] : written.map { |line| line[/\A\w+ :"?(\w+)/, 1] })
      end

      # @return [Array<String>] the lines of the associations that are written
      def written = @associations.grep_v(/\A#/)

      # @return [Array<String>] the lines of `attributes`, none longer than `width`
      def attribute_lines(width: 100, indent: 2)
        groups = @names.chunk_while { |one, other| writable?(one) == writable?(other) }
        groups.flat_map do |names|
          words = names.map { |name| name.to_sym.inspect }
          words << "writable: true" if writable?(names.first)
          lines_of(words, width - indent)
        end
      end

      private

      def writable?(name) = @writable.include?(name)

      def lines_of(words, width)
        lines = [+"attributes"]
        words.each_with_index do |word, index|
          word = " #{word}#{"," unless index == words.size - 1}"
          lines << +"          " if lines.last.size + word.size > width
          lines.last << word
        end
        lines
      end
    end
  end
end
