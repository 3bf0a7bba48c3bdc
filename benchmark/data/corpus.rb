# frozen_string_literal: true

require "json"
require "yaml"

module Bench
  # The documents of scenario 8, parsed: the corpus beside the checkout, or where it does not stand
  # documents of the same shapes and sizes, made from a seed by corpus.yml.
  module Corpus
    NAMES = %w[activitypub canada citm_catalog ohai twitter].freeze
    DIRECTORY = File.expand_path("../../../shared/data/corpus", __dir__)
    SYLLABLES = %w[ka lo mi ner do ta ri sun vel po qua zet].freeze
    KANA = %w[あ い う え お か き く け こ 日 本 語 東 京].freeze

    # One document from its template (corpus.yml says what may stand in one).
    class Seeded
      def initialize(templates, seed)
        @templates, @random = templates, Random.new(seed)
      end

      def fill(template, index = 0)
        case template
        when Array then template.map { |element| fill(element, index) }
        when Hash then fill_hash(template, index)
        when /\A=(\w+) ?(.*)\z/ then send("make_#{$1}", $2, index)
        when String then template.gsub(/\{(.*?)\}/) { fill("=#{$1}", index).to_s }
        else template
        end
      end

      private

      def fill_hash(template, index)
        list, map, merge = template.values_at("LIST", "MAP", "MERGE")
        return Array.new(count(list)) { |i| fill(template["OF"], i) } if list

        if map
          return Array.new(map) { |i| [fill(template["KEY"], i), fill(template["OF"], i)] }.to_h
        end

        own = template.except("MERGE").transform_values { |value| fill(value, index) }
        merge ? fill(merge, index).merge(own) : own
      end

      def count(list) = list.is_a?(Array) ? @random.rand(list[0]..list[1]) : list
      def make_index(add, index) = add.to_i + index
      def make_id(base, _index) = base.to_i + @random.rand(10**6)
      def make_int(most, _index) = @random.rand(most.to_i)
      def make_bool(_, _index) = @random.rand(2) == 1
      def make_use(name, index) = fill(@templates.fetch(name), index)

      def make_float(range, _index)
        from, width = range.split.map(&:to_f)
        from + (@random.rand * width)
      end

      def make_words(count, _index)
        Array.new(count.to_i) do
          Array.new(2 + @random.rand(2)) { SYLLABLES.sample(random: @random) }.join
        end.join(" ")
      end

      def make_japanese(size, _index)
        Array.new(size.to_i) { KANA.sample(random: @random) }.join
      end

      def make_url(path, _index) = "https://example.com/#{path}/#{@random.rand(10**9)}"
    end

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
        Seeded.new(templates, NAMES.index(name) + 1).fill(templates.fetch(name))
      end
    end
  end
end
