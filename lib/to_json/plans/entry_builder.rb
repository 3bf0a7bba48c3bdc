# frozen_string_literal: true

# Layer: dsl. How an entry is made, when a class is first used: see entry.rb. Only in the main
# Ractor.

module ToJson
  module Entry
    # @api private
    module Builder
      # Serializers with more arguments are called the general way.
      MOST_ARGUMENTS = 4

      class << self
        def of_serialize(klass)
          changes = Entry.changes
          method = method_of(klass, :serialize)
          return unless method && simple?(method) && ours?(klass) && alone?(klass, method)
          entries = Entry.made_for(klass)
          return if klass.frozen? || entries.size >= MOST_MADE || entries.any? { |one| live?(one) }

          Entry.note(klass)
          add(klass, :include, "serialize(", method.arity, changes)
          return unless plain_new?(klass)

          add(klass, :extend, "opened.__send__(:serialize,", method.arity, changes)
        end

        # For one object. A Plan that is made anew has the same module, whose method is replaced in
        # one step; its constants have new names, since another thread may be about to read the old
        # ones.
        #
        # YJIT (3.4.5) leaves a caller to the interpreter, for good, where it meets a new method
        # whose constants were never read: it compiles both in one go, and takes back what is
        # compiled when the constants' caches are filled by that very call (39 to 51 instructions a
        # call were interpreted, as RubyVM::YJIT.runtime_stats tells; 363 ns instead of 140). So the
        # entry reads its constants first of all and is called once for nothing.
        def of_declared(plan)
          changes = Entry.changes
          klass = plan.serializer_class
          return unless plan.document? && !klass.frozen? && Ractor.shareable?(plan) && ours?(klass)

          made = klass.singleton_class.ancestors.grep(Methods).find { |one| one.serves == klass }
          made ||= Methods.new.tap { |entry| entry.serves = klass }
          return if made.plan.equal?(plan) && made.method_defined?(:json!, false)
          return if (made.times = made.times.to_i + 1) > MOST_MADE

          Entry.add_unless_changed(made, changes) { add_declared(klass, made, plan) }
          made.plan = plan # last: whatever leaves before, the next use makes the entry anew
          # Its general json! answers at once, whatever the class says.
          made.instance_method(:json!).bind_call(klass, NOTHING)
        end

        private

        # Whether that is an entry of a `serialize`, the class's or a superclass's, and has its
        # method.
        def live?(entry) = entry.serves.nil? && entry.method_defined?(:json!, false)

        def add_declared(klass, made, plan)
          constants = Compiler::Constants.beside(made, 3)
          names = { plan: constants.name("P", plan), code: constants.name("C", plan.code),
                    helper: plan.helper && constants.name("K", plan.helper) }
          constants.install(made)
          helper = names[:helper]
          stands = plan.stands_for_writer?
          open = stands ? "__open_plan_by(plan, a0, helper" : "__open_plan(plan, a0"
          document = stands ? "w, w" : "w, #{helper ? "w.helper(helper, nil)" : "nil"}"
          GeneratedCode.define(made, <<~RUBY, "(to_json #{klass} json!)")
            def json!(a0 = (given ||= 0; nil), a1 = (lone = true; nil), **)
              #{general(["a0"])}
              return super(a0, a1, **) unless lone
              plan, code#{", helper" if helper} = #{[names[:plan], names[:code], *helper].join(", ")}
              w = #{open}, **)
              return super(a0, **) unless w
              code.document(#{document}, a0)
            end
          RUBY
          Kernel.instance_method(:extend).bind_call(klass, made)
        end

        # Ruby's own methods of classes, whatever the user has put over them.
        def of_module(klass, name, *arguments)
          Module.instance_method(name).bind_call(klass, *arguments)
        end

        def method_of(klass, name)
          of_module(klass, :instance_method, name)
        rescue NameError
          nil
        end

        def simple?(method)
          method.arity.between?(0, MOST_ARGUMENTS) &&
            method.parameters.all? { |kind, _| kind == :req }
        end

        # Whether no json! in front of the general ones is the user's.
        def ours?(klass)
          general_ones = [[klass.singleton_class, Serialize::ClassMethods], [klass, Serialize]]
          general_ones.all? do |type, general|
            owners = of_module(type, :ancestors).take_while { |owner| owner != general }
            of_module(type, :include?, general) &&
              owners.all? { |owner| owner.is_a?(Methods) || !json_in?(owner) }
          end
        end

        def json_in?(owner)
          of_module(owner, :method_defined?, :json!, false) ||
            of_module(owner, :private_method_defined?, :json!, false)
        end

        # Without arguments of its own `new` is not called for a ToJson::Serializer; for others it
        # must be Ruby's.
        def plain_new?(klass)
          klass <= Serializer ||
            Kernel.instance_method(:method).bind_call(klass, :new).owner == Class
        end

        # Whether all subclasses have this very `serialize`.
        def alone?(klass, method)
          Entry.descendants(klass).all? do |heir|
            method_of(heir, :serialize)&.owner == method.owner
          end
        end

        # `calls` is the serializer's `serialize`, of `opened` on the class's side. An interrupt may
        # come before what __open_document returns is assigned. A new serializer is nobody's then;
        # an instance is asked whether it has another document now than before that call. Where it
        # was at work, the one from before is that of an entry around this one. `opened` names the
        # document: a new serializer, or a number.
        # The call with sixty arguments never runs. It makes the method's frame so large that after
        # a stack overflow in `serialize` there is room for the frames of `rescue` and `ensure`.
        def add(klass, how, calls, count, changes)
          names = Array.new(count) { |index| "a#{index}" }
          never = (["nil"] * 60).join(", ")
          asks = "opened = __opened_document(before) if before && opened.nil?" if how == :include
          made = Methods.new
          made.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
            def json!(#{optional(names)})
              #{general(names)}
              begin
                #{"return super if defined?(yield)" if how == :include}
                #{"before = __document_number" if how == :include}
                opened = __open_document(#{names.first || "nil"}, **)
                return (opened.nil? ? __open_document(#{never}) : super) unless opened
                #{calls}#{names.join(", ")})
                document = __close_document(opened)
              rescue ::Exception => error
                #{asks}
                __leave_document(opened, error)
              ensure
                #{asks}
                __drop_document(opened) unless document
              end
              document
            end
          RUBY
          Entry.add_unless_changed(made, changes) do
            if how == :include then of_module(klass, :include, made)
            else Kernel.instance_method(:extend).bind_call(klass, made)
            end
          end
        end

        # The arguments, each of which may be left out: `given` tells how many were not. Keywords
        # that are not there cost nothing.
        def optional(names)
          [*names.map.with_index { |name, index| "#{name} = (given ||= #{index}; nil)" },
           "**"].join(", ")
        end

        # Calls super with the arguments that came, where some are left out.
        def general(names)
          return if names.empty?

          calls = names.each_index.map do |given|
            "when #{given} then return super(#{[*names.first(given), "**"].join(", ")})"
          end
          "case given; #{calls.join("; ")}; end if given"
        end
      end
    end
  end
end
