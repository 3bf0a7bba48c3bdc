# frozen_string_literal: true

# Layer: dsl. Entries: `json!` as generated Ruby, for serializer classes under YJIT.
#
# `json!` in C must enter Ruby to call `serialize`, and guard itself against what may leave it: 57
# ns of a small document (3.4, YJIT). Generated Ruby calls `serialize` through an inline cache of
# its own, which YJIT turns into a jump; its `rescue` and `ensure` cost nothing until they are
# needed. The interpreter gains nothing by it.
#
# An entry is made when the class is first used or by compile!, if YJIT runs then. It serves calls
# with exactly the arguments that `serialize` requires. All others (keywords, a block, arguments
# that `new` kept, a busy instance) go on to `super`, the general `json!` in C. It stands in a
# module of its own that the class extends or includes, so that a `json!` of the user's still comes
# first. It stands there only while the class and all its subclasses have one and the same
# `serialize`, and no `json!` of the user's: what may change that empties it.
#
# Ruby does not tell of these changes: a `serialize` on one object, in a module that was included
# before, or of a class made in another Ractor (if it takes more arguments, calls raise
# ArgumentError); and a `json!` that comes by `singleton_class.include`.

module ToJson
  # There is no lock: an entry's module is whole before a class extends it, and {add_unless_changed}
  # takes it out again where the class changed meanwhile.
  # @api private
  module Entry
    # A module with an entry.
    class Methods < Module
      # @return [Class, nil] whose Plan it runs
      attr_accessor :serves
      # @return [Plan, nil] the last one
      attr_accessor :plan
      # @return [Integer, nil] how often it was generated
      attr_accessor :times
    end

    # Modules on one class: a `serialize` that is redefined without end stays general.
    MOST_MADE = 8

    # Whether a method that takes any keywords makes no Hash where none are given (Ruby >= 3.4).
    FREE_KEYWORDS = begin
      probe = Object.new
      def probe.call(**) = nil

      def probe.objects
        before = GC.stat(:total_allocated_objects)
        call
        GC.stat(:total_allocated_objects) - before
      end
      probe.objects # the first call makes what calls need
      probe.objects.zero?
    end

    @with_entries = ObjectSpace::WeakMap.new
    @changes = 0
    @allowed = true

    class << self
      # Whether entries are made at all; for tests.
      # @return [Boolean]
      attr_accessor :allowed

      # Whether this Ruby may ever want entries.
      def possible? = @allowed && FREE_KEYWORDS && !defined?(RubyVM::YJIT).nil?

      # Whether an entry pays now.
      def wanted? = possible? && RubyVM::YJIT.enabled?

      # Gives a class that declares nothing its entries, if they may stand there. An optimisation,
      # so it never raises: whatever is odd about the class leaves it as it is.
      def of_serialize(klass)
        quietly { Builder.of_serialize(klass) } if wanted?
      end

      # The same for the class of a Plan.
      def of_declared(plan)
        quietly { Builder.of_declared(plan) } if wanted?
      end

      # The class's `serialize` or `json!` may be another one now: no entry in its reach stays.
      # Subclasses may have new ones.
      def forget(klass)
        # the others may not change classes that stand already
        return unless possible? && Ractor.current == Ractor.main

        @changes += 1 # first: an entry that is being made is not to stand then
        entries = [klass, *descendants(klass)].flat_map { |heir| made_for(heir) }
        entries.uniq.each { |entry| empty(entry) }
      end

      # Yields, which adds an entry, and empties it where a class changed since the number of
      # {changes} was asked.
      # @return [void]
      def add_unless_changed(entry, changes)
        yield
      ensure
        empty(entry) unless changes == @changes
      end

      # @return [Integer] grows with each {forget}
      attr_reader :changes

      # Of a class that is to have entries: where it includes a module, that module must find it.
      def note(klass) = @with_entries[klass] = true

      # Of a module (a concern that includes Serialize): the classes with entries that include it.
      def descendants(klass)
        return @with_entries.keys.select { |heir| heir <= klass } unless klass.is_a?(Class)

        Class.instance_method(:subclasses).bind_call(klass).flat_map do |subclass|
          [subclass, *descendants(subclass)]
        end
      end

      # The modules for entries of the class and of its instances, superclasses' included.
      def made_for(klass) = (klass.singleton_class.ancestors + klass.ancestors).grep(Methods)

      private

      def empty(entry)
        entry.remove_method(:json!) if entry.method_defined?(:json!, false)
      rescue NameError # another thread was first
        nil
      end

      def quietly
        yield
        nil
      rescue StandardError, ScriptError, SystemStackError, NoMemoryError
        nil
      end
    end
  end
end
