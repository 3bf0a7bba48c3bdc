# frozen_string_literal: true

require "open3"
require "rbconfig"

# A script of test/dialects in a process of its own, which may have another Gemfile than this
# process. It answers with a Marshal on its standard output, or prints text. A process that does not
# start is a failure, since the library that it is for must be there.
class LibraryProcess
  # The gems of its Gemfile are not here.
  class GemsMissing < StandardError; end

  ROOT = File.expand_path("../..", __dir__)

  def initialize(gemfile, script, *arguments)
    @command = [RbConfig.ruby, "-W0", File.join(__dir__, script), *arguments.map(&:to_s)]
    @gemfile = gemfile
    @environment = { "BUNDLE_GEMFILE" => File.expand_path(gemfile, ROOT), "BUNDLE_PATH" => path,
                     "RUBYOPT" =>
                       "-rbundler/setup #{LibraryCoverage::CHILDREN if defined?(LibraryCoverage)}",
                     "RUBYLIB" => nil, "TO_JSON_GC" => nil, "TO_JSON_COVERAGE" => nil }
  end

  # @return [Object]
  def answer = @answer ||= Marshal.load(run.then { |out, log, ended| ended ? out : fail_with(log) })

  # @return [Array(String, Boolean)] its output and its errors, and whether it ended well
  def printed = run.then { |out, log, ended| ["#{out}#{log}".force_encoding("UTF-8"), ended] }

  private

  def fail_with(log) = raise("#{@command.drop(2).join(" ")}: #{log[0, 2000]}")

  # Where this process's gems are, which the other one has another way of finding: Bundler's here,
  # else where bin/setup puts them.
  def path
    if Gem.dir.end_with?("ruby/#{RbConfig::CONFIG["ruby_version"]}") && defined?(Bundler)
      return File.expand_path("../..", Gem.dir)
    end

    File.expand_path(ENV.fetch("BUNDLE_PATH", "vendor/bundle"), ROOT)
  end

  def run
    out, log, status = Open3.capture3(@environment, *@command, binmode: true)
    if log.include?("Bundler::GemNotFound")
      raise GemsMissing,
            "the gems of #{@gemfile} are not here for Ruby #{RUBY_VERSION}: bin/setup installs them"
    end
    [out, log, status.success?]
  end
end
