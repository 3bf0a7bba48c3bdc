# frozen_string_literal: true

require_relative "../contenders/listed"
require_relative "../data/plain_values"

# Arrays of one kind of value; values.yml has who writes them.
Bench.scenario 12, "values", "values of one kind" do
  forget = "v.each { |text| text.force_encoding(Encoding::BINARY)" \
           ".force_encoding(Encoding::UTF_8) }"

  Bench::Listed.tables(File.join(__dir__, "values")).each do |name, spec|
    next if name.start_with?("_")

    table name, quick: spec.fetch("quick", true) do
      data { Bench::PlainValues[(spec["data"] || name).to_sym] }
      Bench::Listed.generators(self, floats: spec["generators"] == "floats") if spec["generators"]
      Bench::Listed.add(self, spec, {"FORMAT" => spec["format"], "FORGET" => forget})
    end
  end
end
