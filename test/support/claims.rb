# frozen_string_literal: true

# TO_JSON_CLAIMS=DIRECTORY: this process runs the suite beside others (test/side_by_side.rb). Each
# test class is run by the process that first makes the file of its name in DIRECTORY.

# Prepended to what runs a class.
module Claims
  DIRECTORY = ENV.fetch("TO_JSON_CLAIMS")
  @taken = 0

  # @return [Boolean] whether `test_class` is this process's, which it is for the first that asks
  def self.take?(test_class)
    name = test_class.name
    raise ArgumentError, "no name: the class of #{test_class.runnable_methods.first}" unless name

    # The content tells in which order a process ran its classes.
    File.write(File.join(DIRECTORY, name), "#{Process.pid} #{@taken += 1}", mode: "wx")
    true
  rescue Errno::EEXIST
    false
  end

  # Minitest's, of each class in turn. Those that only others inherit from have no tests.
  def run(reporter, options = {})
    super if runnable_methods.empty? || Claims.take?(self)
  end
end

Minitest::Runnable.singleton_class.prepend(Claims)
