# frozen_string_literal: true

# Layer: reading. The keywords of `parse`, `read`, `permit` and `expect`, checked.

module ToJson
  module Reading
    # Frozen. `drop`: wrong values are left out, as Rails leaves out parameters that are not
    # permitted. `terse`: messages about unknown keys suggest no name.
    # @api private
    Options = Struct.new(:view, :unknown, :errors, :missing, :envelope, :collection, :root,
                         :max_depth, :max_bytes, :drop, :terse)

    class Options
      CHOICES = Ractor.make_shareable({
        unknown: %i[raise ignore collect], errors: %i[first all], missing: %i[ignore raise],
        envelope: [nil, :plain, :json_api, :hal], collection: [true, false, nil]
      })
      DEFAULTS = { unknown: :raise, errors: :first, missing: :ignore, collection: false,
                   max_depth: 100 }.freeze
      OF_PARAMS = { **DEFAULTS, unknown: :ignore, drop: true }.freeze
      OF_EXPECT = { **DEFAULTS, unknown: :ignore }.freeze
      KNOWN = (members - %i[drop terse]).freeze
      private_constant :CHOICES, :KNOWN

      class << self
        # @param given [Hash{Symbol => Object}] keywords of a call
        # @param defaults [Options] those of the method
        # @return [Options]
        # @raise [ArgumentError]
        def of(serializer_class, given, defaults)
          return defaults if given.empty?

          made = defaults.dup
          given.each do |name, value|
            unless KNOWN.include?(name)
              raise ArgumentError,
                    "#{serializer_class}: #{Suggestion.unknown("keyword", name, KNOWN)}"
            end
            check(serializer_class, name, value)
            made[name] = value
          end
          made.drop = false if made.unknown == :raise || given.key?(:errors)
          made.freeze
        end

        # @return [Options]
        def default(values) = new(*values.values_at(*members)).freeze

        private

        def check(serializer_class, name, value)
          taken = CHOICES[name]
          if taken
            return if taken.include?(value)
          elsif (words = taken_in_words(name, value)).nil?
            return
          end
          words ||= taken.map(&:inspect).join(", ")
          raise ArgumentError, "#{serializer_class}: #{name}: takes #{words}; got #{value.inspect}"
        end

        # @return [String, nil] the values that the option takes, in words; nil if it takes this one
        def taken_in_words(name, value)
          case name
          when :max_depth
            "an Integer from 1 to 1000" unless Integer === value && value.between?(1, 1000)
          when :max_bytes
            "an Integer, or nil" unless nil == value || (Integer === value && value.positive?)
          when :root
            "true, false, nil or a name" unless
              [true, false, nil].include?(value) || Symbol === value || String === value
          end
        end
      end

      # @return [Options] the same, for lines after many wrong ones
      def to_terse = dup.tap { |made| made.terse = true }.freeze

      PARSE = default(DEFAULTS)
      PERMIT = default(OF_PARAMS)
      EXPECT = default(OF_EXPECT)
      private_constant :DEFAULTS, :OF_PARAMS, :OF_EXPECT
    end
  end
end
