# frozen_string_literal: true

require_relative "../contenders/shape"
require_relative "plain"

module Bench
  # The data of scenarios 1 to 4: an address of literals, and eight people. The first is the one
  # that the figures are set for, the others differ in every value and little in length.
  module People
    ADDRESS = Shape.new(address: '"1143 1st Ave"', address2: '"Apt 200"', city: '"New York"',
                        state: '"New York"', zip: "10065")
    # The document of ADDRESS, as a literal, and the class that writes it.
    ADDRESS_DOCUMENT = %q('{"address":"1143 1st Ave","address2":"Apt 200","city":"New York",) +
                       %q("state":"New York","zip":10065}')
    ADDRESS_CLASS = <<~RUBY
      class AddressSerializer < ToJson::Serializer
        def serialize
          #{ADDRESS.put}
        end
      end
    RUBY

    # The fastest way of this Ruby to the text that we write for a Time in UTC.
    TIME = RUBY_VERSION >= "3.4" ? "xmlschema(3)" : 'strftime("%Y-%m-%dT%H:%M:%S.%LZ")'
    STREET = {address: nil, address2: nil, city: nil, state: nil, zip: nil}.freeze
    SKILLS = {ruby: nil, asp: nil, php: nil, mysql: nil, mongodb: nil, haproxy: nil,
              marathon: nil}.freeze
    # Ours formats a Time itself; all others are given its text.
    OURS = Shape.new(name: nil, birthday: nil, street: STREET, skills: SKILLS, single_skills: nil,
                     booleans: nil)
    TEXT = Shape.new(OURS.fields.merge(birthday: "o.birthday.#{TIME}"))
    Address, Skills, Person = [STREET, SKILLS, OURS.fields].map { |all| Plain.new(*all.keys) }

    # `nested: :hashes` has street and skills as Hashes instead of objects.
    def self.all(nested: :objects)
      hashes = nested == :hashes
      Plain::WORDS["people"].each_with_index.map do |name, index|
        street = [*Plain::WORDS["streets"][index], 10_065 + (index * 1117)]
        skills = [true, false, true, true, true, true, false].rotate(index)
        Person.new(name, Time.utc(1991, 9, 14, 10, 11, 12, 345_000) + (index * 12_345_678.901r),
                   hashes ? STREET.keys.zip(street).to_h : Address.new(*street),
                   hashes ? SKILLS.keys.zip(skills).to_h : Skills.new(*skills),
                   Plain::WORDS["skills"].rotate(index).first(5),
                   [true, true, false, nil].rotate(index))
      end
    end
  end
end
