# frozen_string_literal: true

# Stops. The imperative DSL in all its forms.

module Stops
  scenario "the class form" do
    made = serializer do
      def serialize(post)
        put :id, post.id
        put(:author, post.author) { |author| put_field author, :name }
        put :tags, post.tags do |tag, index|
          put index: index
          put_fields_if ->(name) { name }, tag, :name
        end
      end
    end
    { call: -> { made.json!(POST) },
      expect: '{"id":1,"author":{"name":"Ann"},"tags":[{"index":0,"name":"x"}]}' }
  end

  scenario "put_fields by a compiled list" do
    list = %i[id title author tags].push(:itself)
    made = serializer do
      define_method(:serialize) do |row|
        3.times { |at| put(at.to_s) { put_fields row, *list } }
      end
    end
    row = Class.new(Struct.new(:id, :title, :author, :tags)) do
      def itself = 0
    end.new(1, "One", nil, [])
    part = '{"id":1,"title":"One","author":null,"tags":[],"itself":0}'
    { call: -> { made.json!(row) }, expect: "{\"0\":#{part},\"1\":#{part},\"2\":#{part}}" }
  end

  scenario "primitives, array and value" do
    made = serializer do
      def serialize(*)
        open :ids
        open_array
        value 1
        close
        close
        put(:list) { array([1, 2]) { |x| value x * 2 } }
      end
    end
    { call: -> { made.json! }, expect: '{"ids":[1],"list":[2,4]}' }
  end

  scenario "declared fields by put_attributes" do
    made = serializer do
      attributes :id
      attribute(:title) { |post| post.title.upcase }
      def serialize(post)
        put :first, true
        put_attributes post
      end
    end
    { call: -> { made.json!(POST) }, expect: '{"first":true,"id":1,"title":"ONE"}' }
  end

  scenario "a serializer in place" do
    inner = serializer { attributes :name }
    made = serializer { define_method(:serialize) { |post| put :author, inner.new(post.author) } }
    { call: -> { made.json!(POST) }, expect: '{"author":{"name":"Ann"}}' }
  end

  scenario "an instance that is used again" do
    made = serializer { def serialize(name, loud: false) = put(:hello, loud ? name.upcase : name) }
    instance = made.new("Ann", loud: true)
    { call: -> { instance.json! }, expect: '{"hello":"ANN"}',
      again: -> { instance.json!("Bob", loud: false) },
      accepts: ['{"hello":"Bob"}'],
      whole: ->(_) { "ivars #{instance.instance_variables}" if instance.instance_variables.any? } }
  end

  scenario "an instance of declared fields" do
    made = serializer do
      attributes :id
      attribute(:title) { |post| post.title }
    end
    instance = made.new(POST)
    { call: -> { instance.json! }, expect: '{"id":1,"title":"One"}' }
  end

  scenario "encode!" do
    made = serializer { attributes :id }
    instance = made.new(POST)
    { call: -> { instance.encode!.to_s }, expect: '{"id":1}',
      again: -> { instance.encode!.to_json } }
  end

  scenario "the module form" do
    made = Struct.new(:x, :y) do
      include ToJson::Serialize

      def serialize
        put_fields self, :x, :y
        put(:deep) { put :z, 3 }
      end
    end
    point = made.new(1, 2)
    { call: -> { point.json! }, expect: '{"x":1,"y":2,"deep":{"z":3}}',
      whole: ->(_) do
        "members #{point.to_a}" unless point.to_a == [1, 2] && point.instance_variables.empty?
      end }
  end

  # Its instance variables are seen inside; those that the block assigns come back when it ends.
  class Caller
    attr_reader :kept, :given

    def initialize = (@kept, @given = "kept", 0)
    def document = ToJson::Serializer.json!(@kept) { |text| write_all(self, text) || (@given = 1) }

    def stepwise
      ToJson::Serializer.json! do
        @given = 1
        put :kept, @kept
        put(:name) { put :is, secret }
        @given = 2
      end
    end

    # @return [String, nil]
    def broken
      whole = @kept == "kept" && [
        0, 1, 2
      ].include?(@given) && instance_variables == %i[@kept @given]
      unless whole
        "the caller has #{instance_variables.to_h { |name| [name, instance_variable_get(name)] }}"
      end
    end

    private

    def secret = "s"
  end

  scenario "the block form" do
    caller = Class.new(Caller).new
    { call: -> { caller.stepwise }, expect: '{"kept":"kept","name":{"is":"s"}}',
      whole: ->(_) { caller.broken } }
  end

  scenario "the block form of a caller with methods of its own" do
    caller = Class.new(Caller).new
    def caller.secret = "own"
    { call: -> { caller.stepwise }, expect: '{"kept":"kept","name":{"is":"own"}}',
      whole: ->(_) { caller.broken } }
  end

  scenario "ToJson.json" do
    { call: -> { ToJson.json { |j| j.put(:a, [1, 2]) { |x| j.put :x, x } } },
      expect: '{"a":[{"x":1},{"x":2}]}' }
  end
end
