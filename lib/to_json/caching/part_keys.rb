# frozen_string_literal: true

# Layer: caching. Makes the keys of cached texts: a prefix, which all objects of a document share,
# and the text of the object.

module ToJson
  class Compiler
    # The methods by which a {PartCache} makes the key of an object.
    module PartKeys
      # Settings of ActiveSupport on which the text under `dialect: :rails` depends.
      LIVE = %i[use_standard_json_time_format time_precision escape_html_entities_in_json].freeze
      PUBLIC_SEND = Kernel.instance_method(:public_send)
      private_constant :LIVE, :PUBLIC_SEND

      private

      # Whether parts that are made in this context may be kept: the key tells contexts apart, or
      # the context says nothing, or no code looks at it.
      def told?(context)
        declared? || Reflection.says_nothing?(context) || !contextual?
      end

      # Whether the declaration says what of a context matters, so that keys tell contexts apart.
      def declared? = !context_rule.nil? || @options.key_of_context?

      # The rule for what of the context matters: that of the declaration; or, if code of the class
      # could see a context, `ToJson.cache_context`.
      def context_rule
        return @options.context unless @options.context.nil?

        sign unless @signed || ToJson.cache_context.nil?
        @rule
      end

      # Which reads of a context, while a part is written, allow that the part is kept. true: any;
      # false: those of an empty context, since documents with another one do not look here; nil:
      # none.
      def told
        return true if declared?

        contextual? ? false : nil
      end

      # The beginning of keys, which is the same under the same Definition, Rules and Mask.
      def prefix(rules, max_depth, left)
        return recent(rules, max_depth) if left.nil? && !live?(rules)

        start(rules, meaning(rules).first, max_depth, left)
      end

      # The prefix for the Rules of the last call. The state of their callables is read each time,
      # but it has mostly not changed.
      def recent(rules, max_depth)
        kept_rules, kept_depth, text, kept = @recent
        same = rules.equal?(kept_rules) && max_depth == kept_depth
        return text if same && kept.nil?

        told, lasting = meaning(rules)
        return text if same && told.eql?(kept)

        text = start(rules, told, max_depth, nil)
        @recent = [rules, max_depth, text, (told unless lasting)].freeze
        text
      end

      def meaning(rules) = RulesMeaning.of(rules, @place, @codes)

      # @param told [Array] the {Meaning} of the Rules
      def start(rules, told, max_depth, left)
        live = LIVE.map { |name| ::ActiveSupport::JSON::Encoding.public_send(name) } if live?(rules)
        all = CacheKey.tree([CacheKey::FORM, VERSION, @name, signed, told, max_depth, left, live])
        name = @name.gsub(/[^\w.:]/, "_")[0, CacheKey::LONGEST_NAME]
        "to_json/#{name}/#{CacheKey.digest(all)}/".b.freeze
      end

      def live?(rules) = rules.to_h[:dialect] == :rails && defined?(::ActiveSupport::JSON::Encoding)

      # @return [String] a digest of what was declared
      def signed
        sign unless @signed
        @signed
      end

      def contextual?
        sign unless @signed
        @contextual
      end

      def sign
        signature = Signature.new(@place, @cache)
        tree = [signature.name(@serializer_class), signature.body(@key),
                signature.body(@options.context), signature.version(@options),
                @tree.call(signature)]
        @contextual = signature.contextual?
        @rule = ToJson.cache_context if @contextual && !@options.key_of_context?
        tree << signature.body(@rule) if @rule && @options.context.nil?
        @signed = CacheKey.digest(CacheKey.tree(tree))
      end

      # @return [String, nil] nil: this object must not be cached
      def key(prefix, s, object, context)
        text =
          if @key
            CacheKey.text(@place, given(s, object, context))
          else
            CacheKey.default(@place, object)
          end
        return unless text

        if (rule = context_rule)
          told = CacheKey.of_context(@place, rule.call(context)) or return
          text = "#{told};#{text}" # neither has a semicolon of its own
        end
        CacheKey.join(prefix, text)
      end

      def given(s, object, context)
        case @method && @arity
        when nil
          case object
          when Hash then object.fetch(@key) { object[@key.name] }
          when Object then object.public_send(@key)
          else PUBLIC_SEND.bind_call(object, @key) # a BasicObject
          end
        when 0 then s.__to_json_with(object, @method)
        when 1 then s.__send__(@method, object)
        else s.__send__(@method, object, context)
        end
      end

      # Whether making a key reads the context, which counts as a read by the part around it.
      def notes? = context_rule || @options.key_of_context?
    end
  end
end
