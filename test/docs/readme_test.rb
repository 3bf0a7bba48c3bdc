# frozen_string_literal: true

require_relative "../test_helper"
require "open3"
require "tempfile"

# README.md: its Rails and Sinatra examples run as they stand and give the answers that the page
# shows.
class ReadmeTest < ToJsonTest
  # What test/docs/readme.rb prints for a page with this text.
  def run_page(text)
    Tempfile.create("README.md") do |page|
      page.write(text)
      page.flush
      command = [RbConfig.ruby, "-W0", "-Ilib", "test/docs/readme.rb", page.path]
      out, status = Open3.capture2e(*command, chdir: Project::ROOT)
      [out, status]
    end
  end

  # The Gemfile of Ruby 3.2 and 3.3 has no railties (the reason stands there).
  if Gem.loaded_specs.key?("railties") && Without.library?("active_record")
    test "the requests that README.md shows get the answers below them" do
      out, status = run_page(Project.read("README.md"))
      assert status.success?, out
      assert_operator out[/(\d+) requests compared/, 1].to_i, :>=, 4
    end

    test "an answer that differs from README.md is noticed" do
      out, status = run_page(Project.read("README.md").sub('"words":1', '"words":2'))
      refute status.success?
      assert_match(%r{\A/posts/1: .*"words\\":1.* instead of .*"words\\":2}, out)
    end
  end

  test "a model, its serializer and a controller stand in the first forty lines of README.md" do
    first = Project.read("README.md").lines.first(40).join
    [/^class \w+ < ApplicationRecord/, /^class \w+ < ToJson::Serializer/,
     /^class \w+ < ApplicationController/,
     /gem "to_json"/].each { |line| assert_match line, first }
  end
end
