# frozen_string_literal: true

# What every test file requires first: the library, Minitest, and tests that are sentences.
#
# Environment: SEED or --seed fixes the order; TO_JSON_GC=stress|compact runs each test under that
# (test/support/gc_modes.rb); TO_JSON_FIGURES=full: all of what is counted in ten thousands
# (test/support/figures.rb). TO_JSON_WITHOUT=activesupport,json,oj makes `require` of these fail, as
# where they are not installed.

require_relative "support/warnings"
require_relative "support/without"

# Ruby 3.1 hangs for good where one of these is first met after a Ractor was made: Ractor.new
# {}.take; "a".encode("UTF-16").
%w[UTF-16 UTF-32].each { |name| "a".encode(name) }

require "minitest"
require "to_json"

require_relative "support/sentences"
require_relative "support/shared_data"
require_relative "support/project"
require_relative "support/figures"
require_relative "support/machine"
require_relative "support/plain_ruby"
require_relative "support/gc_modes"
require_relative "support/ractor_value"

ToJsonTest.prepend(CoverageBeyondRactors) if defined?(CoverageBeyondRactors)

ENV["MT_NO_PLUGINS"] = "1" # railties brings one, which would load ActiveSupport into every run
Minitest.after_run { OwnWarnings.check }
Minitest.after_run { puts Figures.line if Figures.line } # runs first
Minitest.autorun
