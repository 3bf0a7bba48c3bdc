# frozen_string_literal: true

require_relative "../contenders/shape"
require_relative "blog"

module Bench
  # The data of scenario 16: Structs of four fields and one other Struct, and what a client chooses
  # of them.
  module Notes
    SCRIBE = {id: nil, name: nil}.freeze
    FIELDS = {id: nil, title: nil, score: nil, draft: nil, scribe: SCRIBE}.freeze
    SHAPE = Shape.new(FIELDS)

    Note = Struct.new(:id, :title, :score, :draft, :scribe)
    Scribe = Struct.new(:id, :name)

    # A note with one of many choices: `only` as an Array and as a String, `kind` the index in
    # KINDS, `panko` as its filters have it.
    Chosen = Struct.new(:note, :only, :text, :kind, :panko)

    # The documents that choices leave: {field => nil, or {field => nil} of the scribe}.
    KINDS = %i[id title score draft].then do |plain|
      scribes = [nil, {id: nil}, {name: nil}, SCRIBE]
      (0..plain.size).flat_map { |size| plain.combination(size).to_a }.product(scribes)
                     .map { |names, scribe|
        {**names.to_h { |name| [name, nil] }, **(scribe ? {scribe: scribe} : {})}.freeze
      }.reject(&:empty?).freeze
    end

    class << self
      def one = rows(Blog::POOL)

      # `periods` lists of notes.
      def many(periods: 4, size: 100) = rows(periods * size).each_slice(size).to_a

      # 1,024 different choices, in orders of their own.
      def chosen
        notes = one
        choices.first(1_024).each_with_index.map do |fields, index|
          Chosen.new(notes[index % notes.size], selection(fields), text(fields), kind_of(fields),
                     {instance: fields.keys, **fields.compact.transform_values(&:keys)})
        end
      end

      private

      def rows(size)
        Blog.author_rows(size).zip(Blog.post_rows(size, posts: 1)).map do |(id, name), post|
          Note.new(id, post[1], (id * 7) % 100 / 4.0, id.odd?, Scribe.new(id % 20, name))
        end
      end

      # In every order, the largest first: of these there are the most.
      def choices
        KINDS.reverse.flat_map do |kind|
          inner = kind[:scribe] ? kind[:scribe].to_a.permutation.map(&:to_h) : [nil]
          kind.to_a.permutation.to_a.product(inner).map do |fields, scribe|
            {**fields.to_h, **(scribe ? {scribe: scribe} : {})}
          end
        end
      end

      # Of two Hashes the order does not count.
      def kind_of(fields) = KINDS.index { |kind| kind == fields }

      def selection(fields)
        fields.map { |name, inner| inner ? {name => inner.keys} : name }
      end

      def text(fields)
        fields.map { |name, inner| inner ? "#{name}(#{inner.keys.join(",")})" : name }.join(",")
      end
    end
  end
end
