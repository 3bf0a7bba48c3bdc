# frozen_string_literal: true

# Stops. Classes that are declared, reopened and compiled ahead.

module Stops
  scenario "declaring a class" do
    { call: lambda {
      made = Class.new(ToJson::Serializer) do
        root :post
        attributes :id
        attribute(:title, if: :shown?) { |post| post.title }
        has_one(:author) { attributes :name }
        view(:full) { attributes :tags }
        def shown?(_) = true
      end
      made.json!(POST)
    }, expect: '{"post":{"id":1,"title":"One","author":{"name":"Ann"}}}' }
  end

  # A stop leaves the class with the field, or without it.
  scenario "reopening a class" do
    made = serializer { attributes :id }
    made.json!(POST)
    { call: lambda {
      made.class_eval do
        remove :title if definition.fields.any? { |field| field.name == :title }
        attribute(:title) { |post| post.title }
      end
      made.json!(POST)
    }, expect: '{"id":1,"title":"One"}', again: -> { made.json!(POST) },
    accepts: ['{"id":1,"title":"One"}', '{"id":1}'] }
  end

  scenario "a method defined later" do
    made = serializer do
      attributes :id, :title
      attribute(:twice) { |post| post.id * 2 }
    end
    made.json!(POST)
    { call: lambda {
      made.class_eval do
        remove_method(:title) if method_defined?(:title, false)
        def title(_) = "own"
      end
      made.json!(POST)
    }, expect: '{"id":1,"title":"own","twice":2}', again: -> { made.json!(POST) },
      accepts: %w[own One].map { |title| %({"id":1,"title":"#{title}","twice":2}) } }
  end

  scenario "compile!" do
    author = serializer { attributes :name }
    made = serializer do
      attributes :id
      has_one :author, serializer: author
      view(:full) { attributes :title }
    end
    { call: -> { made.compile!.positive? && made.json!(POST, view: :full) },
      expect: '{"id":1,"author":{"name":"Ann"},"title":"One"}' }
  end

  scenario "ToJson.compile!", group: :few do
    made = serializer { attribute(:id) { |post| post.id } }
    { call: -> { ToJson.compile!.positive? && made.json!(POST) }, expect: '{"id":1}' }
  end

  scenario "explain" do
    made = serializer { attribute(:id) { |post| post.id } }
    { call: -> { made.explain.lines.first[/\d field/] }, expect: "1 field",
      again: -> { made.json!(POST) }, accepts: ['{"id":1}'] }
  end
end
