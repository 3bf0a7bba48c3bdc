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
      def generate(klass)
        return false unless wanted?

        alone { generate_serialize(klass) unless klass.respond_to?(:declared?) && klass.declared? }
      end

      # The same for the class of a Plan, by which an object was written. The Plan's code is given its `document`, which json! in C calls;
      # the next time, where YJIT runs, the class its entry. `last`: there is no other time.
      def generate_one(plan, last)
        return false unless last || wanted? || !possible?

        more = false
        alone { more = generate_declared(plan) }
        !more
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

      def alone(&)
        Thread.handle_interrupt(Object => :never) { @lock.synchronize(&) } # what others raise here is not for us
        true
      rescue StandardError, ScriptError, SystemStackError, NoMemoryError # the document that asks is whole already
        true
      end

      def generate_serialize(klass)
        method = method_of(klass, :serialize)
        return unless method && simple?(method) && ours?(klass) && alone?(klass, method) && made_for(klass).size < MOST_MADE

        @with_entries[klass] = true
        add(klass, :include, "serialize(", method.arity)
        add(klass, :extend, "opened.__send__(:serialize,", method.arity) if plain_new?(klass)
      end

      # For one object. A Plan that is made anew has the same module. True: there is more to make.
      #
      # YJIT (3.4.5) leaves a caller to the interpreter, for good, where it meets a new method whose constants were never read: it compiles
      # both in one go, and takes back what is compiled when the constants' caches are filled by that very call (39 to 51 instructions a
      # call were interpreted, as RubyVM::YJIT.runtime_stats tells; 363 ns instead of 140). So `document` is called by C first, for which
      # nothing is compiled, and the entry reads its constants first of all and is called once for nothing.
      def generate_declared(plan)
        klass = plan.serializer_class
        return if plan.root? || !PlanCache.default(klass).equal?(plan)

        handle = PlanCache.default_handle(klass)
        return unless handle.plan.equal?(plan) && handle.ending # what is kept encoded has none

        fresh = !plan.code.singleton_class.method_defined?(:document, false) # an Object#document of the user's is none
        handle.add_document if fresh
        whole(plan, helper_of(plan, handle.ending.stands_for_writer))
        return unless wanted? && ours?(klass)
        return true if fresh

        made = klass.singleton_class.ancestors.grep(Made).find { |entry| entry.serves == klass } || Made.new.tap { |entry| entry.serves = klass }
        return if (made.times = made.times.to_i + 1) > MOST_MADE

        add_declared(klass, made, handle)
      end

      # The class whose methods `document` takes as `s`.
      def helper_of(plan, stands)
        return plan.code.const_get(stands.delete_suffix(".it")).it if stands.is_a?(String)

        plan.serializer_class if stands || plan.serializer?
      end

      def add_declared(klass, made, handle)
        constants = Compiler::Constants.new
        plan, stands = handle.plan, handle.ending.stands_for_writer
        names = { plan: constants.name("P", plan), code: constants.name("C", plan.code), serializer: constants.name("K", klass) }
        helper = if stands then stands == true ? names[:serializer] : "#{names[:code]}::#{stands}"
                 elsif plan.serializer? then names[:serializer]
                 end
        made.remove_method(:json!) if made.method_defined?(:json!, false) # first: other threads call it
        made.constants(false).each { |name| made.__send__(:remove_const, name) }
        constants.install(made)
        Generated.define(made, <<~RUBY, "(to_json #{klass} json!)")
          def json!(#{optional(["a0"])})
            #{general(["a0"])}
            plan, code#{", helper" if helper} = #{[names[:plan], names[:code], *helper].join(", ")}
            w = #{stands ? "__open_plan_by(plan, a0, helper" : "__open_plan(plan, a0"}, **) or return super(a0, **)
            code.document(w, #{stands ? "w" : helper ? "w.helper(helper, nil)" : "nil"}, a0)
          end
        RUBY
        Kernel.instance_method(:extend).bind_call(klass, made)
        made.instance_method(:json!).bind_call(klass, NOTHING) # its general json! answers at once, whatever the class says
        nil
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

    self.possible = possible?
    # What stands then has been called by C for as long again before YJIT would compile it, at the 30th call.
    self.calls_before = 12
  end
end
