# frozen_string_literal: true

# Fuzz. What random Definitions are tried on: rows of every kind that user code hands over, and what
# their serializers call. A printed repro requires this file alone.

require_relative "../actors"
require "delegate"
verbose, $VERBOSE = $VERBOSE, nil # 3.4 warns that it leaves the standard library
require "ostruct"
$VERBOSE = verbose

# Serializers of one case that have names stand here, and are removed after it. A module FuzzBook
# stands in each place, but not in each a PageSerializer.
module FuzzScratch
  FuzzBook = Module.new
  module Inner
    FuzzBook = Module.new
  end
end

module Fuzz
  # The value of a key as docs/serializers.md has it: Hashes by Symbol, then String, absent nil; all
  # others by method.
  def self.get(object, key)
    return object.public_send(key) unless Hash === object

    object.fetch(key) { object[key.to_s] }
  end

  # A value that does not come while Faults are armed.
  class Fault
    KINDS = %i[raise throw nan object text].freeze

    class << self
      attr_accessor :armed

      # Armed for a block. @return [Object] what it gives, or its error
      def armed_for
        @armed = true
        catch(:fuzz) { yield }
      rescue StandardError => error
        error
      ensure
        @armed = false
      end
    end

    def initialize(kind, value)
      @kind = kind
      @value = value
    end

    def strike
      return @value unless Fault.armed

      case @kind
      when :raise then raise(Boom, "struck")
      when :throw then throw(:fuzz, :struck)
      when :nan then Float::NAN
      when :object then Object.new
      else +"\xFF"
      end
    end
  end

  # Rows with getters that may strike.
  class Thing
    def initialize(values) = @values = values

    # Getters for the names that have none yet.
    def self.reads(names)
      (names - instance_methods(false)).each do |name|
        define_method(name) { (value = @values[name]).is_a?(Fault) ? value.strike : value }
      end
      self
    end
  end

  # Knows its getters by method_missing, and says so.
  class Missing < Thing
    def method_missing(name, *arguments)
      return super unless @values.key?(name) && arguments.empty?

      (value = @values[name]).is_a?(Fault) ? value.strike : value
    end

    def respond_to_missing?(name, include_private = false) = @values.key?(name) || super
  end

  # Knows them, and does not say so.
  class Unsaid < Missing
    def respond_to_missing?(*) = false
  end

  # Private, as helpers of serializers are.
  module Helpers
    private

    def mark(value) = ["m", value]
  end

  # Has its own encoder.
  module Boxed
    def self.encode(value) = { "boxed" => value }
  end

  # A callable that is no Proc.
  module Doubled
    def self.call(value) = [value, value]
  end

  # Makes rows and collections. The classes of the rows live as long as this.
  class Things
    STRIKING = %i[plain missing unsaid row page delegator].freeze
    KINDS = [*STRIKING, :getters, :struct, :open, :symbols, :strings, :both,
             *(:data if defined?(::Data))].freeze
    COLLECTIONS = { array: ->(rows) { rows }, set: ->(rows) { Set.new(rows) },
                    enumerator: ->(rows) { rows.each }, lazy: ->(rows) { rows.lazy },
                    enumerable: ->(rows) { Each.new(rows) }, to_ary: ->(rows) { ToAry.new(rows) },
                    delegator: ->(rows) { SimpleDelegator.new(rows) } }.freeze

    def initialize = @classes = {}

    # @param values [Hash{Symbol => Object}]
    def make(kind, values)
      values.key?(:object_id) ? quietly { made(kind, values) } : made(kind, values)
    end

    def many(kind, rows) = COLLECTIONS.fetch(kind).call(rows)

    private

    # Ruby >= 3.4 warns of getters of that name.
    def quietly
      verbose, $VERBOSE = $VERBOSE, nil
      yield
    ensure
      $VERBOSE = verbose
    end

    def made(kind, values)
      case kind
      when :plain then type(kind, values) { Class.new(Thing).reads(values.keys) }.new(values)
      when :delegator then SimpleDelegator.new(made(:plain, values))
      when :getters then type(kind, values) { getters(values.keys) }.new(values)
      when :struct then type(kind, values) { Struct.new(*values.keys) }.new(*values.values)
      when :data then type(kind, values) { Data.define(*values.keys) }.new(**values)
      when :open then OpenStruct.new(values)
      else fixed(kind, values)
      end
    end

    def fixed(kind, values)
      case kind
      when :missing then Missing.new(values)
      when :unsaid then Unsaid.new(values)
      when :row then FuzzRow.reads(values.keys).new(values)
      when :page then FuzzBook::Page.reads(values.keys).new(values)
      when :symbols then values
      when :strings then values.transform_keys(&:to_s)
      else
        values.to_h do |key, value|
          [key.size.odd? ? key : key.to_s, value]
        end.merge(values.keys.first.to_s => :hidden) do |_, value, _|
          value
        end
      end
    end

    def type(kind, values) = @classes[[kind, values.keys]] ||= yield

    # attr_readers where names allow it.
    def getters(names)
      plain, odd = names.partition { |name| name.match?(/\A[a-z_]\w*\z/) }
      Class.new do
        define_method(:initialize) do |values|
          values.each do |name, value|
            instance_variable_set(plain.include?(name) ? :"@#{name}" : :"@v#{odd.index(name)}",
                                  value)
          end
        end
        attr_reader(*plain)
        odd.each_with_index do |name, index|
          define_method(name) { instance_variable_get(:"@v#{index}") }
        end
      end
    end
  end
end

# Looked up by their names: FuzzRowSerializer, FuzzBook::PageSerializer.
FuzzRow = Class.new(Fuzz::Thing)

module FuzzBook
  Page = Class.new(Fuzz::Thing)
end
