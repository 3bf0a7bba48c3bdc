# frozen_string_literal: true

# Layer: testing. The matchers for RSpec. They do not require RSpec.

module ToJson
  module Testing
    # Matchers for RSpec. Each does what an assertion of {Testing} does:
    #
    #   RSpec.configure { |config| config.include ToJson::Testing::Matchers }
    #
    # @example
    #   require "to_json/testing"
    #   class JamSerializer < ToJson::Serializer
    #     attributes :id
    #   end
    #   matcher = Object.new.extend(ToJson::Testing::Matchers).write_document(id: 2)
    #   matcher.matches?(JamSerializer.new({ id: 1 })) # => false
    #   matcher.failure_message.lines.first.chomp      # => $.id: expected 2, got 1.
    module Matchers
      # What all of them are: an object with the methods that RSpec calls.
      # @api private
      class Matcher
        # @param description [String]
        # @yieldparam subject [Object]
        # @yieldreturn [String, nil] the problem
        def initialize(description, &problem_of)
          @description, @problem_of = description, problem_of
        end

        # @return [String]
        attr_reader :description, :failure_message

        # @return [Boolean]
        def matches?(subject)
          @subject = subject
          (@failure_message = @problem_of.call(subject)).nil?
        end

        # What other matchers ask.
        # @return [Boolean]
        def ===(other) = matches?(other)

        # @return [String]
        def failure_message_when_negated
          "expected #{@subject.inspect[0, 100]} not to #{description}, but it does."
        end
      end

      # @example
      #   # expect(PostSerializer.new(post)).to write_document(id: 1, title: /Hi/)
      #   # expect(response.body).to write_document([{ id: 1 }])
      #   require "to_json/testing"
      #   Object.new.extend(ToJson::Testing::Matchers).write_document([1]).matches?("[1]") # => true
      # @param expected [Hash, Array, Object] see {Testing#assert_document}
      # @return [Matcher]
      def write_document(expected)
        Matcher.new("write #{Matchers.words(expected)}") do |subject|
          Difference.new(expected, Subject.document(subject)).message
        end
      end

      # @example
      #   # expect(PostSerializer).to declare_fields(:id, :title, view: :full)
      #   require "to_json/testing"
      #   class EggSerializer < ToJson::Serializer
      #     attributes :id
      #   end
      #   matcher = Object.new.extend(ToJson::Testing::Matchers).declare_fields(:id)
      #   matcher.matches?(EggSerializer) # => true
      # @param names [Array<Symbol, String>] see {Testing#assert_fields}
      # @param view [Symbol, String, Array<Symbol, String>, nil]
      # @return [Matcher]
      def declare_fields(*names, view: nil)
        Matcher.new("declare the fields #{names.join(", ")}") do |subject|
          Declared.new(subject, view).fields(names)
        end
      end

      # @example
      #   # expect(PostSerializer).to declare_views(:full, :short)
      #   require "to_json/testing"
      #   class HamSerializer < ToJson::Serializer
      #     view(:full) { attributes :id }
      #   end
      #   matcher = Object.new.extend(ToJson::Testing::Matchers).declare_views(:short)
      #   matcher.matches?(HamSerializer) # => false
      # @param names [Array<Symbol, String>] see {Testing#assert_views}
      # @return [Matcher]
      def declare_views(*names)
        Matcher.new("declare the views #{names.join(", ")}") do |subject|
          Declared.new(subject).views(names)
        end
      end

      # @example
      #   # expect(PostSerializer).to declare_associations(:comments, author: AuthorSerializer)
      #   require "to_json/testing"
      #   class PieSerializer < ToJson::Serializer
      #     has_many(:apples) { attributes :id }
      #   end
      #   matcher = Object.new.extend(ToJson::Testing::Matchers).declare_associations(:apples)
      #   matcher.matches?(PieSerializer) # => true
      # @param names [Array<Symbol, String>] see {Testing#assert_associations}
      # @param view [Symbol, String, Array<Symbol, String>, nil]
      # @param serializers [Hash{Symbol => Class, nil}]
      # @return [Matcher]
      def declare_associations(*names, view: nil, **serializers)
        expected = { **names.to_h { |name| [name.to_sym, Declared::ANY] }, **serializers }
        Matcher.new("declare the associations #{expected.keys.join(", ")}") do |subject|
          Declared.new(subject, view).associations(expected)
        end
      end

      # @example
      #   # expect(response.body).to follow_schema_of(PostSerializer, view: :full)
      #   require "to_json/testing"
      #   class FigSerializer < ToJson::Serializer
      #     attribute :id, as: :integer
      #   end
      #   matcher = Object.new.extend(ToJson::Testing::Matchers).follow_schema_of(FigSerializer)
      #   matcher.matches?('{"id":1,"nme":""}') # => false
      #   matcher.failure_message               # => $.nme: not declared, got "".
      # @param serializer_class [Class] see {Testing#assert_schema}
      # @param keywords as for {Declarations#json_schema}
      # @return [Matcher]
      def follow_schema_of(serializer_class, **keywords)
        Matcher.new("follow the schema of #{serializer_class}") do |subject|
          SchemaCheck.of(serializer_class, Subject.document(subject), **keywords)
        end
      end

      # @example
      #   # expect(response.body).to follow_json_api
      #   require "to_json/testing"
      #   matcher = Object.new.extend(ToJson::Testing::Matchers).follow_json_api
      #   matcher.matches?('{"data":{"type":"posts"}}') # => false
      #   matcher.failure_message                       # => /data: must have the member "id".
      # @param options as for {JsonApi.validate}
      # @return [Matcher]
      def follow_json_api(**options)
        Matcher.new("follow JSON:API") { |subject| Subject.json_api_problem(subject, options) }
      end

      # `expect(PostSerializer.new(posts)).to load_nothing`: see {Testing#assert_loads_nothing}.
      #
      # @param preload [Boolean] false: the associations are as they come
      # @return [Matcher]
      def load_nothing(preload: true)
        Matcher.new("load nothing while it is written") do |subject|
          Loading.problem(subject, [], {}, preload)
        end
      end

      # Gives the matchers RSpec's `and` and `or`, which may not be loaded earlier.
      # @api private
      def self.included(_)
        super
        Matcher.include(::RSpec::Matchers::Composable) if defined?(::RSpec::Matchers::Composable)
      end

      # @api private
      # @return [String] an expected value, in short
      def self.words(expected)
        text = expected.inspect
        text.size > 100 ? "#{text[0, 100]}…" : text
      end
    end
  end
end
