# frozen_string_literal: true

# :json and :json2 are the json gem's newest line and its 2.x line, byte for byte: compared with the
# live libraries, each in a process of its own (json_process.rb), since only one of them fits into
# this one.

require_relative "../test_helper"
require_relative "json_table"
require_relative "../support/library_process"
require_relative "../fuzz/dialects/runner"
require "tmpdir"

unless Without.banned?("json")
  require_relative "../fuzz/dialects/json_peer"

  class JsonDialectTest < ToJsonTest
    COUNT = Integer(ENV.fetch("TO_JSON_FUZZ_COUNT", "2500"))
    LINES = { json: ["3.", "test/dialects/Gemfile"], json2: ["2.", "Gemfile"] }.freeze

    def self.answers
      @answers ||= LINES.to_h do |dialect, (_, gemfile)|
        [dialect, LibraryProcess.new(gemfile, "../dialects/json_process.rb", dialect)]
      end
    end

    LINES.each do |dialect, (version, _)|
      test "#{dialect.inspect} writes and raises what json #{version}x does, for every option " \
           "and every kind of value" do
        answer = self.class.answers.fetch(dialect).answer
        assert answer[:version].start_with?(version), "json #{answer[:version]} is not #{version}x"
        assert_operator answer[:checked], :>, 25_000
        assert_empty answer[:differences].first(20), "#{answer[:differences].size} differences"
      end

      test "the table of #{dialect.inspect} has every option that json #{version}x knows" do
        known = self.class.answers.fetch(dialect).answer[:options]
        assert_empty known - JsonTable.options(dialect).flat_map(&:keys),
                     "the live State has options that JsonTable::OPTIONS has not"
      end

      test "#{dialect.inspect} differs from json #{version}x in no random tree" do
        run = Fuzz::DialectRunner.new(dialect.to_s, seed: 20_261_121, count: COUNT)
        assert run.call, -> { [*run.reports, run.summary].join("\n") }
        assert_equal COUNT, run.done
      end

      test "random trees of #{dialect.inspect} are written under every option that json " \
           "#{version}x knows" do
        known = self.class.answers.fetch(dialect).answer[:options]
        tried = Fuzz::JsonPeer.choices(dialect).keys
        assert_empty known - tried - %i[as_json buffer_initial_length] # as_json comes with strict
      end

      test "every option of #{dialect.inspect} stands in docs/drop_in.md" do
        text = Project.read("docs/drop_in.md")
        assert_empty(
          JsonTable.options(dialect).flat_map(&:keys).uniq.reject do |option|
            text.include?("`#{option}`")
          end
        )
      end
    end

    unless Without.banned?("active_support")
      test ":json2 writes what json does where ActiveSupport has patched everybody's to_json" do
        answer = LibraryProcess.new("Gemfile", "../dialects/json_process.rb", "json2",
                                    "active_support", "active_support/json",
                                    "active_support/core_ext").answer
        assert_operator answer[:checked], :>, 25_000
        assert_empty answer[:differences].first(20), "#{answer[:differences].size} differences"
      end
    end

    unless Without.banned?("oj")
      test ":json2 writes what json wrote before Oj.mimic_JSON took its place" do
        answer = LibraryProcess.new("Gemfile", "../dialects/json_mimicked.rb").answer
        assert_operator answer[:checked], :>, 400
        assert_empty answer[:differences].first(20), "#{answer[:differences].size} differences"
      end
    end

    test ":json needs no json to be loaded, and raises errors of ours then" do
      found = LibraryProcess.new("Gemfile", "../dialects/json_absent.rb").answer
      assert_equal(found.to_h { |what, due, _| [what, due] },
                   found.to_h { |what, _, got| [what, got] })
    end

    test "a library that is not installed is told with the way to get it" do
      Dir.mktmpdir do |directory|
        gemfile = File.join(directory, "Gemfile")
        File.write(gemfile,
                   "source #{Gem.sources.first.uri.to_s.inspect}\ngem \"json\", \"= 0.0.1\"\n")
        error = assert_raises(LibraryProcess::GemsMissing) do
          LibraryProcess.new(gemfile, "../dialects/json_absent.rb").answer
        end
        assert_equal "the gems of #{gemfile} are not here for Ruby #{RUBY_VERSION}: bin/setup " \
                     "installs them", error.message
      end
    end

    test "the newest json is in the process for it, and the Gemfile's own in the other" do
      assert_equal LINES.keys, self.class.answers.keys
      assert_match(/gem "json", ">= 3/, Project.read("test/dialects/Gemfile"))
    end
  end
end
