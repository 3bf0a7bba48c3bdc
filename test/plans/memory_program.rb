# frozen_string_literal: true

# A program, so that it has a heap of its own: ruby memory_program.rb NAME TIMES repeats one thing
# that must leave nothing behind, and prints how much Ruby's heap, code and Symbols have grown, as
# Ruby's Hash.

require "to_json"
require "json"
require "objspace"
require_relative "user_code_points"

# Serializers for random Masks, and what of a whole document a Mask leaves.
module Masks
  Author = Class.new(ToJson::Serializer) { attributes :id, :name, :mail }
  Comment = Class.new(ToJson::Serializer) do
    attributes :id, :body; has_one :author, serializer: Author
  end

  # Every kind of field.
  class Post < ToJson::Serializer
    attributes :a, :b, :c, d: :dee
    attribute(:e) { |post| post[:a] }
    nested(:place) { attributes :street, :city }
    has_one :author, serializer: Author
    has_many :comments, serializer: Comment
    has_many :notes, serializer: ->(_) { Comment }
    flatten(:profile) { attributes :bio, :motto }
    view(:full) { attributes :x, :y; attribute :a, as: :string }
    view(:short) { remove :b, :notes }
  end

  ANN = { id: 1, name: "Ann", mail: "a@b" }.freeze
  COMMENTS = [{ id: 2, body: "no", author: ANN }, nil, { id: 3, body: "\"", author: nil }].freeze
  ROW = { a: 1, b: "b", c: nil, d: [1], street: "Elm", city: "Ur", author: ANN, comments: COMMENTS,
          notes: COMMENTS, profile: { bio: "<>", motto: nil }, x: 7, y: 8 }.freeze
  BELOW = { "place" => { "street" => nil, "city" => nil },
            "author" => { "id" => nil, "name" => nil, "mail" => nil } }
          .then do |below|
            below.merge("comments" => { "id" => nil, "body" => nil, "author" => below["author"] })
          end
          .then { |below| below.merge("notes" => below["comments"]) }.freeze
  NAMES = %w[a b c dee e place author comments notes bio motto].to_h do |name|
    [name, BELOW[name]]
  end.freeze
  VIEWS = [nil, :full, "short", %w[short full], []].freeze

  module_function

  # @return [Hash{String => Hash, nil}] names by the bits of a number, and some of theirs
  def tree(random, names)
    names.select { random.rand(3).positive? }.transform_values do |below|
      below && random.rand(3).zero? ? tree(random, below) : nil
    end
  end

  # The tree as only: and except: may have it.
  def form(tree, kind)
    case kind
    when 0 then tree.map { |name, part| part ? { name.to_sym => form(part, kind) } : name.to_sym }
    when 1 then tree.to_h { |name, part| [name, part ? form(part, kind) : true] }
    else tree.map { |name, part| part ? "#{name}(#{form(part, kind)})" : name }.join(",")
    end
  end

  # What only (or except) leaves of a value that was parsed.
  def left(value, tree, except)
    case value
    when Array then value.map { |item| left(item, tree, except) }
    when Hash
      kept =
        if except
          value.reject { |name, _| tree.key?(name) && tree[name].nil? }
        else
          value.slice(*tree.keys)
        end
      kept.to_h { |name, inner| [name, tree[name] ? left(inner, tree[name], except) : inner] }
    else value
    end
  end

  # @return [Array(Hash, Hash)] the options of call number i, and the Hash that it is due
  def call(number)
    random = Random.new(number)
    view = VIEWS[random.rand(VIEWS.size)]
    only, except = tree(random, NAMES), tree(random, NAMES.to_a.rotate(number % 11).to_h)
    only = nil if random.rand(3).zero?
    except = nil if only && random.rand(2).zero?
    due = whole(view)
    due = left(due, only, false) if only
    due = left(due, except, true) if except
    [{ view: view, only: only && form(only, random.rand(3)),
       except: except && form(except, random.rand(3)) }.compact, due]
  end

  def whole(view) = (@whole ||= {})[view] ||= JSON.parse(Post.json!(ROW, **{ view: view }.compact))
end

# What is repeated; each gets the number of its turn.
module DeclaredFlat
  Boom = Class.new(StandardError)

  # The Sink's takes 3,000 rows.
  def self.points
    @points ||= DeclaredPoints::ALL.reject { |name, _| name.include?("Sink") }.values
  end

  REPEATED = {
    "masks" => lambda { |i|
      options, = Masks.call(i)
      Masks::Post.json!(Masks::ROW, **options)
    },
    "names that nobody declares" => lambda { |i|
      [{ only: ["no#{i}"] }, { except: "a,no#{i}" }, { view: "no#{i}" },
       { only: "a(" + "b" * (i % 9) }].each do |options|
        Masks::Post.json!(Masks::ROW, **options)
      rescue ToJson::Error
        nil
      end
    },
    "raise and throw at every point" => lambda { |i|
      point = points[i / 2 % points.size]
      if i.odd? then catch(:out) { point.call(-> { throw :out }) }
      else
        begin
          point.call(-> { raise Boom })
        rescue Boom
          nil
        end
      end
    },
    "abandoned Fibers" => lambda { |i|
      Fiber.new { points[i % points.size].call(-> { Fiber.yield }) }.resume
      # a Fiber's stack is a mapping, which Ruby's collector does not count
      GC.start if (i % 500).zero?
    },
    "documents that end well" => ->(i) { points[i % points.size].call(-> { 1 }) },
    "serializers that are defined, used and forgotten" => lambda { |i|
      Class.new(ToJson::Serializer) do
        attributes :a, :b
        nested(:n) { attributes :c }
        view(:v) { attributes :d }
        attribute(:e, if: ->(o) { o[:a] }) { object[:b] }
      end
           .json!({ a: i, b: 2, c: 3, d: 4 }, view: :v)
    }
  }.freeze

  def self.rss = Integer(File.read("/proc/self/status")[/^VmRSS:\s+(\d+)/, 1])

  def self.counts
    3.times { GC.start }
    code = ObjectSpace.count_imemo_objects
    kinds = ObjectSpace.count_objects
    { rss: rss, slots: GC.stat(:heap_live_slots),
      methods: code[:imemo_iseq].to_i + code[:imemo_ment].to_i,
      modules: kinds[:T_MODULE] + kinds[:T_CLASS],
      symbols: Symbol.all_symbols.size,
      constants: RubyVM.stat.values_at(:global_constant_state,
                                       :constant_cache_invalidations).compact.sum,
      writers: ObjectSpace.each_object(ToJson::Writer).count,
      serializers: ObjectSpace.each_object(ToJson::Serializer).count }
  end

  ROUNDS = 3

  # A third of `times` as warm-up, then three such rounds. What leaks grows in every one of them,
  # what only settles does not: the least growth counts, over all rounds.
  def self.run(name, times)
    repeat = REPEATED.fetch(name)
    found = Array.new(ROUNDS + 1) do |round|
      (times / ROUNDS).times { |i| repeat.call(round * times / ROUNDS + i) }
      counts
    end
    growth = found.each_cons(2).map do |before, after|
      after.to_h { |what, count| [what, count - before[what]] }
    end
    { times: times / ROUNDS * ROUNDS, sound: DeclaredPoints.sound?,
      **growth.first.keys.to_h { |what| [what, growth.map { |round| round[what] }.min * ROUNDS] } }
  end
end

puts DeclaredFlat.run(ARGV.fetch(0), Integer(ARGV.fetch(1))).inspect if $PROGRAM_NAME == __FILE__
