# frozen_string_literal: true

# Fuzz, target "caches". Cases with less in them.

require_relative "generator"
require_relative "../kit/shrinker"

module Fuzz
  module Caches
    # Makes the cases that are a step simpler than another.
    module Simpler
      module_function

      # @param found [Case]
      # @return [Enumerator<Case>]
      def of(found)
        Enumerator.new do |out|
          Shrinker.sublists(found.calls).each do |calls|
            out << Case.new(found.before, found.after, calls) if calls.any?
          end
          lines(found) do |before, after|
            out << Case.new(before, after, found.calls) unless [before, after] == found.first(2)
          end
          Shrinker.one_simpler(found.calls) { |call| calls(call) }.each do |calls|
            out << Case.new(found.before, found.after, calls)
          end
        end
      end

      # Without the deploy; without a line; with a line that the deploy does not change.
      def lines(found)
        before, after = found.before, found.after
        yield before, before
        before.each do |name, given|
          ((given.keys | after[name].keys) - [:helper]).each do |subject| # others call it
            yield(*[before, after].map { |one| one.merge(name => one[name].except(subject)) })
            yield before, after.merge(name => after[name].merge(given.slice(subject)))
          end
        end
      end

      def calls(call)
        call.options.each_key.map do |option|
          call.dup.tap { |less| less.options = call.options.except(option) }
        end
      end
    end
  end
end
