# frozen_string_literal: true

require_relative "../contenders/listed"
require_relative "../data/corpus"
require_relative "../data/trees"

# Scenarios 8 and 11 for those who change the library and nothing else: each dialect beside what it
# stands for, byte for byte, the hooks that serve a library's own call, and the validator beside the
# parser.
Bench.scenario 21, "drop_in", "dialects beside their libraries" do
  corpus = Bench::Corpus::NAMES
  documents = {"small" => :small, "rows" => :rows, "rows, Symbols" => :symbol_rows}
              .merge(corpus.to_h { |name| [name, nil] })
  quick = ["json, rows", "validation, twitter"]

  Bench::Listed.tables(File.join(__dir__, "drop_in")).each do |library, spec|
    texts = library == "validation"
    (texts ? corpus.to_h { |name| [name, nil] } : documents).each do |name, method|
      table "#{library}, #{name}", quick: quick.include?("#{library}, #{name}") do
        needs "json" unless method
        data do
          next Array.new(2) { Bench::Corpus.text(name) } if texts

          method ? Bench::Trees.public_send(method) : Bench::Corpus.trees(name)
        end
        Bench::Listed.add(self, spec)
        reach "to_json, :json", over: "json", at_least: 1.5 if library == "json" && method.nil?
      end
    end
  end
end
