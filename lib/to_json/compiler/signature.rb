# frozen_string_literal: true

# Layer: compiler. What a Plan was made of, as text: a cache's keys change with it, in every process the same way.

module ToJson
  class Compiler
    # Collects one unit and all that stands inside it, as far as declarations tell: fields with their options, the bodies of blocks and of
    # the serializers' own methods, as Ruby compiled them (line numbers do not count), and other serializers' the same way. Not seen: the
    # values of variables around a block, what methods call outside their serializer, serializers that only a value tells.
    class Signature
      # Tells anonymous classes of one process from those of others.
      PROCESS = Random.new_seed.to_s(36)
      ISEQ = "YARVInstructionSequence/SimpleDataFormat"
      # Places in what InstructionSequence#to_a gives: type, local variables, parameters, rescue and ensure, instructions.
      KEPT = [9, 10, 11, 12, 13].freeze
      private_constant :PROCESS, :ISEQ, :KEPT

      # @param cache [#inner_class]
      def initialize(cache)
        @cache, @seen, @contextual = cache, {}, false
      end

      # Whether anything that it saw may look at a context.
      def contextual? = @contextual

      # @param unit [Unit]
      # @return [String]
      def of_unit(unit)
        known = @seen[unit] and return "again #{known}"

        @seen[unit] = @seen.size + 1
        definition = unit.definition
        text = [VERSION, name(unit.serializer_class), definition.key_case, definition.cache&.version, unit.views, unit.form].map { |part| worth(part) }
        [*text, methods_of(unit.serializer_class), restrictions(unit.restrictions), *unit.fields.map { |field| of_field(unit, field) }].join("\n")
      end

      # @param field [Field] of the unit, by itself
      # @return [String]
      def of_association(unit, field)
        blocks = [field.reader, field.default, field.serializer, field.context].grep(Proc)
        computed = blocks.any? || Owner.new(unit.serializer_class, "s", !unit.elsewhere?).computes?(field)
        [(methods_of(unit.serializer_class) if computed), of_field(unit, field)].join("\n")
      end

      # @param field [Field] of the unit
      # @return [String]
      def of_field(unit, field)
        own = [field.kind, field.name, field.source, field.reader, field.as, field.format, field.conditions, field.skip, field.default,
               field.context, field.view, field.cache&.version].map { |part| worth(part) }
        [*own, restrictions([[field.only, field.except]]), inside(unit, field)].join(" ")
      end

      # What a value of a declaration or of Rules is worth, in any process.
      # @return [String]
      def worth(value)
        case value
        when Symbol, String, Numeric, true, false, nil then value.inspect
        when Array then "[#{value.map { |one| worth(one) }.join(",")}]"
        when Hash then "{#{value.map { |key, one| "#{worth(key)}=>#{worth(one)}" }.join(",")}}"
        when Proc, Method then of_block(value)
        when Module then of_module(value)
        else Field::NONE.equal?(value) ? "-" : Lookup.class_of(value).name.to_s
        end
      end

      # @return [String] of a class, the same in any process where it has a name
      def name(klass) = klass.name || "#{PROCESS}.#{klass.object_id}"

      # @param callable [Proc, Method, Object]
      # @return [String] what it does, as far as Ruby tells
      def body(callable)
        return worth(callable) unless callable.is_a?(Proc) || callable.respond_to?(:source_location)

        iseq = RubyVM::InstructionSequence.of(callable) if defined?(RubyVM::InstructionSequence)
        iseq ? compiled(iseq.to_a).inspect : callable.source_location.inspect
      end

      private

      # Text of a Selection in the order that was given: another order is another key, and no harm.
      def restrictions(pairs) = Mask.words(pairs)

      def of_module(value)
        return name(value) unless value.is_a?(Class) && value < Serializer

        of_serializer(value, nil)
      end

      def of_serializer(klass, field, unit = nil)
        inner = unit ? unit.inner(field, klass, :object, []) : Unit.new(klass, klass.definition, klass.definition.default_views, [], :object)
        @contextual = true if @cache.imperative?(klass)
        of_unit(inner)
      end

      def inside(unit, field)
        return of_unit(unit.inner(field, unit.serializer_class, :object, [])) if field.definition
        return "" if field.kind == :attribute

        given = field.serializer
        case given
        when Class, String then of_serializer(@cache.inner_class(unit, field), field, unit)
        when Hash
          @contextual = true
          given.map { |type, one| "#{name(type)}=>#{one.is_a?(Class) ? of_serializer(one, field, unit) : one}" }.join(",")
        else
          @contextual = true # the value tells, or a lambda
          worth(given)
        end
      end

      # The methods that the user gave the class: any of them may serve a field, or one that does.
      def methods_of(klass)
        return "" if klass == Serializer || @seen[klass]

        @seen[klass] = true
        owners = klass.ancestors.take_while { |owner| owner != Serializer }.reject { |owner| owner.is_a?(Entry::Made) || Blocks.everybodys?(owner) }
        owners.flat_map { |owner| methods_in(owner) }.join(",")
      end

      def methods_in(owner)
        names = owner.instance_methods(false) + owner.private_instance_methods(false)
        names.reject! { |method| method.start_with?(PlanCache::BLOCKS) }
        @contextual = true unless names.empty?
        names.sort.map { |method| "#{method}:#{body(owner.instance_method(method))}" }
      end

      def of_block(block)
        @contextual = true
        body(block)
      end

      # What to_a gives, without what says where it stands.
      def compiled(part)
        case part
        when Array
          return KEPT.map { |place| place == 13 ? instructions(part[place]) : compiled(part[place]) } if part.first == ISEQ

          part.map { |one| compiled(one) }
        when Hash then part.transform_values { |one| compiled(one) }
        when String, Symbol, Numeric, Regexp, true, false, nil then part
        else part.inspect.gsub(/0x\h+/, "") # an object has its address there
        end
      end

      # Between instructions stand line numbers and events.
      def instructions(body)
        body.reject { |one| one.is_a?(Integer) || (one.is_a?(Symbol) && one.start_with?("RUBY_EVENT_")) }.map { |one| compiled(one) }
      end
    end
  end
end
