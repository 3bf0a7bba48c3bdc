# frozen_string_literal: true

# Layer: caching. Makes the keys of cached texts: a prefix, which all objects of a document share,
# and the text of the object.

module ToJson
  class Compiler
    # The methods by which a {PartCache} makes the key of an object.
    module PartKeys
      PUBLIC_SEND = Kernel.instance_method(:public_send)

      # What {Signature} tells about a part.
      # digest:: of what was declared
      # outdated:: whether a class changed after the Plan was made, and before the signature was.
      #            Such a Plan writes what the classes declared before, so no text of it may be kept
      #            under this signature
      # contextual:: see {Signature#contextual?}
      # rule:: `ToJson.cache_context`, if it tells the contexts of this part apart
      Signed = Struct.new(:digest, :outdated, :contextual, :rule)

      # The context of objects whose keys are made together, before any of them is written. What
      # counts of it is asked once: it may be a relation of a thousand rows.
      class Told
        attr_reader :context

        def initialize(context)
          @context, @asked = context, false
        end

        # For objects whose keys are made later.
        def anew = Told.new(@context)

        # @return [String, nil] see {ContextKey.of}
        def text(rule, place)
          return @text if @asked

          @text = ContextKey.of(place, rule.call(@context))
          @asked = true
          @text
        end
      end
      private_constant :PUBLIC_SEND, :Signed, :Told

      private

      # Whether parts that are made in this context may be kept: keys tell contexts apart, or the
      # context is empty, or no code reads it.
      def keepable?(context)
        declared? || Reflection.says_nothing?(context) || !contextual?
      end

      # Whether the declaration says which part of a context counts, so that keys tell contexts
      # apart.
      def declared? = !context_rule.nil? || @options.key_of_context?

      # Whether the code of `key:` looks at its serializer. Then it tells what that instance has of
      # its own: instance variables that `new` or the program set, and singleton methods.
      def key_of_state?
        return @key_of_state unless @key_of_state.nil?

        code = Closure.code(@key) if @key.is_a?(Proc)
        @key_of_state = !code.nil? && Closure.new(code).own?
      end

      # The callable that returns the part of a context that counts: that of the declaration. If
      # there is none and code of the class can read a context: `ToJson.cache_context`.
      def context_rule
        return @options.context unless @options.context.nil?

        signed.rule if @signed || ToJson.cache_context
      end

      # Which reads of the context a part may contain and still be kept. true: any. false: reads of
      # an empty context, because documents with another context do not use these keys. nil: none.
      def allowed_reads
        return true if declared?

        contextual? ? false : nil
      end

      # The beginning of all keys under one Definition, Rules, Mask and time zone.
      def prefix(w, rules, left)
        zone, max_depth = time_zone, w.max_depth
        live = Dialects::Rails.live(rules)
        return recent(rules, max_depth, zone) if left.nil? && live.nil?

        live &&= [*live, Dialects::Rails.escapes(w)]
        start(content(rules).first, max_depth, left, zone, live)
      end

      # The name of Time.zone, in which records return their times; nil if there is no zone.
      def time_zone = (::Time.zone&.name if defined?(::ActiveSupport) && ::Time.respond_to?(:zone))

      # The prefix for the Rules of the last call. The state of their callables is read each time,
      # because it may have changed.
      def recent(rules, max_depth, zone)
        kept_rules, kept_depth, kept_zone, text, kept = @recent
        same = rules.equal?(kept_rules) && max_depth == kept_depth && zone == kept_zone
        return text if same && kept.nil?

        found, lasting = content(rules)
        return text if same && found.eql?(kept)

        text = start(found, max_depth, nil, zone)
        @recent = [rules, max_depth, zone, text, (found unless lasting)].freeze
        text
      end

      def content(rules) = RulesContent.of(rules, @place, @codes)

      # @param found [Array] the {Content} of the Rules
      # @param live [Array, nil] what ActiveSupport's settings and the call say of the text
      def start(found, max_depth, left, zone, live = nil)
        all = CacheKey.tree([CacheKey::FORM, VERSION, @name, signed.digest, found, max_depth, left,
                             live, zone])
        name = @name.gsub(/[^\w.:]/, "_")[0, CacheKey::LONGEST_NAME]
        "to_json/#{name}/#{CacheKey.digest(all)}/".b.freeze
      end

      # Two threads may sign at the same time, and a class may be reloaded in between. Then both use
      # the first signature. The digest of one signature with the `outdated` of the other could keep
      # an old text under a new key. No other thread runs during Array#<<.
      # @return [Signed]
      def signed = @signed ||= (@signatures << sign).first

      def outdated? = signed.outdated

      def contextual? = signed.contextual

      # @return [Signed]
      def sign
        signature = Signature.new(@place, @cache)
        tree = [signature.name(@serializer_class), signature.body(@key),
                signature.body(@options.context), signature.version(@options),
                @tree.call(signature)]
        contextual = signature.contextual?
        rule = ToJson.cache_context if contextual
        tree << signature.body(rule) if rule && @options.context.nil?
        tree << signature.rest
        digest = CacheKey.digest(CacheKey.tree(tree))
        Signed.new(digest, PlanCache.epoch != @epoch, contextual, rule).freeze
      end

      # @return [String, nil] nil: this object must not be cached
      def key(prefix, s, object, told)
        text =
          if @key.nil? then CacheKey.default(@place, object)
          elsif @options.key_of_context?
            ContextKey.of_key(@place, given(s, object, told.context))
          else CacheKey.text(@place, given(s, object, told.context))
          end
        return unless text

        if (rule = context_rule)
          counting = told.text(rule, @place) or return
          text = "#{counting};#{text}" # neither has a semicolon of its own
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

      # Whether making a key reads the context. Then the part around this one has read it, too.
      def notes? = context_rule || @options.key_of_context?

      # A part that could read the context, and does not tell it in its key, is kept in an empty one
      # only. So is the part around it, even if the text was found and no code ran.
      def note(w, s)
        w.context(s, true) if !declared? && contextual?
      end
    end
  end
end
