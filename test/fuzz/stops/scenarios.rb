# frozen_string_literal: true

# Stops. All scenarios: a file in scenarios/ joins by standing there.

require_relative "scenario"

Dir[File.join(__dir__, "scenarios", "*.rb")].sort.each { |file| require file }
