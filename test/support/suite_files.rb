# frozen_string_literal: true

# Which files the arguments of test/run.rb and test/side_by_side.rb name: files and directories, or
# nothing for all of test/. The constants say which files are left out.
module SuiteFiles
  ROOT = File.expand_path("../..", __dir__)

  # The first three lists are left out unless they are named themselves. This one runs in rows of
  # the CI apart from the suite.
  OWN_ROWS = %w[test/stress test/examples test/rows/databases test/benchmark
                test/dialects/load_orders_test.rb test/dialects/json_load_orders_test.rb].freeze
  # With TO_JSON_WITHOUT=activerecord.
  ON_ACTIVERECORD = %w[test/demo].freeze
  # With TO_JSON_CORE_ONLY: rows that build the native core in another way get the same results.
  BESIDE_CORE =
    %w[test/active_record test/benchmark test/cli test/demo test/docs test/generators test/lint
       test/planted test/rails test/rails_app test/autoload_test.rb test/fuzz/kit_test.rb
       test/fuzz/stops_test.rb test/values/libraries_test.rb test/dialects/hook_methods_test.rb
       test/dialects/json_load_orders_test.rb test/dialects/load_orders_test.rb].freeze
  # With TO_JSON_OTHER_RUBY, even if they are named: these read the sources, or try the scripts that
  # judge the CI, with the same result on every Ruby.
  OF_SOURCES = %w[test/lint test/docs/api_test.rb].freeze

  class << self
    # @param chosen [Array<String>]
    # @return [Array<String>] absolute paths
    def of(chosen)
      chosen = ["test"] if chosen.empty?
      chosen = chosen.map { |path| File.expand_path(path, ROOT).delete_prefix(File.join(ROOT, "")) }
      chosen.flat_map { |path| under(path) - left_out(chosen) }.uniq
    end

    private

    def under(path)
      full = File.expand_path(path, ROOT)
      found = File.directory?(full) ? Dir[File.join(full, "**/*_test.rb")].sort : [full]
      return found if found.any? && found.all? { |file| File.file?(file) }

      abort "test/run.rb: no tests in #{path}"
    end

    def left_out(chosen)
      apart = OWN_ROWS
      apart += ON_ACTIVERECORD if ENV["TO_JSON_WITHOUT"].to_s.split(",").include?("activerecord")
      apart += BESIDE_CORE if ENV["TO_JSON_CORE_ONLY"]
      apart = apart.reject { |row| chosen.any? { |path| path.start_with?(row) } }
      apart += OF_SOURCES if ENV["TO_JSON_OTHER_RUBY"]
      apart.flat_map { |row| Dir[File.join(ROOT, row), File.join(ROOT, row, "**/*_test.rb")] }
    end
  end
end
