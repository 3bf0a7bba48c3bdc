# frozen_string_literal: true

# Scenario 3. The documents of scenarios 1 and 2, written by blocks inside methods of an object with
# ten instance variables, as in a Rails controller.

require_relative "../support/people"

Bench.scenario 3, "block", "small and complex object, block DSL" do
  time = Bench::People::TIME_CODE
  pages = lambda do
    # Ten instance variables; six are the person's.
    class BenchPage
      def initialize(person, number)
        @name, @birthday, @street = person.name, person.birthday, person.street
        @skills, @single_skills, @booleans = person.skills, person.single_skills, person.booleans
        @request, @response, @params, @number = Object.new, Object.new, {id: number}, number
      end
    end

    Bench::People.all.map.with_index { |person, index| BenchPage.new(person, index) }
  end

  table "address" do
    data(&pages)

    setup :ours do
      class AddressSerializer < ToJson::Serializer
        def serialize
          put :address, "1143 1st Ave"
          put :address2, "Apt 200"
          put :city, "New York"
          put :state, "New York"
          put :zip, 10065
        end
      end

      class BenchPage
        def address_by_class = AddressSerializer.json!

        def address_by_block
          ToJson::Serializer.json! do
            put :address, "1143 1st Ave"
            put :address2, "Apt 200"
            put :city, "New York"
            put :state, "New York"
            put :zip, 10065
          end
        end
      end
    end

    setup :jbuilder do
      class BenchPage
        def address_by_jbuilder
          Jbuilder.encode do |json|
            json.address "1143 1st Ave"
            json.address2 "Apt 200"
            json.city "New York"
            json.state "New York"
            json.zip 10065
          end
        end
      end
    end

    setup :json do
      class BenchPage
        CODER = JSON::Coder.new

        def address_by_coder = CODER.generate({address: "1143 1st Ave", address2: "Apt 200", city: "New York", state: "New York", zip: 10065})
      end
    end

    contender "to_json, block", :ours, code: "v.address_by_block"
    contender "to_json, class", :ours, code: "v.address_by_class"
    contender "Hash + JSON::Coder", :hand, peer: "json", code: "v.address_by_coder"
    contender "Jbuilder", :gem, peer: "jbuilder", code: "v.address_by_jbuilder"

    reach "to_json, block", over: "Jbuilder", at_least: 5
    limit "to_json, block", over: "to_json, class", at_most: 2
  end

  table "person" do
    data(&pages)

    setup :ours do
      class PageSerializer < ToJson::Serializer
        def serialize(name, birthday, street, skills, single_skills, booleans)
          put :name, name
          put :birthday, birthday
          put :street do
            put :address, street.address
            put :address2, street.address2
            put :city, street.city
            put :state, street.state
            put :zip, street.zip
          end
          put :skills do
            put :ruby, skills.ruby
            put :asp, skills.asp
            put :php, skills.php
            put :mysql, skills.mysql
            put :mongodb, skills.mongodb
            put :haproxy, skills.haproxy
            put :marathon, skills.marathon
          end
          put :single_skills, single_skills
          put :booleans, booleans
        end
      end

      class BenchPage
        def person_by_class = PageSerializer.json!(@name, @birthday, @street, @skills, @single_skills, @booleans)

        def person_by_block
          ToJson::Serializer.json! do
            put :name, @name
            put :birthday, @birthday
            put :street do
              street = @street
              put :address, street.address
              put :address2, street.address2
              put :city, street.city
              put :state, street.state
              put :zip, street.zip
            end
            put :skills do
              skills = @skills
              put :ruby, skills.ruby
              put :asp, skills.asp
              put :php, skills.php
              put :mysql, skills.mysql
              put :mongodb, skills.mongodb
              put :haproxy, skills.haproxy
              put :marathon, skills.marathon
            end
            put :single_skills, @single_skills
            put :booleans, @booleans
          end
        end
      end
    end

    setup :jbuilder do
      BenchPage.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        def person_by_jbuilder
          Jbuilder.encode do |json|
            json.name @name
            json.birthday @birthday.#{time}
            json.street do
              street = @street
              json.address street.address
              json.address2 street.address2
              json.city street.city
              json.state street.state
              json.zip street.zip
            end
            json.skills do
              skills = @skills
              json.ruby skills.ruby
              json.asp skills.asp
              json.php skills.php
              json.mysql skills.mysql
              json.mongodb skills.mongodb
              json.haproxy skills.haproxy
              json.marathon skills.marathon
            end
            json.single_skills @single_skills
            json.booleans @booleans
          end
        end
      RUBY
    end

    setup :json do
      BenchPage.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        def person_by_coder
          street, skills = @street, @skills
          CODER.generate({name: @name, birthday: @birthday.#{time},
            street: {address: street.address, address2: street.address2, city: street.city, state: street.state, zip: street.zip},
            skills: {ruby: skills.ruby, asp: skills.asp, php: skills.php, mysql: skills.mysql, mongodb: skills.mongodb,
                     haproxy: skills.haproxy, marathon: skills.marathon},
            single_skills: @single_skills, booleans: @booleans})
        end
        CODER = JSON::Coder.new
      RUBY
    end

    contender "to_json, block", :ours, code: "v.person_by_block"
    contender "to_json, class", :ours, code: "v.person_by_class"
    contender "Hash + JSON::Coder", :hand, peer: "json", code: "v.person_by_coder"
    contender "Jbuilder", :gem, peer: "jbuilder", code: "v.person_by_jbuilder"

    reach "to_json, block", over: "Jbuilder", at_least: 5
    limit "to_json, block", over: "to_json, class", at_most: 1.4
  end
end
