# frozen_string_literal: true

# Layer: declaring. Checks the keywords of calls, except options of Rules, and finds the roots of a
# document.

module ToJson
  # @api private
  module Envelope
    # Keywords for values that are no options of Rules.
    BESIDE_RULES = Ractor.make_shareable({
      document: %i[into chunk flush rules], records: %i[into chunk flush rules on_error],
      stream: %i[format chunk flush rules on_error]
    })
    # Keywords about a whole document, and not about each of its objects.
    DELIVERY = %i[context into chunk flush rules max_depth].freeze
    # The keywords of serializer classes' ndjson and json_seq, and of their stream.
    OF_RECORDS = [*(DSL::RESERVED_KEYWORDS - [:meta]), :on_error].freeze
    OF_STREAM = [*(DSL::RESERVED_KEYWORDS - [:into]), :format, :on_error].freeze
    # The object that is written as a document of JSON:API or HAL. Its `scope` is what the program
    # gave (tj_scope_of).
    module Held; end

    FOR_RECORDS = "on_error: works only with format: :ndjson and format: :json_seq"

    # Refuses keywords that neither the method nor `json!` of the class takes.
    # @param known [Array<Symbol>] the keywords of the method
    # @raise [ArgumentError]
    def self.check_names(serializer_class, count, keywords, known)
      unknown = keywords.keys.find { |name| !DSL::RESERVED_KEYWORDS.include?(name) }
      return if unknown.nil? || count.zero? || !declares_only?(serializer_class)
      raise ArgumentError, "#{serializer_class}: #{FOR_RECORDS}" if unknown == :on_error
      if unknown == :format
        raise ArgumentError,
              "#{serializer_class}: format: works only with stream. Call json_seq for a " \
              "sequence, ndjson for lines"
      end

      raise ArgumentError, "#{serializer_class}: #{Suggestion.unknown("keyword", unknown, known)}"
    end

    def self.declares_only?(serializer_class)
      serializer_class <= Serializer && serializer_class.declared? &&
        serializer_class.instance_method(:serialize).owner == Serializer
    end
    private_class_method :declares_only?

    # Refuses keywords that nothing takes, because a misspelt `only:` would send all fields.
    # @param count [Integer] the number of arguments beside them
    # @raise [ArgumentError]
    def self.refuse(serializer_class, keywords, count)
      if count.zero?
        raise ArgumentError,
              "#{serializer_class}: no object was passed, only keywords. To pass a " \
              "Hash as the object, write it in braces: json!({ ... })"
      end

      raise ArgumentError,
            "#{serializer_class}: " +
              Suggestion.unknown("keyword", keywords.keys.first, DSL::RESERVED_KEYWORDS,
                                 UnknownWords::KEYWORDS)
    end

    # @param count [Integer] the number of arguments, which must be 1
    # @raise [ArgumentError]
    def self.refuse_count(serializer_class, count)
      raise ArgumentError,
            "#{serializer_class}: takes one argument, an object or a collection of objects: " \
            "json!(object); got #{count.zero? ? "none" : count}"
    end

    # Refuses arguments that the `serialize` of the class would refuse. For documents that are
    # written later.
    # @param count [Integer] the number of arguments
    # @param keywords [Hash] all keywords that `json!` was given
    # @raise [ArgumentError]
    def self.check_serialize(serializer_class, count, keywords)
      parameters = serializer_class.instance_method(:serialize).parameters.group_by(&:first)
      names = keywords.keys - DSL::RESERVED_KEYWORDS
      required = parameters.fetch(:req, []).size
      most = parameters.key?(:rest) ? nil : required + parameters.fetch(:opt, []).size
      if parameters.keys.intersect?(%i[key keyreq keyrest])
        check_keywords(serializer_class, names, parameters)
      elsif names.any? then count += 1 # Ruby makes a Hash of them
      end
      return if count >= required && (most.nil? || count <= most)

      due = most == required ? required : "#{required}#{most ? "..#{most}" : " or more"}"
      raise ArgumentError,
            "#{serializer_class}#serialize takes #{due} argument#{"s" unless due == 1}; got " \
            "#{count}"
    end

    # @raise [ArgumentError]
    def self.check_keywords(serializer_class, names, parameters)
      known = parameters.values_at(:key, :keyreq).compact.flatten(1).map(&:last)
      unknown = names - known unless parameters.key?(:keyrest)
      if unknown&.any?
        raise ArgumentError,
              "#{serializer_class}#serialize: " \
              "#{Suggestion.unknown("keyword", unknown.first, known)}"
      end

      missing = parameters.fetch(:keyreq, []).map(&:last) - names
      if missing.any?
        raise ArgumentError,
              "#{serializer_class}#serialize: missing keyword: #{missing.map(&:inspect).join(", ")}"
      end
    end
    private_class_method :check_keywords

    # @param given [Boolean, Symbol, String] of `root:`
    # @return [Array(Symbol, Symbol), nil] the keys for one and for many
    # @raise [ArgumentError]
    def self.roots(serializer_class, given)
      case given
      when true
        serializer_class.definition.root or
          raise ArgumentError,
                "root: true: #{serializer_class} declares no root. Declare root :post, :posts, " \
                "or pass the key as root:."
      when false then [nil, nil]
      when Symbol then [given, given]
      when String then [given.to_sym, given.to_sym]
      else raise ArgumentError, "root: takes true, false, a Symbol or a String; got #{given.class}"
      end
    end
  end
end
