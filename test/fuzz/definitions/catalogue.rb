# frozen_string_literal: true

# Fuzz. The words of random Definitions: names, what they read, and small pieces of user code, each
# as it runs and as it is printed.

require_relative "actors"

module Fuzz
  module Definitions
    # What each key of a row holds; no key holds two kinds of thing.
    module Keys
      PLAIN = %i[id title body first_name created_on line_2 views likes slug note].freeze
      # Words of Ruby, of objects and of this library.
      WORDS = %i[class end self nil if def object_id format test open value array put context object
                 json! scope name type view root only Upper camelCase _id].freeze
      # No identifiers, or no harmless ones.
      ODD = [:"a-b", :"two words", :"say \"hi\"", :"line\nbreak", :"\#{1 + 1}", :"back\\slash",
             :"it's", :"<b>&", :"\u2028", :größe, :日本, :"😀",
             :"", :"9lives", :"a.b", :"a?", :"b!", :"%s", :"`"].freeze
      MANY = Array.new(140) { |index| :"f#{index}" }.freeze
      # For `as:`.
      KINDS = { string: %i[price label], integer: %i[count rank], float: %i[ratio weight],
                boolean: %i[draft done], date: %i[day birthday],
                time: %i[at updated_at], fragment: %i[html cached] }.freeze
      FLAGS = %i[admin? shown visible].freeze
      # Associations: how many their rows are, and of which kinds: free, looked up by class, in a
      # map by class.
      ONE = { free: [:author, :owner, :editor, :"best friend"], looked: %i[commenter],
              mapped: %i[vehicle], flat: %i[profile details extra more] }.freeze
      LIST = { free: [:comments, :tags, :lines, :"sub-pages"], looked: %i[replies],
               mapped: %i[parts] }.freeze
      ANY = { free: %i[subject content], looked: %i[topic], mapped: %i[thing] }.freeze
      # Names of inline flattened fields, for no others: two fields of one object with one key are
      # refused.
      FLAT = { profile: [:bio, :motto, :"p-x", :mood],
               details: [:born, :height, :"d\"x", :weight_kg], extra: [:shoe_size, :hat],
               more: [:pets, :"m x"] }.freeze
      # And of fields that come when a class is reopened.
      LATER = [:late_a, :late_b, :late_c, :late_d, :late_e].freeze
      # has_one … `as:` a serializer.
      SERIALIZED = %i[parent children].freeze

      KIND_OF = KINDS.flat_map { |kind, keys| keys.map { |key| [key, kind] } }.to_h
                     .merge(FLAGS.to_h { |key| [key, :flag] }, SERIALIZED.zip(%i[one list]).to_h)
                     .merge(
                         *{ one: ONE, list: LIST, any: ANY }.map do |kind, keys|
                           keys.values.flatten.to_h { |key| [key, kind] }
                         end
                       ).freeze
      ROWS_OF = [ONE, LIST, ANY].flat_map do |keys|
        keys.flat_map { |rows, names| names.map { |name| [name, rows] } }
      end.to_h.freeze

      def self.kind(key) = KIND_OF.fetch(key, :value)
    end

    # Methods of serializers: what is declared under these names reads them (but for the private
    # one), and conditions that are methods of the serializer, `admin?` before the object's of that
    # name. Text as it is printed, keys that they read.
    METHODS = {
      full_name: ["def full_name(o) = mark(Fuzz.get(o, :title))", :title,
                  "a method with the object"],
      summary: ["def summary = mark(Fuzz.get(object, :body))", :body, "a method without parameter"],
      caption: ["def caption(o = nil) = mark(Fuzz.get(o, :id))", :id,
                "a method with an optional parameter"],
      long_title: ["def long_title(*) = mark(Fuzz.get(object, :title))", :title,
                   "a method with a splat"],
      "say \"it\"": ["define_method(:\"say \\\"it\\\"\") { |o| mark(Fuzz.get(o, :note)) }", :note,
                     "a method whose name is no identifier"],
      from_module: ["include Module.new { def from_module(o) = mark(Fuzz.get(o, :slug)) }", :slug,
                    "a method of an included module"],
      hidden: ["private def hidden(o) = mark(Fuzz.get(o, :id))", :id,
               "a private method, which does not count"],
      allowed?: ["def allowed?(o) = Fuzz.get(o, :shown)", :shown, nil],
      open_now: ["def open_now = Fuzz.get(object, :visible)", :visible, nil],
      admin?: ["def admin?(o) = Fuzz.get(o, :shown)", :shown, nil]
    }.freeze
    CONDITIONS = %i[allowed? open_now admin?].freeze
    READ = (METHODS.keys - CONDITIONS).freeze

    # The same as they run.
    module Bodies
      def full_name(object) = mark(Fuzz.get(object, :title))
      def summary = mark(Fuzz.get(object, :body))
      def caption(object = nil) = mark(Fuzz.get(object, :id))
      def long_title(*) = mark(Fuzz.get(object, :title))
      define_method(:"say \"it\"") { |o| mark(Fuzz.get(o, :note)) }
      def from_module(object) = mark(Fuzz.get(object, :slug))
      def hidden(object) = mark(Fuzz.get(object, :id))
      def allowed?(object) = Fuzz.get(object, :shown)
      def open_now = Fuzz.get(object, :visible)
      def admin?(object) = Fuzz.get(object, :shown)
    end

    # A piece of user code: what it is called among the rows, how it is printed, and what it is for
    # the key that it reads.
    Code = Struct.new(:row, :text, :made) do
      def source(key) = text.gsub("KEY") { key.inspect }
      def for(key) = made.call(key)
    end

    def self.codes(*list) = list.map { |code| Code.new(*code).freeze }.freeze

    BLOCKS = codes(
      ["a block with the object", "{ |o| mark(Fuzz.get(o, KEY)) }",
       ->(key) { proc { |o| mark(Fuzz.get(o, key)) } }],
      ["a block without parameter", "{ mark(Fuzz.get(object, KEY)) }",
       ->(key) { proc { mark(Fuzz.get(object, key)) } }],
      ["a block with a numbered parameter", "{ mark(Fuzz.get(_1, KEY)) }",
       ->(key) { proc { mark(Fuzz.get(_1, key)) } }],
      ["a block with an optional parameter", "{ |o = nil| mark(Fuzz.get(o, KEY)) }",
       ->(key) { proc { |o = nil| mark(Fuzz.get(o, key)) } }],
      ["a block with a splat", "{ |*o| mark(Fuzz.get(o.first, KEY)) }",
       ->(key) { proc { |*o| mark(Fuzz.get(o.first, key)) } }],
      ["a block that reads the context", "{ |o| [context[:who], Fuzz.get(o, KEY)] }",
       ->(key) { proc { |o| [context[:who], Fuzz.get(o, key)] } }],
      ["a block that is a Symbol", "(&:frozen?)", ->(_) { :frozen?.to_proc }],
      ["a block of nil", "{ nil }", ->(_) { proc {} }]
    )

    LAMBDAS = codes(
      ["a lambda with the object", "->(o) { mark(Fuzz.get(o, KEY)) }",
       ->(key) { ->(o) { mark(Fuzz.get(o, key)) } }],
      ["a lambda without parameter", "-> { [context[:who], Fuzz.get(object, KEY)] }",
       ->(key) { -> { [context[:who], Fuzz.get(object, key)] } }]
    )

    # For associations: what they give is serialized.
    VALUES = codes(
      ["a value block with the object", "{ |o| Fuzz.get(o, KEY) }",
       ->(key) { proc { |o| Fuzz.get(o, key) } }],
      ["a value block without parameter", "{ Fuzz.get(object, KEY) }",
       ->(key) { proc { Fuzz.get(object, key) } }]
    )

    TESTS = codes(
      ["a condition that is a lambda", "->(o) { Fuzz.get(o, KEY) }",
       ->(key) { ->(o) { Fuzz.get(o, key) } }],
      ["a condition that is a lambda without parameter", "-> { Fuzz.get(object, KEY) }",
       ->(key) { -> { Fuzz.get(object, key) } }],
      ["a condition on the context", "-> { context[:admin] }", ->(_) { -> { context[:admin] } }]
    )

    DEFAULTS = codes(
      ["a default", "0", ->(_) { 0 }], ["a default", '"none"', ->(_) { "none" }],
      ["a default", "false", ->(_) { false }], ["a default", "[]", ->(_) { [] }],
      ["a default that is a lambda", "->(o) { mark(Fuzz.get(o, KEY)) }",
       ->(key) { ->(o) { mark(Fuzz.get(o, key)) } }],
      ["a default that is a lambda without parameter", "-> { mark(Fuzz.get(object, KEY)) }",
       ->(key) { -> { mark(Fuzz.get(object, key)) } }]
    )

    CALLABLES = codes(
      ["as: a lambda", '->(v) { ["c", v] }', ->(_) { ->(v) { ["c", v] } }],
      ["as: a callable object", "Fuzz::Doubled", ->(_) { Doubled }],
      ["as: a module with encode", "Fuzz::Boxed", ->(_) { Boxed }]
    )

    CONTEXTS = codes(
      ["a context", '{ who: "child", admin: true }', ->(_) { { who: "child", admin: true } }],
      ["a context that is a lambda", "->(o) { { who: Fuzz.get(o, KEY) } }",
       ->(key) { ->(o) { { who: Fuzz.get(o, key) } } }]
    )

    METAS = codes(
      ["a meta block", "{ |objects| { given: !objects.nil? } }",
       ->(_) { proc { |objects| { given: !objects.nil? } } }],
      ["a meta block", "{ { who: context[:who] } }", ->(_) { proc { { who: context[:who] } } }]
    )

    # Keys of documents: words of transform_keys, with the names that they have one clear form for.
    CASES = {
      camel: /\A[a-z]+(_[a-z0-9]+)*\z/, camel_lower: /\A[a-z0-9]+(_[a-z0-9]+)*\z/,
      dash: /\A[a-z0-9]+(_[a-z0-9]+)*\z/,
      snake: /\A[a-z0-9_]+\z|\A[a-z]+[A-Z][a-z]+\z/, callable: /\A.*\z/m
    }.freeze
    SHOUTED = Code.new("key case: callable", '->(name) { "#{name}!\"" }',
                       ->(_) { ->(name) { "#{name}!\"" } }).freeze

    # Formats of `as: :time`.
    FORMATS = [nil, :iso8601, :utc, :unix, :unix_ms, "%Y/%j \"%H\""].freeze
  end
end
