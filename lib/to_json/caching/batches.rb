# frozen_string_literal: true

# Layer: caching. Splits a collection into batches, so that the cached texts of a batch are looked
# up together.

module ToJson
  class Compiler
    # Parts a collection for whoever writes it.
    module Batches
      class << self
        # Yields Arrays of up to `size` elements, in order. The block shifts off what it has
        # written, or tried to: where it raises and the source's `each` rescues that, the rest is
        # yielded again with what comes next. Where the source itself raises, what it gave before is
        # yielded first: as without batches, so that the error has its index.
        # @param collection [Object] what is many, and no Hash
        # @param size [Integer] 1 for sources that are no list yet, where what was given must leave
        #   at once
        def each(w, collection, size, &)
          list = list(collection) or return of_source(w, collection, w.flushes? ? 1 : size, &)

          at = 0
          while (batch = list[at, size]) && !batch.empty? # keys and getters may change it
            at += batch.size
            yield batch
          end
        end

        # @return [Array, nil] what is all there, as of a relation; nil: elements come as they are
        #   made
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
