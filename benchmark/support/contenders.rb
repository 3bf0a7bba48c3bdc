# frozen_string_literal: true

# Layer: people. What contenders of several scenarios have word for word: the small document and the complex one, in each
# dialect. As text, so that every class has code of its own: shared code would share its inline caches, and what
# YJIT makes of it.

require_relative "people"

module Bench
  # Ruby that is measured. `of` says where a person's values are: "person." or "@".
  module Contenders
    # Gives the class a method; `signature` as after `def`.
    def self.define(klass, signature, body)
      here = caller_locations(1, 1).first
      klass.class_eval("# frozen_string_literal: true\ndef #{signature}\n#{body}\nend\n", here.path, here.lineno - 1)
    end

    # -- scenario 1: five literals ------------------------------------------------------------------

    PUT_ADDRESS = <<~RUBY
      put :address, "1143 1st Ave"
      put :address2, "Apt 200"
      put :city, "New York"
      put :state, "New York"
      put :zip, 10065
    RUBY

    ADDRESS_HASH = '{address: "1143 1st Ave", address2: "Apt 200", city: "New York", state: "New York", zip: 10065}'

    WRITE_ADDRESS = <<~RUBY
      writer.push_object
      writer.push_value("1143 1st Ave", "address")
      writer.push_value("Apt 200", "address2")
      writer.push_value("New York", "city")
      writer.push_value("New York", "state")
      writer.push_value(10065, "zip")
      writer.pop
      writer.to_s
    RUBY

    JBUILDER_ADDRESS = <<~RUBY
      Jbuilder.encode do |json|
        json.address "1143 1st Ave"
        json.address2 "Apt 200"
        json.city "New York"
        json.state "New York"
        json.zip 10065
      end
    RUBY

    # The document itself, as a literal.
    ADDRESS_DOCUMENT = %q('{"address":"1143 1st Ave","address2":"Apt 200","city":"New York","state":"New York","zip":10065}')

    # -- scenario 2: a person; `street` and `skills` are local variables ------------------------------

    PUT_STREET = <<~RUBY
      put :address, street.address
      put :address2, street.address2
      put :city, street.city
      put :state, street.state
      put :zip, street.zip
    RUBY

    PUT_SKILLS = <<~RUBY
      put :ruby, skills.ruby
      put :asp, skills.asp
      put :php, skills.php
      put :mysql, skills.mysql
      put :mongodb, skills.mongodb
      put :haproxy, skills.haproxy
      put :marathon, skills.marathon
    RUBY

    def self.put_person(of)
      <<~RUBY
        put :name, #{of}name
        put :birthday, #{of}birthday
        put :street do
          street = #{of}street
          #{PUT_STREET}
        end
        put :skills do
          skills = #{of}skills
          #{PUT_SKILLS}
        end
        put :single_skills, #{of}single_skills
        put :booleans, #{of}booleans
      RUBY
    end

    def self.person_hash(of)
      <<~RUBY.chomp
        {name: #{of}name, birthday: #{of}birthday.#{People::TIME_CODE},
         street: {address: street.address, address2: street.address2, city: street.city, state: street.state, zip: street.zip},
         skills: {ruby: skills.ruby, asp: skills.asp, php: skills.php, mysql: skills.mysql, mongodb: skills.mongodb,
                  haproxy: skills.haproxy, marathon: skills.marathon},
         single_skills: #{of}single_skills, booleans: #{of}booleans}
      RUBY
    end

    # For Jbuilder and Jsonify, which share their words.
    def self.build_person(builder, of)
      <<~RUBY
        #{builder} do |json|
          json.name #{of}name
          json.birthday #{of}birthday.#{People::TIME_CODE}
          json.street do
            street = #{of}street
            json.address street.address
            json.address2 street.address2
            json.city street.city
            json.state street.state
            json.zip street.zip
          end
          json.skills do
            skills = #{of}skills
            json.ruby skills.ruby
            json.asp skills.asp
            json.php skills.php
            json.mysql skills.mysql
            json.mongodb skills.mongodb
            json.haproxy skills.haproxy
            json.marathon skills.marathon
          end
          json.single_skills #{of}single_skills
          json.booleans #{of}booleans
        end
      RUBY
    end

    # -- native controls (lower_bound.c) ----------------------------------------------------------------

    # Gives a class of LowerBound its `serialize`, and `json!` in both forms: on a new object, and on one that is kept.
    def self.bind(klass, parameter, body)
      define(klass, "serialize(#{parameter})", body)
      define(klass, "self.json!(#{parameter})", "bound = start\nbound.serialize(#{parameter})\nbound.finish")
      define(klass, "json!(#{parameter})", "restart\nserialize(#{parameter})\nfinish")
    end

    # The same for a class below LowerBound::Words, whose buffer goes back however the document is left.
    def self.bind_kept(klass, parameter, body)
      define(klass, "serialize(#{parameter})", body)
      define(klass, "self.json!(#{parameter})", "bound = start\nbegin\nbound.serialize(#{parameter})\nbound.finish\nensure\nbound.left\nend")
      define(klass, "json!(#{parameter})", "restart\nbegin\nserialize(#{parameter})\nfinish\nensure\nleft\nend")
    end
  end
end
