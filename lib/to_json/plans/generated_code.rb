# frozen_string_literal: true

# Layer: plans. Defines the methods of generated modules.

module ToJson
  # YJIT reads a constant without a call only where no `class_eval` surrounds it: so generated text
  # is compiled as if it stood in a file, in a module that bears a name for as long as that takes.
  # (6 ns for each constant, 3.4.) Without a lock: threads that define at once have names of their
  # own. In the main Ractor only.
  # @api private
  module GeneratedCode
    # Names that nobody uses now. More threads than that do without, in a `class_eval`.
    FREE = Array.new(32) { |index| :"Target#{index}" }
    private_constant :FREE

    # @param target [Module] without a name of its own
    # @param source [String] of methods
    # @param line [Integer] of `label`, of the first line of `source`
    # @return [Module] target
    def self.define(target, source, label, line = 1)
      name = FREE.pop
      return target.tap { target.class_eval(source, label, line) } unless name

      begin
        const_set(name, target)
        whole = "module ToJson; module GeneratedCode::#{name}; #{source}\nend end"
        RubyVM::InstructionSequence.compile(whole, label, label, line).eval
      ensure
        remove_const(name) if const_defined?(name, false)
        FREE.push(name)
      end
      target
    end
  end
end
