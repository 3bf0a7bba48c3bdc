# frozen_string_literal: true

# Layer: caching. Splits a collection into batches, so that the cached texts of a batch are looked
# up together.

module ToJson
  class Compiler
    # Yields the elements of a collection in batches. {PartCache} and {PartsInside} write them.
    module CacheBatches
      class << self
        # Yields Arrays of up to `size` elements, in order. The block shifts each element off the
        # Array before it writes that element. If the block raises and the `each` of the collection
        # rescues the exception, the rest of the Array is yielded again with the next elements. If
        # the `each` itself raises, the elements that it gave before are yielded first. So an error
        # has the same index as without batches.
        # @param collection [Object] what is written as an array; not a Hash
        # @param size [Integer] ignored if `flush:` wants each element delivered at once and the
        #   collection is no list: then each Array has one element
        def each(w, collection, size, &)
          list = list(collection) or return of_source(w, collection, w.flushes? ? 1 : size, &)

          at = 0
          while (batch = list[at, size]) && !batch.empty? # keys and getters may change it
            at += batch.size
            yield batch
          end
        end

        # @return [Array, nil] the elements, if the collection is an Array or has `to_ary` (a
        #   relation); nil: only `each` gives them
        def list(collection)
          return collection if Array === collection
          return unless collection.respond_to?(:to_ary)

          Array === (list = collection.to_ary) ? list : nil
        end

        private

        def of_source(w, collection, size)
          batch, ours = [], nil
          begin
            w.each(collection, true) do |object|
              next if (batch << object).size < size

              begin
                yield batch
              rescue StandardError => ours
                raise
              end
            end
          rescue StandardError => failed
            raise if ours && (failed.equal?(ours) || ours.equal?(failed.cause))
          end
          yield batch until batch.empty?
          raise failed if failed
        end
      end
    end
  end
end
