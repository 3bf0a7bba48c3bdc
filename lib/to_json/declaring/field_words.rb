# frozen_string_literal: true

# Layer: declaring. The words that declare fields, in class bodies, views and inline blocks.

module ToJson
  # The words that declare fields. Use them in the body of a {Serializer} class, in `view`, and in
  # inline blocks.
  #
  # Caveats: an inline block cannot contain `def` or words for the whole serializer (`root`,
  # `transform_keys` …).
  module FieldWords
    # Declares fields that are read from the object: by a method of that name, or a Hash by key. A
    # method of the serializer with the name of the field is preferred. A Hash maps sources to
    # names. Its keys that are names of options are options, for all these fields.
    #
    # @example
    #   class MovieSerializer < ToJson::Serializer
    #     attributes :id, :title, text: :body
    #     attributes :stars, :votes, if: :rated?, as: :integer
    #   end
    #   MovieSerializer.definition.fields.map(&:inspect)
    #   # => ["#<ToJson::Field attribute :id>",
    #   #     "#<ToJson::Field attribute :title>",
    #   #     "#<ToJson::Field attribute :body, :text>",
    #   #     "#<ToJson::Field attribute :stars, if: :rated?, as: :integer>",
    #   #     "#<ToJson::Field attribute :votes, if: :rated?, as: :integer>"]
    # @param names [Array<Symbol, String>]
    # @param mapping `source: name` pairs, and the options of {#attribute} except `name:` and
    #   `source:`
    # @return [nil]
    # @raise [DefinitionError] like all words here; the message says what to write
    def attributes(*names, **mapping, &block)
      if block
        raise DefinitionError,
              "#{__place}: attributes takes no block. Use attribute(:name) { |object| ... } for " \
              "each field."
      end

      fields, options = FieldOptions.split(__place, names, mapping)
      at = Field.place_at_work
      __declare(fields.map do |field| # no |name, source|: that would ask any object for its to_ary
        renamed = field.is_a?(Array)
        name, source = (renamed ? field.first : field), (renamed ? field.last : field)
        FieldOptions.new(__place, "attribute", name, options,
                         FieldOptions::ATTRIBUTE, at).attribute(source, nil)
      end)
    end

    # Declares one field: read from the object, or given by a block or lambda. In these, `self` is
    # the serializer. They receive the object as their argument; without a parameter they read it
    # from `object`.
    #
    # @example
    #   class TalkSerializer < ToJson::Serializer
    #     attribute(:excerpt) { |talk| talk.text[0, 140] }
    #     attribute :price, as: :string, skip_nil: true
    #     attribute :at, :starts_at, as: :time, format: :unix_ms
    #     attribute :draft, if: ->(talk) { context[:admin] }
    #   end
    #   TalkSerializer.definition.fields.map(&:name) # => [:excerpt, :price, :at, :draft]
    # @example Misuse
    #   class SlideSerializer < ToJson::Serializer; end
    #   SlideSerializer.attribute :title, fi: :shown?
    #   # !> ToJson::DefinitionError: SlideSerializer: attribute :title: unknown option :fi, …
    # @param name [Symbol, String] the name in the document
    # @param source [Symbol, String, Proc, nil] what is read, or a lambda that gives the value
    # @option options [Symbol, Proc, Array] :if,:unless a condition: a method of the serializer (if
    #   it has one of that name) or of the object, a lambda, or an Array of these that must all
    #   agree
    # @option options [Symbol, #call, Module] :as (nil) `:string`, `:integer`, `:float`, `:boolean`,
    #   `:date`, `:time`, `:fragment`, an object with `call(value)`, a class with `encode(value)`,
    #   or a serializer; nil remains null
    # @option options [Symbol, String] :format (nil) with `as: :time`: `:iso8601`, `:utc`, `:unix`,
    #   `:unix_ms` or a pattern for strftime; nil: by the Rules
    # @option options [Boolean] :skip_nil (false) writes no key for nil
    # @option options [Boolean] :skip_blank (false) writes no key for nil, false, empty values and
    #   white space
    # @option options [Object, Proc] :default written instead of nil; a Proc is called like a block
    # @option options [Symbol, String, Array, Hash, false] :preload (nil) associations of the object
    #   that a block or method reads, for ActiveRecord: see docs/serializers.md
    # @option options [Symbol, String] :name the name in the document; the first argument is then
    #   the source
    # @option options [Symbol, String] :source the source, like the second argument
    # @return [nil]
    # @raise [DefinitionError]
    def attribute(name, source = nil, **options, &block)
      __declare([FieldOptions.new(__place, "attribute", name, options,
                                  FieldOptions::ATTRIBUTE).attribute(source, block)])
    end

    # Declares an object with fields of the same object.
    #
    # @example
    #   class UserSerializer < ToJson::Serializer
    #     nested(:address) { attributes :street, :city }
    #   end
    #   UserSerializer.definition.fields.first
    #   # => #<ToJson::Field nested(:address) { attributes :street, :city }>
    # @param name [Symbol, String]
    # @option options [Symbol, Proc, Array] :if,:unless as for {#attribute}
    # @yield declares the fields
    # @return [nil]
    # @raise [DefinitionError]
    def nested(name, **options, &block)
      if options[:writable]
        FieldOptions.new(__place, "nested", name, {}, [])
                    .refuse("writable: belongs to the fields inside: attributes :street, " \
                            "writable: true.")
      end
      field = FieldOptions.new(__place, "nested", name, options, FieldOptions::CONDITIONS)
      field.refuse("needs a block that declares its fields.") unless block
      __declare([field.nested(Inline.read(field, block, __elsewhere?))])
    end

    # Declares one associated object, which is written as an object or null.
    #
    # With `serializer:` a block gives the value. Without it, the block declares the fields. Without
    # both, the class of the value decides the serializer; the namespace of this serializer is
    # searched first.
    #
    # @example
    #   class LetterSerializer < ToJson::Serializer
    #     has_one :sender, serializer: "UserSerializer", view: :short
    #     has_one(:stamp) { attributes :price }
    #     has_one :receiver, source: :addressee
    #   end
    #   LetterSerializer.definition.fields[1]
    #   # => #<ToJson::Field has_one(:stamp) { attributes :price }>
    # @param name [Symbol, String]
    # @option options [Class, String, Proc, Hash] :serializer a class, its name (searched from this
    #   class outwards), a lambda that receives the value and returns one of these, or a Hash from
    #   the classes of values to serializers
    # @option options [Symbol, Array<Symbol>] :view the view of that serializer
    # @option options [Symbol, String, Array, Hash] :only its fields to write, also as
    #   "id,author(name)"
    # @option options [Symbol, String, Array, Hash] :except its fields not to write
    # @option options [Object, Proc] :context the context of that serializer, instead of the current
    #   one; a Proc is called like a block
    # @option options [Boolean, Hash] :cache (false) keeps the text of the association under a key
    #   of this object; if the text is there, the value is not read. A Hash has the options of
    #   {Declarations#cache}
    # @option options [Symbol, String] :name the name in the document; the first argument is then
    #   the source
    # @option options [Symbol, String] :source what is read
    # @option options [Symbol, Proc, Array] :if,:unless as for {#attribute}
    # @option options [Boolean] :skip_nil,:skip_blank as for {#attribute}
    # @option options [Object, Proc] :default used instead of a nil value
    # @option options [Symbol, String, Array, Hash, false] :preload (nil) associations of the
    #   associated objects that their blocks and methods read, for ActiveRecord; of this object,
    #   where a block or method gives the value. false: nothing of this field is preloaded
    # @return [nil]
    # @raise [DefinitionError]
    def has_one(name, **options, &block)
      __associate("has_one", :one, name, options, FieldOptions::ASSOCIATION, block)
    end

    # Another name for {#has_one}.
    # @return [nil]
    def belongs_to(name, **options, &block)
      __associate("belongs_to", :one, name, options, FieldOptions::ASSOCIATION, block)
    end

    # Declares many associated objects, which are written as an array or null.
    #
    # @example
    #   class ThreadSerializer < ToJson::Serializer
    #     has_many :comments, if: :comments? do
    #       attributes :id, :body
    #     end
    #     has_many :replies, serializer: "ReplySerializer", only: "id,author(name)"
    #   end
    #   comments, replies = ThreadSerializer.definition.fields
    #   comments # => #<ToJson::Field has_many(:comments, if: :comments?) { attributes :id, :body }>
    #   replies
    #   # => #<ToJson::Field has_many :replies, serializer: "ReplySerializer", only: "id,author(…
    # @param name [Symbol, String]
    # @param options those of {#has_one}
    # @return [nil]
    # @raise [DefinitionError]
    def has_many(name, **options, &block)
      __associate("has_many", :many, name, options, FieldOptions::ASSOCIATION, block)
    end

    # Declares an association whose value decides between {#has_one} and {#has_many}.
    # @param name [Symbol, String]
    # @param options those of {#has_one}
    # @return [nil]
    # @raise [DefinitionError]
    def association(name, **options, &block)
      __associate("association", :any, name, options, FieldOptions::ASSOCIATION, block)
    end

    # Declares the fields of an associated object as fields of this one. nil adds nothing.
    #
    # @example
    #   class MemberSerializer < ToJson::Serializer
    #     attributes :id
    #     flatten(:profile) { attributes :bio, :avatar }
    #   end
    #   MemberSerializer.definition.fields.last
    #   # => #<ToJson::Field flatten(:profile) { attributes :bio, :avatar }>
    # @param name [Symbol, String] what is read
    # @option options [Class, String, Proc, Hash] :serializer as for {#has_one}
    # @option options [Symbol, Array<Symbol>] :view of that serializer
    # @option options [Symbol, String, Array, Hash] :only its fields
    # @option options [Symbol, String, Array, Hash] :except its fields
    # @option options [Object, Proc] :context for that serializer
    # @option options [Symbol, Proc, Array] :if,:unless as for {#attribute}
    # @option options [Symbol, String, Array, Hash, false] :preload as for {#has_one}
    # @return [nil]
    # @raise [DefinitionError]
    def flatten(name, **options, &block)
      __associate("flatten", :flatten, name, options, FieldOptions::FLATTEN, block)
    end

    private

    # Whether these fields are read from another object than the serializer's.
    def __elsewhere? = false

    def __associate(word, kind, name, options, known, block)
      field = AssociationOptions.new(__place, word, name, options, known)
      inline = Inline.read(field, block, true) if block && !field.serializer?
      __declare([field.association(kind, inline, (block unless inline))])
    end

    # An inline block: it declares with the words above, on an object of its own.
    # @api private
    class Inline
      include FieldWords

      # Words of the class body that somebody may look for in a block.
      ELSEWHERE = %i[root transform_keys meta cache view default_view remove rules].freeze
      # What somebody may look for who takes it for a block that gives a value.
      OF_VALUES = %i[object context].freeze

      # @param field [FieldOptions] whose block it is
      # @param elsewhere [Boolean] whether its fields are read from another object than the
      #   serializer's
      # @return [Definition]
      def self.read(field, block, elsewhere)
        field.check_inline(block)
        changes = FieldChanges.new
        new(field.place, changes, elsewhere).read(&block)
        Definition.new(label: field.place, base: changes.apply({}), elsewhere: elsewhere)
      end

      # @param place [String] for messages
      # @param changes [FieldChanges] to which each declaration is added
      def initialize(place, changes, elsewhere = false)
        @place, @changes, @elsewhere = place, changes, elsewhere
      end

      # Of the blocks in `block` this object is `self` where they are written. It is frozen then,
      # and so shareable: they could be shared with no other Ractor else.
      # @return [void]
      def read(&block)
        instance_exec(&block)
        @changes, @place = nil, -@place.to_s
        freeze
      end

      private

      def __place = @place
      def __elsewhere? = @elsewhere

      def __declare(fields)
        if frozen?
          raise DefinitionError,
                "#{@place}: its block has ended. Declare all fields before it ends."
        end

        fields.each { |field| @changes.add(field, @place) }
        nil
      end

      def singleton_method_added(name)
        return if name == :singleton_method_added

        raise DefinitionError,
              "#{@place}: def #{name} is not possible in a block that declares fields. Define " \
              "the method in the class body."
      end

      def method_missing(name, *arguments, **keywords, &block)
        if words_elsewhere.include?(name)
          raise DefinitionError,
                "#{@place}: #{name} belongs in the class body, not in this block."
        end

        if OF_VALUES.include?(name)
          raise DefinitionError,
                "#{@place}: #{name} works only in blocks that give a value: those of attribute, " \
                "and of associations with serializer:. " \
                "This block declares fields."
        end

        raise DefinitionError, "#{@place}: #{Suggestion.unknown("word", name, words)}"
      end

      def respond_to_missing?(*) = false

      def words = FieldWords.public_instance_methods(false).sort
      def words_elsewhere = ELSEWHERE
    end

    # The block of a view.
    # @api private
    class InView < Inline
      # @param names [Array<Symbol, String>] of fields that the view takes away
      def remove(*names)
        names.each { |name| @changes.remove(FieldOptions.name_of("#{@place}: remove", name)) }
        nil
      end

      private

      def words = super + [:remove]
      def words_elsewhere = ELSEWHERE - [:remove]
    end
  end
end
