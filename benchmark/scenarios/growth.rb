# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../data/blog"

# Does a record cost more among many? The same 1,000 objects over and over, so that what grows is
# only the document. At 10 records the call itself is what shows.
Bench.scenario 14, "growth", "10 to 1,000,000 records" do
  numbers = [10, 1_000, 100_000, 1_000_000]

  table "records", measure: "growth", records: numbers, base: 1_000, quick_records: 100_000 do
    data { Bench::Blog.comments(periods: 1) }
    setup :ours, "require \"stringio\"\n" +
                 Bench::Gems.classes("Our", "Comment", Bench::Blog::COMMENT)

    contender "to_json, to an IO", :ours, before: 'io = File.open(File::NULL, "wb")',
                                          code: "OurComment.json!(v, into: io)", document:
      'OurComment.json!(v, into: StringIO.new(+"")).string'
    contender "to_json, to a String", :ours, code: "OurComment.json!(v)"
    # The least that a document in one String takes, whoever writes it: its bytes, 1,000 records a
    # piece, are appended. Most of it is the first touch of new pages.
    contender "lower bound, the text appended", :control,
              before: "pieces = {}.compare_by_identity", code: <<~RUBY
                piece = pieces[v] ||= OurComment.json!(v.first(1_000))[1..-2]
                text = String.new("[") << piece
                ((v.size / 1_000) - 1).times { text << "," << piece }
                text << "]"
              RUBY

    numbers.each do |number|
      # Unjudged at 10: what a call costs beside its records.
      {"to an IO" => 1.1, "to a String" => 1.5}.each do |sink, most|
        limit "to_json, #{sink}", metric: "growth", at: number, at_most: (most if number > 1_000)
      end
    end
  end
end
