# frozen_string_literal: true

# In CI (TO_JSON_SECOND_TRY=1) a test that uses sockets, pipes, threads that wait, other processes
# or a browser is tried a second time if it fails. The log says so, and .ci/tally.rb prints it in
# the row's line. A row with more than two such tests fails. All other tests fail at once: if one of
# them fails now and then, that is a fault of ours.

require "minitest/retry"

# Marks the classes that get a second try, by where they stand.
module OnTheMachine
  PLACES = %r{\A(?:benchmark|cli|demo|examples|rails_app)/|
              \A(?:sinks/(?:io|real)_|streams/(?:leaving|memory|parked|threads)_)}x

  # Once all test files are loaded.
  def self.mark_classes
    classes = ToJsonTest.subclasses
    until classes.empty?
      test_class = classes.pop
      classes.concat(test_class.subclasses)
      file, = Object.const_source_location(test_class.name)
      test_class.include(self) if file&.delete_prefix("#{SuiteFiles::ROOT}/test/")&.match?(PLACES)
    end
  end
end

Minitest::Retry.use!(retry_count: 1, classes_to_retry: [OnTheMachine.name])
