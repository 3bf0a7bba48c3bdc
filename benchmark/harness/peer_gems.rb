# frozen_string_literal: true

require "digest"
require "fileutils"
require "json"
require "open3"
require_relative "machine"

module Bench
  # Something that bin/bench cannot do without is missing; the message says what to install.
  class MissingError < StandardError
  end

  # The gems of benchmark/Gemfile for one Ruby, installed where the project keeps its own.
  class PeerGems
    GEMFILE = File.join(ROOT, "benchmark", "Gemfile")
    PATHS = "require 'bundler'; " \
            "print Bundler.load.specs.flat_map(&:full_require_paths).uniq.join(%q(\n))"

    # `missing`: the error by peer that cannot be installed.
    attr_reader :load_paths, :missing

    # `directory` keeps the lock file and what an earlier run found.
    def initialize(ruby, version, directory, peers)
      @ruby, @version, @directory, @peers, @missing = ruby, version, directory, peers, {}
      fingerprint = Digest::SHA256.hexdigest(File.read(GEMFILE) + JSON.generate(peers))
      stamp = File.join(directory, "ready-#{fingerprint[0, 12]}.json")
      @load_paths = File.exist?(stamp) ? JSON.parse(File.read(stamp)) : []
      return if !@load_paths.empty? && @load_paths.all? { |path| File.directory?(path) }

      @load_paths = install
      File.write(stamp, JSON.generate(@load_paths)) if @missing.empty?
    end

    private

    # Installs all; where that fails, finds which peers it is due to, one at a time.
    def install
      warn "installing the peers for Ruby #{@version} (a first run compiles some)"
      gemfile = "# frozen_string_literal: true\n\neval_gemfile #{GEMFILE.dump}\n"
      File.write(File.join(@directory, "Gemfile"), gemfile)
      unless bundle([])
        @peers.reject { |_, entry| entry["source"] }.each_key do |peer|
          @missing[peer] = @error unless bundle(@peers.keys - [peer])
        end
        bundle(@missing.keys)
      end
      text, status = Open3.capture2(environment(@missing.keys), @ruby, "-e", PATHS,
                                    chdir: @directory)
      raise MissingError, "benchmark/Gemfile cannot be installed: #{@error}" unless status.success?

      text.lines(chomp: true).select { |path| File.directory?(path) }
          .grep_v(%r{/bundler[^/]*/lib\z})
    end

    # False, with the reason in @error, if they cannot be installed without these.
    def bundle(without)
      FileUtils.rm_f(File.join(@directory, "Gemfile.lock"))
      text, status = Open3.capture2e(environment(without), @ruby, "-S", "bundle", "install",
                                     "--jobs", "2", "--retry", "2", chdir: @directory)
      lines = text.lines.grep_v(/\A(?:Fetching|Installing|Using|\s*$)/)
      @error = lines.first(3).join(" ").gsub(/\s+/, " ").strip
      status.success?
    end

    def environment(without)
      {"BUNDLE_GEMFILE" => File.join(@directory, "Gemfile"),
       "BUNDLE_PATH" => ENV["BUNDLE_PATH"] || File.join(ROOT, "vendor", "bundle"),
       "BUNDLE_SILENCE_ROOT_WARNING" => "1", "BUNDLE_WITHOUT" => nil, "BUNDLE_FROZEN" => nil,
       "RUBYOPT" => nil, "RUBYLIB" => nil, "TO_JSON_BENCH_WITHOUT" => without.join(","),
       "PATH" => "#{File.dirname(@ruby)}:#{ENV["PATH"]}"}
    end
  end
end
