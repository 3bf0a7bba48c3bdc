# frozen_string_literal: true

# Layer: caching. Describes the content of a value of a declaration or of Rules, for the keys of a
# cache.

module ToJson
  class Compiler
    # Turns a value into a tree for {CacheKey.tree}. Two values with which documents could have
    # different text have different trees. A tree never changes, and trees that are eql? have the
    # same text. A value counts by its content, which is the same in every process:
    #
    # - data by its value,
    # - a block by its code, the variables around it that it uses, and its `self` if it uses that,
    # - an object by its class, its instance variables and the code of `call`,
    # - an object with `cache_key_with_version` or `cache_key` by what that returns.
    #
    # An object with content that Ruby does not show, or with methods that its class does not have,
    # is opaque. The caller decides what stands for it.
    class Content
      # The most objects, and the most values, that one Content reads. Beyond that, a value is
      # opaque.
      MOST_OBJECTS = 100
      MOST_VALUES = 100_000
      # The most values inside each other.
      DEEPEST = 200
      # The most codes of blocks and methods that are kept. Those of Rules are asked for again and
      # again.
      MOST_CODES = 100
      VARIABLES = Kernel.instance_method(:instance_variables)
      VARIABLE = Kernel.instance_method(:instance_variable_get)
      METHOD = Kernel.instance_method(:method)
      METHOD_OF_CLASS = Module.instance_method(:instance_method)
      CLASS = Kernel.instance_method(:class)
      MEMBERS = Struct.instance_method(:to_a)
      PAIRS_OF_HASH = Hash.instance_method(:to_a)
      # Ruby >= 3.2 has Data; older Rubies had a constant of that name.
      PAIRS = (Data.instance_method(:to_h) if defined?(Data) && Data.respond_to?(:define))
      # Classes whose instances are their content.
      CORE = [String, Array, Hash, Range, Regexp, Time, Rational, Complex].freeze
      # Classes whose content is their code, and what the code sees.
      CALLABLE = [Proc, Method].freeze
      # The object at the top level of a program. As with modules, its methods do not count: Ruby
      # gives it some, and Rake and Sinatra modules.
      MAIN = TOPLEVEL_BINDING.receiver
      # Instance variables of serializers that are this library's.
      LIBRARYS = "@to_json_"
      private_constant :MOST_OBJECTS, :MOST_VALUES, :DEEPEST, :MOST_CODES, :VARIABLES, :VARIABLE,
                       :METHOD, :METHOD_OF_CLASS, :CLASS, :MEMBERS,
                       :PAIRS_OF_HASH, :PAIRS, :CORE, :CALLABLE, :MAIN, :LIBRARYS

      # The code of a block or a method: a digest, what it sees around it, and the modules where
      # Ruby looks for its constants.
      Code = Struct.new(:digest, :closure, :nesting)
      private_constant :Code

      # @param place [String] for messages
      # @param codes [Hash] keeps the codes of blocks and methods, by their identity
      # @param opaque [#call] takes an opaque object; returns what stands for it, or raises
      # @param modules [#call] takes a class or module; returns what stands for it
      def initialize(place, codes, opaque:, modules: ->(type) { name(type) })
        @place, @codes, @opaque, @modules = place, codes, opaque, modules
        @lasting, @path, @values, @objects, @inside = true, [], 0, 0, false
      end

      # Whether the tree of the same object would be the same later: nothing in it can change.
      def lasting? = @lasting

      # @param elsewhere [Boolean] whether a block runs on a serializer, so that its `self` does not
      #   count
      # @return [Array, String, Symbol, Integer, Rational, true, false, nil]
      def of(value, elsewhere: false)
        case value
        when nil, true, false, Symbol, Integer then value
        when Float then [:float, value.to_s] # 0.0 and -0.0 are one to eql?
        when Module then [:module, @modules.call(value)]
        else Field::NONE.equal?(value) ? [:none] : within(value) { of_object(value, elsewhere) }
        end
      end

      # @param callable [#call] of Rules. A module counts by its variables, as other objects do
      # @return [Array, Symbol]
      def of_callable(callable)
        return of(callable) unless Module === callable

        @lasting = false
        within(callable) do
          own = own(callable)
          next [:callable, @modules.call(callable), own, code_called(callable)] if own

          [:callable, @modules.call(callable), variables(callable), code_of(callable, :call)]
        end
      end

      # @param callable [Proc, Method, Object, nil]
      # @return [Object] its code without the variables around it; what {of} returns if it has none
      def code(callable)
        return of(callable) unless callable.is_a?(Proc) || callable.is_a?(Method)

        code = read(callable)
        return [:code, code.digest] if code

        Proc === callable ? [:c] : [:c, callable.original_name, CacheKey.name_of(callable.owner)]
      end

      # @param method [UnboundMethod]
      # @return [String, nil] a digest of its code; nil if it has none, or sees variables around it
      def plain_code(method)
        code = read(method)
        code.digest if code && code.closure.names.empty?
      end

      # @param method [UnboundMethod] of the class or module `owner`
      # @return [Array] its code. If define_method made it of a block that sees variables, or of a
      #   Proc without code, its identity counts too, since what it does cannot be read
      def method_of(owner, method)
        code = read(method)
        return [:code, code.digest] if code && code.closure.names.empty?

        told = WithoutCode.of(method) unless code
        told || [:hidden, code&.digest, Identity.of_method(owner, method)]
      end

      private

      # Reads what is inside a value, unless that is being read already: a value may contain itself.
      def within(value)
        place = @path.rindex { |outer| value.equal?(outer) } and return [:within, place]
        return @opaque.call(value) if (@values += 1) > MOST_VALUES || @path.size == DEEPEST

        begin
          @path.push(value)
          yield
        ensure
          @path.pop
        end
      end

      def of_object(value, elsewhere)
        return @opaque.call(value) unless Object === value

        type = CLASS.bind_call(value) # whatever it says of itself
        singleton = !MAIN.equal?(value) && CacheKey.extended?(value)
        return of_core(value, elsewhere) if !singleton && CORE.include?(type) && bare?(value)

        own = own(value)
        return [:own, name(type), own, code_called(value)] if own
        return @opaque.call(value) if singleton
        return of_code(value, type, elsewhere) if Proc === value || Method === value

        of_other(value, type)
      end

      # An object with a cache key of its own describes itself by that key, except for its code.
      def code_called(value)
        return code(value) if Proc === value || Method === value

        method = (method_on(value, :call) if value.respond_to?(:call))
        method && supers(method).map { |one| code(one) }
      end

      # @return [String, nil] its cache key; nil if it has none of its own
      def own(value)
        return if !CacheKey.own?(value) || CacheKey.forwards?(value)

        @lasting = false
        CacheKey.own_text(@place, value)
      end

      def bare?(value) = VARIABLES.bind_call(value).empty?

      def of_core(value, elsewhere)
        @lasting = false unless value.frozen?
        case value
        when String then value.frozen? ? value : value.dup.freeze
        when Array, Hash
          value.size > MOST_VALUES ? @opaque.call(value) : of_container(value, elsewhere)
        when Range then [:range, of(value.begin), of(value.end), value.exclude_end?]
        when Regexp then [:regexp, -value.source, value.options]
        when Rational then value
        when Complex then [:complex, value.to_s]
        when Time then [:time, value.to_r, value.utc_offset, value.utc?, of(value.zone)]
        end
      end

      def of_container(value, elsewhere)
        return of_hash(value) if Hash === value

        [:list, *value.map { |one| of(one, elsewhere: elsewhere) }]
      end

      # The pairs in their order, because documents have the same order. Ruby refuses a new key
      # during an iteration. So a Hash in which other threads remember something is copied first,
      # which no thread interrupts.
      def of_hash(hash)
        pairs = PAIRS_OF_HASH.bind_call(hash).map { |key, value| [of(key), of(value)] }
        [:hash, hash.compare_by_identity?, of(hash.default), of(hash.default_proc), *pairs]
      end

      # Values of Ruby's library that hold more than instance variables.
      # @return [Array, nil]
      def of_library(value)
        if Struct === value then [:struct, *MEMBERS.bind_call(value).map { |one| of(one) }]
        elsif PAIRS && Data === value
          [:data, *PAIRS.bind_call(value).map { |member, one| [member, of(one)] }]
        elsif Library.of?(value, :Set) then [:set, *value.to_a.map { |one| of(one) }]
        elsif Library.of?(value, :Date)
          [:date, value.ajd, value.iso8601, value.start.to_s]
        elsif Library.of?(value, :BigDecimal) then [:decimal, value.to_s]
        elsif Encoding === value then [:encoding, value.name]
        else of_core(value, false) # of a subclass, or with instance variables
        end
      end

      def of_other(value, type)
        @lasting = false unless value.frozen?
        content = of_library(value)
        return @opaque.call(value) unless content || Reflection.variables_only?(value)

        many = (@objects += 1) > MOST_OBJECTS
        return many ? throw(self) : of_parts(value, type, content) if @inside

        # If an object has too many others inside, it is opaque, and not some of those inside.
        read = outermost { of_parts(value, type, content) } unless many
        read || @opaque.call(value)
      end

      # @return [Array, nil] nil: there were too many objects inside
      def outermost(&)
        @inside = true
        catch(self, &)
      ensure
        @inside = false
      end

      def of_parts(value, type, content)
        called = [code_of(value, :call)] if value.respond_to?(:call)
        [:object, name(type), content, variables(value), *called]
      end

      def variables(value)
        names = VARIABLES.bind_call(value)
        names.delete(Identity::KEPT)
        names.reject! { |name| name.start_with?(LIBRARYS) } if Class === value && value <= Serialize
        names.sort!
        names.map { |name| [name, of(VARIABLE.bind_call(value, name))] }
      end

      def code_of(value, name)
        method = method_on(value, name) or return [name, @opaque.call(value)]
        [name, *bodies(method) { @opaque.call(value) }]
      end

      # The codes of a method and of those that `super` in it may call. The block returns what
      # stands for one of which nothing is known.
      def bodies(method)
        supers(method).flat_map do |one|
          code = read(one)
          next [WithoutCode.of(one) || yield] unless code

          [code.digest, *(yield unless code.closure.names.empty?)]
        end
      end

      def supers(method)
        found = []
        while method
          found << method
          method = method.super_method
        end
        found
      end

      # @return [Method, nil] nil if only method_missing answers: nobody knows what that does
      def method_on(value, name)
        method = METHOD.bind_call(value, name)
        METHOD_OF_CLASS.bind_call(method.owner, method.name) # NameError: by respond_to_missing?
        method
      rescue NameError
        nil
      end

      # A Proc or Method of a subclass may do something else than its code says.
      def of_code(value, type, elsewhere)
        return @opaque.call(value) unless CALLABLE.include?(type)

        Method === value ? of_method(value) : of_block(value, elsewhere)
      end

      def of_method(method)
        bodies = bodies(method) { return @opaque.call(method) }
        receiver = method.receiver
        told = Module === receiver ? [@modules.call(receiver), variables(receiver)] : of(receiver)
        @lasting = false
        owner = method.owner
        [:method, method.name, told, *bodies, *(name(owner) unless owner.singleton_class?)]
      end

      def of_block(block, elsewhere)
        symbol = Closure.symbol(block) and return [:symbol, symbol]
        code = read(block)
        return @opaque.call(block) if code.nil? || code.closure.yields?

        told = [:block, code.digest, block.lambda?]
        return told + seen(block, code.closure, false) if elsewhere

        told << nesting(block, code) if code.closure.constants?
        told + seen(block, code.closure, code.closure.own?)
      end

      # Two blocks of one text name other constants if they stand in other modules.
      def nesting(block, code)
        code.nesting ||= shown(block)&.eval("::Module.nesting")
        return code.nesting.map { |type| name(type) } if code.nesting

        place = Closure.code(block)
        [place.label, File.basename(place.path), place.first_lineno]
      end

      # The variables around a block, and its `self`.
      def seen(block, closure, own)
        return [] if closure.names.empty? && !own

        @lasting = false
        around = shown(block)
        names = closure.names.map(&:to_sym)
        return [@opaque.call(block)] unless around && (names - around.local_variables).empty?

        values = names.map { |name| [name, of(around.local_variable_get(name))] }
        own ? [of_self(around.receiver, closure), *values] : values
      end

      # @return [Binding, nil] nil if it was made shareable, since Ruby shows no variables then
      def shown(block)
        block.binding
      rescue ArgumentError
        nil
      end

      # A module that is only called counts by its name. Its content does not count, and neither
      # does the content of constants.
      def of_self(object, closure)
        [:self, of(object), *(variables(object) if Module === object && closure.variables?)]
      end

      # @return [Code, nil]
      def read(callable)
        code = Closure.code(callable) or return
        @codes.clear if @codes.size > MOST_CODES && !@codes.key?(code)
        @codes[code] ||= begin
          listed = code.to_a
          digest = CacheKey.digest(CacheKey.tree(Instructions.of(listed)))
          Code.new(digest, Closure.new(code, listed))
        end
      end

      def name(type) = CacheKey.name_of(type) || Identity.of(type)
    end
  end
end
