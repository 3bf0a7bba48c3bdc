# frozen_string_literal: true

require_relative "../contenders/listed"
require_relative "../data/people"

# Nested objects, arrays and a Time; every value arrives with the argument and differs from call to
# call. In the second table street and skills are Hashes already: plain values, no blocks.
Bench.scenario 2, "complex", "complex object, class DSL" do
  shapes = [Bench::People::OURS, Bench::People::TEXT]
  # Oj's own formatting of a Time, faster than strftime where xmlschema is not native.
  oj_time = "{mode: :custom, time_format: :xmlschema, second_precision: 3, indent: -1}"

  {"person" => :objects, "person of Hashes" => :hashes}.each do |name, nested|
    ours, text = shapes
    if nested == :hashes
      ours, text = shapes.map { |one| Bench::Shape.new({**one.fields, street: nil, skills: nil}) }
    end

    table name do
      data { Bench::People.all(nested: nested) }
      setup :ours, <<~RUBY
        class PersonSerializer < ToJson::Serializer
          def serialize(person)
            #{ours.put("person.")}
          end
        end
      RUBY
      contender "to_json, json!", :ours, objects: 2, code: "PersonSerializer.json!(v)"
      Bench::Listed.hand(self, text)
      contender "Oj::StringWriter, reset, Oj's Time", :hand,
                peer: "oj", before: "writer = Oj::StringWriter.new(#{oj_time})",
                code: "writer.reset\n#{ours.writer}\nwriter.to_s"
      jbuilder = lambda do |words|
        {peer: "jbuilder", code: "Jbuilder.encode do |json|\n#{words}\nend"}
      end
      contender "Jbuilder", :gem, **jbuilder[text.words]
      reach "to_json, json!", over: :hand, interpreter: 1.3, yjit: 1.8
      reach "to_json, json!", over: "Jbuilder", at_least: (15 if nested == :objects)
      next if nested == :hashes

      street, skills = %i[street skills].map { |key| Bench::Shape.new(ours.fields[key]).symbols }
      setup :ours, <<~RUBY
        class PersonFieldsSerializer < ToJson::Serializer
          def serialize(person)
            put_fields person, :name, :birthday
            put(:street) { put_fields person.street, #{street} }
            put(:skills) { put_fields person.skills, #{skills} }
            put_fields person, :single_skills, :booleans
          end
        end
      RUBY
      contender "to_json, reused instance", :ours, objects: 1, code: "serializer.json!(v)",
                                                   before: "serializer = PersonSerializer.new"
      contender "to_json, put_fields, json!", :ours, objects: 2,
                                                     code: "PersonFieldsSerializer.json!(v)"
      contender "Jbuilder, extracting", :gem, **jbuilder[text.extracting]
      contender "json_builder", :gem, peer: "json_builder",
                                      differs: "a space after each colon and comma",
                                      code: "JSONBuilder::Compiler.generate do\n" \
                                            "#{text.words(prefix: "")}\nend"
      contender "jsonify", :gem, peer: "jsonify",
                                 code: "Jsonify::Builder.plain do |json|\n#{text.words}\nend"
      reach "to_json, json!", over: "Jbuilder, extracting", at_least: 15
    end
  end
end
