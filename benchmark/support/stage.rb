# frozen_string_literal: true

# Layer: none below it. Makes one Ruby ready: its peers installed, the extension built, the malloc
# counter and the native controls built; all under tmp/bench/<ruby>, and gems where the project keeps its own.

require "digest"
require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "yaml"

module Bench
  ROOT = File.expand_path("../..", __dir__)
  PEERS = File.join(ROOT, "benchmark", "peers.yml")

  # Something that bin/bench cannot do without is missing; the message says what to install.
  class MissingError < StandardError
  end

  # A Ruby on which benchmarks run.
  class Stage
    attr_reader :ruby, :version, :missing

    # `ruby` is the program; `log` gets a line for each slow step.
    def initialize(ruby, log: ->(line) { warn line })
      @ruby, @log, @missing, @source, @native = ruby, log, {}, ROOT, "native"
      facts = capture(ruby, "-rrbconfig", "-e", "puts RUBY_VERSION, RUBY_PLATFORM, RbConfig.ruby, RbConfig::CONFIG.values_at('rubyhdrdir', 'rubyarchhdrdir')")
      @version, platform, @ruby, *@headers = facts.lines(chomp: true)
      @directory = File.join(ROOT, "tmp", "bench", "#{@version}-#{platform}")
      FileUtils.mkdir_p(@directory)
    end

    # This Ruby with the gem of another tree, compiled into a directory of that name, or what was built here if that is the same. Benchmarks
    # and peers stay those of this tree.
    def with_gem(source, name, built: false)
      ours = native_directory
      dup.tap do |other|
        other.instance_exec do
          @source, @native = source, name
          built ? FileUtils.mkdir_p(native_directory) && FileUtils.cp(File.join(ours, "to_json.so"), native_directory) : build_extension
        end
      end
    end

    # Compiles what tells callgrind when to count.
    def prepare_callgrind
      raise MissingError, "valgrind is missing; on Debian: apt-get install valgrind" unless system("valgrind", "--version", out: File::NULL, err: File::NULL)

      build_peer("callgrind_marks", "callgrind_marks.c")
      error = @missing.delete("callgrind_marks") and raise MissingError, error
    end

    # True when this Ruby was built with YJIT.
    def yjit? = Open3.capture2e(@ruby, "--yjit", "-e", "print defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?").first == "true"

    # Installs and builds what is not yet there. Peers that cannot be installed end in `missing`.
    def prepare(needs_extension: true)
      install_peers
      build_extension if needs_extension
      build_malloc_counter
      peers.each { |name, peer| build_peer(name, peer["source"]) if peer["source"] }
      self
    end

    # The program of a peer that is not Ruby, or nil.
    def program(peer) = peers.dig(peer, "source")&.end_with?(".go") ? File.join(compiled_directory, peer) : nil

    # Every expected peer, with its libraries to require.
    def peers
      @peers ||= YAML.safe_load_file(PEERS)
    end

    # Why this peer cannot run here, or nil.
    def missing_reason(peer)
      line = peers.fetch(peer) { return "benchmark/peers.yml does not list it" }
      wanted = Gem::Requirement.new(line.fetch("ruby", ">= 3.1"))
      return "needs Ruby #{wanted}" unless wanted.satisfied_by?(Gem::Version.new(@version))

      @missing[peer]
    end

    # The worker's command and environment.
    def command(flags) = [@ruby, *flags, *load_paths.flat_map { |path| ["-I", path] }, File.join(__dir__, "worker.rb")]

    def environment
      {"BUNDLE_GEMFILE" => nil, "RUBYOPT" => nil, "RUBYLIB" => nil, "TO_JSON_NATIVE" => native_directory, "GEM_HOME" => nil}
    end

    # The preloaded library that counts bytes, or nil.
    def malloc_counter = @malloc_counter

    private

    def native_directory = File.join(@directory, @native)

    # Where peers are that are compiled, not installed.
    def compiled_directory = File.join(@directory, "compiled")

    # lib, and what Bundler would put on the load path: workers start without Bundler.
    def load_paths = [File.join(@source, "lib"), compiled_directory, *@load_paths]

    def install_peers
      gemfile = File.join(@directory, "Gemfile")
      File.write(gemfile, "# frozen_string_literal: true\n\neval_gemfile #{File.join(ROOT, "benchmark", "Gemfile").dump}\n")
      return if bundle_ready?

      without = resolvable_peers
      @load_paths = bundle_load_paths(without) or raise MissingError, "the peers of benchmark/Gemfile cannot be installed: #{@last_error}"
    end

    # True when an earlier run installed all, for this Gemfile and list of peers.
    def bundle_ready?
      stamp = File.join(@directory, "ready.json")
      return false unless File.exist?(stamp)

      kept = JSON.parse(File.read(stamp))
      return false unless kept["fingerprint"] == fingerprint && kept["missing"].empty? && kept["load_paths"].all? { |path| File.directory?(path) }

      @load_paths = kept["load_paths"]
      true
    end

    def fingerprint = [PEERS, File.join(ROOT, "benchmark", "Gemfile")].map { |path| File.read(path) }.join.then { |text| Digest::SHA256.hexdigest(text) }

    # Installs all; where that fails, finds which peers it is due to, one at a time.
    def resolvable_peers
      @log.call("installing the peers for Ruby #{@version} (a first run compiles some)")
      return [] if bundle_install([])

      peers.each do |peer, about|
        next if about["source"] || bundle_install(peers.keys - [peer])

        @missing[peer] = @last_error
      end
      without = @missing.keys
      bundle_install(without)
      without
    end

    def bundle_environment(without)
      {"BUNDLE_GEMFILE" => File.join(@directory, "Gemfile"), "BUNDLE_PATH" => ENV["BUNDLE_PATH"] || File.join(ROOT, "vendor", "bundle"),
       "BUNDLE_SILENCE_ROOT_WARNING" => "1", "BUNDLE_WITHOUT" => nil, "BUNDLE_FROZEN" => nil, "RUBYOPT" => nil, "RUBYLIB" => nil,
       "TO_JSON_BENCH_WITHOUT" => without.join(","), "PATH" => "#{File.dirname(@ruby)}:#{ENV["PATH"]}"}
    end

    def bundle_install(without)
      FileUtils.rm_f(File.join(@directory, "Gemfile.lock"))
      text, status = Open3.capture2e(bundle_environment(without), @ruby, "-S", "bundle", "install", "--jobs", "2", "--retry", "2", chdir: @directory)
      File.write(File.join(@directory, "bundle.log"), text)
      telling = text.lines.reject { |line| line.strip.empty? || line.start_with?("Fetching", "Installing", "Using") }
      @last_error = telling.first(3).join(" ").gsub(/\s+/, " ").strip
      status.success?
    end

    def bundle_load_paths(without)
      script = "require 'bundler'; print Bundler.load.specs.flat_map(&:full_require_paths).uniq.join(%q(\n))"
      text, status = Open3.capture2(bundle_environment(without), @ruby, "-e", script, chdir: @directory)
      return nil unless status.success?

      paths = text.lines(chomp: true).select { |path| File.directory?(path) }.reject { |path| path.match?(%r{/bundler[^/]*/lib\z}) }
      File.write(File.join(@directory, "ready.json"), JSON.generate({"fingerprint" => fingerprint, "missing" => @missing, "load_paths" => paths}))
      paths
    end

    # Out of the tree, so that debug builds and other Rubies are left alone.
    def build_extension
      FileUtils.mkdir_p(native_directory)
      newest = Dir[File.join(@source, "ext", "**", "*.{c,h,rb}")].map { |path| File.mtime(path) }.max
      built = File.join(native_directory, "to_json.so")
      return if newest.nil? || (File.exist?(built) && File.mtime(built) > newest)

      @log.call("compiling the extension for Ruby #{@version}#{" (#{@native})" unless @source == ROOT}")
      clean = %w[DEBUG SANITIZE COVERAGE PLANT].to_h { |name| ["TO_JSON_#{name}", nil] }
      [[@ruby, File.join(@source, "ext", "to_json", "extconf.rb")], ["make", "-j2"]].each do |command|
        text, status = Open3.capture2e({"RUBYOPT" => nil, **clean}, *command, chdir: native_directory)
        File.write(File.join(native_directory, "build.log"), text)
        raise MissingError, "the extension does not compile for Ruby #{@version}:\n#{text.lines.last(15).join}" unless status.success?
      end
    end

    def build_malloc_counter
      library = File.join(@directory, "malloc_count.so")
      @malloc_counter = library unless compile("malloc_count.c", library)
    end

    # An extension of one file, for this Ruby, or a program in Go; an error is why its rows are missing.
    def build_peer(name, source)
      FileUtils.mkdir_p(compiled_directory)
      if source.end_with?(".go")
        error = run_compiler(source, File.join(compiled_directory, name), "go", "build")
        return error && @missing[name] = error
      end
      headers = @headers.map { |directory| "-I#{directory}" }
      error = compile(source, File.join(compiled_directory, "#{name}.so"), "-O3", "-fvisibility=hidden", *headers)
      @missing[name] = error if error
    end

    # Makes a library of a C file beside this one.
    def compile(source, library, *options) = run_compiler(source, library, *RbConfig::CONFIG["CC"].split, "-O2", "-shared", "-fPIC", *options)

    # Makes `product`, unless it is newer than its source; nil, or what the compiler said.
    def run_compiler(source, product, *command)
      source = File.join(__dir__, source)
      return if File.exist?(product) && File.mtime(product) > File.mtime(source)

      text, status = Open3.capture2e(*command, "-o", product, source)
      return if status.success?

      telling = text.lines.grep(/error/).then { |lines| lines.empty? ? text.lines : lines }
      "#{File.basename(source)} does not compile: #{telling.first(2).join(" ").gsub(/\s+/, " ").strip}"
    rescue Errno::ENOENT => error
      "#{File.basename(source)} does not compile: #{error.message}#{"; on Debian: apt-get install golang-go" if command.first == "go"}"
    end

    def capture(*command)
      text, status = Open3.capture2({"RUBYOPT" => nil}, *command)
      raise MissingError, "#{command.first} does not run" unless status.success?

      text
    rescue Errno::ENOENT
      raise MissingError, "there is no Ruby at #{command.first}"
    end
  end
end
