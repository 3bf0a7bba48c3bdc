# frozen_string_literal: true

# Layer: compiling. Describes what a serializer writes as a JSON Schema.

module ToJson
  class Compiler
    # The JSON Schema of one view of a serializer. Serializers inside stand in `$defs`, so recursion
    # ends. Where only a value tells what is written (an attribute without `as:`, a lambda as
    # `serializer:`, a `serialize` of the class's own), any value is valid.
    class JsonSchema
      DIALECT = "https://json-schema.org/draft/2020-12/schema"
      # What each `as:` writes. The others may write anything.
      TYPES = {
        string: { "type" => "string" }, integer: { "type" => "integer" },
        float: { "type" => "number" }, boolean: { "type" => "boolean" },
        date: { "type" => "string", "format" => "date" }
      }.freeze
      DATE_TIME = { "type" => "string", "format" => "date-time" }.freeze
      NULL = { "type" => "null" }.freeze
      private_constant :DIALECT, :TYPES, :DATE_TIME, :NULL

      # @param serializer_class [Class]
      # @param views [Array<Symbol>]
      # @param restrictions [Array<Array(Selection, Selection)>]
      def initialize(serializer_class, views, restrictions)
        @class = serializer_class
        @rules = serializer_class.rules.to_h
        @unit = Unit.new(serializer_class, serializer_class.definition, views, restrictions,
                         :object)
        @names = {} # unit => its name in $defs
        @defs, @waiting = {}, []
      end

      # @param collection [Boolean] whether the document has many objects
      # @param root [Boolean, Symbol, String, nil] as for `json!`
      # @return [Hash{String => Object}]
      def to_h(collection, root)
        body = enveloped(collection ? many : one, key(collection, root))
        schema = { "$schema" => DIALECT, "title" => @unit.definition.label, **body }
        @defs.empty? ? schema : { **schema, "$defs" => @defs }
      end

      private

      def many
        items = reference(@unit)
        describe_inside
        { "type" => "array", "items" => items }
      end

      # An object that contains objects like itself stands in `$defs`.
      def one
        described = object(@unit)
        describe_inside
        @names.key?(@unit) ? reference(@unit) : described
      end

      def key(collection, root)
        roots = root.nil? ? @unit.definition.root : Envelope.roots(@class, root)
        roots && (collection ? roots.last : roots.first)
      end

      def enveloped(body, root)
        return body unless root

        pairs = { root.name => body, "meta" => { "type" => "object" } }
        { "type" => "object", "properties" => pairs, "required" => [root.name],
          "additionalProperties" => false }
      end

      # -- objects --------------------------------------------------------------------------------

      # @return [Hash] a `$ref` to a unit, which is described once
      def reference(unit)
        name = @names[unit]
        unless name
          name = @names[unit] = new_name(unit)
          @defs[name] = nil # its place, before those inside
          @waiting << [name, unit]
        end
        { "$ref" => "#/$defs/#{name}" }
      end

      # Describes one unit after another, and not one within the other, since there may be hundreds.
      def describe_inside
        while (name, unit = @waiting.shift)
          @defs[name] = object(unit)
        end
      end

      # A component's name in OpenAPI takes no colons.
      def new_name(unit)
        plain = [unit.serializer_class.to_s.gsub("::", "."), *unit.views].join(".")
        name = plain = plain.gsub(/[^\w.-]/, "_")
        number = 1
        name = "#{plain}.#{number += 1}" while @defs.key?(name)
        name
      end

      def object(unit)
        pairs, required, open = {}, [], false
        add(unit, pairs, required, true) { open = true }
        schema = { "type" => "object", "properties" => pairs }
        schema["required"] = required unless required.empty?
        schema["additionalProperties"] = false unless open
        schema
      end

      # @param always [Boolean] whether the object is there for certain
      # @yield for fields that only a value tells
      def add(unit, pairs, required, always, around = [], &open)
        key_case = unit.serializer_class.definition.key_case
        unit.fields.each do |field|
          next flatten(unit, field, pairs, required, around, &open) if field.kind == :flatten

          key = KeyCase.apply(key_case, field.name.name)
          certain = always && field.conditions.empty? && field.skip.nil?
          pairs[key] = certain ? value(unit, field) : either(pairs[key], value(unit, field))
          required << key if certain && !required.include?(key)
        end
      end

      # Two fields write one key, and the second one may be left out.
      def either(first, second)
        return second if first.nil? || first == second
        return {} if first.empty? || second.empty?

        { "anyOf" => [*inner_forms(first), *inner_forms(second)].uniq }
      end

      def flatten(unit, field, pairs, required, around, &open)
        inner_class = PlanCache.inner_class(unit, field)
        if inner_class.nil? || around.include?(field) ||
           (field.definition.nil? && PlanCache.imperative?(inner_class))
          return open.call
        end

        add(unit.inner(field, inner_class, :pairs), pairs, required, false, [*around, field], &open)
      end

      # -- values ---------------------------------------------------------------------------------

      def value(unit, field)
        case field.kind
        when :attribute then attribute(field)
        when :nested then object(unit.inner(field, unit.serializer_class, :object))
        else association(unit, field)
        end
      end

      def attribute(field)
        type = typed(field)
        return type if type.empty? || field.skip
        return nullable(type) if field.default.equal?(Field::NONE)

        given_default(field.default, type)
      end

      def given_default(default, type)
        case default
        when nil then nullable(type)
        when String, Integer, true, false then { "anyOf" => [type, { "const" => default }] }
        else {}
        end
      end

      def typed(field)
        case field.as
        when :time then field.format ? time(field.format) : time_of_rules
        when :float then @rules[:nan] == :raise ? TYPES[:float] : nullable(TYPES[:float])
        when Symbol then TYPES.fetch(field.as, {})
        when Class then field.as < Serializer ? reference_to(field.as) : {}
        else {}
        end
      end

      # Of {Field#format}, or of the Rules.
      def time(format)
        case format
        when :unix, :unix_ms then { "type" => "integer" }
        when String then { "type" => "string" }
        else DATE_TIME
        end
      end

      def time_of_rules
        @rules[:dialect] == :standard ? time(@rules[:time]) : {}
      end

      def nullable(type)
        return { "anyOf" => [type, NULL] } unless type.key?("type")

        { **type, "type" => [*type["type"], "null"].uniq }
      end

      def association(unit, field)
        inner = inside(unit, field)
        inner = case field.kind
                when :one then nullable_reference(inner, field)
                when :many then list(inner, field)
                else one_or_many(inner)
                end
        field.default.equal?(Field::NONE) ? inner : {}
      end

      def one_or_many(inner)
        { "anyOf" => [*inner_forms(inner), { "type" => "array", "items" => inner }, NULL] }
      end

      def nullable_reference(inner, field)
        return inner if inner.empty? || field.skip

        { "anyOf" => [*inner_forms(inner), NULL] }
      end

      def inner_forms(inner) = inner.keys == ["anyOf"] ? inner["anyOf"] : [inner]

      def list(inner, field)
        { "type" => field.skip ? "array" : %w[array null], "items" => inner }
      end

      # @return [Hash] of one value of an association
      def inside(unit, field)
        return object(unit.inner(field, unit.serializer_class, :object)) if field.definition

        case field.serializer
        when Class, String then inner_reference(unit, field, PlanCache.inner_class(unit, field))
        when Hash
          found = field.serializer.values.map do |given|
            inner_reference(unit, field, Lookup.of_class(unit.serializer_class, given, nil))
          end
          { "anyOf" => found.uniq }
        else {}
        end
      end

      def inner_reference(unit, field, inner_class)
        return {} if PlanCache.imperative?(inner_class) || !inner_class.declared?

        reference(unit.inner(field, inner_class, :object))
      end

      # Of `as:`, where the value tells one or many.
      def reference_to(inner_class)
        return {} if PlanCache.imperative?(inner_class) || !inner_class.declared?

        definition = inner_class.definition
        one = reference(Unit.new(inner_class, definition, definition.default_views, [], :object))
        { "anyOf" => [one, { "type" => "array", "items" => one }] }
      end
    end
  end
end
