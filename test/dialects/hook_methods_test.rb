# frozen_string_literal: true

# The hooks to_json/json and to_json/oj, if another library keeps a method of JSON or Oj and then
# replaces it: all say the same as without the hook, under either line of the json gem.

require_relative "../test_helper"
require_relative "../support/library_process"
require_relative "hook_methods_forms"
require "to_json/hook_methods"
require "open3"
require "rbconfig"

class HookMethodsTest < ToJsonTest
  unless Without.banned?("json")
    oj = !Without.banned?("oj")
    { "2." => "Gemfile", "3." => "test/dialects/Gemfile" }.each do |version, gemfile|
      process = LibraryProcess.new(gemfile, "../dialects/hook_methods_process.rb", *("oj" if oj))
      names = HookMethodsForms::JSON.keys + (oj ? HookMethodsForms::OJ.keys : [])
      names.each do |name|
        test "json #{version}x, #{name}: the same with the hook and without" do
          answer = process.answer
          assert answer[:version].start_with?(version), "json #{answer[:version]}"
          due, got = answer[:forms].fetch(name)
          refute_includes [SystemStackError, "nothing"], due.first
          assert_equal due, got
        end
      end
    end

    test "a method that left does not come back, and the others are served" do
      out = IO.popen([*PlainRuby.start, "-W0", "-I#{File.join(Project::ROOT, "lib")}", "-e",
                      <<~'RUBY'], &:read)
        require "to_json/json"
        hook = ToJson::JsonGenerate
        kept = JSON.method(:generate)
        def JSON.generate(*) = "mine"
        print hook.served
        JSON.singleton_class.define_method(:generate, kept.unbind)
        print JSON.generate([1]), hook.install.served, JSON.generate([1])
      RUBY
      assert_equal "[:pretty_generate, :dump][1][:pretty_generate, :dump][1]", out
    end
  end

  # A library, and a hook before the two methods that are there.
  def library
    Module.new do
      def self.one(value) = "one #{value}"
      def self.two(value) = "two #{value}"
    end
  end

  def hook
    Module.new do
      extend ToJson.const_get(:HookMethods)

      def one(value) = "hooked #{one_behind_to_json(value)}"
      def two(value) = "hooked #{two_behind_to_json(value)}"
      def three = :three
    end
  end

  test "a hook is put once before the methods that are there and accepted" do
    theirs, ours, asked = library, hook, []
    2.times do
      ours.stand_before(theirs, Module.new) do |method|
        asked << method.name
        method.name == :one
      end
    end
    assert_equal %i[one two], asked.sort
    assert_equal ["hooked one 1", "two 1"], [theirs.one(1), theirs.two(1)]
    refute_respond_to theirs, :three
    refute_respond_to theirs, :one_behind_to_json
  end

  test "a kept method calls the library's after the hook has left" do
    theirs, ours = library, hook
    ours.stand_before(theirs, Module.new) { true }
    kept = theirs.method(:one)
    silently { theirs.define_singleton_method(:one) { |value| "new #{kept.call(value)}" } }
    assert_equal [true, false, false], [ours.leave(:one), ours.leave(:one), ours.leave(:other)]
    assert_equal ["new hooked one 1", "hooked two 1"], [theirs.one(1), theirs.two(1)]
  end

  test "a hook leaves once, whichever of two threads is faster" do
    ours = hook
    ours.define_singleton_method(:method_defined?) { |*| true }
    assert_equal [true, false], [ours.leave(:one), ours.leave(:one)]
  end
end
