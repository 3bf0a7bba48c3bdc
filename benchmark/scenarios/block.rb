# frozen_string_literal: true

# Scenario 3. The documents of scenarios 1 and 2, written by blocks inside methods of an object with
# ten instance variables, as in a Rails controller. What is written is in support/contenders.rb.

require_relative "../support/contenders"

Bench.scenario 3, "block", "small and complex object, block DSL" do
  pages = lambda do
    # Ten instance variables; six are the person's.
    class BenchPage
      def initialize(person, number)
        @name, @birthday, @street = person.name, person.birthday, person.street
        @skills, @single_skills, @booleans = person.skills, person.single_skills, person.booleans
        @request, @response, @params, @number = Object.new, Object.new, {id: number}, number
      end

      # Ruby's public API has no other way to a block's self.
      def asked(&block) = LowerBound.block!(block.binding.receiver, &block)
    end

    Bench::People.all.map.with_index { |person, index| BenchPage.new(person, index) }
  end

  table "address" do
    data(&pages)

    setup :ours do
      class AddressSerializer < ToJson::Serializer
        Bench::Contenders.define(self, "serialize", Bench::Contenders::PUT_ADDRESS)
      end

      class BenchPage
        def address_by_class = AddressSerializer.json!

        Bench::Contenders.define(self, "address_by_block", "ToJson::Serializer.json! do\n#{Bench::Contenders::PUT_ADDRESS}end")
      end
    end

    setup :jbuilder do
      Bench::Contenders.define(BenchPage, "address_by_jbuilder", Bench::Contenders::JBUILDER_ADDRESS)
    end

    setup :json do
      BenchPage::CODER = JSON::Coder.new
      Bench::Contenders.define(BenchPage, "address_by_coder", "CODER.generate(#{Bench::Contenders::ADDRESS_HASH})")
    end

    setup :lower_bound do
      Bench::Contenders.define(BenchPage, "address_by_bound", "LowerBound.block!(self) do\n#{Bench::Contenders::PUT_ADDRESS}end")
      Bench::Contenders.define(BenchPage, "address_by_public", "asked do\n#{Bench::Contenders::PUT_ADDRESS}end")
    end

    contender "to_json, block", :ours, code: "v.address_by_block"
    contender "to_json, class", :ours, code: "v.address_by_class"
    contender "Hash + JSON::Coder", :hand, peer: "json", code: "v.address_by_coder"
    contender "Jbuilder", :gem, peer: "jbuilder", code: "v.address_by_jbuilder"
    # The words, the block on a new object with the ten instance variables, the String.
    contender "lower bound, native", :control, peer: "lower_bound", code: "v.address_by_bound"
    contender "lower bound, public API", :control, peer: "lower_bound", code: "v.address_by_public"

    reach "to_json, block", over: "Jbuilder", at_least: 4
    reach "lower bound, native", over: :hand
    reach "lower bound, native", over: "Jbuilder"
    limit "to_json, block", over: "to_json, class", at_most: 3
    limit "lower bound, public API", over: "to_json, class"
  end

  table "person" do
    data(&pages)

    setup :ours do
      class PageSerializer < ToJson::Serializer
        Bench::Contenders.define(self, "serialize(name, birthday, street, skills, single_skills, booleans)", <<~RUBY)
          put :name, name
          put :birthday, birthday
          put :street do
            #{Bench::Contenders::PUT_STREET}
          end
          put :skills do
            #{Bench::Contenders::PUT_SKILLS}
          end
          put :single_skills, single_skills
          put :booleans, booleans
        RUBY
      end

      class BenchPage
        def person_by_class = PageSerializer.json!(@name, @birthday, @street, @skills, @single_skills, @booleans)

        Bench::Contenders.define(self, "person_by_block", "ToJson::Serializer.json! do\n#{Bench::Contenders.put_person("@")}end")
      end
    end

    setup :jbuilder do
      Bench::Contenders.define(BenchPage, "person_by_jbuilder", Bench::Contenders.build_person("Jbuilder.encode", "@"))
    end

    setup :json do
      BenchPage::CODER = JSON::Coder.new
      Bench::Contenders.define(BenchPage, "person_by_coder",
                               "street, skills = @street, @skills\nCODER.generate(#{Bench::Contenders.person_hash("@")})")
    end

    setup :lower_bound do
      Bench::Contenders.define(BenchPage, "person_by_bound", "LowerBound.block!(self) do\n#{Bench::Contenders.put_person("@")}end")
      Bench::Contenders.define(BenchPage, "person_by_public", "asked do\n#{Bench::Contenders.put_person("@")}end")
    end

    contender "to_json, block", :ours, code: "v.person_by_block"
    contender "to_json, class", :ours, code: "v.person_by_class"
    contender "Hash + JSON::Coder", :hand, peer: "json", code: "v.person_by_coder"
    contender "Jbuilder", :gem, peer: "jbuilder", code: "v.person_by_jbuilder"
    contender "lower bound, native", :control, peer: "lower_bound", code: "v.person_by_bound"
    contender "lower bound, public API", :control, peer: "lower_bound", code: "v.person_by_public"

    reach "to_json, block", over: "Jbuilder", at_least: 4
    reach "lower bound, native", over: :hand
    reach "lower bound, native", over: "Jbuilder"
    limit "to_json, block", over: "to_json, class", at_most: 1.6
    limit "lower bound, public API", over: "to_json, class"
  end
end
