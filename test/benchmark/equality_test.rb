# frozen_string_literal: true

# The check that stands before every measurement.

require_relative "../test_helper"
require_relative "../../benchmark/harness/equality"
require_relative "../../benchmark/contenders/gems"

if Without.library?("json")
  class BenchmarkEqualityTest < ToJsonTest
    EXPECTED = ['{"a":1,"b":["é",null]}'].freeze

    # Documents, whether bytes must be the same, and a word of the complaint (nil: none).
    CASES = [
      [EXPECTED, true, nil],
      [[EXPECTED[0].b], true, nil],
      [['{"a":1, "b":["\u00e9",null]}'], false, nil],
      [['{"a":1, "b":["é",null]}'], true, "other bytes"],
      [['{"b":["é",null],"a":1}'], false, "other values"],
      [['{"a":1.0,"b":["é",null]}'], false, nil],
      [['{"a":"1","b":["é",null]}'], false, "other values"],
      [['{"a":1,"b":["é",null]'], false, "refused by json"],
      [["{\"a\":1,\"b\":[\"\xE9\",null]}"], false, "not UTF-8"],
      [[nil], false, "not a String"],
      [EXPECTED * 2, true, "2 documents instead of 1"],
      [[], true, "0 documents instead of 1"]
    ].freeze

    test "documents differ where they parse to something else, or where bytes count and are " \
         "others" do
      CASES.each do |documents, same_bytes, complaint|
        problem = equality.difference(EXPECTED, documents, same_bytes: same_bytes)
        if complaint
          assert_includes(problem.to_s, complaint, documents.inspect)
        else
          assert_nil(problem, documents.inspect)
        end
      end
    end

    test "what a document parses to may be mapped to what the others have" do
      turned = ->(document) { document.to_a.reverse.to_h }
      assert_nil(
        equality.difference(EXPECTED, ['{"b":["é",null],"a":1}'], same_bytes: false, maps: turned)
      )
      assert_includes(equality.difference(EXPECTED, EXPECTED, same_bytes: false, maps: turned),
                      "other values")
    end

    test "JSON:API is mapped to the data without it" do
      resource = ->(id, type, **more) do
        { "id" => id, "type" => type, "attributes" => { "name" => "n#{id}" }, **more }
      end
      single, many = { "data" => { "id" => "2", "type" => "user" } },
                     { "data" => [{ "id" => "3", "type" => "post" }] }
      document = {"data" =>
                    resource["1", "post", "relationships" => { "user" => single, "posts" => many }],
                  "included" => [resource["2", "user"], resource["3", "post"]]}
      plain = {"id" => 1, "name" => "n1", "user" => {"id" => 2, "name" => "n2"},
                "posts" => [{"id" => 3, "name" => "n3"}]}
      assert_equal(plain, Bench::Gems.without_json_api(document))
      assert_equal([plain],
                   Bench::Gems.without_json_api(document.merge("data" => [document["data"]])))
    end

    test "every parser is asked" do
      second = ->(text) { raise "too long" if text.size > 5 }
      problem =
        Bench::Equality.new({ "json" => JSON.method(:parse), "short" => second })
          .invalid(['{"a":1}'])
      assert_equal("document 0 is refused by short: too long", problem)
    end

    test "the complaint shows where the documents part" do
      long = "[#{"1," * 200}1]"
      problem = equality.difference([long], [long.sub(/1\]\z/, "2]")], same_bytes: true)
      assert_match(/1\].*…, got ….*2\]/, problem)
      assert_operator(problem.size, :<, 250)
    end

    def equality = Bench::Equality.new({"json" => JSON.method(:parse)})
  end
end
