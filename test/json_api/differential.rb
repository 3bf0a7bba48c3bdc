# frozen_string_literal: true

# Compares documents with jsonapi-serializer's, over random models, associations (a third of them
# polymorphic), includes and fieldsets. A program of its own, since that gem loads ActiveSupport.
# Arguments: how many schemas, the seed.
#
# Equal after parsing, but for these:
# - the order of what is included
# - theirs repeats primary data in included
# - theirs writes an empty `attributes` or `relationships`, if a fieldset leaves nothing

require "json"
require "active_support/all"
require "jsonapi/serializer"
require "to_json"

# One random schema, declared twice, and objects of it.
class Schema
  NAMES = %w[Apple Bear Cat Dog].freeze

  def initialize(random)
    @random = random
    @ours, @theirs = Module.new, Module.new
    Object.const_set(:"Ours#{object_id}", @ours)
    Object.const_set(:"Theirs#{object_id}", @theirs)
    @names = NAMES.first(2 + random.rand(3))
    @shapes = @names.to_h { |name| [name, shape] }
    @classes = @names.to_h { |name| [name, @ours.const_set(name, Class.new(One))] }
    @names.each { |name| declare(name, *@shapes[name]) }
    @objects = @names.to_h do |name|
      [name, Array.new(1 + random.rand(4)) { |at| object(name, at) }]
    end
    @objects.each_value { |all| all.each { |one| relate(one) } }
  end

  # @return [Array(Hash, Hash, Boolean)] ours and theirs, and whether all relationships show
  def documents
    name = @names.sample(random: @random)
    many = @random.rand < 0.7
    objects = many ? @objects[name].sample(3, random: @random) : @objects[name].first
    include, fields = paths(name, 3), fieldsets(name)
    [JSON.parse(@ours.const_get("#{name}Serializer").json_api!(objects, include: include,
                                                                       fields: fields)),
     JSON.parse(@theirs.const_get("#{name}Serializer")
                       .new(objects, include: include, fields: fields.transform_keys(&:to_sym))
                       .serializable_hash.to_json), fields.empty?]
  end

  private

  def shape
    attributes = %i[size color weight].select { @random.rand < 0.6 }
    relations = %i[friend parent others parts].select { @random.rand < 0.5 }
                                              .to_h { |one| [one, target] }
    [attributes, relations]
  end

  # :any is polymorphic.
  def target = @random.rand < 0.33 ? :any : @names.sample(random: @random)

  # The names of the types that a relation may lead to.
  def targets(target) = target == :any ? @names : [target]

  # What tells ours the serializer.
  def told(target)
    return { serializer: "#{target}Serializer" } unless target == :any

    home, found = @ours, @classes.to_h { |name, type| [type, "#{name}Serializer"] }
    [{}, { serializer: found },
     { serializer: ->(one) { home.const_get("#{one.name}Serializer") } }].sample(random: @random)
  end

  def many?(relation) = %i[others parts].include?(relation)

  def declare(name, attributes, relations)
    type, home = name.downcase, @ours
    ours = Class.new(ToJson::Serializer) do
      type(type)
      attributes(*attributes)
      link(:self) { |one| "/#{type}/#{one.id}" } if attributes.include?(:size)
    end
    theirs = Class.new do
      include JSONAPI::Serializer
      set_type type.to_sym
      attributes(*attributes) if attributes.any?
      link(:self) { |one| "/#{type}/#{one.id}" } if attributes.include?(:size)
    end
    home.const_set("#{name}Serializer", ours)
    @theirs.const_set("#{name}Serializer", theirs)
    relations.each do |relation, target|
      word = many?(relation) ? :has_many : :has_one
      ours.public_send(word, relation, **told(target), linkage: true)
      lazy = @theirs
      theirs.public_send(word, relation,
                         serializer: ->(one, *) { lazy.const_get("#{one.name}Serializer") },
                         &relation)
    end
  end

  # No Struct: theirs takes what has `map` for many.
  One = Class.new do
    attr_accessor :name, :id, :size, :color, :weight, :friend, :parent, :others, :parts
  end

  def object(name, at)
    @classes.fetch(name).new.tap do |one|
      one.name, one.id = name, at + 1
      one.size, one.color, one.weight = @random.rand(9), %w[red a"b é].sample(random: @random), nil
    end
  end

  def relate(one)
    @shapes[one.name].last.each do |relation, target|
      all = targets(target).flat_map { |name| @objects[name] }
      one.public_send(:"#{relation}=",
                      if many?(relation) then all.sample(@random.rand(4), random: @random)
                      elsif @random.rand < 0.8 then all.sample(random: @random)
                      end)
    end
  end

  def paths(name, depth)
    paths = Array.new(@random.rand(3)) { path(name, depth) }
    paths.reject(&:empty?).map { |one| one.join(".") }.uniq
  end

  def path(name, depth)
    relations = @shapes[name].last.to_a
    return [] if depth.zero? || relations.empty? || @random.rand < 0.2

    relation, target = relations.sample(random: @random)
    [relation, *path(targets(target).sample(random: @random), depth - 1)]
  end

  def inside(name) = @shapes[name].last.values.flat_map { |target| targets(target) }

  # Of the types that a path could lead to: ours refuses others.
  def fieldsets(root)
    reached = [root]
    reached.each { |name| reached.concat(inside(name) - reached) }
    reached.uniq.select { @random.rand < 0.3 }.to_h do |name|
      [name.downcase, @shapes[name].then { |attributes, relations| [*attributes, *relations.keys] }
                                   .select { @random.rand < 0.5 }]
    end
  end
end

# Without what differs.
def plain(document)
  primary = [document["data"]].flatten.map { |one| one.values_at("type", "id") }
  included = document.fetch("included", []).reject do |one|
    primary.include?(one.values_at("type", "id"))
  end
  document = document.merge("included" => included.sort_by { |one| one.values_at("type", "id") })
  [document["data"], document["included"]].flatten.each do |one|
    %w[attributes relationships].each { |name| one.delete(name) if one[name] == {} }
  end
  document
end

schemas, seed = ARGV.fetch(0, "50").to_i, ARGV.fetch(1, Random.new_seed.to_s).to_i
random = Random.new(seed)
compared = 0
schemas.times do |number|
  schema = Schema.new(random)
  20.times do
    ours, theirs, linked = schema.documents
    compared += 1
    problems = ToJson::JsonApi.validate(ours, full_linkage: linked)
    abort "seed #{seed}, schema #{number}: #{problems.join("\n")}\n#{ours.to_json}" if problems.any?
    next if plain(ours) == plain(theirs)

    puts "seed #{seed}, schema #{number}:", plain(ours).to_json, plain(theirs).to_json
    exit 1
  end
end
puts "#{compared} documents compared, seed #{seed}"
