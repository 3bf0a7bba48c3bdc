# frozen_string_literal: true

# Fuzz. The small classes that generated cases are written with; a printed repro requires this file
# alone.

require "to_json"
require "bigdecimal"
require "date"
require "set"

module Fuzz
  # What user code raises.
  Boom = Class.new(StandardError)

  # Objects with one method of their own.
  class Own
    def initialize(given) = @given = given
  end

  class AsJson < Own
    def as_json = @given
  end

  # As Rails' convention has it: with options, here required.
  class AsJsonWithOptions < Own
    def as_json(_options) = @given
  end

  class ToJsonText < Own
    def to_json(*) = @given
  end

  class ToHash < Own
    def to_hash = @given
  end

  class ToAry < Own
    def to_ary = @given
  end

  class ToH < Own
    def to_h = @given
  end

  class ToS < Own
    def to_s = @given
  end

  # A collection that is no Array.
  class Each < Own
    include Enumerable

    def each(&block) = @given.each(&block)
  end

  # Its text comes by a detour that raises.
  class Raising
    def as_json = raise(Boom)
    def to_s = raise(Boom)
  end

  # Calls the DSL while its own text is due.
  class Intruder
    def initialize(&intrusion) = @intrusion = intrusion

    def as_json
      @intrusion.call
      0
    end
  end

  # A serializer whose work is a block.
  class Part < ToJson::Serializer
    def initialize(&work)
      super()
      @work = work
    end

    def serialize = @work.call(self)
  end

  # A document in the class form.
  class Written < ToJson::Serializer
    def serialize(script) = instance_exec(&script)
  end

  # A document in the module form.
  class Host
    include ToJson::Serialize

    def serialize(script) = instance_exec(&script)
  end

  # An object with getters; :boom raises.
  class Fields
    def initialize(values) = @values = values

    %i[a b c d e].each { |name| define_method(name) { @values[name] } }

    def boom = raise(Boom)
  end

  Couple = Struct.new(:left, :right)
end
