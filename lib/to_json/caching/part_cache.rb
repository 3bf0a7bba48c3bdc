# frozen_string_literal: true

# Layer: caching. Writes text from a store instead of writing objects: one object, many at once, or
# an association.

module ToJson
  class Compiler
    # The cache of one Unit or of one association. Only the main Ractor uses it.
    class PartCache
      include PartKeys

      EVENT = "cache.to_json"
      UNKEPT = "uncached.to_json"
      NULL = "null"
      private_constant :EVENT, :UNKEPT, :NULL

      # The code that looks for cached parts inside an object, and the arguments of its `ahead`.
      Inside = Struct.new(:code, :s, :mask)

      # Looks up the parts inside those objects of a batch whose own parts the store does not have.
      Missing = Struct.new(:inside, :objects, :texts) do
        def ahead(w, s, index, mask, ahead)
          object = objects[index]
          inside.code.ahead(w, s, object, mask, ahead) unless texts[index] || nil == object
        end
      end
      private_constant :Inside, :Missing

      class << self
        # Raises, before anything is written, the error that each part of a cached serializer would
        # raise.
        # @raise [CacheError]
        def check(serializer_class)
          CacheStore.of(serializer_class.definition.cache,
                        "#{serializer_class.definition.label}: cache")
        end

        # Marks an exception of the store. It is not the fault of a record, so `on_error:` is not
        # asked about it: ext/to_json/documents/records.c.
        def of_store
          yield
        rescue StandardError => error
          mark(error)
          raise
        end

        def mark(error)
          error.instance_variable_set(:@__to_json_store, true) unless error.frozen?
        end

        # Whether it was marked.
        def of_store?(error) = error.instance_variable_defined?(:@__to_json_store)

        # @param unit [Unit] that is cached
        # @param epoch [Integer] that of the Plan
        def of_unit(cache, unit, epoch)
          new(unit.serializer_class, unit.definition.cache, unit.definition.label) do |signature|
            signature.of_unit(unit.without_cache)
          end.over(cache, epoch, unit)
        end

        # @param unit [Unit] that declares the field
        def of_field(cache, unit, field, epoch)
          name = "#{unit.definition.label}.#{field.name}"
          made = new(unit.serializer_class, field.cache, name) do |signature|
            signature.of_association(unit, field)
          end
          made.over(cache, epoch, unit, field)
        end
      end

      # @return [CacheOptions]
      attr_reader :options

      # @param options [CacheOptions]
      # @param name [String] for keys and messages
      # @yieldparam signature [Signature]
      # @yieldreturn [Array] the tree that describes what is cached
      def initialize(serializer_class, options, name, &tree)
        @serializer_class, @options, @name, @tree = serializer_class, options, name, tree
        @codes, @signatures = {}.compare_by_identity, []
        @place = "#{name}: cache"
        @key = options.key
        @method = Blocks.method_for(serializer_class, @key) if @key.is_a?(Proc)
        @arity = options.key_arity if @method
      end

      # @param cache [#inner_class] finds the serializers of associations, for Signatures
      # @param epoch [Integer] that of the Plan
      # @param unit [Unit] that is cached, or declares the cached field
      def over(cache, epoch, unit, field = nil)
        @cache, @epoch, @unit, @field = cache, epoch, unit, field
        self
      end

      # Writes the text of `object`, or of its association, from the store. If the store has no
      # text, the block writes it, and the store gets that text.
      # @param mask [Mask, Mask::Left, nil] the fields that are written; nil: all
      def one(w, s, object, mask, &)
        left = mask&.signature
        ahead = w.ahead&.of(self, s, left) unless notes?
        if ahead && (key = ahead.keys[object])
          note(w, s)
          return write_one(w, s, ahead.store, key, ahead, &)
        end

        store, prefix, told = address = address(w, s, left)
        key = key(prefix, s, object, told) if address
        return anew(w, s, object, mask, &) unless key

        if CacheStore.fetch?(store, @options)
          by_fetch(w, s, store, key) { anew(w, s, object, mask, &) }
        else
          write_one(w, s, store, key, w.ahead&.[](self, store)) { anew(w, s, object, mask, &) }
        end
      end

      # Writes the elements of a collection, whose array is open.
      # @param code [PartsInside, nil] finds the parts inside the elements that the store does not
      #   have
      # @yieldparam object [Object] which the store does not have, and the block writes
      def many(w, s, collection, mask, code, &write)
        left = mask&.signature
        address = address(w, s, left)
        return many_anew(w, s, collection, mask, &write) unless address

        inside = Inside.new(code, s, mask) if code
        fetch = CacheStore.fetch?(address.first, @options)
        CacheBatches.each(w, collection, fetch ? 1 : @options.batch) do |batch|
          # Anew: a source may change the time zone, or what a lambda for `store:` returns.
          next write_anew(w, s, batch, mask, &write) unless (address = address(w, s, left))
          next write_each(w, s, batch, mask, &write) if CacheStore.fetch?(address.first, @options)

          write_batch(w, s, batch, address, inside, mask, &write)
        end
        true
      end

      # Tells a {Prefetch} the key of an object.
      # @param inside [Proc, nil] looks for the parts inside the object
      def want(w, s, object, mask, ahead, inside)
        return unless ahead.room?

        known = ahead.known(self, w, s, mask&.signature) or return
        known.mask = mask
        _, prefix, told = known.address
        key = key(prefix, s, object, told)
        ahead.want(known, object, key, inside) if key
      end

      # Gives `Writer.missing` the objects that will be written, so that it can load what they read.
      def missing(w, s, objects, mask)
        return if objects.empty? || !tells_missing?

        Writer.missing.call(mask ? mask.unit : @unit, @field, objects, w.context(s, false))
      end

      # Whether `Writer.missing` wants such objects.
      def tells_missing? = Writer.missing&.wanted?

      # @return [Hash] keywords for the store
      def store_options = @options.store_options

      # @return [Array(Object, String, Told), nil] the store, the prefix of all keys, the context;
      #   nil: nothing may be cached
      def address(w, s, left)
        rules = w.plain_rules(s) || (key_of_state? && w.plain_rules(nil)) or return
        store = CacheStore.of(@options, @place) or return
        context = w.context(s, notes?)
        return unkept unless keepable?(context)
        return if outdated?

        note(w, s)
        [store, prefix(w, rules, left), Told.new(context)]
      end

      # Whether an entry can be JSON text. An entry that is not counts as none: it has another type,
      # is cut short, or was replaced.
      def usable?(text)
        return false unless String === text

        whole = case text.getbyte(-1)
                when 125 then text.getbyte(0) == 123 # {}
                when 93 then text.getbyte(0) == 91 # []
                else text == NULL
                end
        whole && (!@options.verify? || Text.defect_of(text, Text::MOST_DEPTH).nil?)
      end

      # Tells ActiveSupport's subscribers, if it is loaded and there are any.
      def instrument(count)
        notifications = listening or return yield
        payload = { serializer: @serializer_class, name: @name, hits: 0, misses: count, bytes: 0 }
        notifications.instrument(EVENT, payload) do
          texts = yield
          hits = texts.grep(String)
          payload[:hits], payload[:misses], payload[:bytes] =
            hits.size, count - hits.size, hits.sum(&:bytesize)
          texts
        end
      end

      private

      def anew(w, s, object, mask)
        missing(w, s, [object], mask)
        yield
      end

      def write_one(w, s, store, key, ahead)
        text = ahead[key] if ahead
        text, = found(store, [key]) if text.nil?
        return w.splice(text) if text

        text = capture(w, s) { yield } or return
        return ahead.keep(key, text) if ahead && ahead[key] == false

        PartCache.of_store { CacheStore.write(store, { key => text }, @options) }
      end

      # Shifts each object off the Array before it is written.
      def write_batch(w, s, objects, address, inside, mask, &write)
        store, prefix, told = address
        ahead = w.ahead&.[](self, store)
        keys, failed = keys_of(objects, prefix, s, told.anew)
        texts = found(store, keys, ahead)
        if tells_missing?
          lacking = texts.each_index.reject { |index| texts[index] }
          missing(w, s, lacking.filter_map { |index| objects[index] }, mask)
        end
        fresh, flushes = {}, w.flushes?
        one = lambda do |key, text|
          write_element(w, s, objects.shift, key, text || fresh[key], ahead || fresh, fresh, &write)
          w.flush_if_due if flushes
        end
        if inside && texts.include?(nil) && !w.ahead&.room?
          write_missing(w, objects, keys, texts, inside, &one)
        else keys.each_with_index { |key, index| one.call(key, texts[index]) }
        end
        PartCache.of_store { CacheStore.write(store, fresh, @options) } unless fresh.empty?
        return unless failed

        objects.shift
        raise failed
      end

      # Writes a batch of which the store does not have some elements. The parts inside these are
      # looked up together.
      def write_missing(w, objects, keys, texts, inside)
        places = keys.each_index.to_a
        parts = Missing.new(inside, objects.dup, texts)
        Prefetch.each(w, parts, inside.s, places, inside.mask) do |index|
          yield keys[index], texts[index]
        end
      end

      def write_element(w, s, object, key, text, ahead, fresh)
        text ||= ahead[key] || nil
        if text then w.splice(text)
        elsif nil == object then w.splice(NULL)
        elsif key.nil? then w.apart { yield object }
        elsif (text = capture(w, s) { yield object })
          ahead[key] == false ? ahead.keep(key, text) : fresh[key] = text
        end
      end

      # @return [Array(Array, Exception or nil)] the keys of the objects up to the first that
      #   fails, and its exception. The objects before are written first, so that the exception
      #   gets the path of its object.
      def keys_of(objects, prefix, s, told)
        keys = []
        objects.each { |object| keys << (key(prefix, s, object, told) unless nil == object) }
        [keys, nil]
      rescue StandardError => error
        [keys || [], error] # nil: the exception of a Timeout came before the first line
      end

      # `fetch` of the store calls the block, which writes the text, or returns a text, which is
      # written. A text that must not be kept leaves `fetch` by a throw, because the store keeps
      # whatever the block of `fetch` returns.
      def by_fetch(w, s, store, key, &)
        text, written = instrument(1) { fetched(w, s, store, key, &) }
        return if written
        return w.splice(text) if text

        text = capture(w, s, &)
        if text && store.respond_to?(:write)
          PartCache.of_store { store.write(key, text, **@options.store_options) }
        end
      end

      # @return [Array(String or nil, Array or nil)] the text of the store; not nil if the block
      #   has written the text
      def fetched(w, s, store, key, &)
        failed = written = over = nil
        given = catch(w) do
          store.fetch(key, **@options.store_options) do
            next refuse_late if over

            written ||= [capture(w, s, &)] # once, however often the store calls this block
            written.first || throw(w)
          rescue StandardError => failed
            raise
          end
        end
        [(given if !written && usable?(given)), written]
      rescue StandardError => error
        PartCache.mark(error) unless error.equal?(failed)
        raise
      ensure
        over = true
      end

      # Refuses a store that calls the block later, because another document may use the Writer by
      # then.
      def refuse_late
        raise CacheError,
              "#{@place}: the store called the block of fetch after fetch had returned. Use a " \
              "store that calls it before, or not at all."
      end

      # Writes a collection in a document whose parts must not be cached.
      # @return [Boolean] false: nothing was written, because `Writer.missing` does not want the
      #   objects
      def many_anew(w, s, collection, mask, &write)
        return false unless tells_missing?

        CacheBatches.each(w, collection, @options.batch) do |batch|
          write_anew(w, s, batch, mask, &write)
        end
        true
      end

      # Shifts each object off the Array before it is written.
      def write_anew(w, s, batch, mask, &write)
        flushes = w.flushes?
        missing(w, s, batch.compact, mask)
        until batch.empty?
          write_element(w, s, batch.shift, nil, nil, {}, nil, &write)
          w.flush_if_due if flushes
        end
      end

      # For stores with `fetch`. Shifts each object off the Array before it is written.
      def write_each(w, s, batch, mask)
        until batch.empty?
          object = batch.shift
          nil == object ? w.splice(NULL) : one(w, s, object, mask) { yield object }
          w.flush_if_due if w.flushes?
        end
      end

      # @param keys [Array<String, nil>]
      # @param ahead [Prefetch::Known, nil] what a Prefetch has found already
      # @return [Array<String, nil>] the text for each key, or nil; the store is asked for each key
      #   once
      def found(store, keys, ahead = nil)
        asked = keys.compact
        asked.uniq!
        asked.select! { |key| ahead[key].nil? } if ahead
        return keys.map { |key| (ahead[key] if ahead && key) || nil } if asked.empty?

        texts = instrument(asked.size) do
          PartCache.of_store { CacheStore.read(store, asked, @options) }.map! do |text|
            text if usable?(text)
          end
        end
        return texts if asked.size == keys.size

        texts = asked.zip(texts).to_h
        keys.map { |key| texts[key] || (ahead[key] if ahead && key) || nil }
      end

      # @return [String, nil] the text that the block wrote; nil if it must not be kept
      def capture(w, s, &)
        text = w.capture(s, allowed_reads, &)
        unkept if text.nil? && !declared?
        text
      end

      # Tells subscribers that parts of this cache are never kept. It does so once.
      # @return [nil]
      def unkept
        return if @unkept

        notifications = listening(UNKEPT) or return
        @unkept = true
        notifications.instrument(UNKEPT, serializer: @serializer_class, name: @name)
        nil
      end

      # @return [Module, nil] ActiveSupport::Notifications, if somebody listens
      def listening(event = EVENT)
        found = Library.loaded(:ActiveSupport, :Notifications)
        found if found&.notifier&.listening?(event)
      end
    end
  end
end
