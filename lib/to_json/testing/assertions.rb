# frozen_string_literal: true

# Layer: testing. The assertions for Minitest and Test::Unit.

module ToJson
  # Assertions for Minitest and Test::Unit: include it in the class of your tests. For RSpec include
  # {Testing::Matchers}. `require "to_json/testing"` loads both.
  #
  # Each says the path of the first difference, as errors of documents do.
  #
  # @example
  #   require "to_json/testing"
  #   require "minitest"
  #   class MugSerializer < ToJson::Serializer
  #     attributes :id, :name
  #   end
  #   class MugSerializerTest < Minitest::Test
  #     include ToJson::Testing
  #     def test_document
  #       assert_document({ id: 1, name: /tea/ }, MugSerializer, { id: 1, name: "coffee" })
  #     end
  #   end
  #   puts MugSerializerTest.new(:test_document).run.failure.message.lines.first
  #   MugSerializerTest.new(:test_document).run.failure.message.lines.first.chomp
  #   # => $.name: expected /tea/, got "coffee".
  module Testing
    # Fails unless a document is the expected one. The order of keys does not count.
    #
    # In the expected Hash or Array, keys are Symbols or Strings. A Module, Regexp, Range, Proc or
    # matcher is asked with `===` or `matches?`; every other value stands for what
    # {ToJson.generate} writes of it.
    #
    # @example
    #   require "to_json/testing"
    #   class TeaSerializer < ToJson::Serializer
    #     attributes :id, :name
    #   end
    #   test = Object.new.extend(ToJson::Testing)
    #   def test.assert(passes, message) = passes || raise(message.call)
    #   tea = { id: 1, name: "Assam" }
    #   test.assert_document({ id: Integer, name: "Assam" }, TeaSerializer, tea) # => true
    #   test.assert_document([{ id: 2 }], TeaSerializer, [{ id: 1 }], only: :id)
    #   # !> RuntimeError: $[0].id: expected 2, got 1.…
    # @param expected [Hash, Array, Object]
    # @param given [Class, Serialize, String, #body, Hash, Array] a serializer class with its
    #   arguments, a serializer, JSON text, a response, or what is parsed already
    # @param arguments as for {Serialize#json!}
    # @param keywords as for {Serialize#json!}
    # @return [true]
    # @raise [FragmentError] for text that is not JSON
    def assert_document(expected, given, *arguments, **keywords)
      __to_json_assert(Difference.new(expected,
                                      Subject.document(given, arguments, keywords)).message)
    end

    # Fails unless a class declares exactly these fields for a view, in any order. Fields that
    # `flatten` merges are not among them.
    #
    # @example
    #   require "to_json/testing"
    #   class CupSerializer < ToJson::Serializer
    #     attributes :id, text: :name
    #     view(:full) { attributes :price }
    #   end
    #   test = Object.new.extend(ToJson::Testing)
    #   def test.assert(passes, message) = passes || raise(message.call)
    #   test.assert_fields([:id, :name, :price], CupSerializer, view: :full) # => true
    #   test.assert_fields([:id, :price], CupSerializer)
    #   # !> RuntimeError: CupSerializer: fields: it does not declare :price, and also declares …
    # @param names [Array<Symbol, String>] as they stand in the document, before `transform_keys`
    # @param serializer_class [Class]
    # @param view [Symbol, String, Array<Symbol, String>, nil]
    # @return [true]
    # @raise [UnknownViewError]
    def assert_fields(names, serializer_class, view: nil)
      __to_json_assert(Declared.new(serializer_class, view).fields(names))
    end

    # Fails unless a class declares exactly these views, in any order.
    #
    # @example
    #   require "to_json/testing"
    #   class PotSerializer < ToJson::Serializer
    #     view(:full) { attributes :price }
    #   end
    #   test = Object.new.extend(ToJson::Testing)
    #   def test.assert(passes, message) = passes || raise(message.call)
    #   test.assert_views([:full], PotSerializer) # => true
    # @param names [Array<Symbol, String>]
    # @param serializer_class [Class]
    # @return [true]
    def assert_views(names, serializer_class)
      __to_json_assert(Declared.new(serializer_class).views(names))
    end

    # Fails unless a class declares exactly these associations for a view (`has_one`, `belongs_to`,
    # `has_many`, `association`, `flatten`), in any order. With a Hash it also compares their
    # `serializer:`; nil stands for one that has none, or an inline block.
    #
    # @example
    #   require "to_json/testing"
    #   class LeafSerializer < ToJson::Serializer
    #     attributes :id
    #   end
    #   class PlantSerializer < ToJson::Serializer
    #     has_many :leaves, serializer: LeafSerializer
    #   end
    #   test = Object.new.extend(ToJson::Testing)
    #   def test.assert(passes, message) = passes || raise(message.call)
    #   test.assert_associations([:leaves], PlantSerializer) # => true
    #   test.assert_associations({ leaves: PlantSerializer }, PlantSerializer)
    #   # !> RuntimeError: PlantSerializer: has_many :leaves: expected serializer: Plant…
    # @param expected [Array<Symbol, String>, Hash{Symbol, String => Class, nil}]
    # @param serializer_class [Class]
    # @param view [Symbol, String, Array<Symbol, String>, nil]
    # @return [true]
    # @raise [UnknownViewError]
    def assert_associations(expected, serializer_class, view: nil)
      expected = expected.to_h { |name| [name, Declared::ANY] } unless expected.is_a?(Hash)
      __to_json_assert(Declared.new(serializer_class, view).associations(expected))
    end

    # Fails unless a document is what {Declarations#json_schema} of a serializer says: all keys that
    # must be there, no others, and the types that are declared. For the documents of requests.
    #
    # @example
    #   require "to_json/testing"
    #   class BagSerializer < ToJson::Serializer
    #     attribute :id, as: :integer
    #   end
    #   test = Object.new.extend(ToJson::Testing)
    #   def test.assert(passes, message) = passes || raise(message.call)
    #   test.assert_schema(BagSerializer, '[{"id":1}]') # => true
    #   test.assert_schema(BagSerializer, '{"id":"one"}')
    #   # !> RuntimeError: $.id: expected integer or null, got "one".
    # @param serializer_class [Class]
    # @param document [String, #body, Hash, Array, Serialize] as for {#assert_document}
    # @param keywords as for {Declarations#json_schema}; without `collection:` the document tells it
    # @return [true]
    # @raise [DefinitionError] if the class has a `serialize` of its own
    # @raise [FragmentError] for text that is not JSON
    def assert_schema(serializer_class, document, **keywords)
      __to_json_assert(SchemaCheck.of(serializer_class, Subject.document(document), **keywords))
    end

    # Fails unless a document follows the specification of JSON:API, version 1.1.
    #
    # @example
    #   require "to_json/testing"
    #   test = Object.new.extend(ToJson::Testing)
    #   def test.assert(passes, message) = passes || raise(message.call)
    #   test.assert_json_api('{"data":{"type":"posts","id":"1"}}') # => true
    #   test.assert_json_api('{"data":{"type":"posts","id":1}}')
    #   # !> RuntimeError: /data/id: must be a String, got 1.
    # @param document [String, #body, Hash] as for {#assert_document}
    # @param options as for {JsonApi.validate}
    # @return [true]
    # @raise [FragmentError] for text that is not JSON
    def assert_json_api(document, **options)
      __to_json_assert(Subject.json_api_problem(document, options))
    end

    # Fails if the database is asked while a document is written. Before, the records and the
    # associations that the serializer declares are loaded, as `render` and {ToJson.preload} do it.
    # So it finds what they cannot see: a method or block that reads an association.
    #
    # It needs ActiveRecord. The document ends at the first query. docs/rails.md has an example.
    #
    # @param given [Class, Serialize] a serializer class with its arguments, or a serializer
    # @param arguments as for {Serialize#json!}
    # @param preload [Boolean] false: the associations are as they come
    # @param keywords as for {Serialize#json!}
    # @return [true]
    # @raise [Error] without ActiveRecord
    def assert_loads_nothing(given, *arguments, preload: true, **keywords)
      __to_json_assert(Loading.problem(given, arguments, keywords, preload))
    end

    private

    # Minitest and Test::Unit have `assert`.
    def __to_json_assert(problem)
      assert(problem.nil?, -> { problem })
      true
    end
  end
end
