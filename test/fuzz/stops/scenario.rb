# frozen_string_literal: true

# Stops. What a scenario is, and the list of all of them. A new feature joins by a file in
# scenarios/.

module Stops
  # One use of a feature, made anew for each process that tries a stop on its first use.
  #
  # call::    what is stopped; gives the document, or anything that `expect` equals
  # expect::  what an undisturbed call gives
  # again::   the next call of the same class, made after each stop; `call` unless given
  # accepts:: what `again` may give, an Array; `[expect]` unless given
  # whole::   called after each stop, before `again`, with whether the call came to its end; nil, or
  # a sentence
  #           that tells what of the caller's state is not whole. Makes it as before for the next
  # stop.
  Subject = Struct.new(:call, :expect, :again, :accepts, :whole, keyword_init: true) do
    # @return [String, nil] what is wrong with the next call
    def wrong_again
      got = (again || call).call
      "the next call gave #{got.inspect}" unless (accepts || [expect]).include?(got)
    rescue Exception => error # what the next call raises is what the machine looks for
      "the next call raised #{error.class}: #{error.message[0, 200]} (#{error.backtrace&.first})"
    end
  end

  # @!attribute group
  #   @return [Symbol] scenarios that need the same libraries; they share a process that has loaded
  #   them
  Scenario = Struct.new(:name, :group, :make, keyword_init: true) do
    def subject = Subject.new(**make.call)
  end

  # What each group loads, besides to_json. `few` is for calls that go through all serializer
  # classes there are.
  LIBRARIES = { plain: [], few: [], json: %w[to_json/json], oj: %w[to_json/oj],
                rails: %w[to_json/active_support],
                records: %w[sqlite3 active_record to_json/active_record] }.freeze

  @scenarios = {}

  class << self
    # @return [Hash{String => Scenario}]
    attr_reader :scenarios

    # Adds one. The block gives the members of its Subject.
    def scenario(name, group: :plain, &make)
      raise ArgumentError, "two scenarios are named #{name}" if @scenarios.key?(name)

      @scenarios[name] = Scenario.new(name: name, group: group, make: make)
    end

    # A serializer class with a name, which is new in this process.
    def serializer(inherits = ToJson::Serializer, &)
      world.const_set(:RecordSerializer, Class.new(inherits, &))
    end

    # A module with a name, which is new in this process.
    def world
      @worlds = (@worlds || 0) + 1
      const_set(:"World#{@worlds}", Module.new)
    end
  end
end
