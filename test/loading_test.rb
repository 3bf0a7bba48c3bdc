# frozen_string_literal: true

# Which build of the extension is loaded, and what loading the gem does not do.

require_relative "test_helper"
require "open3"
require "fileutils"
require "tmpdir"

class LoadingTest < ToJsonTest
  LIBRARY = File.join(Project::ROOT, "lib")
  LOADER = File.join(LIBRARY, "to_json/native.rb")
  LOADED = $LOADED_FEATURES.grep(%r{/to_json\.so\z}).first

  def with_env(name, value)
    before = ENV.fetch(name, nil)
    ENV[name] = value
    yield
  ensure
    ENV[name] = before
  end

  # Runs the loader once more.
  def load_again
    LibraryCoverage.keep(LOADER) if defined?(LibraryCoverage)
    load(LOADER)
  end

  # The output of a Ruby of its own, without Bundler and whatever this process loaded.
  def ruby(script)
    out, status = Open3.capture2e({ "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLER_SETUP" => nil,
                                    "TO_JSON_NATIVE" => File.dirname(LOADED) },
                                  RbConfig.ruby, "-w", "-I#{LIBRARY}", "-e", script)
    assert(status.success?, out)
    out
  end

  test "TO_JSON_NATIVE names the directory whose build is loaded" do
    with_env("TO_JSON_NATIVE", File.dirname(LOADED)) { assert(load_again) }
    error = assert_raises(LoadError) { with_env("TO_JSON_NATIVE", "/nowhere") { load_again } }
    assert_includes(error.message, "/nowhere/to_json.")
  end

  test "without TO_JSON_NATIVE the build of this Ruby in the tree is loaded" do
    other = File.join(LIBRARY, "to_json", RbConfig::CONFIG["ruby_version"], "to_json.so")
    assert_path_exists(other)
    # Loading a second build into this process would define everything twice.
    with_env("TO_JSON_NATIVE", nil) { assert(load_again) } if other == LOADED
  end

  test "without a build in the tree the one that RubyGems installed is loaded" do
    Dir.mktmpdir do |directory|
      Dir.mkdir(File.join(directory, "to_json"))
      File.write(File.join(directory, "to_json/to_json.rb"), "$to_json_installed = true\n")
      $LOAD_PATH.unshift(directory)
      version = RbConfig::CONFIG["ruby_version"]
      RbConfig::CONFIG["ruby_version"] = "0.0.0"
      with_env("TO_JSON_NATIVE", nil) { assert(load_again) }
      assert($to_json_installed)
    ensure
      RbConfig::CONFIG["ruby_version"] = version
      $LOAD_PATH.delete(directory)
    end
  end

  test "loading the gem loads neither json nor ActiveSupport, bigdecimal, date, set or time" do
    others = ruby('before = $LOADED_FEATURES.dup; require "to_json"
                   others = ($LOADED_FEATURES - before).grep_v(%r{to_json})
                   puts others.map { |path| path[%r{[^/]+/[^/]+\z}] }')
    assert_empty(others.lines.grep(%r{json|active|bigdecimal|/date|/set\.rb|/time\.rb}))
  end

  test "loading the gem adds no constant but ToJson and no method to anybody's class" do
    classes =
      "[Object, Kernel, Module, Class, Hash, Array, String, Symbol, Integer, Float, NilClass, " \
      "Enumerable]"
    script = "all = ->(type) { type.instance_methods(false) + type.private_instance_methods(false) }
              methods = -> { #{classes}.to_h { |type| [type, all.(type)] } }
              before = methods.call; constants = Object.constants
              require 'to_json'
              p Object.constants - constants - %i[StringScanner ScanError Monitor MonitorMixin]
              p methods.call.map { |c, names| names - before[c] }.flatten"
    assert_equal(["[:ToJson]", "[]"], ruby(script).lines.map(&:chomp))
  end

  test "a checkout that was not compiled says how to compile it" do
    Dir.mktmpdir do |root|
      FileUtils.cp_r(LIBRARY, root)
      FileUtils.rm_rf(Dir[File.join(root, "lib/to_json/[0-9]*"), File.join(root, "lib/**/*.so")])
      script = 'begin; require "to_json"; rescue LoadError => error; puts error.message; end'
      out, = Open3.capture2e({ "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLER_SETUP" => nil,
                               "TO_JSON_NATIVE" => nil, "GEM_PATH" => root, "GEM_HOME" => root },
                             RbConfig.ruby, "-I#{root}/lib", "-e", script)
      assert_equal "to_json: its extension is not compiled for #{RUBY_ENGINE} " \
                   "#{RUBY_VERSION}. In a " \
                   "checkout, as with gem \"to_json\", path: ..., run: " \
                   "cd #{File.realpath(root)} && bin/setup\n", out
    end
  end

  # A Timeout can do that, or a call of another thread meanwhile can see the same.
  test "a document while the gem is loaded by half raises, and the next require finishes it" do
    script = <<~RUBY
      begun = ->(t) { throw :half if t.path.end_with?("dialects/registry.rb") }
      TracePoint.new(:class, &begun).enable { catch(:half) { require "to_json" } }
      [-> { ToJson.generate([1]) }, -> { ToJson.generate([1], max_depth: 3) },
       -> { ToJson.generate([1], into: +"") }].each do |call|
        call.call
      rescue StandardError => error
        puts error.class, error.message[/to_json is not loaded yet|default_rules|Rules/]
      end
      require "to_json"
      puts ToJson.generate([1])
    RUBY
    refused = ["ToJson::Error", "to_json is not loaded yet"]
    assert_equal [*refused * 3, "[1]"], ruby(script).split("\n")
  end
end
