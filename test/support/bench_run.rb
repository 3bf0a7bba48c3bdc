# frozen_string_literal: true

# A whole run of bin/bench over a scenario given as text, on the running Ruby without any peers.

require_relative "../../benchmark/harness/runner"
require "rbconfig"
require "stringio"
require "tmpdir"

module BenchRun
  # The running Ruby; `missing` says why by peer, `programs` are those that are not Ruby.
  Stage = Struct.new(:version, :missing, :programs) do
    def command(flags)
      paths = [*$LOAD_PATH, *programs.values.map { |path| File.dirname(path) }]
      [RbConfig.ruby, *flags, *paths.flat_map { |path| ["-I", path] },
       File.join(Project::ROOT, "benchmark/worker/main.rb")]
    end
    def environment = {"RUBYOPT" => nil} # Bundler's setup, which every worker would run
    def peers = [*missing.keys, *programs.keys].to_h { |name| [name, {"source" => "#{name}.go"}] }
    def missing_reason(peer) = missing[peer]
  end

  # [results as they were written, what was printed]
  def self.measure(text, quick: true, only_equality: false, compare_all: false, missing: {},
                   programs: {})
    Dir.mktmpdir do |directory|
      path = File.join(directory, "scenario.rb")
      File.write(path, text)
      settings =
        Bench::Settings.make(quick: quick, only_equality: only_equality, compare_all: compare_all)
      settings.sample_seconds = settings.warm_seconds = 0.002
      setup = Bench::Setup.new(Stage.new(RUBY_VERSION, missing, programs), yjit: false)
      setup.description = RUBY_DESCRIPTION
      output = StringIO.new
      silently do
        Bench::Runner.new([Bench::Scenario.load_file(path)], [setup], settings,
                          directory: directory, output: output).run
      end
      [JSON.parse(File.read(File.join(directory, "results.json"))), output.string]
    end
  end

  # Without the lines of the progress bar.
  def self.silently
    kept, $stderr = $stderr, StringIO.new
    yield
  ensure
    $stderr = kept
  end
end
