# frozen_string_literal: true

require "test_helper"

# The key of a document's root. It is written at once where nothing may be raised, and else under
# rb_protect.
class RootKeyTest < ToJsonTest
  Person = Struct.new(:id)

  test "a root of any text is the key that a Hash would have" do
    klass = Class.new(ToJson::Serializer) { attributes :id }
    texts = ["", "note", "é", "a\"b\\", "\n", "<&>", "\u2028", "x" * 31, "x" * 32, "x" * 100,
             "y" * 5_000, "bin".b, "é".encode("UTF-16LE"), "é".encode("ISO-8859-1")]
    roots = texts.flat_map { |text| [text, text.to_sym] }
    [{}, { html_safe: true }, { indent: "  " }].product(roots).each do |rules, root|
      2.times do
        due = ToJson.generate({ root => { id: 1 } }, **rules)
        assert_equal due, klass.json!(Person.new(1), root: root, rules: rules), root.inspect
        assert_equal due, klass.json!(Person.new(1), root: root, rules: rules, into: +"")
      end
    end
  end
end
