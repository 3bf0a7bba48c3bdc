# frozen_string_literal: true

# Layer: none below it. The "complex" data of scenarios 2 and 3, eight people: the first is the one that
# BENCHMARKS asks for, the others differ in every value and little in length.

module Bench
  # People as plain objects, whose nested values are objects too.
  module People
    # Read through attr_reader, as most objects are.
    class Address
      attr_reader :address, :address2, :city, :state, :zip

      def initialize(address, address2, city, state, zip)
        @address, @address2, @city, @state, @zip = address, address2, city, state, zip
      end
    end

    # Seven yes-or-no answers.
    class Skills
      attr_reader :ruby, :asp, :php, :mysql, :mongodb, :haproxy, :marathon

      def initialize(*answers)
        @ruby, @asp, @php, @mysql, @mongodb, @haproxy, @marathon = answers
      end
    end

    # The whole.
    class Person
      attr_reader :name, :birthday, :street, :skills, :single_skills, :booleans

      def initialize(name, birthday, street, skills, single_skills, booleans)
        @name, @birthday, @street, @skills, @single_skills, @booleans = name, birthday, street, skills, single_skills, booleans
      end
    end

    NAMES = ["Garrett Bjerkhoel", "Annika Lindqvist", "Matthew Hernández", "Beatriz Figueiredo", "Oluwaseun Adeyemi", "Katarzyna Nowak",
             "Giovanni Bianchi", "Charlotte Dubois"].freeze
    STREETS = [["1143 1st Ave", "Apt 200", "New York", "New York"], ["28 Hill Rd", "Floor 3", "Portland", "Oregon"],
               ["904 Oak Ln", "Unit 12", "Columbus", "Ohio"], ["77 Pine Dr", "Suite 9", "Savannah", "Georgia"],
               ["5 Lakeview", "Apt 41", "Madison", "Wisconsin"], ["310 Elm St", "Apt 5B", "Nashville", "Tennessee"],
               ["62 Bay St", "Room 1", "Honolulu", "Hawaii"], ["1200 5th Ave", "Apt 7", "Seattle", "Washington"]].freeze
    SINGLE_SKILLS = %w[ruby php mysql mongodb haproxy nginx redis docker elixir kafka].freeze
    SKILL_NAMES = %i[ruby asp php mysql mongodb haproxy marathon].freeze
    STREET_NAMES = %i[address address2 city state zip].freeze

    # Eight people. `nested: :hashes` has street and skills as Hashes instead of objects.
    def self.all(nested: :objects)
      NAMES.each_index.map do |index|
        street = [*STREETS[index], 10_065 + (index * 1117)]
        skills = [true, false, true, true, true, true, false].rotate(index)
        if nested == :hashes
          street, skills = STREET_NAMES.zip(street).to_h, SKILL_NAMES.zip(skills).to_h
        else
          street, skills = Address.new(*street), Skills.new(*skills)
        end
        birthday = Time.utc(1991, 9, 14, 10, 11, 12, 345_000) + (index * 12_345_678.901r)
        Person.new(NAMES[index], birthday, street, skills, SINGLE_SKILLS.rotate(index).first(5), [true, true, false, nil].rotate(index))
      end
    end

    # The fastest way of this Ruby to the text that we write for a Time in UTC: since 3.4 xmlschema is
    # native; before, it is Ruby around strftime.
    TIME_CODE = RUBY_VERSION >= "3.4" ? "xmlschema(3)" : 'strftime("%Y-%m-%dT%H:%M:%S.%LZ")'
  end
end
