# frozen_string_literal: true

require_relative "../test_helper"
require_relative "coming_from"
require "open3"

# docs/coming_from.md: what stands in it is what runs. Ours runs here, section by section; theirs in
# a process for each library, where the Gemfile's group `peers` is installed. Both must give the
# documents that the page shows.
if Without.library?("json")
  class ComingFromTest < ToJsonTest
    SECTIONS = ComingFrom.sections
    COMMON = SECTIONS.fetch("")

    # The page's own documents, unless a section shows others.
    def documents(section) = section.documents.empty? ? COMMON.documents : section.documents

    # What a section's own side gives, from its process.
    def theirs(title)
      out, log,
      status = Open3.capture3(*PlainRuby.start(rubygems: true), "-W0",
                              File.join(__dir__, "coming_from.rb"), title, binmode: true)
      assert status.success?, log
      Marshal.load(out)
    end

    SECTIONS.each_value do |section|
      test "ours of #{section.title.empty? ? "the page" : section.title} gives what stands " \
           "beside it" do
        session = Doctest::Session.new("ComingFrom#{section.title.gsub(/\W/, "_")}")
        [*COMMON.data, *section.ours].each { |example| session.run(example) }
        assert_empty session.failures, session.failures.join("\n")
        unless section.theirs.empty?
          assert_equal documents(section), [session.local(:one), session.local(:many)]
        end
      end
    end

    test "the sections are the libraries that this page names" do
      assert_equal ["", *ComingFrom::GEMS.keys], SECTIONS.keys
      assert_equal [2], SECTIONS.values.map { |section| documents(section).size }.uniq
      SECTIONS.each_value.drop(1).each { |section| refute_empty section.ours, section.title }
      SECTIONS.each_value.drop(1).each do |section|
        assert_equal 1, section.theirs.size, section.title
      end
    end

    test "what agrees only when parsed is told in its section" do
      text = Project.read(ComingFrom::PATH)
      told = text.split(/^## /).drop(1).select do |part|
        part.include?("The documents are equal when parsed;")
      end.map do |part|
        part.lines.first.chomp
      end
      assert_equal ComingFrom::OTHER_BYTES.sort, told.sort
    end

    test "the Gemfile has each of these libraries" do
      gemfile = Project.read("Gemfile")
      assert_empty(ComingFrom::GEMS.values.reject { |gem| gemfile.match?(/^ *gem "#{gem}", "/) })
    end

    unless Without.banned?("active_support")
      ComingFrom.installed.each do |title|
        test "#{title} itself gives what stands beside it" do
          answer = theirs(title)
          assert_empty answer[:failures], answer[:failures].join("\n")
          assert_operator answer[:checked], :>=, 1
          due, given = documents(SECTIONS.fetch(title)), answer[:locals].values_at(:one, :many)
          if ComingFrom::OTHER_BYTES.include?(title)
            refute_equal due, given, "the same bytes: the page says otherwise"
            due, given = [due, given].map { |texts| texts.map { |text| JSON.parse(text) } }
          end
          assert_equal due, given
        end
      end
    end
  end
end
