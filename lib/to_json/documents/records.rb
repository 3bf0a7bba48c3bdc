# frozen_string_literal: true

# Layer: documents. NDJSON, the sequences of RFC 7464, and the methods that create Streams. The part
# in C is ext/to_json/documents/records.c.

module ToJson
  # Methods of all serializer classes for many documents, and for documents that are delivered
  # later.
  module Streams
    # Writes a line for each object: what `json!` writes for it, without the class's root. With
    # `into:` memory does not grow with the number of objects. Lines are delivered in chunks of
    # about 64 KiB (see `chunk:` and `flush:`), and each record as a whole.
    #
    # @example
    #   class PlaceSerializer < ToJson::Serializer
    #     attributes :id, :name
    #   end
    #   PlaceSerializer.ndjson([{ id: 1, name: "Cork" }, { id: 2, name: "Galway" }], only: :name)
    #   # => "{\"name\":\"Cork\"}\n{\"name\":\"Galway\"}\n"
    #
    # @example A record that fails
    #   class RatioSerializer < ToJson::Serializer
    #     def serialize(pair) = put(:ratio, pair[0] / pair[1])
    #   end
    #   note = ->(error, _record, index) { { error: error.class.name, record: index } }
    #   RatioSerializer.ndjson([[6, 2], [1, 0]], on_error: note, into: +"")
    #   # => "{\"ratio\":3}\n{\"error\":\"ZeroDivisionError\",\"record\":1}\n"
    #
    # @example The block form: the words stand beside everything that surrounds the block
    #   ToJson::Serializer.ndjson([5, 6]) { |n| put :id, n } # => "{\"id\":5}\n{\"id\":6}\n"
    # @param arguments as for `json!`: an Array, a relation or another Enumerable, and further
    #   arguments of `serialize` or the block
    # @param on_error [Symbol, #call] what happens if a record raises a StandardError. `:abort`
    #   raises it, after the records before it are delivered. `:skip` leaves the record out. A
    #   callable receives the error, the record and its index; it returns what to write instead, or
    #   nil. Exceptions of the collection, the Sink or the store of a cache are always raised, and
    #   so are DefinitionError and CacheError
    # @param keywords as for `json!`, with `into:`, `chunk:` and `flush:`, without `meta:`; `root:`
    #   wraps each record
    # @return [String, Object] a String in UTF-8, or the Sink
    # @raise [Error] like `json!`; {ToJson.location} contains the record's index: `$[137].name`.
    #   UnsupportedTypeError if the argument is not a collection
    def ndjson(*arguments, on_error: :abort, **keywords, &block)
      Records.check_block(self, :ndjson, block)
      unless keywords.empty?
        Envelope.check_names(self, arguments.size, keywords, Envelope::OF_RECORDS)
      end
      __to_json_records(Records.policy(on_error), false, nil, *arguments, **keywords, &block)
    end

    # Like {#ndjson}, as a sequence of RFC 7464 (`application/json-seq`). Each line begins with the
    # character 0x1E, so a reader finds the next record after a truncated one.
    #
    # @example
    #   class DropSerializer < ToJson::Serializer
    #     attributes :id
    #   end
    #   DropSerializer.json_seq([{ id: 1 }]) # => "\u001E{\"id\":1}\n"
    # @param arguments as for {#ndjson}
    # @param on_error [Symbol, #call] as for {#ndjson}
    # @param keywords as for {#ndjson}
    # @return [String, Object]
    # @raise [Error] like {#ndjson}
    def json_seq(*arguments, on_error: :abort, **keywords, &block)
      Records.check_block(self, :json_seq, block)
      unless keywords.empty?
        Envelope.check_names(self, arguments.size, keywords, Envelope::OF_RECORDS)
      end
      __to_json_records(Records.policy(on_error), true, nil, *arguments, **keywords, &block)
    end

    # Returns the document of `json!` as a body for Rack, or for any code that calls `each`. The
    # arguments are checked at once, so an unknown name in a client's `only:` raises before a header
    # is sent. Everything else happens when the body is read.
    #
    # @example
    #   class TuneSerializer < ToJson::Serializer
    #     attributes :id, :name
    #   end
    #   tunes = [{ id: 1, name: "Slow Air" }, { id: 2, name: "Reel" }].lazy
    #   TuneSerializer.stream(tunes, only: :name).each.to_a.join
    #   # => [{"name":"Slow Air"},{"name":"Reel"}]
    #   TuneSerializer.stream(tunes, only: :id, format: :ndjson).each.to_a
    #   # => ["{\"id\":1}\n{\"id\":2}\n"]
    #
    # @example The block form
    #   ToJson::Serializer.stream { put :now, 5 }.each.to_a # => ["{\"now\":5}"]
    #   ToJson::Serializer.stream(1..2, format: :ndjson) { |n| put :n, n }.each.to_a
    #   # => ["{\"n\":1}\n{\"n\":2}\n"]
    # @param arguments as for `json!`
    # @param format [Symbol] `:json`, `:ndjson` or `:json_seq`
    # @param keywords as for `json!`, with `chunk:` and `flush:`, without `into:`; for the other
    #   formats as for {#ndjson}
    # @return [Stream]
    # @raise [ArgumentError, UnknownFieldError, UnknownViewError, SelectionError, CacheError] what
    #   `json!` raises before it writes
    def stream(*arguments, format: :json, **keywords, &block)
      Records.refuse_into(keywords)
      Records.check_block(self, format == :json ? :stream : format, block)
      return stream_records(format, arguments, keywords, block) unless format == :json

      Envelope.check_names(self, arguments.size, keywords, Envelope::OF_STREAM)
      __to_json_check(*arguments, **keywords)
      Compiler::PartCache.check(self) if Records.cached?(self)
      Envelope.check_serialize(self, arguments.size, keywords) unless block
      Stream.new(:json) { |sink| json!(*arguments, **keywords, into: sink, &block) }
    end

    private

    def stream_records(format, arguments, keywords, block)
      sequence = Records.sequence?(format)
      policy = Records.policy(keywords.delete(:on_error) { :abort })
      Envelope.check_names(self, arguments.size, keywords, Envelope::OF_STREAM)
      __to_json_check_records(*arguments, **keywords)
      Compiler::PartCache.check(self) if Records.cached?(self)
      Envelope.check_serialize(self, arguments.size, keywords) unless block
      Stream.new(format) do |sink|
        __to_json_records(policy, sequence, nil, *arguments, **keywords, into: sink, &block)
      end
    end
  end

  # @api private
  module Records
    FORMATS = %i[json ndjson json_seq].freeze
    private_constant :FORMATS

    # @return [#call, nil, false] as the native part takes it: nil aborts, false skips
    # @raise [ArgumentError]
    def self.policy(given)
      case given
      when :abort then nil
      when :skip then false
      else
        return given if given.respond_to?(:call)

        raise ArgumentError,
              "on_error: takes :abort, :skip or an object with call(error, record, index); got " \
              "#{given.inspect}"
      end
    end

    # @return [Boolean] whether it is that of RFC 7464
    # @raise [ArgumentError]
    def self.sequence?(format)
      return format == :json_seq if %i[ndjson json_seq].include?(format)

      raise ArgumentError,
            "format: takes #{FORMATS.map(&:inspect).join(", ")}; got #{format.inspect}"
    end

    # Whether a store will be asked for the class's objects: in the main Ractor only.
    def self.cached?(serializer_class)
      Ractor.current.equal?(Ractor.main) && serializer_class <= Serializer &&
        serializer_class.declared? && !serializer_class.definition.cache.nil?
    end

    # A class's serialize writes its documents, and a block would never run; the base class has
    # none, and takes one.
    # @param name [Symbol] of the method
    # @param block [Proc, nil]
    # @raise [ArgumentError, Error]
    def self.check_block(serializer_class, name, block)
      if serializer_class.equal?(Serializer)
        return if block

        raise Error, "ToJson::Serializer.#{name} needs a block, or a subclass with serialize."
      end
      return unless block

      hint = name == :stream ? "ToJson.stream { |j| … }" : "ToJson.#{name}(rows) { |j, row| … }"
      raise ArgumentError,
            "#{serializer_class}: #{name} takes no block. To write with a block, call #{hint}"
    end

    # @raise [ArgumentError]
    def self.refuse_into(keywords)
      if keywords.key?(:into)
        raise ArgumentError, "into: does not work with stream, whose reader gets the bytes. " \
                             "Remove into:, or pass it to json!, generate or ndjson"
      end
    end
  end

  module Serialize
    # The class methods of a serializer.
    module ClassMethods
      include Streams
    end
  end

  # What a document of a block takes, but `into:`.
  BLOCK_KEYWORDS = (Envelope::DELIVERY - [:into]).freeze
  private_constant :BLOCK_KEYWORDS

  class << self
    # Writes a line for each value. With a block, the block writes the line.
    #
    # @example
    #   ToJson.ndjson([{ id: 1 }, [2, nil]])                         # => "{\"id\":1}\n[2,null]\n"
    #   ToJson.ndjson([5, 6]) { |j, n| j.put :id, n }                # => "{\"id\":5}\n{\"id\":6}\n"
    #   ToJson.ndjson([1, 0.0 / 0, 3], on_error: :skip, into: +"")   # => "1\n3\n"
    # @param values [Enumerable] an Array, a relation, an Enumerator …
    # @param on_error [Symbol, #call] as for {Streams#ndjson}
    # @param options as for {generate}, with `into:`; with a block as for {ToJson.json}
    # @yieldparam j [Serializer] its words write the record
    # @yieldparam value [Object]
    # @return [String, Object] a String in UTF-8, or the Sink
    # @raise [Error] like {generate}
    def ndjson(values, on_error: :abort, **options, &block)
      records(Records.policy(on_error), false, values, options, block)
    end

    # Like {ndjson}, as a sequence of RFC 7464: see {Streams#json_seq}.
    #
    # @example
    #   ToJson.json_seq([1, 2]) # => "\u001E1\n\u001E2\n"
    # @param values [Enumerable] as for {ndjson}
    # @param on_error [Symbol, #call] as for {Streams#ndjson}
    # @param options as for {ndjson}
    # @return [String, Object]
    # @raise [Error] as {generate}
    def json_seq(values, on_error: :abort, **options, &block)
      records(Records.policy(on_error), true, values, options, block)
    end

    # Returns the document of any value as a body for Rack, or for any code that calls `each`. With
    # a block it is what {ToJson.json} writes; as NDJSON, what {ToJson.ndjson} writes.
    #
    # @example
    #   ToJson.stream((1..3).lazy.map { |n| n * n }).each.to_a       # => ["[1,4,9]"]
    #   ToJson.stream((1..3).lazy, format: :ndjson).each.to_a        # => ["1\n2\n3\n"]
    #   ToJson.stream { |j| j.put :id, 1 }.each.to_a                 # => ["{\"id\":1}"]
    # @param value [Object] any value, also a serializer: `ToJson.stream(PostSerializer.new(posts))`
    # @param format [Symbol] `:json`, `:ndjson` or `:json_seq`
    # @param options as for {generate}, or with a block as for {ToJson.json}, without `into:`; as
    #   NDJSON also `on_error:`
    # @return [Stream]
    # @raise [ArgumentError] unless there is either a value or a block
    def stream(*value, format: :json, **options, &block)
      Records.refuse_into(options)
      unless value.size == (block && format == :json ? 0 : 1)
        raise ArgumentError,
              "stream takes one value#{" or a block" if format == :json}; got #{value.size} " \
              "argument#{"s" unless value.size == 1} and #{block ? "a" : "no"} block"
      end
      return stream_values(format, value[0], options, block) unless format == :json
      raise ArgumentError, Envelope::FOR_RECORDS if options.key?(:on_error)
      return stream_block(options, block) if block

      check_value(value[0], **options)
      Stream.new(format) { |sink| generate(value[0], **options, into: sink) }
    end

    private

    def records(policy, sequence, values, options, block)
      if block
        return Serializer.send(:__to_json_records, policy, sequence, block, values, **options)
      end

      records_of_values(policy, sequence, values, **options)
    end

    def stream_block(options, block)
      unknown = options.keys - BLOCK_KEYWORDS
      if unknown.any?
        raise ArgumentError, Suggestion.unknown("keyword", unknown.first, BLOCK_KEYWORDS)
      end

      check_value(nil, **options.except(:context))
      Stream.new(:json) { |sink| json(**options, into: sink, &block) }
    end

    def stream_values(format, values, options, block)
      sequence = Records.sequence?(format)
      policy = Records.policy(options.delete(:on_error) { :abort })
      if block
        Serializer.send(:__to_json_check_records, values, **options)
      else
        check_records_of_values(values, **options)
      end
      Stream.new(format) do |sink|
        records(policy, sequence, values, { **options, into: sink }, block)
      end
    end
  end
end
