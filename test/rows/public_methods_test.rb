# frozen_string_literal: true

# What rows call of ActiveRecord: the methods that docs/active_record.md lists, which are public.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsPublicMethodsTest < RowsCase
    PATHS = [*Project.files("lib/to_json/rows/*.rb"), "lib/to_json/unsaved.rb"].freeze
    CODE = PATHS.to_h { |path| [path, Project.read(path)] }.freeze
    # A line of code without its comment.
    LINES = CODE.flat_map { |path, text|
      text.lines.reject { |line| line.match?(/\A\s*#/) }.map { |line| [path, line] }
    }.freeze

    # {"a model" => ["with_connection", …]}
    def listed
      table = Project.read("docs/active_record.md")[/^\| called on .*\z/m]
      table.lines.drop(2).take_while { |line| line.start_with?("|") }.to_h do |line|
        _, on, methods = line.split("|").map(&:strip)
        [on, methods.scan(/`([^`]+)`/).flatten]
      end
    end

    def objects
      connection = ActiveRecord::Base.connection
      { "a model" => Book, "a relation" => Book.all, "a connection" => connection,
        "the collection of a record" => Book.new.chapters, "a record" => Book.new,
        "an association" => Book.new.chapters.proxy_association,
        "a result" => connection.select_all("SELECT 1"),
        "a reflection" => Book.reflect_on_association(:chapters),
        "a type" => Book.type_for_attribute("title") }
    end

    test "each method that the page lists is public, and called" do
      code = LINES.map(&:last).join
      assert_equal(objects.keys.sort, listed.keys.sort)
      listed.each do |on, names|
        names.each do |name|
          assert_respond_to(objects[on], name, "#{on} has no public #{name}")
          assert_match(/\b#{Regexp.escape(name)}(?![\w?])/, code, "#{name} is not called")
        end
      end
    end

    test "no method with an underscore is called but those listed and our own" do
      names = LINES.flat_map { |_, line| line.scan(/[.&](_[a-z]\w*)/) }.flatten.uniq
      names.reject! { |name| name.start_with?("__") }
      assert_empty(names - listed.values.flatten)
    end

    test "nothing is taken from ActiveRecord's objects past their methods" do
      past = /instance_variable_[gs]et|\binstance_eval\b|\.send\(|\.__send__\((?!:"__to_json)/
      found = LINES.select { |_, line| line.match?(past) }
      assert_empty(found.map { |path, line| "#{path}: #{line.strip}" })
    end
  end
end
