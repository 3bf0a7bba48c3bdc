# frozen_string_literal: true

# Layer: dsl. How an entry is made, once a class is called often: see entry.rb. Only in the main Ractor, under the lock of {Entry}.

module ToJson
  module Entry
    # @api private
    module Making
      # Serializers with more arguments are called the general way.
      MOST_ARGUMENTS = 4

      class << self
        def of_serialize(klass)
          method = method_of(klass, :serialize)
          return unless method && simple?(method) && ours?(klass) && alone?(klass, method) && Entry.made_for(klass).size < MOST_MADE

          Entry.note(klass)
          add(klass, :include, "serialize(", method.arity)
          add(klass, :extend, "opened.__send__(:serialize,", method.arity) if plain_new?(klass)
        end

        # For one object. A Plan that is made anew has the same module. True: there is more to make.
        #
        # YJIT (3.4.5) leaves a caller to the interpreter, for good, where it meets a new method whose constants were never read: it compiles
        # both in one go, and takes back what is compiled when the constants' caches are filled by that very call (39 to 51 instructions a
        # call were interpreted, as RubyVM::YJIT.runtime_stats tells; 363 ns instead of 140). So `document` is called by C first, for which
        # nothing is compiled, and the entry reads its constants first of all and is called once for nothing.
        def of_declared(plan)
          klass = plan.serializer_class
          return if plan.root? || !PlanCache.default(klass).equal?(plan)

          handle = PlanCache.default_handle(klass)
          return unless handle.plan.equal?(plan) && handle.ending # what is kept encoded has none

          fresh = !plan.code.singleton_class.method_defined?(:document, false) # an Object#document of the user's is none
          handle.add_document if fresh
          Entry.whole(plan, helper_of(plan, handle.ending.stands_for_writer))
          return unless Entry.wanted? && ours?(klass)
          return true if fresh

          made = klass.singleton_class.ancestors.grep(Made).find { |entry| entry.serves == klass } || Made.new.tap { |entry| entry.serves = klass }
          return if (made.times = made.times.to_i + 1) > MOST_MADE

          add_declared(klass, made, handle)
        end

        private

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
          Entry.descendants(klass).all? { |heir| method_of(heir, :serialize)&.owner == method.owner }
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
    end
  end
end
