# frozen_string_literal: true

require_relative "lib/to_json/version"

Gem::Specification.new do |spec|
  spec.name = "to_json"
  spec.version = ToJson::VERSION
  spec.authors = ["the to_json authors"]
  spec.summary = "Ruby objects to JSON: a small DSL over a native writer."
  spec.description =
    "Write a small class or a block with put, put_fields, array and value, and get JSON " \
                     "without building a Hash first. One native writer stands under it and " \
                     "delivers to a " \
                     "String or straight to an IO."
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"
  spec.metadata["rubygems_mfa_required"] = "true"

  spec.files = Dir.chdir(__dir__) do
    Dir["lib/**/*.{rb,tt}", "lib/generators/**/USAGE", "ext/**/*.{c,h,rb}", "sig/**/*.rbs",
        "docs/**/*.md", "examples/{,servers/}*.rb",
        "exe/*", "README.md", "HACKING.md", "CHANGELOG.md", "LICENSE", ".yardopts"].sort
  end
  spec.bindir = "exe"
  spec.executables = ["to_json"]
  spec.require_paths = ["lib"]
  spec.extensions = ["ext/to_json/extconf.rb"]
end
