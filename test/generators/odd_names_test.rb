# frozen_string_literal: true

# Names of the command line, of columns and of enums that are no words of Ruby.

require_relative "generator_case"

class OddNamesTest < GeneratorCase
  if RUNS
    test "what would be no Ruby is refused, and nothing is written" do
      before = app.files
      method, type = "is not the name of a method", "is not the name of a class"
      { %w[Thing ph\ oto:attachment] => %("ph oto" #{method}),
        ["Thing", "photo\nx:rich_text"] => %("photo\\nx" #{method}),
        %w[Thing foo-bar:references] => %("foo-bar" #{method}),
        %w[Thing id --parent=Foo\ bar] => %(--parent: "Foo bar" #{type}),
        %w[Thing id --parent=] => %(--parent: "" #{type}), [""] => %("" #{type}),
        %w[:: id] => %("::" #{type}), %w[/tmp/x id] => %("::Tmp::XSerializer" #{type}),
        %w[Person :string] => "a field has no name", ["Person", ""] => "a field has no name" }
        .each do |arguments, message|
          assert_includes(app.generate("serializer", *arguments), message)
        end
      assert_equal(before, app.files)
    end

    test "names that are no words of Ruby are quoted, and a line end stays within its comment" do
      app.evaluate("ActiveRecord::Base.connection.create_table(:oddities, force: true) { |t| " \
                   "t.string \"x\\nraise\\n_token\", 'a b', '[1]'; t.integer :status }; true")
      model("oddity", 'enum :status, { "new\\nraise" => 0 }')
      app.generate("serializer", "Oddity", "--view", "half full")
      assert_equal(<<~'RUBY', serializer("oddity"))
        class OdditySerializer < ToJson::Serializer
          # Not here, since they look secret: x\nraise\n_token.
          # status is one of new\nraise.
          attributes :id, :"a b", :"[1]", :status

          view(:"half full") do
            # What half full has beside the fields above.
          end
        end
      RUBY
      keys = ["id", "a b", "[1]", "status"]
      assert_includes(app.read("test/serializers/oddity_serializer_test.rb"),
                      "    assert_equal #{keys.inspect}, document.keys\n")
      assert_equal(keys, document("OdditySerializer.json!(Oddity.new, view: :'half full')").keys)
    end

    test "Serializer is a name as others are" do
      app.generate("serializer", "Api::Serializer", "id")
      assert_match(/^class Api::SerializerSerializer </,
                   app.read("app/serializers/api/serializer_serializer.rb"))
    end
  end
end
