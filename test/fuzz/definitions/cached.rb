# frozen_string_literal: true

# Fuzz. The same classes with their objects cached: a document is what it is without, made anew and
# from the store.

module Fuzz
  module Definitions
    # Of DefinitionsTarget.
    module Cached
      # Of so many cases one is tried, and each that is being made small.
      ONE_IN = 4
      MOST = 1
      VARIED = [%i[only except], %i[view], %i[rules], %i[only except view rules]].freeze
      # Objects and contexts by themselves: all else must be in the keys. A context that is made for
      # a call has no hits.
      KEY = ->(object) { object.__id__ }
      CONTEXT = ->(context) { context.inspect }

      private

      def cached(world, calls)
        return unless @rows.nil? || ((@turn = @turn.to_i + 1) % ONE_IN).zero?

        # A text is not measured again where it is spliced.
        calls = varied(calls.select { |call, _| call.max_depth.nil? })
        due = with_caches(world, nil) do
          calls.map { |id, options, given| answer(world, id, options, given) }
        end
        with_caches(world, store = {}) do
          2.times do
            calls.zip(due) do |(id, options, given), result|
              problem = difference_of(
                result, answer(world, id, options, given)
              ) and return "cached, #{id} with #{options.inspect}: #{problem}"
            end
          end
        end
        reached("cached") unless store.empty?
        nil
      end

      # Each object also with less said: what was left out must have been in the keys.
      def varied(calls)
        calls.first(MOST).flat_map do |call, given|
          options = { **call.options, **{ collection: call.collection }.compact }
          [options, *VARIED.map { |names| options.except(*names) }].uniq.map do |some|
            [call.id, some, given]
          end
        end
      end

      def answer(world, id, options, given) = outcome { world[id].json!(given, **options) }

      def difference_of(due, result)
        if if due.text
             due.text == result.text
           else
             result.error && kind(due.error) == kind(result.error)
           end
          return
        end

        "#{due} is due, got #{result}"
      end

      # A serialize of its own is refused. Every other time half of the classes are not cached, so
      # that what is within them is looked ahead for.
      def with_caches(world, store)
        classes = world.classes.each_value.to_a
        @half = !@half if store
        classes.each_with_index do |klass, index|
          if store && cacheable?(klass) && (@half || index.odd?)
            klass.cache(key: KEY, store: store, context: CONTEXT)
          else
            klass.cache(false)
          end
        end
        yield
      ensure
        classes.each { |klass| klass.cache(false) }
      end

      def cacheable?(klass) = klass.declared? && !ToJson::PlanCache.imperative?(klass)
    end
  end
end
