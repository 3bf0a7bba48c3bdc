# frozen_string_literal: true

require "json"
require "yaml"

module Bench
  # The documents of scenario 8, parsed: the corpus beside the checkout, or where it does not stand
  # documents of the same shapes and sizes, made from a seed by the templates of corpus.yml.
  module Corpus
    NAMES = %w[activitypub canada citm_catalog ohai twitter].freeze
    DIRECTORY = File.expand_path("../../../shared/data/corpus", __dir__)
    SYLLABLES = %w[ka lo mi ner do ta ri sun vel po qua zet].freeze
    KANA = %w[あ い う え お か き く け こ 日 本 語 東 京].freeze
    # What text may ask for in a template: its argument and its place in the list are given.
    WORDS = {
      "index" => ->(_, add, index) { add.to_i + index },
      "id" => ->(random, base, _) { base.to_i + random.rand(10**6) },
      "int" => ->(random, most, _) { random.rand(most.to_i) },
      "bool" => ->(random, *) { random.rand(2) == 1 },
      "float" => ->(random, range, _) {
        range.split.map(&:to_f).then { |a, b| a + (random.rand * b) }
      },
      "words" => lambda { |random, count, _|
        Array.new(count.to_i) do
          Array.new(2 + random.rand(2)) { SYLLABLES.sample(random: random) }.join
        end.join(" ")
      },
      "japanese" => lambda { |random, size, _|
        Array.new(size.to_i) { KANA.sample(random: random) }.join
      },
      "url" => ->(random, path, _) { "https://example.com/#{path}/#{random.rand(10**9)}" }
    }.freeze

    class << self
      # The same document parsed twice: two trees that share their keys only.
      def trees(name) = Array.new(2) { JSON.parse(text(name)) }

      # What is parsed.
      def text(name)
        path = File.join(DIRECTORY, "#{name}.json")
        File.file?(path) ? File.read(path, encoding: "UTF-8") : JSON.generate(seeded(name))
      end

      # The document that stands for the file of that name.
      def seeded(name)
        raise ArgumentError, "no document is named #{name}" unless NAMES.include?(name)

        templates = YAML.safe_load_file(File.join(__dir__, "corpus.yml"))
        fill(templates.fetch(name), 0, templates, Random.new(NAMES.index(name) + 1))
      end

      private

      def fill(template, index, *more)
        case template
        when Array then template.map { |element| fill(element, index, *more) }
        when Hash then fill_hash(template, index, *more)
        when /\A=use (.*)\z/ then fill(more.first.fetch($1), index, *more)
        when /\A=(\w+) ?(.*)\z/ then WORDS.fetch($1).call(more.last, $2, index)
        when String then template.gsub(/\{(.*?)\}/) { fill("=#{$1}", index, *more).to_s }
        else template
        end
      end

      def fill_hash(template, index, *more)
        list, map, merge, of = template.values_at("LIST", "MAP", "MERGE", "OF")
        list = more.last.rand(list[0]..list[1]) if list.is_a?(Array)
        return Array.new(list) { |i| fill(of, i, *more) } if list
        if map
          return Array.new(map) { |i| [fill(template["KEY"], i, *more), fill(of, i, *more)] }.to_h
        end

        own = template.except("MERGE").transform_values { |value| fill(value, index, *more) }
        merge ? fill(merge, index, *more).merge(own) : own
      end
    end
  end
end
