# frozen_string_literal: true

# Layer: rails. Writes a Hash or an Array that has records or serializers in it.

module ToJson
  module Rendering
    # A Hash or an Array with serializers or records in it.
    # @api private
    class TreeDocument < Document
      # The most Hashes and Arrays inside each other in a value that Rails may write. A value that
      # contains itself has more.
      DEEPEST = 2_000
      # The same in a value that is written here or contains an Enumerator, which takes more stack.
      DEEPEST_HERE = 500
      private_constant :DEEPEST, :DEEPEST_HERE

      class << self
        # Reads each Enumerator in the value now, since some Enumerators can be read only once.
        # @yieldparam one [Object] what stands in the value and has no serializer
        # @return [Array(Object, Boolean)] the value with Arrays in place of the Enumerators, and
        #   whether anything in it has a serializer
        def read(value, finder, &without)
          lists = false
          held = held?(value, finder) do |one|
            lists ||= Enumerator === one && !own_as_json?(one)
            without.call(one)
          end
          return [value, held] unless lists

          value = with_arrays(value)
          [value, held?(value, finder, &without)]
        end

        # For a stream, which does not call `read`.
        # @return [void]
        # @raise [NestingError] also in a Fiber, whose stack `converted` would overflow
        def refuse_endless(value) = each_inside(value) { nil }

        # Whether a value is a Hash, an Array, a Set or an Enumerator with an `as_json` of its own.
        # Its document is what that method returns, whatever is inside.
        def own_as_json?(value)
          case value
          when Hash, Array, Set, Enumerator
            !usual?(value) && OwnMethods.own?(value, :as_json)
          else false
          end
        end

        # @return [Integer] the next depth
        # @raise [NestingError]
        def deeper(depth, most = DEEPEST)
          return depth + 1 if depth < most

          raise NestingError, "render: Hashes and Arrays are nested more than #{most} deep. Does " \
                              "one contain itself?"
        end

        private

        # True for most values. This check costs less than a search for the method.
        def usual?(value)
          (value.instance_of?(Hash) || value.instance_of?(Array)) && value.singleton_methods.empty?
        end

        def held?(value, finder)
          held = false
          each_inside(value) { |one| holds?(one, finder) ? held = true : yield(one) }
          held
        end

        def holds?(one, finder)
          Serialize === one || Fragment === one || finder.relation?(one) || finder.record?(one)
        end

        # Yields what stands in the value at any depth, except Hashes, Arrays and Sets without an
        # `as_json` of their own. It does not recurse, so the small stack of a Fiber is enough.
        # @raise [NestingError]
        def each_inside(value)
          return yield value unless looked_into?(value)

          rest, depths = [value], [0]
          while (one = rest.pop)
            depth = deeper(depths.pop)
            (Hash === one ? one.each_value : one).each do |inner|
              next yield inner unless looked_into?(inner)

              rest << inner
              depths << depth
            end
          end
        end

        def looked_into?(value)
          case value
          when Hash, Array, Set then !own_as_json?(value)
          else false
          end
        end

        # An Enumerator may yield the Hash or the Array that contains it. Such a value has no end.
        def with_arrays(value, depth = 0)
          return value if own_as_json?(value)

          case value
          when Hash
            depth = deeper(depth, DEEPEST_HERE)
            value.transform_values { |one| with_arrays(one, depth) }
          when Array, Set, Enumerator
            depth = deeper(depth, DEEPEST_HERE)
            value.to_a.map { |one| with_arrays(one, depth) }
          else value
          end
        end
      end

      def initialize(call, value, keywords)
        unused = keywords.keys - %i[context rules max_depth rows]
        if unused.any?
          raise ArgumentError,
                "render: #{unused.first}: would be ignored, since #{value.class} has no " \
                "serializer of its own."
        end

        super(call, nil, value, keywords)
        @object = converted(value)
      end

      def name = Lookup.class_of(object).to_s
      def count(_read = nil) = nil

      private

      def prepare = nil
      def generate = ToJson.json(**outer) { |j| j.value(object) }
      def open_stream(_format, options)
        ToJson.stream(**outer, **options) { |j| j.value(object) }
      end

      def outer = keywords.except(:rows)

      def converted(value, depth = 0)
        return other(value) if TreeDocument.own_as_json?(value)

        case value
        when Hash, Array, Set then inside(value, TreeDocument.deeper(depth, DEEPEST_HERE))
        when Enumerator # only in a stream, which reads it while the body is sent
          value.each_entry.lazy.map { |one| converted(one, depth) }
        when Serialize then value
        else
          if finder.relation?(value) then of_relation(value)
          elsif finder.record?(value) then serializer(finder.for!(value), value)
          else other(value)
          end
        end
      end

      # What stands in the document for a value without a serializer. Under missing_serializer
      # :as_json that is Rails' own text: what `as_json` returns may have records inside.
      def other(value)
        return value if ours?(value)
        return Fragment.new(::ActiveSupport::JSON.encode(value)) if finder.lenient?

        TreeDocument.own_as_json?(value) ? value.as_json : value
      end

      # Whether our Writer writes the value as Rails does.
      def ours?(value)
        case value
        when nil, true, false, String, Integer, Fragment then true
        else !(Object === value || Delegator === value) # a BasicObject
        end
      end

      def inside(value, depth)
        return value.transform_values { |one| converted(one, depth) } if Hash === value

        each_converted(value.to_a, depth)
      end

      def each_converted(values, depth = 0)
        preloaded_by_class(values, keywords).map { |one| converted(one, depth) }
      end

      # If the rows have several serializers, each row is written by the serializer of its class, as
      # in `render json: relation`. A serializer without fields gets one row at a time.
      def of_relation(relation)
        found = serializers_of(relation)
        return each_converted(relation.to_ary) unless found.size == 1 && found.first&.declared?

        serializer(found.first, relation)
      end

      def serializers_of(relation)
        model = relation.klass
        return [of(model)] unless Models.share_table?(model)

        relation.to_ary.map { |row| Lookup.class_of(row) }.uniq.map { |type| of(type) }.uniq
      end

      def of(type) = finder.lenient? ? finder.of(type) : finder.of!(type)

      def serializer(found, value)
        found.new(preloaded(value, found, {}), **keywords.slice(:rows))
      end
    end
  end
end
