# frozen_string_literal: true

# Stops. Which fields, and which serializer: views, Masks, lookup.

require "fileutils"
require "tmpdir"

module Stops
  scenario "a view" do
    made = serializer do
      attributes :id
      view(:full) { attribute(:title) { |post| post.title.upcase } }
    end
    { call: -> { made.json!(POST, view: :full) }, expect: '{"id":1,"title":"ONE"}',
      again: -> { made.json!([POST]) },
      accepts: ['[{"id":1}]'] }
  end

  scenario "a composition of views" do
    made = serializer do
      attributes :id
      view(:full) { attributes :title }
      view(:social) { has_one(:author) { attributes :name } }
    end
    { call: -> { made.json!(POST, view: %i[full social]) },
      expect: '{"id":1,"title":"One","author":{"name":"Ann"}}' }
  end

  scenario "a Mask by only:" do
    author = serializer { attributes :id, :name }
    made = serializer do
      attributes :id, :title
      has_one :author, serializer: author
    end
    { call: -> { made.json!(POST, only: [:id, { author: [:name] }]) },
      expect: '{"id":1,"author":{"name":"Ann"}}' }
  end

  scenario "a Mask by except:" do
    made = serializer do
      attributes :id, :title
      has_many(:tags) { attributes :id, :name }
    end
    { call: -> { made.json!([POST], except: "id,tags(id)") },
      expect: '[{"title":"One","tags":[{"name":"x"}]}]' }
  end

  # The words of each call are new, and take the place of others.
  scenario "choices beyond the most that are kept" do
    made = serializer { attributes :id, :title }
    number = 0
    call = lambda do
      ToJson.kept_choices = 2
      made.json!(POST, only: "id#{" " * ((number += 1) % 5)}")
    end
    { call: call, expect: '{"id":1}', again: -> { made.json!(POST, except: :id) },
      accepts: ['{"title":"One"}'] }
  end

  # Records and serializers stand in namespaces: Api::AuthorSerializer is found for an Author.
  scenario "lookup by class" do
    api = world
    author = api.const_set(:Author, Struct.new(:name))
    api.const_set(:AuthorSerializer, Class.new(ToJson::Serializer) { attributes :name })
    made = api.const_set(:PostSerializer, Class.new(ToJson::Serializer) { has_many :tags })
    post = { tags: [author.new("Ann"), author.new("Bob")] }
    { call: -> { made.json!(post) }, expect: '{"tags":[{"name":"Ann"},{"name":"Bob"}]}' }
  end

  scenario "lookup by class, a Hash and a lambda, one and many of two classes" do
    api = world
    author, robot = Array.new(2) { Struct.new(:name) }
    api.const_set(:Author, author)
    api.const_set(:AuthorSerializer, Class.new(ToJson::Serializer) { attributes :name })
    of_robots = Class.new(ToJson::Serializer) { attribute(:robot) { |one| one.name } }
    api.const_set(:Robot, robot)
    api.const_set(:RobotSerializer, of_robots)
    made = api.const_set(:PostSerializer, Class.new(ToJson::Serializer) do
      has_one :author
      has_many :tags
      has_one :map, source: :author, serializer: { author => "AuthorSerializer" }
      has_one :told, source: :author, serializer: ->(_) { of_robots }
    end)
    ann = author.new("Ann")
    post = { author: ann, tags: [robot.new("R"), ann] }
    { call: -> { made.json!(post) },
      expect: '{"author":{"name":"Ann"},"tags":[{"robot":"R"},{"name":"Ann"}],' \
              '"map":{"name":"Ann"},"told":{"robot":"Ann"}}' }
  end

  scenario "a Mask with parts of associations" do
    inner = serializer { attributes :id, :name }
    made = serializer do
      attributes :id
      has_one :author, serializer: inner
      has_many :tags, serializer: inner
    end
    post = { id: 1, author: { id: 2, name: "Ann" }, tags: [{ id: 3, name: "t" }] }
    { call: -> { made.json!(post, only: "author(name),tags(id)") },
      expect: '{"author":{"name":"Ann"},"tags":[{"id":3}]}' }
  end

  # A has_one that its parent's native call writes, with conditions, methods and defaults inside.
  scenario "a Mask with a part of an object that its parent's call writes" do
    inner = serializer do
      attributes :id
      attribute :name, default: "none"
      attribute(:loud) { |author| author.name.upcase }
      attribute :by, as: :string
      def by(author) = author.name.to_sym
    end
    made = serializer do
      attributes :id
      has_one :author, if: ->(post) { post.title }, serializer: inner
      has_one :writer, source: :author, except: :id, serializer: inner
    end
    { call: -> { made.json!([POST], only: "author(loud,name),writer(by)") },
      expect: '[{"author":{"name":"Ann","loud":"ANN"},"writer":{"by":"Ann"}}]',
      again: -> { made.json!(POST, except: { author: :loud, writer: true }, root: +"p") },
      accepts: ['{"p":{"id":1,"author":{"id":7,"name":"Ann","by":"Ann"}}}'] }
  end

  # More than the class keeps of the last ones. Each says the same.
  scenario "names in turns, under a root" do
    inner = serializer { attributes :id, :name }
    made = serializer do
      attributes :id, :title
      has_one :author, serializer: inner
    end
    turns = ["id,author(name)", [:id, { author: [:name] }], { "id" => true, author: "name" },
             ["author(name)", :id], { id: nil, author: %w[name] }, [["id"], { author: :name }]]
    turn = 0
    call = lambda do
      2.times.map { made.json!(POST, only: turns[(turn += 1) % turns.size], root: "p") }.join
    end
    { call: call, expect: '{"p":{"id":1,"author":{"name":"Ann"}}}' * 2 }
  end

  # For this process and those that it forks: a name has the same file in all.
  AUTOLOADED = Dir.mktmpdir("to_json-stops-")
  owner = Process.pid
  at_exit { FileUtils.rm_rf(AUTOLOADED) if Process.pid == owner }

  # `few`: once a name was looked up, each new class may be meant by it, so that all compile anew.
  scenario "lookup by a String that autoloads its file", group: :few do
    api = world
    file = File.join(AUTOLOADED, "#{api.name[/\d+/]}.rb")
    # Whole at once: another process of the run may be reading it.
    File.write("#{file}.#{Process.pid}",
               "#{api.name}::NamedSerializer = Class.new(ToJson::Serializer) { attributes :name " \
               "}\n")
    File.rename("#{file}.#{Process.pid}", file)
    api.autoload(:NamedSerializer, file)
    made = api.const_set(:PostSerializer,
                         Class.new(ToJson::Serializer) do
                           has_one :author, serializer: "NamedSerializer"
                         end)
    { call: -> { made.json!(POST) }, expect: '{"author":{"name":"Ann"}}' }
  end
end
