# frozen_string_literal: true

# :oj is Oj.dump(v, mode: :compat), :oj_strict is mode: :strict, byte for byte, Oj's options as they
# come.

require "test_helper"
require_relative "../support/ways_out"
require "open3"
require "rbconfig"

if Without.library?("oj")
  require_relative "oj_case"

  class OjTest < ToJsonTest
    TREE = { "id" => 1, title: "<b>\u2028\n", list: [1.5, nil, 1e15, 1e20, :s, [true, {}]],
             "point" => OjCase::Point.new(1, 2) }.freeze

    test "every value is written as Oj writes it in either mode" do
      assert_operator OjCase.values.size, :>, 90
      OjCase.differences.each do |dialect, name, where, expected, actual|
        assert_equal expected, actual, "#{name}, #{where}, #{dialect}"
      end
    end

    test "and as it does where json, and so everybody's to_json, is not loaded" do
      paths = $LOAD_PATH.select { |path| File.file?(File.join(path, "to_json.rb")) }
      script =
        'abort "json is loaded" if defined?(JSON::VERSION); require "to_json"; require ARGV[0]; ' \
               "OjCase.differences.each { |difference| p difference unless difference.inspect =~ " \
               "/JSON|NameError/ }; puts OjCase.values.size"
      output, errors,
      status = Open3.capture3(*PlainRuby.start, "-I", paths.first, "-e", script,
                              File.expand_path("oj_case", __dir__))
      assert status.success?, errors
      assert_equal "#{OjCase.values.size}\n", output
    end

    test "a tree leaves by every way" do
      assert_document(Oj.dump(TREE, mode: :compat)) do |**out|
        ToJson.generate(TREE, rules: :oj, **out)
      end
      strict = TREE.except("point")
      assert_document(Oj.dump(strict, mode: :strict)) do |**out|
        ToJson.generate(strict, rules: :oj_strict, **out)
      end
    end

    test "the DSL and declared serializers take both" do
      %i[oj oj_strict].each do |dialect|
        row = { "id" => 1, at: 1e15, ratio: 1 / 3.0, title: "<\u2028", list: [1e20, :s] }
        expected = Oj.dump(row, mode: dialect == :oj ? :compat : :strict)
        declared = Class.new(ToJson::Serializer) do
          rules dialect
          attributes "id", :at, :ratio, :title, :list
        end
        assert_equal expected, declared.json!(row)
        assert_equal expected, ToJson.json(rules: dialect) { |j|
          row.each { |key, value| j.put key, value }
        }
      end
    end

    test "a range of what is no number is written as text: Oj's quotes within quotes are no JSON" do
      assert_equal '["a..b"]', ToJson.generate(["a".."b"], rules: :oj)
      assert_equal '[""a".."b""]', Oj.dump(["a".."b"], mode: :compat)
    end

    test "what contains itself ends as there" do
      list = []
      list << list
      assert_equal OjCase.theirs(list, :oj), OjCase.ours(list, :oj)
      assert_equal OjCase.theirs(list, :oj_strict), OjCase.ours(list, :oj_strict)
    end
  end
end
