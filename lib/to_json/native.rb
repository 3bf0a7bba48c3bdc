# frozen_string_literal: true

# Layer: base. Loads the native extension that was built for the running Ruby.
#
# A development tree keeps one build per Ruby in lib/to_json/<api version>/; an installed gem has
# the one that RubyGems built. ENV["TO_JSON_NATIVE"] names a directory whose to_json.so is taken
# instead: so tests run debug and sanitizer builds without touching the normal one.

require "rbconfig" # RubyGems loads it; ruby --disable-gems has not

built = File.join(__dir__, RbConfig::CONFIG.fetch("ruby_version"),
                  "to_json.#{RbConfig::CONFIG.fetch("DLEXT")}")

if (directory = ENV["TO_JSON_NATIVE"])
  require File.join(File.expand_path(directory), File.basename(built))
elsif File.exist?(built)
  require built
else
  begin
    require "to_json/to_json"
  rescue LoadError => error
    raise unless error.path == "to_json/to_json"

    root = File.expand_path("../..", __dir__)
    raise LoadError, "to_json: its extension is not compiled for #{RUBY_ENGINE} #{RUBY_VERSION}. " \
                     "In a checkout, as with gem \"to_json\", path: ..., run: cd #{root} && " \
                     "bin/setup"
  end
end
