# frozen_string_literal: true

# Layer: caching. Looks up the cached texts of elements that are not written yet, many at once.

module ToJson
  class Compiler
    # What stores have of the parts of some elements, and what was made of those that they have not:
    # written together when the elements are. It knows keys by their objects; another object's is
    # made where its part is due: what was read ahead in vain is not used.
    class Prefetch
      # Keys looked up together, and elements: no more are read before the first is written.
      MOST = 500
      # Parts in parts that are not there, by the depth.
      MOST_ROUNDS = 8
      # Associations in associations.
      MOST_DEPTH = 32

      # Of one {PartCache}. `texts`: String; false for what was asked for in vain. `due`: what is
      # to be asked, and the parts inside. `keys`: of objects, for that serializer and what a Mask
      # leaves.
      Known = Struct.new(:cache, :store, :texts, :due, :fresh, :keys, :address, :s, :left, :mask) do
        # Keys are this cache's own.
        # @return [String, false, nil] nil: not asked
        def [](key) = texts[key]

        # A part was made that the store has not.
        def keep(key, text) = texts[key] = fresh[key] = text

        # @param found [Array<String, nil>] the texts of what was due
        # @return [Array<Proc>] what looks for the parts inside of what was not there
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

        # Whose keys enter one look.
        def group = [store.object_id, cache.store_options]
      end

      class << self
        # Looks ahead for the first of the objects, as many as one look serves, and yields each of
        # those to be written; then the next. Each is shifted off before. What is raised while the
        # parts are looked for is raised where they are written: there it has its path; at the
        # latest when that element is.
        # @param code [Module, nil] what answers `ahead`; nil: nothing is looked for
        # @param objects [Array]
        # @param lenient [Boolean] whether that is not raised again, once the element was written
        # @yield [object]
        def each(w, code, s, objects, mask, lenient = false, &)
          of_one_look(w, code, s, objects, mask, lenient, &) until objects.empty?
        end

        private

        def of_one_look(w, code, s, objects, mask, lenient)
          ahead = new
          count, failed = ahead.over(w, code, s, objects, mask)
          ahead.within(w) do
            yield objects.shift while !objects.empty? && (count -= 1) >= 0
          end
          raise failed if failed && !lenient
        end
      end

      def initialize
        @known, @made = {}.compare_by_identity, {}.compare_by_identity
        @room, @depth = MOST, 0
      end

      # @return [Array(Integer, Exception or nil)] for how many of the objects; what was raised on
      #   the way
      def over(w, code, s, objects, mask)
        @w, count = w, 0
        while count < objects.size && count < MOST && @room.positive?
          object = objects[count]
          count += 1
          code.ahead(w, s, object, mask, self) unless nil == object
        end
        ask
        [count, nil]
      rescue StandardError => error
        raise if PartCache.of_store?(error)

        [count, error]
      end

      # While the block runs, the document's parts are found here.
      def within(w)
        before, w.ahead = w.ahead, self
        yield
        write
      ensure
        w.ahead = before
      end

      # @return [Known] of that cache, and what is the same for all of its parts
      def known(cache, w, s, left)
        known = @known[cache]
        return known if known && s.equal?(known.s) && left == known.left

        address = cache.address(w, s, left)
        unless address && !CacheStore.fetch?(
                 address.first, cache.options
               ) && (known.nil? || address.first.equal?(known.store))
          return
        end

        known ||= @known[cache] = Known.new(cache, address.first, {}, {}, {})
        known.address, known.s, known.left, known.keys = address, s, left, {}.compare_by_identity
        known
      end

      # @return [Known, nil] whose keys are good for that serializer and what a Mask leaves
      def of(cache, s, left)
        known = @known[cache]
        known if known && s.equal?(known.s) && left == known.left
      end

      # What the block makes, once for all values of a site.
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

      # @param inside [Proc, nil] looks for the parts within that one, if it is not there
      def want(known, object, key, inside)
        known.keys[object] = key
        return if known.texts.key?(key) || known.due.key?(key) || !room?

        @room -= 1
        known.due[key] = inside
      end

      # Looks for parts one level deeper, unless that is deep.
      def deeper
        return if (@depth += 1) > MOST_DEPTH

        yield
      ensure
        @depth -= 1
      end

      # Whether more is to be looked for. Parts that are left out are looked up where they are
      # written.
      def room? = @room.positive?

      private

      def ask
        MOST_ROUNDS.times do
          due = @known.each_value.reject { |known| known.due.empty? }
          return if due.empty?

          insides = due.group_by(&:group).each_value.flat_map { |group| look_up(group) }
          insides.each(&:call)
        end
      end

      # One look. Each cache tells those who listen of its own part.
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
