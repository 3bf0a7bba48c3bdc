# frozen_string_literal: true

# Scenario 2. Nested objects, arrays and a Time; every value arrives with the argument and differs
# from call to call. What other scenarios measure too is in support/contenders.rb.

require_relative "../support/contenders"

Bench.scenario 2, "complex", "complex object, class DSL" do
  time = "person.birthday.#{Bench::People::TIME_CODE}"
  hash = Bench::Contenders.person_hash("person.")
  read = "person = v; street = person.street; skills = person.skills"
  writer_calls = lambda do |birthday|
    <<~RUBY
      #{read}
      writer.push_object
      writer.push_value(person.name, "name")
      writer.push_value(#{birthday}, "birthday")
      writer.push_object("street")
      writer.push_value(street.address, "address")
      writer.push_value(street.address2, "address2")
      writer.push_value(street.city, "city")
      writer.push_value(street.state, "state")
      writer.push_value(street.zip, "zip")
      writer.pop
      writer.push_object("skills")
      writer.push_value(skills.ruby, "ruby")
      writer.push_value(skills.asp, "asp")
      writer.push_value(skills.php, "php")
      writer.push_value(skills.mysql, "mysql")
      writer.push_value(skills.mongodb, "mongodb")
      writer.push_value(skills.haproxy, "haproxy")
      writer.push_value(skills.marathon, "marathon")
      writer.pop
      writer.push_value(person.single_skills, "single_skills")
      writer.push_value(person.booleans, "booleans")
      writer.pop
      writer.to_s
    RUBY
  end
  strict = "{mode: :strict, indent: -1}"
  custom = "{mode: :custom, time_format: :xmlschema, second_precision: 3, indent: -1}"

  table "person" do
    data { Bench::People.all }

    setup :ours do
      class PersonSerializer < ToJson::Serializer
        Bench::Contenders.define(self, "serialize(person)", Bench::Contenders.put_person("person."))
      end

      class PersonFieldsSerializer < ToJson::Serializer
        def serialize(person)
          put_fields person, :name, :birthday
          put :street do
            put_fields person.street, :address, :address2, :city, :state, :zip
          end
          put :skills do
            put_fields person.skills, :ruby, :asp, :php, :mysql, :mongodb, :haproxy, :marathon
          end
          put_fields person, :single_skills, :booleans
        end
      end
    end

    contender "to_json, json!", :ours, code: "PersonSerializer.json!(v)"
    contender "to_json, reused instance", :ours, before: "serializer = PersonSerializer.new", code: "serializer.json!(v)"
    contender "to_json, put_fields, json!", :ours, code: "PersonFieldsSerializer.json!(v)"

    contender "Hash + JSON.generate", :hand, peer: "json", code: "#{read}; JSON.generate(#{hash})"
    contender "Hash + JSON::Coder", :hand, peer: "json", before: "coder = JSON::Coder.new", code: "#{read}; coder.generate(#{hash})"
    contender "Hash + Oj.dump strict", :hand, peer: "oj", before: "options = {mode: :strict}", code: "#{read}; Oj.dump(#{hash}, options)"
    contender "Oj::StringWriter, reset", :hand, peer: "oj", before: "writer = Oj::StringWriter.new(#{strict})",
                                                code: "writer.reset\n#{writer_calls.call(time)}"
    contender "Oj::StringWriter, new", :hand, peer: "oj", before: "options = #{strict}",
                                              code: "writer = Oj::StringWriter.new(options)\n#{writer_calls.call(time)}"
    # Oj's own formatting of a Time, faster than strftime where xmlschema is not native.
    contender "Oj::StringWriter, reset, Oj's Time", :hand, peer: "oj", before: "writer = Oj::StringWriter.new(#{custom})",
                                                           code: "writer.reset\n#{writer_calls.call("person.birthday")}"

    contender "Jbuilder", :gem, peer: "jbuilder", code: "person = v\n#{Bench::Contenders.build_person("Jbuilder.encode", "person.")}"

    contender "Jbuilder, extracting", :gem, peer: "jbuilder", code: <<~RUBY
      person = v
      Jbuilder.encode do |json|
        json.name person.name
        json.birthday #{time}
        json.street person.street, :address, :address2, :city, :state, :zip
        json.skills person.skills, :ruby, :asp, :php, :mysql, :mongodb, :haproxy, :marathon
        json.single_skills person.single_skills
        json.booleans person.booleans
      end
    RUBY

    contender "json_builder", :gem, peer: "json_builder", differs: "a space after each colon and comma", code: <<~RUBY
      person = v
      JSONBuilder::Compiler.generate do
        key :name, person.name
        birthday #{time}
        street do
          street = person.street
          address street.address
          address2 street.address2
          city street.city
          state street.state
          zip street.zip
        end
        skills do
          skills = person.skills
          ruby skills.ruby
          asp skills.asp
          php skills.php
          mysql skills.mysql
          mongodb skills.mongodb
          haproxy skills.haproxy
          marathon skills.marathon
        end
        single_skills person.single_skills
        booleans person.booleans
      end
    RUBY

    contender "jsonify", :gem, peer: "jsonify", code: "person = v\n#{Bench::Contenders.build_person("Jsonify::Builder.plain", "person.")}"

    # What any DSL of this shape must pay: a call of a native method for each pair with its value read,
    # and the String. No blocks are called, nothing is formatted.
    setup :control do
      class PersonCalls < Array
        alias_method :put, :push

        Bench::Contenders.define(self, "json!(person)", <<~RUBY)
          clear
          put :name, person.name
          put :birthday, person.birthday
          street = person.street
          #{Bench::Contenders::PUT_STREET}
          skills = person.skills
          #{Bench::Contenders::PUT_SKILLS}
          put :single_skills, person.single_skills
          put :booleans, person.booleans
          person.document + ""
        RUBY
      end

      Bench::People::Person.attr_accessor(:document)
    end

    contender "lower bound", :control, peer: "json", code: "calls.json!(v)", before: <<~RUBY
      calls = PersonCalls.new
      values.each { |person| #{read.sub("person = v; ", "")}; person.document ||= JSON.generate(#{hash}) }
    RUBY

    # And the rest of it: the same `serialize` with words that write, blocks that are called, a Time that is formatted.
    setup :lower_bound do
      class PersonBound < LowerBound
        Bench::Contenders.bind(self, "person", Bench::Contenders.put_person("person."))
      end

      if LowerBound.const_defined?(:Words) # where there are vectors
        class PersonKept < LowerBound::Words
          Bench::Contenders.bind_kept(self, "person", Bench::Contenders.put_person("person."))
        end
      end
    end

    contender "lower bound, native", :control, peer: "lower_bound", code: "PersonBound.json!(v)"
    contender "lower bound, native, reused", :control, peer: "lower_bound", before: "bound = PersonBound.start", code: "bound.json!(v)"
    contender "lower bound, kept right", :control, peer: "lower_bound", code: "PersonKept.json!(v)"

    reach "to_json, json!", over: :hand, interpreter: 1.3, yjit: 1.8
    reach "to_json, json!", over: "Jbuilder", at_least: 15
    reach "to_json, json!", over: "Jbuilder, extracting", at_least: 15
    reach "lower bound", over: :hand
    reach "lower bound", over: "Jbuilder"
    ["native", "kept right"].each { |which| [:hand, "Jbuilder", "Jbuilder, extracting"].each { |other| reach "lower bound, #{which}", over: other } }
    reach "lower bound, native, reused", over: :hand
    reach "lower bound, native, reused", over: "Jbuilder"
    limit "to_json, json!", metric: "objects", at_most: 2
    limit "to_json, reused instance", metric: "objects", at_most: 1
  end

  # The same document where street and skills are Hashes already: plain values, no blocks.
  table "person of Hashes" do
    plain = "{name: v.name, birthday: v.birthday.#{Bench::People::TIME_CODE}, street: v.street, skills: v.skills, " \
            "single_skills: v.single_skills, booleans: v.booleans}"
    writer = <<~RUBY
      writer.reset
      writer.push_object
      writer.push_value(v.name, "name")
      writer.push_value(v.birthday.#{Bench::People::TIME_CODE}, "birthday")
      writer.push_value(v.street, "street")
      writer.push_value(v.skills, "skills")
      writer.push_value(v.single_skills, "single_skills")
      writer.push_value(v.booleans, "booleans")
      writer.pop
      writer.to_s
    RUBY

    data { Bench::People.all(nested: :hashes) }

    setup :ours do
      class PersonValuesSerializer < ToJson::Serializer
        def serialize(person)
          put :name, person.name
          put :birthday, person.birthday
          put :street, person.street
          put :skills, person.skills
          put :single_skills, person.single_skills
          put :booleans, person.booleans
        end
      end
    end

    contender "to_json, json!", :ours, code: "PersonValuesSerializer.json!(v)"
    contender "Hash + JSON.generate", :hand, peer: "json", code: "JSON.generate(#{plain})"
    contender "Hash + JSON::Coder", :hand, peer: "json", before: "coder = JSON::Coder.new", code: "coder.generate(#{plain})"
    contender "Hash + Oj.dump strict", :hand, peer: "oj", before: "options = {mode: :strict}", code: "Oj.dump(#{plain}, options)"
    contender "Oj::StringWriter, reset", :hand, peer: "oj", before: "writer = Oj::StringWriter.new(#{strict})", code: writer
    contender "Oj::StringWriter, reset, Oj's Time", :hand, peer: "oj", before: "writer = Oj::StringWriter.new(#{custom})",
                                                           code: writer.sub(/\.#{Regexp.escape(Bench::People::TIME_CODE)}/o, "")
    contender "Jbuilder", :gem, peer: "jbuilder", code: <<~RUBY
      person = v
      Jbuilder.encode do |json|
        json.name person.name
        json.birthday #{time}
        json.street person.street
        json.skills person.skills
        json.single_skills person.single_skills
        json.booleans person.booleans
      end
    RUBY

    reach "to_json, json!", over: :hand, interpreter: 1.3, yjit: 1.8
    reach "to_json, json!", over: "Jbuilder"
  end
end
