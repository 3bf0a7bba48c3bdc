# frozen_string_literal: true

# Layer: rows. Makes the class whose object shows the rows of a result.

module ToJson
  module Rows
    # Generates a subclass of {Row}. Its getters read the row by index, and cast the value as the
    # getters of the model do. The types are kept in instance variables, because each new constant
    # would make Ruby look up other constants again.
    # @api private
    class RowClass
      # A method name that can stand behind `def`.
      PLAIN = /\A[a-z_][A-Za-z0-9_]*\??\z/

      # Kind of {Casts} => the class of raw values that need no cast.
      AS_IS = { integer: ::Integer, float: ::Float, string: ::String }.freeze

      # Kinds whose Cell gives the value itself, so that Ruby code may see it.
      OPEN = %i[boolean name].freeze
      private_constant :PLAIN, :AS_IS, :OPEN

      # @return [Class] a raw value of this class needs no cast
      def self.as_is(type) = AS_IS.fetch(Casts.of(type), ::NilClass)

      # @param name [Symbol]
      # @param expression [String]
      # @return [String] the definition of a method
      def self.getter(name, expression)
        PLAIN.match?(name) ? "def #{name} = #{expression}\n"
                           : "define_method(#{name.inspect}) { #{expression} }\n"
      end

      # @param name [Symbol]
      # @return [String] an expression that calls a public method
      def self.call(receiver, name)
        PLAIN.match?(name) ? "#{receiver}.#{name}"
                           : "#{receiver}.public_send(#{name.inspect})"
      end

      # @param level [Level]
      # @param places [Hash{String => Integer}] of the columns
      # @param types [Array<ActiveModel::Type::Value>] of the columns
      def initialize(level, places, types)
        @level, @types = level, types
        @cells, @columns = {}, {}
        methods = level.reads.to_h do |name, read|
          place = places.fetch(read.column)
          expression = value(read.way, place)
          @columns[name] = column(place) if column?(read.way, place)
          [name, expression]
        end
        level.links.each_value.with_index do |link, index|
          own = value(:ruby, places.fetch(link.column))
          methods[link.reflection.name] = link(link, index, own)
        end
        @columns.freeze
        @row_class = define(methods)
        freeze
      end

      # @return [Row] a new one, for one document
      def new
        @row_class.new(@level.model, @types, @columns)
      end

      private

      def define(methods)
        source = +"def initialize(model, types, columns)\nsuper\n"
        @cells.each.with_index do |(place, kind), index|
          source << "@c#{index} = __to_json_cell(#{kind.inspect}, #{place})\n"
        end
        source << "end\n"
        @level.links.size.times do |index|
          source << "def __to_json_link#{index}(groups, target)\n" \
                    "@groups#{index} = groups\n@target#{index} = target\nend\n"
        end
        methods.each do |name, expression|
          source << RowClass.getter(name, expression)
        end
        code = GeneratedCode.define(Module.new, source, "(rows)")
        Class.new(Row) { include code }
      end

      # @return [String] an expression
      def value(way, place)
        type, raw = @types[place], "@r[#{place}]"
        kind = Casts.of(type)
        if AS_IS.key?(kind)
          cast = "@t[#{place}].deserialize(value)"
          return "(#{AS_IS[kind]} === (value = #{raw}) || nil == value ? value : #{cast})"
        end

        cast = kind && cell?(way, kind) ? cell(place, kind) : "@t[#{place}].deserialize"
        way == :query ? "(#{cast}(#{raw}) ? true : false)" : "#{cast}(#{raw})"
      end

      def cell(place, kind)
        @cells[place] ||= kind
        "#{variable(place)}.of"
      end

      def variable(place) = "@c#{@cells.keys.index(place)}"

      # Whether the getter returns the raw value, or what the column's Cell makes of it.
      def column?(way, place)
        kind = Casts.of(@types[place])
        way != :query && (AS_IS.key?(kind) || (!kind.nil? && cell?(way, kind)))
      end

      def cell?(way, kind) = way == :value || OPEN.include?(kind)

      # @return [Array(Integer, Class), Array(Integer, Symbol)] what ext/to_json/plans/row_list.c
      #   reads: the place of the raw value, and the class of values that need no cast, or the
      #   variable of the Row that has the Cell
      def column(place)
        [place, AS_IS[Casts.of(@types[place])] || variable(place).to_sym].freeze
      end

      # @return [String] an expression
      def link(link, index, key)
        found = "(found = @groups#{index}[#{key}])"
        link.many? ? "#{found} ? @target#{index}.fill(found) : @none"
                   : "#{found} ? @target#{index}.__to_json_at(found) : nil"
      end
    end
    private_constant :RowClass
  end
end
