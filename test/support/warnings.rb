# frozen_string_literal: true

# `-w` clean: a warning that names one of the project's own files makes the run fail at its end.

# Collects such warnings; all are printed as usual. A Ractor other than the main one only prints.
module OwnWarnings
  ROOT = File.expand_path("../..", __dir__)
  # json 2 warns of keys that collide, and names the nearest caller. That is our hook, once a test
  # has loaded it.
  OF_JSON = "lib/to_json/json.rb:"
  OWN = %r{\A#{Regexp.escape(ROOT)}/(?:lib|test|examples|bin|benchmark|demo)/}

  # Called by Ruby for each warning.
  def warn(message, category: nil)
    if Ractor.current == Ractor.main && OWN.match?(message) && !OwnWarnings.expected?(message)
      OwnWarnings.seen << message
    end
    super
  end

  def self.expected?(message)
    message.include?(OF_JSON) && message.include?("detected duplicate key")
  end

  # The warnings collected so far. A test that provokes one on purpose deletes it here.
  def self.seen = @seen ||= []

  # Ends the process with a failure when there were any.
  def self.check
    return if seen.empty?

    $stdout.flush
    $stderr.puts "\n#{seen.size} warnings from the project's own files:", seen.uniq
    exit! 1
  end
end

Warning.singleton_class.prepend(OwnWarnings)
