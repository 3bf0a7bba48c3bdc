# frozen_string_literal: true

require "rbconfig"

# A Ruby for the processes that tests start: with the gems of this process, but without Bundler,
# which takes 0.4 s of processor time at each start, and without RubyGems, which takes 0.1 s. Both
# make each collection of garbage longer.
module PlainRuby
  OPTIONS = ENV.fetch("RUBYOPT", "").split.grep_v(%r{\A-r\S*bundler/setup\z}).join(" ")
  LOAD_PATH = $LOAD_PATH.join(File::PATH_SEPARATOR)

  # The beginning of a command for Open3 and the like: Open3.capture2e(*PlainRuby.start, "-W0",
  # program).
  # @param rubygems [Boolean] for libraries that ask RubyGems for something: ActiveRecord says `gem
  #   "sqlite3"`, and the JSON of ActiveSupport 8.1 compares a Gem::Version
  def self.start(environment = {}, rubygems: false)
    rubygems ||= !defined?(Bundler) # then RubyGems must find the gems
    options = rubygems ? OPTIONS : "#{OPTIONS} --disable=gems"
    [{ "RUBYOPT" => options, "RUBYLIB" => LOAD_PATH, **environment }, RbConfig.ruby]
  end
end
