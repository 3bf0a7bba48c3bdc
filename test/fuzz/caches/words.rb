# frozen_string_literal: true

# Fuzz, target "caches". What a serializer may say, as lines of Ruby: text, since two classes of the
# same lines mean the same, and since a failed case prints them as they are.

module Fuzz
  module Caches
    # An object. Each has a `key` of its own.
    Node = Struct.new(:key, :id, :uuid, :long_name, :kid, :kids, :pal, :pals, :nothing) do
      def kid_id = kid&.id
      def kid_ids = kids.map(&:id)
      def pal_id = pal&.uuid
      def pal_ids = pals.map(&:uuid)
      def friend = pal
      def inspect = "#<#{self.class} #{key}>"
    end
    Red = Class.new(Node)
    Blue = Class.new(Node)
    Green = Class.new(Node)
    TYPES = [Red, Blue, Green].freeze

    SERIALIZERS = %w[RedSerializer BlueSerializer GreenSerializer].freeze

    # What serializers share. Two have a method of the same name.
    module Named
      def shared(node) = node.uuid
    end

    module Asking
      def shared(node) = context[:admin] ? 1 : node.key
    end

    # The lines of each subject. A deploy changes a serializer to another line of a subject. nil: no
    # line.
    WORDS = {
      cache: [
        nil, "cache key: :key", "cache key: :key, version: 2", "cache key: ->(node) { [node.key] }",
        "cache key: :key, context: ->(context) { context && context[:admin] }",
        "cache key: ->(node, context) { [node.key, context && context[:admin]] }",
        "cache key: :key, batch: 1"
      ],
      helper: [
        "def helper(node) = node.uuid", "def helper(node) = node.key",
        "def helper(node) = context[:admin] ? node.key : node.uuid"
      ],
      id: [
        nil, nil, "id :uuid", "id { |node| node.uuid }", "id { |node| helper(node) }",
        "id { |node| context[:admin] ? node.id : node.uuid }", "attribute :id",
        "attribute :id, :uuid", "attribute(:id) { |node| node.key }",
        "attribute(:id) { |node| context[:admin] ? node.id : node.uuid }",
        'attribute :id, as: ->(id) { "k#{id}" }', "attribute :id, as: :string",
        "attribute :id, :nothing, default: 7",
        "attribute :id, :nothing, default: -> { context[:admin] ? 8 : 9 }",
        "attributes :id\ndef id(node) = node.uuid",
        "attributes :id\ndef id(node) = context[:admin] ? node.id : 0",
        "id { nil }\nlid :uuid", "id { nil }\nlid { |node| context[:admin] ? node.id : node.uuid }"
      ],
      type: [nil, nil, nil, "type :reds", "type :blues", 'type "other-ones"'],
      names: [nil, nil, "transform_keys :camel_lower", "transform_keys :dash"],
      text: [
        "attributes :long_name", "attribute :long_name, :uuid",
        "attribute :long_name, as: ->(name) { name.upcase }",
        "attribute(:long_name) { |node| helper(node) }",
        "attribute(:long_name) { context[:admin] ? 1 : 0 }",
        "attribute :long_name, if: -> { context[:admin] }",
        "attribute :long_name, unless: ->(node) { node.id.even? }",
        'attribute :long_name, :nothing, default: "d"',
        "attribute :long_name, :nothing, default: -> { context[:admin] ? 1 : 2 }",
        "attribute :long_name, :nothing, skip_nil: true", "attribute :long_name, :id, as: :string",
        "nested(:long_name) { attributes :uuid, :key }",
        "nested(:long_name) { attribute(:who) { context[:admin] ? 1 : 0 } }",
        "attribute :long_name, if: :shown?\ndef shown?(_node) = context[:admin]",
        "attribute :long_name, :pal, as: BlueSerializer",
        "attribute :long_name, :pal, as: GreenSerializer, default: ->(node) { node.kid }",
        "attributes :long_name\nflatten(:friend) { attribute :of_friend, :uuid }",
        "attributes :long_name\nflatten(:friend) { attribute(:who) { context[:admin] ? 1 : 0 } }",
        "flatten :friend, serializer: BlueSerializer, only: :long_name"
      ],
      shared: [
        nil, "include Named\nattribute :shared", "include Asking\nattribute :shared",
        "include Named\nattribute :shared, if: -> { context[:admin] }",
        "attribute :shared, :uuid", "attribute(:shared) { |node| node.kids.size }"
      ],
      link: [
        nil, nil, 'link(:self) { |node| "/#{node.id}" }', "link :self, :uuid", 'link :self, "/all"',
        'link(:self) { |node| context[:admin] ? "/admin" : "/#{helper(node)}" }',
        'link :self, href: "/x", title: "X"', 'link(:self, if: -> { context[:admin] }) { "/a" }'
      ],
      meta: [
        nil, nil, "resource_meta { |node| { a: node.uuid } }",
        "resource_meta { |_| { a: context[:admin] } }",
        "resource_meta { |node| { a: helper(node) } }"
      ],
      # Behind the associations.
      around: [
        nil, nil, 'relationship_link(:kid, :related) { |node| "/kid/#{node.uuid}" }',
        'relationship_link(:kid, :related) { context[:admin] ? "/a" : "/b" }',
        "relationship_meta(:kids) { |node| { count: node.kids.size } }",
        "relationship_meta(:kids) { { all: context[:admin] } }"
      ],
      # It comes behind the fields, since it changes some.
      view: [
        "view(:other) {}", "view(:other) { attribute(:id) { |node| node.uuid } }",
        "view(:other) { attribute :more, :uuid }",
        "view(:other) { attribute :more, :uuid, as: ->(uuid) { uuid.upcase } }",
        "view(:other) { attribute(:id) { |node| context[:admin] ? node.id : node.uuid } }",
        "view(:other) { attribute(:more) { context[:admin] ? 1 : 0 } }",
        "view(:other) { remove :kid }",
        "view(:other) { has_one :kid, linkage: true, serializer: RedSerializer }",
        "view(:other) { has_one :pal, source: :kid, serializer: BlueSerializer }"
      ]
    }.freeze
    # What `serializer:` takes.
    CHOICES = [
      "RedSerializer", "BlueSerializer", "GreenSerializer", '"RedSerializer"', '"BlueSerializer"',
      "{ Red => RedSerializer, Blue => BlueSerializer, Green => RedSerializer }",
      '{ Red => RedSerializer, Blue => "GreenSerializer", Green => "GreenSerializer" }',
      '{ Node => "BlueSerializer" }'
    ].freeze
    # A value tells which serializer. Keys do not see these across deploys (docs/caching.md).
    UNTOLD = [nil, "->(_) { GreenSerializer }",
              "->(node) { node.is_a?(Red) ? RedSerializer : BlueSerializer }"].freeze
    RULE = "context: ->(context) { context && context[:admin] }"
    OPTIONS = {
      "view" => [nil, nil, nil, ":other"],
      "if" => [nil, nil, nil, nil, "-> { context[:admin] }", "->(node) { node.id.odd? }"],
      "context" => [nil, nil, nil, nil, "{ admin: true }", "->(_) { { admin: !context[:admin] } }"],
      "cache" => [nil, nil, nil, nil, "{ key: :key }", "{ key: :key, version: 2 }",
                  "{ key: :key, #{RULE} }"],
      "only" => [nil, nil, nil, nil, '"long_name"', '"key,long_name"'],
      "except" => [nil, nil, nil, nil, '"long_name"']
    }.freeze
    ONE = {
      word: "has_one",
      **OPTIONS,
      "source" => [nil, nil, nil, ":kid", ":pal", ":nothing"],
      "linkage" => [nil, nil, "true", ":kid_id", ":pal_id"],
      "default" => [nil, nil, nil, "->(node) { node.pal }",
                    "->(node) { context[:admin] ? node.pal : nil }"],
      block: [nil, nil, nil, nil, "{ |node| node.pal }",
              "{ |node| context[:admin] ? node.kid : node.pal }",
              "{ |node| helper(node) == node.uuid ? node.kid : nil }"]
    }.freeze
    MANY = {
      word: "has_many",
      **OPTIONS,
      "source" => [nil, nil, nil, ":kids", ":pals", ":nothing"],
      "linkage" => [nil, nil, "true", ":kid_ids", ":pal_ids"],
      "default" => [nil, nil, nil, "[]", "->(node) { context[:admin] ? node.pals : [] }"],
      block: [nil, nil, nil, nil, "{ |node| node.pals.first(1) }",
              "{ |node| context[:admin] ? node.kids : [] }",
              "{ |node| helper(node) == node.uuid ? node.kids : node.pals }"]
    }.freeze
    INLINE = ["do\n  attributes :uuid, :id\nend",
              "do\n  attribute(:who) { context[:admin] ? 1 : 0 }\nend"].freeze
    ASSOCIATIONS = { kid: ONE, kids: MANY, pal: ONE, pals: MANY }.freeze
    LAST = %i[around view].freeze
    SUBJECTS = [*(WORDS.keys - LAST), *ASSOCIATIONS.keys, *LAST].freeze
  end
end
