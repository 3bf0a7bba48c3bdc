# frozen_string_literal: true

# Fuzz. Caches across calls, contexts and deploys: a document is the same with a store as without
# one, whatever the store kept before.

require "to_json/json_api"
require "to_json/hal"
require_relative "generator"
require_relative "simpler"
require_relative "../kit/rows"

module Fuzz
  # The target "caches".
  class CachesTarget
    # Counts the texts that it returned.
    class Store
      attr_reader :found

      def initialize = (@texts, @found = {}, 0)
      def [](key) = @texts[short(key)].tap { |text| @found += 1 if text }

      def []=(key, text)
        @texts[short(key)] = text
      end

      private

      # The whole key. A test has a Store that loses a part of it.
      def short(key) = key
    end

    # @param store [Class] what keeps texts
    def initialize(store: Store)
      @store = store
    end

    def name = "caches"

    def rows
      [*Caches::Generator::FORMATS.uniq.map { |format| "from the store: #{format}" },
       "a value tells a serializer", "a deploy changes texts", "a deploy changes no text",
       *Caches::SUBJECTS.map { |subject| "changed: #{subject}" }]
    end

    def generate(dice) = Caches::Generator.new(dice).case
    def simpler(found) = Caches::Simpler.of(found)

    def source(found)
      classes = { "before" => found.before, "after" => found.after }.flat_map do |time, lines|
        ["# #{time} the deploy", *code(lines).lines.map { |line| "#   #{line}".rstrip }]
      end
      calls = found.calls.map { |call| "# #{call}" }
      [*classes, *calls, 'require "fuzz/caches/target"',
       "found = #{Marshal.dump(found).inspect}.b",
       "puts Fuzz::CachesTarget.new.check(Marshal.load(found))"].join("\n")
    end

    # @return [String, nil] what is wrong
    def check(found, rows = nil)
      kept = ToJson.cache_store
      store, untold = @store.new, untold?(found)
      texts = [found.before, found.after, found.before].each_with_index.map do |classes, time|
        store = @store.new if untold # keys do not see these serializers across deploys
        deploy(classes)
        found.calls.map do |call|
          due = answer(call, false)
          problem = with_store(call, due, store, rows)
          return "deploy #{time}, #{call}: #{problem}" if problem

          due
        end
      end
      count(found, texts, untold, rows) if rows
      nil
    ensure
      ToJson.cache_store = kept
    end

    private

    # Twice, since the first document may fill the store.
    def with_store(call, due, store, rows)
      2.times do
        before = store.found
        given = answer(call, store)
        return "due #{due}, got #{given}" unless given == due

        rows&.reached("from the store: #{call.method}") if store.found > before
      end
      nil
    end

    def answer(call, store)
      ToJson.cache_store = store
      Caches::Deployed.const_get(call.serializer).public_send(
        call.method, call.object ? nodes[call.object] : nodes, **call.options
      )
    rescue ToJson::Error => error
      error.class.name # a key is made before the object is read, so the message may differ
    end

    def deploy(classes)
      Caches.send(:remove_const, :Deployed) if Caches.const_defined?(:Deployed, false)
      Caches.const_set(:Deployed, Module.new)
      # All of them, because the lines name each other.
      classes.each_key { |name| Caches::Deployed.const_set(name, Class.new(ToJson::Serializer)) }
      Caches.module_eval("module Deployed\n#{code(classes)}end", "deployed.rb", 0)
    end

    def code(classes)
      classes.map do |name, lines|
        "class #{name}\n#{lines.values.join("\n").gsub(/^/, "  ")}\nend\n"
      end.join
    end

    def untold?(found)
      [found.before, found.after].flat_map(&:values).any? do |lines|
        lines.slice(*Caches::ASSOCIATIONS.keys).each_value.any? do |line|
          line.include?("(") && !line.match?(/ serializer: [^-]/)
        end
      end
    end

    def count(found, texts, untold, rows)
      rows.reached("a value tells a serializer") if untold
      return if found.before == found.after

      rows.reached("a deploy changes #{texts[0] == texts[1] ? "no text" : "texts"}")
      found.before.each do |name, lines|
        (lines.keys | found.after[name].keys).each do |subject|
          rows.reached("changed: #{subject}") unless lines[subject] == found.after[name][subject]
        end
      end
    end

    # Each leads to others, none to itself.
    def nodes
      @nodes ||= Array.new(5) do |index|
        Caches::TYPES[index % 3].new("n#{index}", index + 1, "u#{index}", "Name #{index}")
      end.tap do |all|
        all.each_with_index do |node, index|
          node.kid, *node.kids = all[index + 1], *all[index + 1, 2]
          node.pal, *node.pals = all[index + 2], *all[index + 2, 2]
        end
      end
    end
  end
end
