# frozen_string_literal: true

# Layer: documents. The Ruby part of block receivers: copies instance variables, and passes calls on
# to the caller of the block. ext/to_json/documents/block_receiver.c makes them.

module ToJson
  # Gives a hidden subclass a method that takes the values of a caller's instance variables. Each is
  # set through an inline cache of its own, which takes a quarter of the time of a call from C.
  # @api private
  module BlockFilling
    NAME = /\A@[A-Za-z_][A-Za-z0-9_]*\z/
    private_constant :NAME

    # @param names [Array<Symbol>]
    # @return [Boolean] false where a name cannot stand in the source
    def self.define(block_class, names)
      return false unless names.all?(NAME)

      values = names.each_index.map { |index| "v#{index}" }
      sets = names.zip(values).map { |pair| pair.join(" = ") }
      source = "def __to_json_fill(#{values.join(", ")})\n#{sets.join("\n")}\nend"
      Module.instance_method(:class_eval).bind_call(block_class, source, __FILE__, __LINE__)
      true
    end
  end

  # What a method of the caller gets for a block. Methods that ask a block for its arguments, such
  # as `block.arity.zero? ? instance_exec(&block) : block.call(self)`, get that block's answers.
  # @api private
  class ForwardedBlock < Proc
    # @param block [Proc]
    # @return [self]
    def for(block)
      @block = block
      ruby2_keywords
    end

    def arity = @block.arity
    def binding = @block.binding
    def lambda? = @block.lambda?
    def parameters(...) = @block.parameters(...)
    def source_location = @block.source_location
  end

  # The self of a block: has the DSL and the instance variables of the caller, the block's own self,
  # and passes every other call on to the caller, private methods and names of Kernel included.
  #
  # It is no instance of a subclass of the caller's class. Such a class would stand among the
  # `subclasses` for ever, and what methods keep of their self would refer to a copy.
  # @api private
  class BlockForwarder < BasicObject
    include DSL
    include BlockWords

    # Methods of Kernel that ask which method, or block, calls them.
    FRAMES = %i[__callee__ __dir__ __method__ binding block_given? caller caller_locations eval fail
                lambda local_variables proc raise require_relative warn].freeze
    # Methods of Kernel that find the words as well.
    REACHING = %i[method public_send send].freeze
    private_constant :FRAMES, :REACHING

    # @param type [Class] of callers
    # @return [Class] a new subclass, for callers of that class
    def self.of(type)
      own = (FRAMES + REACHING).select { |name| own?(type, name) }
      ::Class.new(self) { own.each { |name| undef_method(name) } }
    end

    def self.own?(type, name)
      (type.method_defined?(name) || type.private_method_defined?(name)) &&
        ![::Kernel, BlockForwarder].include?(type.instance_method(name).owner)
    end
    private_class_method :own?

    def initialize(caller)
      @__to_json_caller = caller
    end

    %i[instance_variable_get instance_variable_set instance_variable_defined?].each do |name|
      define_method(name, ::Kernel.instance_method(name))
    end

    def respond_to?(name, include_private = false)
      DSL.public_method_defined?(name) || @__to_json_caller.respond_to?(name, include_private)
    end

    def method(name)
      return @__to_json_caller.method(name) unless DSL.public_method_defined?(name)

      ::Kernel.instance_method(:method).bind_call(self, name)
    end

    %i[send public_send].each do |name|
      class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        def #{name}(name, *arguments, **keywords, &block)
          return __send__(name, *arguments, **keywords, &block) if DSL.public_method_defined?(name)

          method_missing(:#{name}, name, *arguments, **keywords, &block)
        end
      RUBY
    end

    def respond_to_missing?(name, include_private = false)
      @__to_json_caller.respond_to?(name, include_private)
    end

    def ! = !@__to_json_caller

    def ==(other) = @__to_json_caller == __to_json_other(other)
    def !=(other) = @__to_json_caller != __to_json_other(other)
    def eql?(other) = @__to_json_caller.eql?(__to_json_other(other))
    def equal?(other) = @__to_json_caller.equal?(__to_json_other(other))

    private

    define_method(:__to_json_same?, ::BasicObject.instance_method(:equal?))
    FRAMES.each { |name| define_method(name, ::Kernel.instance_method(name)) }

    def __to_json_other(other) = __to_json_same?(other) ? @__to_json_caller : other

    def method_missing(name, *arguments, **keywords, &block)
      block &&= __to_json_block(block)
      __to_json_give
      @__to_json_caller.__send__(name, *arguments, **keywords, &block)
    rescue ::NameError => error
      ::Kernel.raise(error) unless word_of_caller?(error)
      ::Kernel.raise(
        Error,
        "a method of #{Lookup.class_of(@__to_json_caller)} called #{error.name}, which the block " \
        "has, and the object has not. Include ToJson::Serialize in the class."
      )
    ensure
      __to_json_take
    end

    # The block of a call that is passed on. It has what the method has assigned, and the method
    # has what the block assigns. A block that is run by instance_exec has the self that it is
    # given. That of a Symbol or a C method stays as it is.
    def __to_json_block(block)
      return block if block.source_location.nil?

      receiver = self
      body = ::Proc.new do |*arguments, &inner|
        next instance_exec(*arguments, &block) unless receiver.__send__(:__to_json_same?, self)

        # Hash#map would give two values to a lambda that takes two
        if block.lambda? && block.arity > 1 && arguments.size == 1 && ::Array === arguments.first
          arguments = arguments.first
        end
        __to_json_take
        begin
          block.call(*arguments, &inner)
        ensure
          __to_json_give
        end
      end
      ForwardedBlock.new(&body).for(block)
    end

    # Whether a method of the caller called a word of the DSL.
    def word_of_caller?(error)
      ::Symbol === error.name && DSL.public_method_defined?(error.name) &&
        @__to_json_caller.equal?(error.receiver)
    rescue ::ArgumentError
      false # an error without a receiver
    end
  end
end
