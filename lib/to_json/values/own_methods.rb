# frozen_string_literal: true

# Layer: values. Tells whether `as_json`, `to_json`, `to_h` … of an object is its own, or one that a
# library gave to all objects.

module ToJson
  # A method is an object's own unless its owner gave it to all objects of a kind: Object and Ruby's
  # core classes, the library classes of the table in docs/values.md, and the modules that json,
  # ActiveSupport, ActiveModel and ActiveRecord include into classes.
  # @api private
  module OwnMethods
    EVERYBODYS = [
      Object, Kernel, BasicObject, Comparable, Enumerable, String, Symbol, Integer, Float, Numeric,
      NilClass, TrueClass,
      FalseClass, Array, Hash, Struct, Range, Enumerator, Enumerator::Lazy, Rational, Complex, Time,
      Module, Class,
      Exception, NameError, KeyError, SystemExit, IO, Dir, File, Proc, Method, UnboundMethod,
      Thread, Regexp, MatchData,
      Encoding, Random, Binding, Fiber, Thread::Mutex, Thread::Queue, TracePoint, Process::Status,
      File::Stat,
      *(defined?(Data) ? [Data] : []) # Ruby >= 3.2
    ].freeze
    LIBRARIES =
      /\A(?:JSON|ActiveSupport|ActiveModel|ActiveRecord|DidYouMean|ErrorHighlight)(?:::|\z)/
    # If one of these libraries defines `as_json` in a class (ActiveSupport::Duration,
    # ActiveModel::Errors), that is the class's own. Models get theirs from modules. All methods of
    # classes of json (JSON::GenericObject, JSON::Fragment) are their own.
    OF_JSON = /\AJSON::/
    TABLE_NAMES = %w[Date DateTime Set BigDecimal].freeze
    private_constant :EVERYBODYS, :LIBRARIES, :OF_JSON, :TABLE_NAMES

    # @param owner [Module] of a method
    # @return [Boolean] whether all objects of Ruby's own classes have what is defined there
    def self.everybodys?(owner) = EVERYBODYS.include?(owner)

    # @param object [Object] which has the method
    # @param name [Symbol]
    # @return [Boolean]
    def self.own?(object, name)
      owner = Reflection.owner_of(object, name)
      return false if EVERYBODYS.include?(owner)
      return false if owner.is_a?(Class) && made_by_delegate_class?(owner)

      label = Reflection.name_of(owner)
      if label.nil? || (owner.is_a?(Class) && (name == :as_json || OF_JSON.match?(label)))
        return true
      end

      !(LIBRARIES.match?(label) || TABLE_NAMES.include?(label))
    rescue NameError
      true # a method that only method_missing knows
    end

    def self.made_by_delegate_class?(owner)
      delegator = Library.loaded(:Delegator)
      !delegator.nil? && delegator.equal?(owner.superclass)
    end
    private_class_method :made_by_delegate_class?
  end

  # @api private
  def self.own?(object, name) = OwnMethods.own?(object, name)
end
