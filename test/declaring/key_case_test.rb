# frozen_string_literal: true

require_relative "declaration_case"

# How names become keys.
class KeyCaseTest < DeclarationCase
  # name => [camel, camel_lower, dash, snake]
  CASES = {
    "id" => %w[Id id id id],
    "first_name" => %w[FirstName firstName first-name first_name],
    "first_name_2nd" => %w[FirstName2nd firstName2nd first-name-2nd first_name_2nd],
    "address_2" => %w[Address2 address2 address-2 address_2],
    "firstName" => %w[FirstName firstName firstName first_name],
    "FirstName" => %w[FirstName firstName FirstName first_name],
    "user_URL" => %w[UserURL userURL user-URL user_url],
    "HTMLParser" => %w[HTMLParser hTMLParser HTMLParser html_parser],
    "parseHTML" => %w[ParseHTML parseHTML parseHTML parse_html],
    "a__b" => %w[AB aB a--b a__b],
    "_id" => %w[_Id _id -id _id],
    "class_" => %w[Class_ class_ class- class_],
    "__" => %w[__ __ -- __],
    "" => ["", "", "", ""],
    "a-b" => %w[A-b a-b a-b a_b],
    "a b" => ["A b", "a b", "a b", "a b"],
    "élan_vital" => %w[ÉlanVital élanVital élan-vital élan_vital],
    "ends_in\n" => ["EndsIn\n", "endsIn\n", "ends-in\n", "ends_in\n"],
    "active?" => %w[Active? active? active? active?]
  }.freeze

  CASES.each do |name, keys|
    test "#{name.inspect} in each case" do
      assert_equal keys, %i[camel camel_lower dash snake].map { |key_case|
        ToJson::KeyCase.apply(key_case, name)
      }
      assert_equal name, ToJson::KeyCase.apply(nil, name)
    end
  end

  test "a callable gives the key, as a String or a Symbol" do
    assert_equal "ID", ToJson::KeyCase.apply(->(name) { name.upcase }, "id")
    assert_equal "ID", ToJson::KeyCase.apply(:upcase.to_proc >> :to_sym.to_proc, "id")
    assert_refused('transform_keys: the callable returned NilClass for "id". It must return a ' \
                   "String or a Symbol.") do
      ToJson::KeyCase.apply(->(_) {}, "id")
    end
  end

  test "applying a case twice changes nothing more" do
    CASES.each_key do |name|
      %i[camel camel_lower dash snake].each do |key_case|
        once = ToJson::KeyCase.apply(key_case, name)
        assert_equal once, ToJson::KeyCase.apply(key_case, once), [key_case, name].inspect
      end
    end
  end
end
