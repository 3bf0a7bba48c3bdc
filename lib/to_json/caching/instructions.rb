# frozen_string_literal: true

# Layer: caching. Describes the code of a block or a method, for the keys of a cache.

module ToJson
  class Compiler
    # The instructions without line numbers and the like, so that a block that moves to another line
    # counts the same.
    module Instructions
      ISEQ = "YARVInstructionSequence/SimpleDataFormat"
      # Places in what InstructionSequence#to_a gives: type, local variables, parameters, rescue and
      # ensure, instructions.
      KEPT = [9, 10, 11, 12, 13].freeze
      private_constant :ISEQ, :KEPT

      class << self
        # @param listed [Array] what InstructionSequence#to_a gives
        # @return [Array] for {CacheKey.tree}
        def of(listed) = part(listed)

        # Whether a part of the list of instructions is itself such a list: that of a block, or of a
        # `rescue`.
        def code?(part) = ISEQ == part.first

        private

        def part(part)
          case part
          when Array
            code?(part) ? code(part) : part.map { |one| part(one) }
          when Hash then part.to_h { |key, one| [part(key), part(one)] }
          when nil, true, false, String, Symbol, Integer, Float, Rational then part
          when Module then [:module, CacheKey.name_of(part)]
          when Regexp then [:regexp, part.source, part.options, part.encoding.name]
          when Range then [:range, part(part.begin), part(part.end), part.exclude_end?]
          else [:object, part.inspect.gsub(/0x\h+/, "")] # an object has its address there
          end
        end

        def code(listed)
          KEPT.map do |at|
            case at
            when 10 then names(listed[at])
            when 13 then body(listed[at])
            else part(listed[at])
            end
          end
        end

        # Some variables have no name in the source, such as that of the Hash of keywords. Ruby 3.1
        # calls them by a number, but `#arg_rest` if the code was loaded from a compiled file, as by
        # Bootsnap. So these names become nil.
        def names(variables)
          variables.map { |name| name if name.is_a?(Symbol) && !name.start_with?("#") }
        end

        # Leaves out the line numbers and events between instructions.
        def body(body)
          kept = body.grep_v(Integer).reject do |one|
            one.is_a?(Symbol) && one.start_with?("RUBY_EVENT_")
          end
          kept.map { |one| one.is_a?(Array) ? instruction(one) : part(one) }
        end

        # Methods that Ruby itself has in Ruby, such as Kernel#Float, call C functions. These count
        # by their names, since each process has them at other addresses. What `super` calls Ruby
        # notes when it first runs.
        def instruction(one)
          word = one.first.to_s
          if word.include?("invokebuiltin")
            one.map { |operand| operand.is_a?(Hash) ? operand[:name] : operand }
          elsif word.start_with?("invokesuper")
            one.map { |operand| part(operand.is_a?(Hash) ? operand.except(:mid) : operand) }
          else part(one)
          end
        end
      end
    end
  end
end
