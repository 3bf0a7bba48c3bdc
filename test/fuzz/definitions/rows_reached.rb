# frozen_string_literal: true

# Fuzz. The rules of docs/serializers.md as rows: each must have been reached. What runs is counted
# by the oracle as it runs, what is only written, here.

require_relative "objects"

module Fuzz
  module Definitions
    CODES = [BLOCKS, LAMBDAS, VALUES, TESTS, DEFAULTS, CALLABLES, CONTEXTS,
             METAS].flatten.map(&:row).uniq.freeze
    # Errors that are due in some cases.
    ERRORS = %w[Boom throw NumberError UnsupportedTypeError EncodingError UnknownViewError
                UnknownFieldError SerializerNotFound NestingError ArgumentError].freeze

    ROWS = [
      *%i[attributes attribute nested has_one belongs_to has_many association flatten view remove
          root transform_keys meta default_view].map { |word| "word: #{word}" },
      *%w[positional source name lambda group].map { |style| "written: #{style}" }, *CODES,
      *METHODS.filter_map { |name, (_, _, row)| row unless name == :hidden },
      "a private method, which does not count",
      *%w[if unless].flat_map { |word| ["#{word}: holds", "#{word}: does not"] },
      "several conditions", "a condition of the object",
      "a condition of the serializer", "skip_nil: skipped", "skip_blank: skipped",
      *%w[camel camel_lower dash snake callable].map { |name| "key case: #{name}" },
      *%w[string integer float boolean date time fragment].map { |as| "as: #{as}" },
      *FORMATS.map { |format| "format: #{format.inspect}" },
      "as: a serializer",
      *%w[one many].flat_map { |kind| ["#{kind}: #{kind}", "#{kind}: #{kind} inline"] }, "any: one",
      "any: many",
      "any: one inline", "any: many inline", "nested: one inline", "flatten: nil",
      "flatten: inline", "flatten: class",
      *%w[Class String Proc Hash].map { |kind| "serializer: #{kind}" }, "serializer: looked up",
      "a lookup that a nearer one wins",
      "a serializer within itself", "a nil association", "nil among many", "an empty collection",
      "an object without pairs",
      "an association's view", "an association's only", "an association's except",
      "more fields than one native call takes",
      "a name that is no identifier", "a word of Ruby or the library as a name",
      "a subclass", "remove in a subclass", "redefined in a subclass", "a view that adds",
      "a view that redefines", "a view that removes",
      "a view from another", "a view that is reopened",
      *%w[nil Symbol String Array none].map { |kind| "view: #{kind}" },
      *%w[only except]
        .flat_map { |word| %w[symbols strings hash text single].map { |form| "#{word}: #{form}" } },
      "only in only",
      "only and except",
      *["a root for one", "a root for many", "root: true", "root: false", "root: a name"],
      "meta of the class", "meta of the call",
      "a context", "Rules of the call", "html_safe of the class", "max_depth", "collection: true",
      "collection: false",
      "serialize that calls super", "serialize that calls put_attributes",
      *%w[reopen methods nearer].map { |kind| "change: #{kind}" },
      *Things::KINDS.map { |kind| "rows: #{kind}" },
      *Things::COLLECTIONS.keys.map { |kind| "collection: #{kind}" }, "a key that is absent",
      "given: nil", "given: one", "given: many", "cached", *ERRORS.map { |name| "error: #{name}" }
    ].uniq.freeze

    # Counts what stands on paper.
    class Reach
      def self.count(found, rows) = new(found, rows).count

      def initialize(found, rows)
        @case = found
        @rows = rows
        @model = found.model
      end

      def count
        @case.all_types.each { |type| type(type) }
        @case.calls.each { |call| call(call) }
      end

      private

      def reached(row, really = true) = really && @rows.reached(row)

      def type(type)
        fields = Paper.all_fields(type.items)
        fields.each { |field| field(field) }
        reached("html_safe of the class", type.html)
        reached("more fields than one native call takes", fields.size > 60)
        views(type)
        return unless type.parent

        reached("a subclass")
        reached("remove in a subclass", type.items.any?(Removal))
        reached("redefined in a subclass",
                @model.base(type.parent)
                  .keys
                  .intersect?(Paper.names(type.items.reject { |item| item.is_a?(View) })))
      end

      def field(field)
        reached("written: #{field.style}", field.style != :plain)
        reached("several conditions", field.tests.size > 1)
        reached("a name that is no identifier", !field.name.match?(/\A[a-zA-Z_]\w*\z/))
        reached("a word of Ruby or the library as a name", Keys::WORDS.include?(field.name))
        reached("a private method, which does not count", field.name == :hidden)
        %i[view only except].each { |word| reached("an association's #{word}", field[word]) }
      end

      def views(type)
        type.items.grep(View).each do |view|
          names = Paper.names(view.items)
          base = @model.base(type.id).keys
          reached("a view that adds", (names - base).any?)
          reached("a view that redefines", names.intersect?(base))
          reached("a view that removes", view.items.any?(Removal))
          reached("a view from another", view.from)
          reached("a view that is reopened",
                  type.parent && @model.views(type.parent).key?(view.name))
        end
      end

      def call(call)
        reached("view: #{call.view == [] ? "none" : call.view.nil? ? "nil" : call.view.class}")
        { only: call.only, except: call.except }.compact.each do |word, choice|
          reached("#{word}: #{choice.form}")
          reached("only in only", choice.names.any? { |_, part| part })
        end
        reached("only and except", call.only && call.except)
        reached("root: #{call.root == true || call.root == false ? call.root : "a name"}",
                !call.root.nil?)
        reached("meta of the call", call.meta)
        reached("a context", call.context)
        reached("Rules of the call", call.rules)
        reached("max_depth", call.max_depth)
        reached("collection: #{call.collection}", !call.collection.nil?)
        given(call.given)
      end

      def given(given)
        reached("given: #{given.nil? ? "nil" : given.is_a?(Row) ? "one" : "many"}")
        rows(given) if given
      end

      def rows(given)
        case given
        when Row
          reached("rows: #{given.kind}")
          given.values.each_value { |value| rows(value) }
        when Rows
          reached("collection: #{given.kind}")
          given.elements.each { |element| rows(element) }
        end
      end
    end
  end
end
