# frozen_string_literal: true

# Layer: declaring. Words the errors for words, keywords and methods that a serializer class does
# not have, such as those of other gems.

module ToJson
  # A serializer class that does not know a word says which one may have been meant.
  # @api private
  module UnknownWords
    # Words of class bodies in other libraries (ActiveModel::Serializers, Alba, Blueprinter, Panko,
    # jsonapi-serializer, Jbuilder …) => what to write instead.
    WORDS = {
      root_key: "root :post, :posts", root_key!: "root :post, :posts",
      root_key_for_collection: "root :post, :posts",
      fields: "attributes :id, :title", field: "attribute :title", identifier: "attributes :id",
      node: "attribute(:name) { |post| … }", property: "attribute :title",
      one: "has_one :author, serializer: AuthorSerializer",
      many: "has_many :comments, serializer: CommentSerializer",
      nested_attribute: "nested(:address) { attributes :city }",
      has_and_belongs_to_many: "has_many :tags, serializer: TagSerializer",
      collection: "has_many :comments, serializer: CommentSerializer",
      key_transform: "transform_keys :camel_lower",
      set_key_transform: "transform_keys :camel_lower", transform: "transform_keys :camel_lower",
      set_type: "type :posts", set_id: "id :slug",
      links: "link(:self) { |post| … }",
      cache_options: "cache expires_in: 3600", cached: "cache", aliases: "attributes body: :text",
      scope: "context:, which a field reads as context[:user]",
      serialization_scope: "context:, which a field reads as context[:user]",
      excluded: "view(:short) { remove :body }",
      association_extractor: "association :author, source: :writer",
      json_key: "root :post, :posts", method_attributes: "attribute(:name) { |post| … }",
      extend_view: "view(:full) { … }"
    }.freeze
    # Keywords of calls in other libraries => those of this gem.
    KEYWORDS = {
      scope: :context, params: :context, locals: :context, current_user: :context, fields: :only,
      exclude: :except,
      within: :only, root_key: :root, each_serializer: :serializer, is_collection: :collection,
      key: :root
    }.freeze
    private_constant :WORDS

    # @raise [DefinitionError] if a word of ours may have been meant
    # @raise [NoMethodError] if not
    def method_missing(name, *, **)
      instead = WORDS[name]
      if instead
        raise DefinitionError,
              "#{self}: #{name} is not a word of serializers here. Write #{instead}."
      end

      words = UnknownWords.known
      meant = Suggestion.near(name, words)
      if meant
        raise DefinitionError,
              "#{self}: unknown word #{name}, did you mean #{meant}? Known: " \
              "#{words.sort.join(", ")}."
      end

      super
    end

    # false: this module answers no method; it only words the error.
    def respond_to_missing?(*) = false

    # @return [Array<Symbol>] the words that a class body has
    def self.known
      @known ||= (Declarations.public_instance_methods(false) +
                    FieldWords.public_instance_methods(false) +
                  [:rules] - %i[inherited include prepend freeze initialize_clone method_added
                                method_removed method_undefined one many to_h declared? compile!
                                digest definition explain json_schema parse parse_ndjson
                                read permit expect]).freeze
    end
  end
end
