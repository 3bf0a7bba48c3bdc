# frozen_string_literal: true

# Layer: compiler. Where generated modules get their methods.

module ToJson
  # YJIT reads a constant without a call only where no `class_eval` surrounds it: so generated text is compiled as if it
  # stood in a file, in a module that bears a name for as long as that takes. (6 ns for each constant, 3.4.)
  # @api private
  module Generated
    LOCK = Mutex.new
    private_constant :LOCK

    # @param target [Module] without a name of its own
    # @param source [String] of methods
    # @param line [Integer] of `label`, of the first line of `source`
    # @return [Module] target
    def self.define(target, source, label, line = 1)
      LOCK.synchronize do
        const_set(:Target, target)
        RubyVM::InstructionSequence.compile("module ToJson; module Generated::Target; #{source}\nend end", label, label, line).eval
      ensure
        remove_const(:Target)
      end
      target
    end
  end
end
