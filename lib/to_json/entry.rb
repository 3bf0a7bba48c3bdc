# frozen_string_literal: true

# Layer: dsl. Entries: `json!` as generated Ruby, for serializer classes that are called often under YJIT.
#
# `json!` in C must enter Ruby to call `serialize`, and guard itself against what may leave it: 57 ns of a small document
# (3.4, YJIT). Generated Ruby calls `serialize` through an inline cache of its own, which YJIT turns into a jump; its
# `rescue` and `ensure` cost nothing until they are needed. The interpreter gains nothing by it (DESIGN.md §9 has the costs).
#
# An entry serves calls with exactly the arguments that `serialize` requires. All others (keywords, a block, arguments
# that `new` kept, a busy instance) go on to `super`, the general `json!` in C. It stands in a module of its own that the
# class extends or includes, so that a `json!` of the user's still comes first. A class whose `serialize` changes later
# gets a bypass before it, since an entry takes no more arguments than it was made for.

module ToJson
  # @api private
  module Entry
    # A module with an entry.
    class Made < Module
    end

    # A module with the general `json!`, before the entries of superclasses or older ones.
    class Bypass < Made
      def initialize(general)
        super()
        define_method(:json!, general.instance_method(:json!))
      end
    end

    # Serializers with more arguments are called the general way.
    MOST_ARGUMENTS = 4
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

    @lock = Mutex.new

    class << self
      # Whether an entry pays here and now. Only the main Ractor may change classes.
      def wanted?
        FREE_KEYWORDS && defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled? && Ractor.current == Ractor.main
      end

      # Gives the class its entries where `serialize` takes required arguments only and `json!` is still ours.
      def generate(klass)
        return unless klass.is_a?(Serialize::ClassMethods) # else one object was extended, not its class

        exclusively do
          method = klass.instance_method(:serialize)
          simple = method.arity.between?(0, MOST_ARGUMENTS) && method.parameters.all? { |kind, _| kind == :req }
          next unless simple && ours?(current(klass)) && made_for(klass).size < MOST_MADE

          others = descendants(klass).reject { |heir| heir.instance_method(:serialize).owner == method.owner }
          next unless others.all? { |other| ours?(inherited(other)) }

          others.each { |other| bypass(other) }
          klass.include(writing(method.arity))
          klass.extend(opening(method.arity))
        end
      end

      # The class's `serialize` may be another one now.
      def forget(klass)
        exclusively do
          [klass, *descendants(klass)].each { |changed| bypass(changed) unless made_for(changed).empty? }
        end
      end

      # The class has a `json!` of its own now: no subclass may hide it, and what it calls by super serves them all.
      def withdraw(klass)
        exclusively do
          hiding = descendants(klass).flat_map { |heir| made_for(heir) - made_for(klass) }
          next if hiding.empty?

          bypass(klass)
          empty(hiding)
        end
      end

      private

      # Only the main Ractor may change these classes. Changing one may run the user's hooks, and those change classes.
      def exclusively(&change)
        return unless Ractor.current == Ractor.main

        @lock.owned? ? yield : @lock.synchronize(&change)
      end

      def descendants(klass) = klass.is_a?(Class) ? klass.subclasses.flat_map { |subclass| [subclass, *descendants(subclass)] } : []

      # The modules in front of the general `json!` of the class and of its instances.
      def made_for(klass) = (klass.singleton_class.ancestors + klass.ancestors).grep(Made)

      # The json! of the class and that of its instances.
      def current(klass) = [klass.method(:json!), klass.instance_method(:json!)]

      # The same without what stands in the class itself: a module comes after that.
      def inherited(klass)
        current(klass).zip([klass.singleton_class, klass]).map { |method, own| method.owner.equal?(own) ? method.super_method : method }
      end

      def ours?(methods)
        methods.all? { |method| [Serialize, Serialize::ClassMethods].include?(method.owner) || method.owner.is_a?(Made) }
      end

      # A bypass must hide nobody's own json!: where one is inherited, the entries behind it go, superclasses' too.
      def bypass(klass)
        of_class, of_instances = inherited(klass)
        return empty(made_for(klass)) unless ours?([of_class, of_instances])

        recount(klass)
        klass.extend(Bypass.new(Serialize::ClassMethods)) unless of_class.owner.is_a?(Bypass)
        klass.include(Bypass.new(Serialize)) unless of_instances.owner.is_a?(Bypass)
      end

      def empty(modules) = modules.each { |made| made.remove_method(:json!) if made.method_defined?(:json!, false) }

      # The class's side: a new serializer with an open document, then what `writing` has.
      def opening(count)
        arguments = names(count)
        Made.new.tap do |made|
          made.include(Opening)
          made.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
            def json!(#{optional(count)})
              #{general(count)}
              opened = __open_document(#{passed(count)}) or return super
              opened.__write_document_#{count}(#{arguments.join(", ")})
            end
          RUBY
        end
      end

      # The instance's side.
      def writing(count)
        arguments = names(count).join(", ")
        Made.new.tap do |made|
          made.include(Writing)
          made.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
            def json!(#{optional(count)})
              #{general(count)}
              return super if defined?(yield) || !__open_document(#{passed(count)})
              __write_document_#{count}(#{arguments})
            end

            def __write_document_#{count}(#{arguments})
              serialize(#{arguments})
              document = __close_document
            rescue ::Exception => error
              __drop_document(error)
              raise
            ensure
              __drop_document unless document
            end
          RUBY
        end
      end

      def names(count) = Array.new(count) { |index| "a#{index}" }

      # The arguments, each of which may be left out: `given` tells how many were not. Keywords that are not there cost nothing.
      def optional(count)
        [*names(count).map.with_index { |name, index| "#{name} = (given ||= #{index}; nil)" }, "**"].join(", ")
      end

      # Calls super with the arguments that came, where some are left out.
      def general(count)
        return if count.zero?

        calls = Array.new(count) { |given| "when #{given} then return super(#{[*names(given), "**"].join(", ")})" }
        "case given; #{calls.join("; ")}; end if given"
      end

      # The scope, which is the first argument, and keywords, which make __open_document refuse.
      def passed(count) = "#{count.zero? ? "nil" : "a0"}, **"
    end
  end
end
