# frozen_string_literal: true

# Scenario 14. Does a record cost more among many? The same 1,000 objects over and over, so that what grows is only the document.
# At 10 records the call itself is what shows; growth is set in relation to 1,000.

require_relative "../support/blog"

Bench.scenario 14, "growth", "10 to 1,000,000 records" do
  numbers = [10, 1_000, 100_000, 1_000_000]

  table "records", measure: "growth", records: numbers, base: 1_000, quick_records: 100_000 do
    data { Bench::Blog.comments(periods: 1) }

    setup(:ours) do
      require "stringio"
      require_relative "../support/blog/ours"
    end

    contender "to_json, to an IO", :ours, before: 'io = File.open(File::NULL, "wb")', code: "OurBlog::Comment.json!(v, into: io)",
                                          document: 'OurBlog::Comment.json!(v, into: StringIO.new(+"")).string'
    contender "to_json, to a String", :ours, code: "OurBlog::Comment.json!(v)"

    # The least that a document in one String takes, whoever writes it: its bytes, 1,000 records a piece, are appended. Most of it is the
    # first touch of new pages. Beside our time for a record among 1,000 it tells how far ours may grow at least.
    contender "lower bound, the text appended", :control, before: "pieces = {}.compare_by_identity", code: <<~RUBY
      piece = pieces[v] ||= OurBlog::Comment.json!(v.first(1_000))[1..-2]
      text = String.new("[") << piece
      ((v.size / 1_000) - 1).times { text << "," << piece }
      text << "]"
    RUBY

    numbers.each do |number|
      # Unjudged at 10: what a call costs beside its records.
      limit "to_json, to an IO", metric: "growth", at: number, at_most: (1.1 if number > 1_000)
      limit "to_json, to a String", metric: "growth", at: number, at_most: (1.5 if number > 1_000)
    end
  end
end
