# frozen_string_literal: true

# The examples in the comments of the rooms that need Rails.

require_relative "../app"
require_relative "../../docs/doctest"

class DocumentsCase < AppCase
  ROOT = File.expand_path("../../..", __dir__)

  Dir[File.join(ROOT, "lib/to_json/{rails,active_record}/**/*.rb")].sort.each do |path|
    Doctest.yard(path.delete_prefix("#{ROOT}/"), File.read(path)).each do |example|
      test "the @example at #{example.place} gives what stands beside it" do
        session = Doctest::Session.new("Yard_#{example.place.gsub(/\W/, "_")}")
        session.run(example)
        assert_empty session.failures, session.failures.join("\n")
        assert_operator session.checked, :>, 0, "an @example shows its result"
      end
    end
  end
end
