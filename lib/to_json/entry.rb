# frozen_string_literal: true

# Layer: dsl. Entries: `json!` as generated Ruby, for serializer classes that are called often under YJIT.
#
# `json!` in C must enter Ruby to call `serialize`, and guard itself against what may leave it: 57 ns of a small document
# (3.4, YJIT). Generated Ruby calls `serialize` through an inline cache of its own, which YJIT turns into a jump; its
# `rescue` and `ensure` cost nothing until they are needed. The interpreter gains nothing by it (DESIGN.md §9 has the costs).
#
# An entry serves calls with exactly the arguments that `serialize` requires. All others (keywords, a block, arguments
# that `new` kept, a busy instance) go on to `super`, the general `json!` in C. It stands in a module of its own that the
# class extends or includes, so that a `json!` of the user's still comes first. It stands there only while the class and
# all its subclasses have one and the same `serialize`, and no `json!` of the user's: what may change that empties it.
# Not heard are a `serialize` on one object, in a module that was included before, or of a class made in another Ractor:
# with more arguments, their calls are an ArgumentError; and a `json!` that comes by `singleton_class.include`.

module ToJson
  # @api private
  module Entry
    # A module with an entry.
    class Made < Module
      # @return [Class, nil] whose Plan it runs
      attr_accessor :serves
      # @return [Integer, nil] how often it was generated
      attr_accessor :times
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
    @with_entries = ObjectSpace::WeakMap.new

    class << self
      # Whether this Ruby may ever want entries.
      def possible? = FREE_KEYWORDS && !defined?(RubyVM::YJIT).nil? && frames_known?

      # Whether an entry pays now. An application may switch YJIT on after it was loaded.
      def wanted? = possible? && RubyVM::YJIT.enabled?

      # Gives the class its entries, if they may stand there. An optimisation, so it never raises: whatever is odd about
      # the class leaves it as it is. False: ask again later.
      def generate(klass, type = nil)
        return false unless wanted?

        Thread.handle_interrupt(Object => :never) { @lock.synchronize { generate_alone(klass, type) } } # what others raise here is not for us
        true
      rescue StandardError
        true
      end

      # The class's `serialize` or `json!` may be another one now: no entry in its reach stays. Subclasses may have new ones.
      def forget(klass)
        return unless possible? && Ractor.current == Ractor.main # the others may not change classes that stand already

        changed = [klass, *descendants(klass)]
        return if changed.all? { |heir| made_for(heir).empty? } # no lock: it may be a trap handler that defines a class

        @lock.synchronize do
          made = changed.flat_map { |heir| made_for(heir) }.uniq
          made.each { |entry| entry.remove_method(:json!) if entry.method_defined?(:json!, false) }
          changed.each { |heir| recount(heir) }
        end
      end

      private

      def generate_alone(klass, type)
        method = method_of(klass, :serialize)
        return generate_declared(klass, type) if klass.respond_to?(:declared?) && klass.declared?
        return unless method && simple?(method) && ours?(klass) && alone?(klass, method) && made_for(klass).size < MOST_MADE

        @with_entries[klass] = true
        add(klass, :include, "serialize(", method.arity)
        add(klass, :extend, "opened.__send__(:serialize,", method.arity) if plain_new?(klass)
      end

      # Of a class with declared fields, for one object. A Plan that is made anew has the same module.
      def generate_declared(klass, type)
        plan = PlanCache.default(klass)
        return if plan.imperative? || plan.root? || !ours?(klass)

        made = klass.singleton_class.ancestors.grep(Made).find { |entry| entry.serves == klass } || Made.new.tap { |entry| entry.serves = klass }
        return if (made.times = made.times.to_i + 1) > MOST_MADE

        add_declared(klass, made, plan, asks_itself?(type))
      end

      # Whether a class has a say in what its objects respond to, as models have: YJIT knows the answers of all others, by
      # which the entry finds what is many (what is Enumerable has each_entry). A BasicObject has no answer.
      def asks_itself?(type)
        type.nil? || !(type <= Object) || method_of(type, :respond_to?)&.owner != Kernel
      end

      def add_declared(klass, made, plan, asked)
        constants = Compiler::Constants.new
        names = { plan: constants.name("P", plan), code: constants.name("C", plan.code), serializer: constants.name("K", klass) }
        made.constants(false).each { |name| made.__send__(:remove_const, name) }
        constants.install(made)
        made.remove_method(:json!) if made.method_defined?(:json!, false)
        Generated.define(made, <<~RUBY, "(to_json #{klass} json!)")
          def json!(#{optional(["a0"])})
            #{general(["a0"])}
            begin
              #{"return super if a0.respond_to?(:to_ary) || (a0.respond_to?(:each_entry) && !(::Struct === a0))" unless asked}
              w = __open_plan#{"_one" unless asked}(#{names[:plan]}, a0, **) or return super
              #{names[:code]}.object(w, #{plan.serializer? ? "w.helper(#{names[:serializer]}, nil)" : "nil"}, a0)
              document = __close_plan(w)
            rescue ::Exception => error
              #{"return super unless w || ::Object === a0" unless asked}
              __leave_plan(w, error)
            ensure
              __drop_plan(w) unless document
            end
            document
          end
        RUBY
        Kernel.instance_method(:extend).bind_call(klass, made)
      end

      # Ruby's own methods of classes, whatever the user has put over them.
      def of_module(klass, name, *arguments) = Module.instance_method(name).bind_call(klass, *arguments)

      def method_of(klass, name)
        of_module(klass, :instance_method, name)
      rescue NameError
        nil
      end

      def simple?(method)
        method.arity.between?(0, MOST_ARGUMENTS) && method.parameters.all? { |kind, _| kind == :req }
      end

      # Of a module (a concern that includes Serialize): the classes with entries that include it.
      def descendants(klass)
        return @with_entries.keys.select { |heir| heir <= klass } unless klass.is_a?(Class)

        Class.instance_method(:subclasses).bind_call(klass).flat_map { |subclass| [subclass, *descendants(subclass)] }
      end

      # The modules for entries of the class and of its instances, superclasses' included.
      def made_for(klass) = (klass.singleton_class.ancestors + klass.ancestors).grep(Made)

      # Whether no json! in front of the general ones is the user's.
      def ours?(klass)
        [[klass.singleton_class, Serialize::ClassMethods], [klass, Serialize]].all? do |type, general|
          owners = of_module(type, :ancestors).take_while { |owner| owner != general }
          of_module(type, :include?, general) && owners.all? { |owner| owner.is_a?(Made) || !json_in?(owner) }
        end
      end

      def json_in?(owner) = of_module(owner, :method_defined?, :json!, false) || of_module(owner, :private_method_defined?, :json!, false)

      # Without arguments of its own `new` is not called for a ToJson::Serializer; for others it must be Ruby's.
      def plain_new?(klass) = klass <= Serializer || Kernel.instance_method(:method).bind_call(klass, :new).owner == Class

      # Whether all subclasses have this very `serialize`.
      def alone?(klass, method)
        descendants(klass).all? { |heir| method_of(heir, :serialize)&.owner == method.owner }
      end

      # `calls` is the serializer's `serialize`, of `opened` on the class's side. An interrupt may raise where
      # __open_document returns: a new serializer is then nobody's, and an instance asks whether this very call opened its
      # document.
      def add(klass, how, calls, count)
        names = Array.new(count) { |index| "a#{index}" }
        made = Made.new
        made.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
          def json!(#{optional(names)})
            #{general(names)}
            begin
              #{"return super if defined?(yield)" if how == :include}
              opened = __open_document(#{names.first || "nil"}, **) or return super
              #{calls}#{names.join(", ")})
              document = __close_document(opened)
            rescue ::Exception => error
              __leave_document(#{how == :include ? "self" : "opened"}, error)
            ensure
              __drop_document(#{how == :include ? "self" : "opened"}) unless document
            end
            document
          end
        RUBY
        how == :include ? of_module(klass, :include, made) : Kernel.instance_method(:extend).bind_call(klass, made)
      end

      # The arguments, each of which may be left out: `given` tells how many were not. Keywords that are not there cost nothing.
      def optional(names)
        [*names.map.with_index { |name, index| "#{name} = (given ||= #{index}; nil)" }, "**"].join(", ")
      end

      # Calls super with the arguments that came, where some are left out.
      def general(names)
        return if names.empty?

        calls = names.each_index.map { |given| "when #{given} then return super(#{[*names.first(given), "**"].join(", ")})" }
        "case given; #{calls.join("; ")}; end if given"
      end
    end

    self.calls_before = 100 if possible?
  end
end
