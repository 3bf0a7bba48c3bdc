# frozen_string_literal: true

# Layer: dialects. The dialects :json and :json2: options and errors of the json gem, 3.x and 2.x.

module ToJson
  module Dialects
    # @api private
    module Json
      extend Own

      SETS = Ractor.make_shareable({ json: { duplicates: :mixed, binary: :raise }, json2: {} })
      # Names of the gem's generator for what we call otherwise, or need not be told.
      NAMES = Ractor.make_shareable({ json: %i[allow_nan max_nesting allow_duplicate_key
                                               buffer_initial_length],
                                      json2:
                                        %i[allow_nan max_nesting allow_duplicate_key
                                           buffer_initial_length escape_slash] })
      LAYOUT = %i[indent space space_before object_nl array_nl].freeze
      SWITCHES = %i[ascii_only script_safe strict rfc8785].freeze
      # Our options for those of json's State.
      STATE = (LAYOUT + %i[ascii_only script_safe strict as_json sort_keys rfc8785]).freeze
      PRETTY = Ractor.make_shareable({ indent: "  ", space: " ", object_nl: "\n", array_nl: "\n" })
      THEIRS = /\A(?:JSON|ActiveSupport)(?:::|\z)/
      private_constant :SETS, :NAMES, :LAYOUT, :SWITCHES, :STATE, :PRETTY, :THEIRS

      class << self
        def defaults(name) = SETS.fetch(name)
        def names(name) = NAMES.fetch(name)

        # json takes nil and false for no text, and any value for a switch.
        def translate(name, options)
          options.each_with_object({}) do |(option, value), ours|
            case option
            when :as_json then ours[option] = value ? as_proc(value) : nil
            when :sort_keys then ours[option] = value || nil
            when :allow_nan then ours[:nan] = value ? :allow : :raise
            when :max_nesting then ours[:max_depth] = depth(value)
            when :allow_duplicate_key then ours[:duplicates] = value ? :write : :mixed
            when :buffer_initial_length then next
            when :escape_slash
              ours[name == :json2 ? :script_safe : option] = value ? true : false
            when *LAYOUT then ours[option] = value || ""
            when *SWITCHES then ours[option] = value ? true : false
            else ours[option] = value
            end
          end
        end

        # rfc8785 leaves no choice in how a value is written.
        def check(options)
          return unless options[:rfc8785]

          name = LAYOUT.find { |option| options[option] && !options[option].empty? } ||
                 %i[ascii_only script_safe].find do |option|
            options[option]
          end
          name ||= :allow_nan if options[:nan] == :allow
          raise ArgumentError, "#{name} cannot be used with rfc8785. Remove one." if name
        end

        def error_class(_name, klass)
          return klass unless Library.find(:JSON, :GeneratorError)

          if klass <= ToJson::NestingError then ::JSON::NestingError
          elsif VALUES.any? { |type| klass <= type } then ::JSON::GeneratorError
          else klass
          end
        end

        # 2.x counts one less than stand open then.
        def nesting_words(name, most)
          return unless Library.find(:JSON, :NestingError)

          open = name == :json2 || (name == :rails && !Rails.json_3?) ? most : most + 1
          "nesting of #{open} is too deep. Did you try to serialize objects with circular " \
          "references?"
        end

        # json's State for these options, for the to_json of the user's objects; nil where json is
        # not loaded.
        def state(options, pretty)
          return unless Library.find(:JSON, :State)

          given = STATE.to_h { |name| [name, options[name]] }.select { |_, value| value }
          given = PRETTY.merge(given.except(*LAYOUT), options.slice(*LAYOUT).compact) if pretty
          given[:max_nesting] =
            if options[:max_depth] == Rules::MAX_DEPTH_LIMIT
              0
            else
              options[:max_depth]
            end
          given[:allow_nan] = true if options[:nan] == :allow
          writes = options[:duplicates] == :write
          # what it does without being told
          given[:allow_duplicate_key] = writes unless writes == (options[:dialect] == :json2)
          ::JSON::State.new(given)
        end

        # Whether the to_json of a value is json's for all objects, or that of Oj's mimic, rather
        # than somebody's own. What all objects get stands in modules; a class of json's own
        # (JSON::GenericObject) has its to_json for itself.
        def theirs?(value)
          method = Reflection.method_of(value, :to_json)
          owner = method.owner
          return true if !owner.is_a?(Class) && THEIRS.match?(Reflection.name_of(owner).to_s)

          method.source_location.nil? && OwnMethods.everybodys?(owner)
        rescue NameError
          false # one that only method_missing knows
        end

        # The pairs of a Hash in the order that `sort_keys:` asks for.
        def sorted(hash, options)
          by = options[:sort_keys]
          by == true ? hash.sort.to_h : by.call(hash)
        end

        # The pairs in the order of RFC 8785, the UTF-16 of their keys; what collides raises.
        def canonical(hash, options)
          as_json = options[:as_json] if options[:strict]
          texts = hash.transform_keys { |key| as_json ? canonical_key(key, as_json) : key.to_s }
          refuse_collision(hash, as_json) if texts.size < hash.size
          # not UTF_16: Ruby 3.1 hangs where that is first met behind a Ractor
          texts.sort_by { |text, _| text.encode(Encoding::UTF_16BE) }.to_h
        end

        private

        # as_json is asked once: for what is no text, or text that is none.
        def canonical_key(key, as_json)
          asked = !(key.is_a?(String) || key.is_a?(Symbol))
          key = as_json.call(key, true) if asked
          key = key_text(key)
          return key if text?(key)

          key = asked ? nil : key_text(as_json.call(key, true))
          return key if key && text?(key)

          raise error("source sequence is illegal/malformed utf-8", key)
        end

        def key_text(key)
          return key.to_s if key.is_a?(Symbol)
          return key if key.is_a?(String)

          raise error("#{key.class} not allowed as object key in JSON", key)
        end

        def text?(key) = key.ascii_only? || (key.encoding == Encoding::UTF_8 && key.valid_encoding?)

        def refuse_collision(hash, as_json)
          seen = {}
          hash.each_key do |key|
            text = as_json ? canonical_key(key, as_json) : key.to_s
            raise error("detected duplicate key #{text.inspect}", key) if seen[text]

            seen[text] = true
          end
        end

        def error(message, object)
          return DuplicateKeyError.new(message) unless Library.find(:JSON, :GeneratorError)

          ::JSON::GeneratorError.new(message, object)
        end

        def as_proc(value)
          # A Method shows its receiver to a cache's keys; a Proc made of it does not.
          return value if value.is_a?(Proc) || value.is_a?(Method) || !value.respond_to?(:to_proc)

          value.to_proc
        end

        # 0 and what is false are no limit.
        def depth(value)
          return Rules::MAX_DEPTH_LIMIT if !value || value == 0

          value.is_a?(Integer) ? [value, Rules::MAX_DEPTH_LIMIT].min : value
        end
      end

      VALUES = [ToJson::EncodingError, ToJson::NumberError, ToJson::UnsupportedTypeError,
                ToJson::DuplicateKeyError].freeze
      private_constant :VALUES
    end
  end
end
