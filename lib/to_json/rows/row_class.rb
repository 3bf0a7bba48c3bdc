# frozen_string_literal: true

# Layer: rows. Makes the class whose object shows the rows of a result.

module ToJson
  module Rows
    # Generates a subclass of {Row}. Its getters read the row by index and cast as the getters of
    # the model do. An instance variable has the types: a new constant would make Ruby look up
    # others again.
    # @api private
    module RowClass
      # A method name that can stand behind `def`.
      PLAIN = /\A[a-z_][A-Za-z0-9_]*\??\z/

      # Types of which a raw value of that class is what `deserialize` returns, and nil for nil.
      AS_IS = {
        ::ActiveModel::Type::Integer => "::Integer",
        ::ActiveModel::Type::BigInteger => "::Integer",
        ::ActiveModel::Type::Float => "::Float",
        ::ActiveModel::Type::String => "::String",
        ::ActiveModel::Type::ImmutableString => "::String",
        ::ActiveRecord::Type::Text => "::String"
      }.freeze
      private_constant :PLAIN, :AS_IS

      class << self
        # @param level [Level]
        # @param places [Hash{String => Integer}] of the columns
        # @param types [Array<ActiveModel::Type::Value>] of the columns
        # @return [Class]
        def of(level, places, types)
          methods = level.reads.to_h do |name, read|
            place = places.fetch(read.column)
            [name, value(read.way, place, types[place])]
          end
          level.links.each_value.with_index do |link, index|
            place = places.fetch(link.own)
            methods[link.reflection.name] = link(link, index, value(:ruby, place, types[place]))
          end
          define(methods, level.links.size)
        end

        private

        def define(methods, links)
          source = +"def initialize(model, types) = (@class, @t, @none = model, types, NONE)\n"
          links.times do |index|
            source << "def __to_json_link#{index}(groups, target) = " \
                      "(@groups#{index}, @target#{index} = groups, target)\n"
          end
          methods.each do |name, expression|
            source << (PLAIN.match?(name) ? "def #{name} = #{expression}\n"
                                          : "define_method(#{name.inspect}) { #{expression} }\n")
          end
          Class.new(Row) { class_eval(source, "(rows)", 1) }
        end

        # @return [String] an expression
        def value(way, place, type)
          cast = "@t[#{place}].deserialize(@r[#{place}])"
          return "(#{cast} ? true : false)" if way == :query

          as_is = AS_IS[type.class] or return cast
          "((value = @r[#{place}]).nil? || #{as_is} === value ? value : #{cast})"
        end

        # @return [String]
        def link(link, index, key)
          found = "(found = @groups#{index}[#{key}])"
          link.many? ? "#{found} ? @target#{index}.fill(found) : @none"
                     : "#{found} ? @target#{index}.__to_json_at(found) : nil"
        end
      end
    end
    private_constant :RowClass
  end
end
