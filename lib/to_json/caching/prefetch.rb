# frozen_string_literal: true

# Layer: caching. Looks up the cached texts of elements that are not written yet, many at once.

module ToJson
  class Compiler
    # Finds the cached parts of some elements before these are written. Parts that the stores do not
    # have are written with the elements, and all go to the stores together afterwards. The keys
    # that were made ahead are kept by object. If an object was not read ahead, its key is made when
    # its part is written.
    class Prefetch
      # The most keys that are looked up together, and the most elements that are read before the
      # first of them is written.
      MOST = 500
      # The most rounds of one Prefetch. Each round looks up the parts inside those that the last
      # round did not find.
      MOST_ROUNDS = 8
      # The most associations inside each other.
      MOST_DEPTH = 32

      # The parts of one {PartCache}. `texts`: the text of each key, false if the store does not
      # have it. `due`: the keys to look up, each with a Proc that looks for the parts inside, and
      # the index of the element.
      # `keys`: the key of each object, for the serializer `s` and the fields `left` by a Mask.
      Known = Struct.new(:cache, :store, :texts, :due, :fresh, :keys, :address, :s, :left, :mask) do
        # @param key [String] of this cache
        # @return [String, false, nil] the text; false: the store does not have it; nil: the store
        #   was not asked
        def [](key) = texts[key]

        # Keeps the text of a part that the store does not have.
        def keep(key, text) = texts[key] = fresh[key] = text

        # @param found [Array<String, nil>] the texts of the keys that were due
        # @return [Array<Array(Proc, Integer)>] what looks for the parts inside the missing ones
        def settle(found, w)
          tell_missing(found, w) if cache.tells_missing?
          insides = due.filter_map do |key, inside|
            inside unless (texts[key] = found.shift || false)
          end
          due.clear
          insides
        end

        def tell_missing(found, w)
          lacking = due.each_key.zip(found).to_h
          objects = keys.filter_map { |one, key| one if lacking.key?(key) && lacking[key].nil? }
          cache.missing(w, s, objects, mask)
        end

        # Caches with an equal group are looked up together.
        def group = [store.object_id, cache.store_options]
      end

      class << self
        # Takes as many objects as one look-up can serve, looks their parts up, and yields each
        # object to be written; then takes the next ones. Each object is shifted off the Array
        # before it is yielded. If reading an object ahead raises, the objects up to this one are
        # yielded first. Writing this one usually raises the exception again, with its path. If not,
        # `lenient` decides:
        #
        # - false: the exception is raised here.
        # - true: reading it ahead is tried again first. If that raises again, the exception is
        #   ignored, because the object could be written. If it does not, the exception came from
        #   another thread, and writing the record raises it.
        # @param code [Module, nil] has the method `ahead`; nil: nothing is looked for
        # @param objects [Array]
        # @param lenient [Boolean] true: the objects are records, and `on_error:` is asked about
        #   their exceptions
        # @yield [object]
        def each(w, code, s, objects, mask, lenient = false, &)
          each_of_batch(w, code, s, objects, mask, lenient, &) until objects.empty?
        end

        private

        def each_of_batch(w, code, s, objects, mask, lenient)
          ahead = new
          count, failed, at = ahead.over(w, code, s, objects, mask)
          raise failed if failed && count.zero?

          suspects = at ? [objects[at]] : objects.first(count)
          outside = lenient && failed && from_outside?(failed, w, code, s, suspects, mask)
          ahead.within(w) do
            (failed && !lenient && at ? at + 1 : count).times do |index|
              break if objects.empty?

              if outside && index == (at || 0) then fail_late(w, failed) { yield objects.shift }
              else yield objects.shift
              end
            end
          end
          raise failed if failed && !lenient
        end

        # Whether the exception came only once: reading the objects ahead again, each by itself,
        # does not raise it. So it came from another thread, such as that of a Timeout. After this,
        # what one object lacks does not keep the others from being preloaded.
        def from_outside?(failed, w, code, s, objects, mask)
          FromOutside.raised?(failed) do
            errors = objects.filter_map { |object| new.over(w, code, s, [object], mask)[1] }
            raise errors.first unless errors.empty?
          end
        end

        # Makes writing the record raise the exception, so that `on_error:` is asked about it.
        def fail_late(w, failed)
          w.failed_ahead = failed
          yield
        ensure
          w.failed_ahead = nil
        end
      end

      def initialize
        @known, @made = {}.compare_by_identity, {}.compare_by_identity
        @room, @depth, @at = MOST, 0, nil
      end

      # @return [Array(Integer, Exception or nil, Integer or nil)] the number of objects that were
      #   read ahead; an exception; the index of the object that was read when it was raised, or nil
      #   if all were looked up or preloaded then
      def over(w, code, s, objects, mask)
        @w, count = w, 0
        while count < objects.size && count < MOST && @room.positive?
          object = objects[count]
          count += 1
          @at = count - 1 # less than count at every line: a Timeout may end this method here
          code.ahead(w, s, object, mask, self) unless nil == object
        end
        ask
        [count, nil, nil]
      rescue StandardError => error
        raise if PartCache.of_store?(error)

        [count || 0, error, @at] # nil: the exception of a Timeout came before the first line
      end

      # While the block runs, the caches of the document find their parts here.
      def within(w)
        before = w.ahead
        begin
          w.ahead = self
          yield
          write
        ensure
          w.ahead = before
        end
      end

      # @return [Known, nil] the parts of that cache; nil: they cannot be looked up ahead
      def known(cache, w, s, left)
        known = @known[cache]
        return known if known && s.equal?(known.s) && left == known.left

        address = cache.address(w, s, left)
        unless address && !CacheStore.fetch?(
                 address.first, cache.options
               ) && (known.nil? || address.first.equal?(known.store))
          return
        end

        # Another serializer, or other fields, get a new Known. It is not stored before it is
        # complete: a Timeout may end this method at any line, and a Known that is changed in place
        # could keep the keys of another context.
        shared = known ? known.to_a.first(5) : [cache, address.first, {}, {}, {}]
        @known[cache] = Known.new(*shared, {}.compare_by_identity, address, s, left)
      end

      # @return [Known, nil] if its keys are those of that serializer and those fields
      def of(cache, s, left)
        known = @known[cache]
        known if known && s.equal?(known.s) && left == known.left
      end

      # @return [Object] what the block returns; it is called once for all values of a Site
      def once(site, s, left)
        made = @made[site]
        return made.last if made && s.equal?(made[0]) && left.equal?(made[1])

        yield.tap { |given| @made[site] = [s, left, given] }
      end

      # @return [Known, nil]
      def [](cache, store)
        known = @known[cache]
        known if known && store.equal?(known.store)
      end

      # @param inside [Proc, nil] looks for the parts inside, if the store does not have this one
      def want(known, object, key, inside)
        known.keys[object] = key
        return if known.texts.key?(key) || known.due.key?(key) || !room?

        @room -= 1
        known.due[key] = inside && [inside, @at]
      end

      # Yields, unless the parts inside are too deep.
      def deeper
        return if (@depth += 1) > MOST_DEPTH

        yield
      ensure
        @depth -= 1
      end

      # Whether more parts may be looked for. The others are looked up when they are written.
      def room? = @room.positive?

      private

      def ask
        MOST_ROUNDS.times do
          due = @known.each_value.reject { |known| known.due.empty? }
          return if due.empty?

          @at = nil
          insides = due.group_by(&:group).each_value.flat_map { |group| look_up(group) }
          insides.each do |inside, at|
            @at = at
            inside.call
          end
        end
      end

      # One look. Each cache tells subscribers about its own parts.
      def look_up(group)
        found = nil
        read = lambda do
          keys = group.flat_map { |known| known.due.keys }
          texts = PartCache.of_store do
            CacheStore.read(group.first.store, keys, group.first.cache.options)
          end
          found = group.map do |known|
            texts.shift(known.due.size).map! { |text| text if known.cache.usable?(text) }
          end
        end
        group.each_with_index.reverse_each do |known, index|
          inner = read
          read = -> { known.cache.instrument(known.due.size) { inner.call && found[index] } }
        end
        read.call
        group.each_with_index.flat_map { |known, index| known.settle(found[index].dup, @w) }
      end

      def write
        due = @known.each_value.reject { |known| known.fresh.empty? }
        due.group_by(&:group).each_value do |group|
          texts = group.map(&:fresh).inject(:merge)
          PartCache.of_store do
            CacheStore.write(group.first.store, texts, group.first.cache.options)
          end
        end
      end
    end
  end
end
