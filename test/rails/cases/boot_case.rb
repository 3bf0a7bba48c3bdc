# frozen_string_literal: true

# What happens at boot: loading, eager loading, reloading, the store of caches, and the helpers of
# routes. Serializers stand in files, as in an application.

APP_SETTINGS = proc do
  config.enable_reloading = true
  config.action_controller.perform_caching = true
  config.to_json.preload = :manual
  Rails.application.routes.default_url_options = { host: "elsewhere.example" }
  BOOT_FILES.each do |path, text|
    FileUtils.mkdir_p(config.root.join(File.dirname(path)))
    config.root.join(path).write(text)
  end
end

BOOT_FILES = {
  "app/serializers/note_serializer.rb" => <<~RUBY,
    class NoteSerializer < ToJson::Serializer
      attributes :name
      attribute(:url) { |note| post_url(note) }
      attribute(:path) do |note|
        url_for(controller: "notes", action: "show", id: note.id, only_path: true)
      end
      attributes :photo_url
    end
  RUBY
  "app/serializers/kept_serializer.rb" => <<~RUBY,
    class KeptSerializer < ToJson::Serializer
      attributes :name
      cache key: :id
    end
  RUBY
  "config/routes.rb" => <<~RUBY,
    Rails.application.routes.draw do
      get "notes/:id", to: "notes#show", as: :post
      get "notes", to: "notes#show"
      get "lines", to: "notes#lines"
      get "kept", to: "notes#kept"
      get "photo", to: "notes#show", as: :photo
    end
  RUBY
  "app/controllers/application_controller.rb" => <<~RUBY,
    class ApplicationController < ActionController::API
      include ToJson::Rendering
    end
  RUBY
  "app/controllers/notes_controller.rb" => <<~RUBY
    class NotesController < ApplicationController
      Note = Struct.new(:id, :name) { def to_param = id.to_s; def photo_url = "of the object" }

      def show = render(json: Note.new(7, "N"), serializer: NoteSerializer)
      def lines = render(ndjson: [Note.new(7, "N")], serializer: NoteSerializer)
      def kept = render(json: Note.new(7, params[:name]), serializer: KeptSerializer)
    end
  RUBY
}.freeze

require_relative "../boots"
require_relative "../app"
require "minitest/mock"
require "open3"
require "rbconfig"

class BootCase < AppCase
  # A reload closes connections, and the database in memory is gone.
  def setup = nil
  def teardown = nil

  # Boots another application in a process of its own.
  # @return [Array(String, Boots::Status)]
  def boot(settings, script) = Boots.run(settings, script)

  def file(path, text)
    "FileUtils.mkdir_p(config.root.join(#{File.dirname(path).inspect})); " \
    "config.root.join(#{path.inspect}).write(#{text.inspect}); "
  end

  test "the helpers of routes work in serializers, with the host of the request" do
    expected = { "name" => "N", "url" => "http://example.org/notes/7", "path" => "/notes/7",
                 "photo_url" => "of the object" }
    assert_equal expected, json_of("/notes")
    assert_equal expected, JSON.parse(body_of("/lines"))
  end

  test "outside of a request they have default_url_options" do
    note = NotesController::Note.new(7, "N")
    assert_equal "http://elsewhere.example/notes/7", NoteSerializer.to_h(note)["url"]
    error = assert_raises(NameError) { NoteSerializer.new(note).instance_exec { no_such_path } }
    assert_match(/no_such_path/, error.message)
    refute_respond_to NoteSerializer.new(note), :post_url
  end

  test "a serializer that changes is reloaded" do
    path = Rails.root.join("app/serializers/note_serializer.rb")
    before = path.read
    assert_equal %w[name url path photo_url], json_of("/notes").keys
    old = NoteSerializer
    path.write("class NoteSerializer < ToJson::Serializer\n  attributes :id\nend\n")
    Rails.application.reloader.reload!
    refute_same old, NoteSerializer
    assert_equal({ "id" => 7 }, json_of("/notes"))
  ensure
    path.write(before)
    Rails.application.reloader.reload!
  end

  test "Rails.cache is the store of caches, unless caching is switched off" do
    assert_equal({ "name" => "a" }, json_of("/kept?name=a"))
    assert_equal({ "name" => "a" }, json_of("/kept?name=b"))
    NotesController.perform_caching = false
    assert_equal({ "name" => "b" }, json_of("/kept?name=b"))
  ensure
    NotesController.perform_caching = true
    Rails.cache.clear
  end

  test "config.to_json has the settings, and refuses others" do
    settings = Rails.application.config.to_json
    assert_equal [:manual, :raise], [settings.preload, settings.missing_serializer]
    error = assert_raises(ArgumentError) { settings.prelod = :auto }
    assert_match(/unknown setting :prelod, did you mean :preload\?/, error.message)
    assert_raises(ArgumentError) { settings.preload = :often }
    assert_raises(ArgumentError) do
      Class.new(ApplicationController) { serialization missing_serializer: :perhaps }
    end
  end

  test "settings answer as the methods that they have" do
    settings = Rails.application.config.to_json
    assert_respond_to settings, :preload=
    refute_respond_to settings, :prelod
    assert_raises(NoMethodError) { settings.preload(1) }
  end

  test "without an application there are the defaults, and no helpers of routes" do
    serializer = NoteSerializer.new(nil)
    Rails.stub(:application, nil) do
      assert_equal :auto, ToJson::Railtie.settings.preload
      assert_same Rails.cache, ToJson::Railtie.cache_store
      assert_raises(NameError) { serializer.instance_exec { post_url(1) } }
      assert_raises(NameError) { serializer.instance_exec { no_such_name } }
    end
  end

  test "an application that has a store keeps it, and one without the guard none" do
    out, status = boot("ToJson.cache_store = {}; config.to_json.n_plus_one = :off",
                       "p ToJson.cache_store, ToJson::Railtie.n_plus_one")
    assert status.success?, out
    assert_equal "{}\n:off\n", out
  end

  test "an application without controllers and databases has its settings" do
    script = "require 'rails'; require 'to_json'; " \
             "class App < Rails::Application; config.eager_load = false; end; " \
             "ENV['RAILS_ENV'] = 'test'; App.initialize!; " \
             "p ToJson::Railtie.n_plus_one, ToJson::Railtie.cache_store.equal?(Rails.cache)"
    out, status = Open3.capture2e(RbConfig.ruby, "-W0", "-Ilib", "-e", script)
    assert status.success?, out
    assert_equal ":raise\ntrue\n", out
  end

  test "settings of a controller class are inherited, and change no other class" do
    above = Class.new(ApplicationController) { missing_serializer :as_json }
    below = Class.new(above) { serialization preload: :off }
    assert_equal [:as_json, :off],
                 [[below, :missing_serializer], [below, :preload]].map { |type, name|
                   type.to_json_settings[name]
                 }
    assert_equal :manual, above.to_json_settings[:preload]
    assert_nil ApplicationController.to_json_settings
  end

  test "eager loading compiles all serializers" do
    text = "class GoodSerializer < ToJson::Serializer\n  attributes :id\nend"
    plans = "GoodSerializer.instance_variable_get(:@to_json_plans)"
    out, status = boot("config.eager_load = true; " \
                       "#{file("app/serializers/good_serializer.rb", text)}",
                       "puts #{plans}.published.handles.size")
    assert status.success?, out
    assert_equal "1", out.lines.last.chomp
  end

  test "a wrong declaration fails at boot" do
    text = "class BadSerializer < ToJson::Serializer\n" \
           "  has_one :author, serializer: \"NoSuchSerializer\"\nend"
    out, status = boot("config.eager_load = true; " \
                       "#{file("app/serializers/bad_serializer.rb", text)}", "puts :booted")
    refute status.success?
    assert_match(/no serializer NoSuchSerializer: tried/, out)
    refute_includes out, "booted"
  end

  test "the gem can be loaded before Rails" do
    script = "require 'to_json'; require 'active_support'; require 'to_json/rails'; " \
             "p ToJson::Railtie.ancestors.include?(Rails::Railtie), ToJson::Rendering.class"
    out, status = Open3.capture2e(RbConfig.ruby, "-W0", "-Ilib", "-e", script)
    assert status.success?, out
    assert_equal "true\nModule\n", out
    script = "require 'active_support'; require 'to_json'; require 'rails'; " \
             "p defined?(ToJson::Railtie); class App < Rails::Application; end; " \
             "p defined?(ToJson::Railtie); p App.config.to_json.preload"
    out, status = Open3.capture2e(RbConfig.ruby, "-W0", "-Ilib", "-e", script)
    assert status.success?, out
    assert_equal "nil\n\"constant\"\n:auto\n", out
  end
end
