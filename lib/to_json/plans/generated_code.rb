# frozen_string_literal: true

# Layer: plans. Defines the methods of generated modules.

module ToJson
  # Inside `class_eval`, YJIT needs a call to read a constant (6 ns, Ruby 3.4). So generated text is
  # compiled as if it stood in a file. For that time its module has a name. There is no lock:
  # threads that define modules at once take different names. Only the main Ractor does it.
  # @api private
  module GeneratedCode
    # The names that are not in use. If there is none, `class_eval` defines the methods.
    FREE = Array.new(32) { |index| :"Target#{index}" }
    private_constant :FREE

    # @param target [Module] without a name
    # @param source [String] the methods
    # @param label [String] stands in backtraces as the path
    # @param line [Integer] the number of the first line of `source`
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
