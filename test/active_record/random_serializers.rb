# frozen_string_literal: true

# Random serializers of Shop's models, for the property of preloading: associations to a depth of
# four, in all forms that declarations have, with views and conditions.

class RandomSerializers
  # What a model has: its columns, and its associations with what they lead to (an Array of models
  # for polymorphic ones).
  MODELS = {
    "Post" => [%w[id title], { author: "Author", editor: "Author", comments: "Comment", tags: "Tag",
                               commenters: "Author",
                               first_comment: "Comment", taggings: "Tagging", notes: "Note",
                               newest: "Comment", own: "Comment" }],
    "Author" =>
      [%w[id name],
       { avatar: "Avatar", mentor: "Author", posts: "Post", pupils: "Author", pets: "Animal" }],
    "Comment" => [%w[id body], { post: "Post", author: "Author" }],
    "Tagging" => [%w[id], { post: "Post", tag: "Tag" }],
    "Note" => [%w[id text], { notable: %w[Post Author] }],
    "Animal" => [%w[id name], { owner: "Author" }],
    "Tag" => [%w[id name], {}],
    "Avatar" => [%w[id url], {}]
  }.freeze
  # What ActiveRecord cannot preload for many records at once.
  ONE_BY_ONE = %i[newest own].freeze
  CONDITIONS = ["if: -> { context[:on] }", "unless: ->(o) { context[:on] }",
                "if: ->(o) { o.id.odd? }", "if: :id"].freeze
  VIEWS = %i[more less].freeze

  # @return [Array<Symbol>] the names of all associations
  attr_reader :used

  def initialize(random)
    @random, @used = random, []
  end

  # Whether all of these can be preloaded. What goes through others, which are read elsewhere too,
  # is left alone where it meets these again, and so where a relation joins them.
  # @param joined [Boolean] for a relation that has loaded some comments
  def preloadable?(joined)
    (@used & ONE_BY_ONE).empty? && !(@used.include?(:tags) && @used.include?(:taggings)) &&
      !(@used.include?(:commenters) && (joined || @used.include?(:comments)))
  end

  # @return [Class] for objects of the model
  def serializer(model, depth)
    made = Class.new(ToJson::Serializer)
    made.define_singleton_method(:to_s) { "Random#{model}Serializer" }
    declare(made, model, depth)
    VIEWS.each { |view| made.view(view) { nil } }
    names = made.definition.names
    made.view(:less) { remove names.first } if chance(0.3)
    fields = lines(model, depth - 1, "more_")
    made.view(:more) { fields.each { |line| line.call(self) } }
    made
  end

  # @return [Hash] of `json!`
  def mask(serializer_class)
    names =
      serializer_class.definition.entries.reject { |field| field.kind == :flatten }.map(&:name).uniq
    case @random.rand(5)
    when 0 then { only: names.sample(3, random: @random) }
    when 1 then { except: names.sample(2, random: @random) }
    when 2 then { view: VIEWS.sample(random: @random) }
    when 3 then { view: VIEWS, except: names.sample(1, random: @random) }
    else {}
    end
  end

  private

  def chance(share) = @random.rand < share

  def declare(target, model, depth)
    lines(model, depth).each { |line| line.call(target) }
  end

  # What declares fields, each in whatever it is given.
  def lines(model, depth, prefix = "")
    columns, associations = MODELS.fetch(model)
    made = columns.map { |name| ->(target) { target.attribute(:"#{prefix}#{name}", source: name) } }
    return made if depth < 1

    associations.to_a.sample(1 + @random.rand(3),
                             random: @random).each_with_index do |(name, to), index|
      next if ONE_BY_ONE.include?(name) && !chance(0.2)

      @used << name
      made << line(:"#{prefix}#{name}_#{index}", name, to, depth, many?(model, name))
    end
    made
  end

  def many?(model, name)
    Shop.const_get(model).reflect_on_association(name).collection?
  end

  def line(key, name, to, depth, many)
    return polymorphic(key, name, to, depth) if to.is_a?(Array)

    case @random.rand(ONE_BY_ONE.include?(name) ? 1..7 : 8)
    when 0 then block(key, name, to, many)
    when 1 then inline(key, name, to, depth, "nested")
    when 2, 3 then inline(key, name, to, depth, nil)
    when 4 then many ? named(key, name, to, depth, many) : flatten(key, name, to, depth)
    else named(key, name, to, depth, many)
    end
  end

  def options
    return {} if chance(0.7)

    eval("{ #{CONDITIONS.sample(random: @random)} }")
  end

  # What a block hides.
  def block(key, name, to, many)
    column = MODELS.fetch(to).first.last
    given = options
    lambda do |target|
      target.attribute(key, preload: name, **given) do |object|
        value = object.public_send(name)
        many ? value.map { |one| one.public_send(column) } : value&.public_send(column)
      end
    end
  end

  def inline(key, name, to, depth, around)
    inner, given = lines(to, depth - 1), options
    one = many_word(name, to)
    association = ->(target) {
      target.public_send(one, key, source: name, **given) { inner.each { |line| line.call(self) } }
    }
    return association unless around

    ->(target) { target.nested(:"in_#{key}") { association.call(self) } }
  end

  def many_word(name, _to)
    return :association if chance(0.1)

    if %i[author editor first_comment avatar mentor post tag owner].include?(name)
      :has_one
    else
      :has_many
    end
  end

  def named(key, name, to, depth, _many)
    made, given, word = serializer(to, depth - 1), options, many_word(name, to)
    given = given.merge(mask(made))
    given = given.merge(context: { on: chance(0.5) }) if chance(0.2)
    lambda_too = chance(0.15)
    chosen = lambda_too ? ->(_value) { made } : made
    ->(target) { target.public_send(word, key, source: name, serializer: chosen, **given) }
  end

  def flatten(key, name, to, depth)
    made = Class.new(ToJson::Serializer)
    fields = lines(to, depth - 1, "#{key}_")
    fields.each { |line| line.call(made) }
    ->(target) { target.flatten(name, serializer: made) }
  end

  def polymorphic(key, name, to, depth)
    map = to.to_h { |model| [Shop.const_get(model), serializer(model, depth - 1)] }
    ->(target) { target.has_one(key, source: name, serializer: map) }
  end
end
