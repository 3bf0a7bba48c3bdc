# frozen_string_literal: true

# Layer: compiling. The Plan of a serializer with a `serialize` method of its own.

module ToJson
  class Compiler
    # Code of the same form as the generated one, that hands each object to the DSL.
    module Imperative
      SOURCE = <<~RUBY
        def self.object(w, s, o) = w.run(K.it, s, o)
        def self.row(w, s, o) = w.run(K.it, s, o)
        def self.items(w, s, c)
          i = 0
          while i < c.size
            w.run(K.it, s, c[i])
            i += 1
          end
        end
      RUBY
      private_constant :SOURCE

      # @return [Handle]
      def self.handle(serializer_class, epoch)
        code = Compiler.new_code
        code.const_set(:K, Constants::Held.new(serializer_class).freeze)
        code.module_eval(SOURCE, "(to_json #{serializer_class} serialize)")
        root = serializer_class.respond_to?(:definition) ? serializer_class.definition.root : nil
        plan = Plan.new(code: code, row: nil, root_one: root&.first, root_many: root&.last,
                        meta: meta_of(serializer_class), serializer_class: serializer_class,
                        rules: PlanCache.rules(serializer_class), serializer: true,
                        masked: false, imperative: true, epoch: epoch)
        code.instance_variable_set(:@to_json_plan, plan)
        Handle.new(nil, code, plan, SOURCE, [])
      end

      def self.meta_of(serializer_class)
        meta = serializer_class.definition.meta
        meta.is_a?(Proc) ? Blocks.meta_for(serializer_class, meta) : meta
      end
      private_class_method :meta_of
    end
  end
end
