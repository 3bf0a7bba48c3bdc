# frozen_string_literal: true

# Layer: dialects. The dialect :rails: which methods are ActiveSupport's own, and the rare cases
# that C leaves to Ruby.

module ToJson
  module Dialects
    # Its native half is ext/to_json/dialects/dialect_rails.c, which calls what stands here.
    # @api private
    module Rails
      extend Own

      # The methods that writing a value of these classes stands for, besides as_json: those that
      # people are known to replace. Each costs every document in which such a value stands a fifth
      # of a microsecond.
      USED = Ractor.make_shareable({ "Time" =>
                                       %i[xmlschema], "Date" => %i[strftime],
                                       "BigDecimal" => %i[to_s],
                                     "ActiveSupport::TimeWithZone" => %i[xmlschema] })
      SEPARATORS = { "\u2028" => '\u2028', "\u2029" => '\u2029' }.freeze
      MARKUP = { "<" => '\u003c', ">" => '\u003e', "&" => '\u0026' }.freeze
      MEMBERED = [Struct, *(defined?(Data) ? [Data] : [])].freeze # Ruby >= 3.2
      RUBY_LIBRARY = RbConfig::CONFIG["rubylibdir"].dup.freeze # RbConfig is not for Ractors
      # The last one came with ActiveSupport 8.1.
      LIVE = %i[use_standard_json_time_format time_precision escape_html_entities_in_json
                escape_js_separators_in_json].freeze
      private_constant :LIVE, :RUBY_LIBRARY, :MEMBERED, :USED, :SEPARATORS, :MARKUP

      class << self
        # The json gem raises, as it does under its own dialect.
        def error_class(name, klass)
          klass == SerializerNotFound ? klass : Json.error_class(name, klass)
        end

        def nesting_words(name, most) = Json.nesting_words(name, most)

        def defaults(_name) = { models: :as_json }

        # ActiveSupport's Float#as_json gives null; :raise, the default, is for those that another
        # as_json gives, as there.
        def decided(_name) = %i[nan]

        def translate(_name, options)
          return options unless options[:nan] == :allow

          raise ArgumentError,
                "nan: :allow does not work with the dialect :rails: ActiveSupport writes null " \
                "for NaN and the infinities. Remove nan:."
        end

        # @return [Array, nil] ActiveSupport's encoding settings, whether as_json gets one frozen
        #   Hash, and whether json refuses what it does from 3.0 on; nil while ActiveSupport is not
        #   loaded
        def encoding
          settings = self.settings and [settings, frozen_options?, json_3?]
        end

        # @return [Array, nil] the settings of ActiveSupport on which text under the Rules depends;
        #   nil: none. A call may have other escapes: see {escapes}
        def live(rules)
          return unless rules.to_h[:dialect] == :rails && (encoding = settings)

          LIVE.map { |name| encoding.public_send(name) if encoding.respond_to?(name) }
        end

        # @return [Module, nil] ActiveSupport::JSON::Encoding
        def settings = Library.find(:ActiveSupport, :JSON, :Encoding)

        # @return [Array, nil] names and methods in turn, where all are ActiveSupport's or Ruby's
        #   own
        def methods_of(klass)
          name = Reflection.name_of(klass)
          methods = [:as_json, *USED[name]].to_h do |method|
            [method, klass.instance_method(method)]
          end
          if methods.all? { |method, found| original?(found, ruby: method != :as_json) }
            methods.flatten
          end
        rescue NameError
          nil
        end

        # @return [Boolean] whether a Struct or Data class is written as its members
        def struct?(klass)
          as_json = klass.instance_method(:as_json)
          MEMBERED.include?(as_json.owner) && klass.instance_method(:to_h).source_location.nil? &&
            original?(as_json, ruby: false)
        rescue NameError
          false
        end

        # Under `models: :raise`, where as_json would be called.
        # @return [true, Hash, Array, nil] true: a model, which is refused; a Hash or an Array: what
        #   as_json makes of the value, before it asks what is inside; nil: as_json is called
        def guarded(value)
          return unless Object === value
          return true if value.class.respond_to?(:model_name) && !OwnMethods.own?(value, :as_json)
          return value.to_ary if relation?(value)
          as_json = Reflection.method_of(value, :as_json)
          inside(value, as_json.owner) if original?(as_json, ruby: false)
        end

        # @return [Boolean]
        def fragment?(value)
          fragment = Library.find(:JSON, :Fragment)
          !fragment.nil? && value.instance_of?(fragment)
        end

        # @return [String]
        def generated(value) = ::JSON.generate(value)

        # JSON text with what the settings escape; the usual ones have a kernel of their own.
        def escaped(json, markup)
          forms = markup ? MARKUP : SEPARATORS
          json.gsub(Regexp.union(forms.keys), forms)
        end

        # Keys that read the same are one: the first one's place, the last one's value. The others'
        # are asked all the same, by the walk at hand, as one of them may raise.
        def merged(hash, inner, options)
          hash.each_with_object({}) do |(key, value), all|
            key = key.to_s if inner || !(key.is_a?(Symbol) || key.is_a?(String))
            drop(all[key], inner, options) if all.key?(key)
            all[key] = value
          end
        end

        # Of an Array with a `map` of its own, a Hash with an `each` of its own.
        def elements_of(array) = array.map { |element| element }
        def pairs_of(hash)
          pairs = {}
          hash.each { |key, value| pairs[key] = value } # rubocop:disable Style/HashEachMethods
          pairs
        end

        # Oj.mimic_JSON may stand where json does, and has no version.
        def json_3? = Library.find(:JSON, :VERSION).to_i >= 3

        private

        def relation?(value)
          value.respond_to?(:to_ary) && value.respond_to?(:klass) &&
            value.klass.respond_to?(:model_name)
        end

        # What ActiveSupport's as_json asks in turn.
        def inside(value, owner)
          if owner == ::Hash then {}.merge!(value) unless value.instance_of?(::Hash)
          elsif owner == ::Array then [*value] unless value.instance_of?(::Array)
          elsif MEMBERED.include?(owner) then value.to_h
          elsif owner == ::Enumerable then value.to_a
          elsif owner == ::Object then of_object(value)
          end
        end

        def of_object(value)
          value.respond_to?(:to_hash) ? {}.merge!(value.to_hash) : value.instance_values
        end

        # From 8.1 on. Who required no more than "active_support/json" has no VERSION;
        # ActiveSupport.version is not for Ractors.
        def frozen_options?
          unless Library.find(:ActiveSupport, :VERSION)
            return ::ActiveSupport::JSON::Encoding.const_defined?(:JSONGemCoderEncoder)
          end

          ([::ActiveSupport::VERSION::MAJOR, ::ActiveSupport::VERSION::MINOR] <=> [8, 1]) >= 0
        end

        def drop(value, inner, options)
          return unless settings # without ActiveSupport nothing is asked

          if inner
            value.as_json(*[options].compact)
          else
            ::ActiveSupport::JSON::Encoding::JSONGemEncoder.new.send(:jsonify, value)
          end
        end

        # `ruby`: Ruby's own will do. Methods of C have no place.
        def original?(method, ruby:)
          path = method.source_location&.first
          return ruby if path.nil?

          path.start_with?(activesupport) || (ruby && path.start_with?(RUBY_LIBRARY))
        end

        # Where its json/encoding.rb is.
        def activesupport
          "#{File.dirname(::ActiveSupport::JSON.const_source_location(:Encoding).first, 2)}/"
        end
      end
    end

    TABLE = Ractor.make_shareable({ json: Json, json2: Json, oj: Oj, oj_strict: Oj, rails: Rails })
    private_constant :TABLE
  end
end
