# frozen_string_literal: true

# Layer: caching. Makes the text of a context for cache keys and ETags.

module ToJson
  # A key is made of the contents of a context. So whatever could answer by more than its contents
  # is refused: the part of one user would be another's. What counts beside the contents is the
  # class of each object in it.
  # @api private
  class ContextKey
    # Values whose contents are in a text of {CacheKey}.
    CORE = [Hash, Array, String, Time, Numeric, Symbol].freeze
    # The most objects that are no such values: records mostly, whose keys take 50 us each. They are
    # made for each cached part of an element that is not cached.
    MOST_OBJECTS = 100
    VARIABLES = Kernel.instance_method(:instance_variables)
    METHODS = Kernel.instance_method(:singleton_methods)
    PRIVATE = Kernel.instance_method(:private_methods)
    METHOD = Kernel.instance_method(:method)
    private_constant :CORE, :MOST_OBJECTS, :VARIABLES, :METHODS, :PRIVATE, :METHOD

    # @param place [String] for messages
    # @param given [Object] the part of a context that counts. nil and false have texts, too
    # @return [String, nil] nil: the object must not be cached
    # @raise [CacheError] if a text cannot tell all that the context may answer
    def self.of(place, given) = new(place, MOST_OBJECTS).text(given)

    # @param given [Object] what a `key:` returned that got the context. Its objects may be many
    # @return [String, nil] nil: the object must not be cached
    # @raise [CacheError]
    def self.of_key(place, given) = (new(place, nil).text(given) if given)

    # @param most [Integer, nil] objects
    def initialize(place, most)
      @place, @most, @count, @objects, @classes = place, most, 0, 0, []
    end

    def text(given)
      text = CacheKey.text_of_any(@place, given) or return # it refuses what is too deep
      visit(given)
      @classes.empty? ? text : "#{CacheKey.tree(@classes)}#{text}"
    end

    private

    # Objects are counted in the order of the text, so that their numbers tell their places.
    def visit(given)
      number = (@count += 1)
      return if given.nil? || true == given || false == given

      type = Reflection.class_of(given)
      core = CORE.find { |one| type <= one }
      refuse unless tells_all?(given, type, core)
      count(given) unless core
      @classes << [number, CacheKey.name_of(type)] unless type == core || core == Numeric
      if core == Hash then given.to_a.each { |name, value| [name, value].each { |one| visit(one) } }
      elsif core == Array then given.each { |one| visit(one) }
      end
    end

    def count(given)
      return unless @most

      @objects += CacheKey.relation?(given) ? given.to_ary.size : 1
      refuse_many if @objects > @most
    end

    def tells_all?(given, type, core)
      case given
      when Module then silent?(given)
      when Hash
        Reflection.pairs_only?(given) && !given.compare_by_identity? && named?(type)
      else
        return false if !named?(type) || CacheKey.extended?(given)
        return !CacheKey.forwards?(given) unless core || (defined?(::Date) && type <= ::Date)

        VARIABLES.bind_call(given).empty?
      end
    end

    # Its methods may be others than those of the class above.
    def named?(type) = !CacheKey.name_of(type).nil?

    # A class or module may keep what it answers, as ActiveSupport::CurrentAttributes does. One that
    # is made in C, such as String, does not, whatever methods libraries add to it.
    def silent?(given)
      name = CacheKey.name_of(given)
      return true if name && Object.const_source_location(name)&.empty?

      VARIABLES.bind_call(given).empty? &&
        [*METHODS.bind_call(given), *PRIVATE.bind_call(given)].all? { |name| usual?(given, name) }
    end

    # Whether a method is Ruby's, or one that a library has added to all classes or modules.
    def usual?(given, name)
      found = METHOD.bind_call(given, name)
      found.source_location.nil? ||
        (Object.respond_to?(name, true) && Object.method(name).owner == found.owner)
    end

    def refuse_many
      raise CacheError,
            "#{@place}: this context has more than #{MOST_OBJECTS} objects, whose keys would be " \
            "made again and again. Return less, such as " \
            "context: ->(context) { context[:teams].map(&:id) }."
    end

    def refuse
      raise CacheError,
            "#{@place}: the key cannot show all of this context. In it is a Hash with a " \
            "default, a value with instance variables or methods of its own, a class or module " \
            "with such, a presenter that has the key of another object, or an instance of a " \
            "class without a name. Return what " \
            "matters of it: context: ->(context) { context[:role] }."
    end
  end
end
