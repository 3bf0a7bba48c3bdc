# frozen_string_literal: true

# What the tests of the demo share: its files are loaded when a test wants them, since rows of the
# CI run without the libraries that some of them need.

require "tmpdir"
require_relative "../test_helper"

class DemoCase < ToJsonTest
  # Loads demo/NAME.rb; where a library that it needs is left out on purpose, the test ends as
  # skipped.
  def demo(name)
    require File.join(Project::ROOT, "demo", name)
  rescue LoadError => error
    skip "did not run: #{error.message}"
  end

  # Makes a gem directory with these gems in it, {"name-1.0" => {path => content}}, and yields its
  # path.
  def gem_directory(gems, authors: ["Ada"], default: false)
    Dir.mktmpdir do |directory|
      gems.each do |full_name, files|
        name, version = full_name.split("-")
        specifications = File.join(directory, "specifications", *("default" if default))
        FileUtils.mkdir_p(specifications)
        spec = Gem::Specification.new(name, version) do |s|
          s.summary = "does #{name}"
          s.authors = authors
          s.licenses = ["MIT"]
          s.date = Time.utc(2026, 11, 20)
          s.files = files.keys if default
          s.add_dependency "rake", ">= 1"
        end
        File.write(File.join(specifications, "#{full_name}.gemspec"), spec.to_ruby)
        next if default

        files.each do |path, content|
          full = File.join(directory, "gems", full_name, path)
          FileUtils.mkdir_p(File.dirname(full))
          File.binwrite(full, content)
        end
      end
      yield directory
    end
  end
end
