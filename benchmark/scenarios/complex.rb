# frozen_string_literal: true

require_relative "../contenders/bound"
require_relative "../contenders/hand"
require_relative "../data/people"

# Nested objects, arrays and a Time; every value arrives with the argument and differs from call to
# call.
Bench.scenario 2, "complex", "complex object, class DSL" do
  ours, text = Bench::People::OURS, Bench::People::TEXT
  street, skills = %i[street skills].map { |key| Bench::Shape.new(ours.fields[key]).symbols }
  # Oj's own formatting of a Time, faster than strftime where xmlschema is not native.
  oj_time = lambda do |table, shape|
    options = "{mode: :custom, time_format: :xmlschema, second_precision: 3, indent: -1}"
    table.contender "Oj::StringWriter, reset, Oj's Time", :hand,
                    peer: "oj", before: "writer = Oj::StringWriter.new(#{options})",
                    code: "writer.reset\n#{shape.writer}\nwriter.to_s"
  end

  table "person" do
    data { Bench::People.all }

    setup :ours, <<~RUBY
      class PersonSerializer < ToJson::Serializer
        def serialize(person)
          #{ours.put("person.")}
        end
      end

      class PersonFieldsSerializer < ToJson::Serializer
        def serialize(person)
          put_fields person, :name, :birthday
          put(:street) { put_fields person.street, #{street} }
          put(:skills) { put_fields person.skills, #{skills} }
          put_fields person, :single_skills, :booleans
        end
      end
    RUBY
    contender "to_json, json!", :ours, code: "PersonSerializer.json!(v)"
    contender "to_json, reused instance", :ours, code: "serializer.json!(v)",
                                                 before: "serializer = PersonSerializer.new"
    contender "to_json, put_fields, json!", :ours, code: "PersonFieldsSerializer.json!(v)"
    Bench::Hand.add(self, text)
    oj_time.call(self, ours)
    {"Jbuilder" => text.words, "Jbuilder, extracting" => text.extracting}.each do |name, words|
      contender name, :gem, peer: "jbuilder", code: "Jbuilder.encode do |json|\n#{words}\nend"
    end
    contender "json_builder", :gem, peer: "json_builder",
                                    differs: "a space after each colon and comma",
                                    code: "JSONBuilder::Compiler.generate do\n" \
                                          "#{text.words(prefix: "")}\nend"
    contender "jsonify", :gem, peer: "jsonify",
                               code: "Jsonify::Builder.plain do |json|\n#{text.words}\nend"
    Bench::Bound.words(self, "person", ours.put("person."), "(v)")

    reach "to_json, json!", over: :hand, interpreter: 1.3, yjit: 1.8
    reach "to_json, json!", over: "Jbuilder", at_least: 15
    reach "to_json, json!", over: "Jbuilder, extracting", at_least: 15
    limit "to_json, json!", metric: "objects", at_most: 2
    limit "to_json, reused instance", metric: "objects", at_most: 1
  end

  # The same document where street and skills are Hashes already: plain values, no blocks.
  table "person of Hashes" do
    data { Bench::People.all(nested: :hashes) }

    flat = {street: nil, skills: nil}
    ours, text = [ours, text].map { |shape| Bench::Shape.new(shape.fields.merge(flat)) }
    setup :ours, <<~RUBY
      class PersonValuesSerializer < ToJson::Serializer
        def serialize(person)
          #{ours.put("person.")}
        end
      end
    RUBY
    contender "to_json, json!", :ours, code: "PersonValuesSerializer.json!(v)"
    Bench::Hand.add(self, text)
    oj_time.call(self, ours)
    contender "Jbuilder", :gem, peer: "jbuilder",
                                code: "Jbuilder.encode do |json|\n#{text.words}\nend"

    reach "to_json, json!", over: :hand, interpreter: 1.3, yjit: 1.8
    reach "to_json, json!", over: "Jbuilder"
  end
end
