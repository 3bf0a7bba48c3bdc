# frozen_string_literal: true

require "fileutils"
require "open3"
require "yaml"
require_relative "peer_gems"

module Bench
  ROOT = File.expand_path("../..", __dir__)

  # Something that bin/bench cannot do without is missing; the message says what to install.
  class MissingError < StandardError
  end

  # A Ruby on which benchmarks run, with its peers installed and the extension, the malloc counter
  # and native peers compiled: all below tmp/bench/VERSION-PLATFORM.
  class Stage
    FACTS = "puts RUBY_VERSION, RUBY_PLATFORM, RbConfig.ruby, " \
            "RbConfig::CONFIG.values_at('rubyhdrdir', 'rubyarchhdrdir', 'CC')"

    attr_reader :version, :missing, :malloc_counter

    # `ruby` is the program.
    def initialize(ruby)
      @missing, @source, @native = {}, ROOT, "native"
      facts, status = Open3.capture2({"RUBYOPT" => nil}, ruby, "-rrbconfig", "-e", FACTS)
      raise MissingError, "#{ruby} does not run" unless status.success?

      @version, platform, @ruby, *@headers, @compiler = facts.lines(chomp: true)
      @directory = File.join(ROOT, "tmp", "bench", "#{@version}-#{platform}")
      FileUtils.mkdir_p(compiled_directory)
    rescue Errno::ENOENT
      raise MissingError, "there is no Ruby at #{ruby}"
    end

    # Installs and builds what is not yet there. Peers that cannot be installed end in `missing`.
    def prepare
      gems = PeerGems.new(@ruby, @version, @directory, peers)
      @load_paths = gems.load_paths
      @missing.merge!(gems.missing)
      build_extension
      counter = File.join(@directory, "malloc_count.so")
      @malloc_counter = counter unless compile("malloc_count.c", counter)
      peers.each { |name, peer| build_peer(name, peer) if peer["source"] }
      self
    end

    # Compiles what tells callgrind when to count.
    def prepare_callgrind
      unless system("valgrind", "--version", out: File::NULL, err: File::NULL)
        raise MissingError, "valgrind is missing; on Debian: apt-get install valgrind"
      end

      build_peer("callgrind_marks", {"source" => "callgrind_marks.c"})
      error = @missing.delete("callgrind_marks") and raise MissingError, error
    end

    # This Ruby with the gem of another tree, compiled into a directory of that name; benchmarks
    # and peers stay those of this tree. `built`: that gem is the one that is compiled here.
    def with_gem(source, name, built: false)
      library = File.join(native_directory, "to_json.so") if built
      dup.tap { |other| other.use_gem(source, name, library) }
    end

    # True when this Ruby was built with YJIT.
    def yjit?
      asked = "print defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?"
      Open3.capture2e(@ruby, "--yjit", "-e", asked).first == "true"
    end

    # What peers.yml lists.
    def peers = @peers ||= YAML.safe_load_file(File.join(ROOT, "benchmark", "peers.yml"))

    # The program of a peer that is not Ruby, or nil.
    def program(peer)
      File.join(compiled_directory, peer) if peers.dig(peer, "source")&.end_with?(".go")
    end

    # Why this peer cannot run here, or nil.
    def missing_reason(peer)
      entry = peers.fetch(peer) { return "benchmark/peers.yml does not list it" }
      wanted = Gem::Requirement.new(entry.fetch("ruby", ">= 3.1"))
      wanted.satisfied_by?(Gem::Version.new(@version)) ? @missing[peer] : "needs Ruby #{wanted}"
    end

    # The worker's command and environment.
    def command(flags)
      [@ruby, *flags, *load_paths.flat_map { |path| ["-I", path] },
       File.join(ROOT, "benchmark/worker/main.rb")]
    end

    def environment
      {"BUNDLE_GEMFILE" => nil, "RUBYOPT" => nil, "RUBYLIB" => nil, "GEM_HOME" => nil,
       "TO_JSON_NATIVE" => native_directory}
    end

    # lib, and what Bundler would put on the load path: workers start without Bundler.
    def load_paths = [File.join(@source, "lib"), compiled_directory, *@load_paths]

    # Where the marks of callgrind and peers are that are compiled, not installed.
    def compiled_directory = File.join(@directory, "compiled")

    protected

    def use_gem(source, name, library)
      @source, @native = source, name
      return build_extension unless library

      FileUtils.mkdir_p(native_directory)
      FileUtils.cp(library, native_directory)
    end

    private

    def native_directory = File.join(@directory, @native)

    # Out of the tree, so that debug builds and other Rubies are left alone.
    def build_extension
      built = File.join(native_directory, "to_json.so")
      return if newer?(built, *Dir[File.join(@source, "ext", "**", "*.{c,h,rb}")])

      warn "compiling the extension for Ruby #{@version}"
      FileUtils.mkdir_p(native_directory)
      clean = %w[DEBUG SANITIZE COVERAGE PLANT].to_h { |name| ["TO_JSON_#{name}", nil] }
      configure = [@ruby, File.join(@source, "ext", "to_json", "extconf.rb")]
      [configure, ["make", "-j2"]].each do |command|
        text, status = Open3.capture2e({"RUBYOPT" => nil, **clean}, *command,
                                       chdir: native_directory)
        raise MissingError, "the extension does not compile:\n#{text}" unless status.success?
      end
    end

    # An extension for this Ruby, or a program in Go; an error is why its rows are missing.
    def build_peer(name, options)
      product = File.join(compiled_directory, name)
      source, with = options.values_at("source", "with")
      error = if source.end_with?(".go") then run(source, product, "go", "build")
              else
                compile(source, "#{product}.so", "-O3", "-fvisibility=hidden",
                        *(Dir[File.join(ROOT, with)] if with),
                        *@headers.map { |path| "-I#{path}" })
              end
      @missing[name] = error if error
    end

    def compile(source, library, *options)
      run(source, library, *@compiler.split, "-O2", "-shared", "-fPIC", *options)
    end

    # Makes `product` of a file of benchmark/native; nil, or what the compiler said.
    def run(source, product, *command)
      path = File.join(ROOT, "benchmark/native", source)
      beside = command.grep(/\.c\z/) # compiled into it
      return if newer?(product, path, *beside, *Dir[path.sub(/\.\w+\z/, "/*")])

      text, status = Open3.capture2e(*command, "-o", product, path)
      "#{source} does not compile: #{(text[/.*error.*/] || text).strip}" unless status.success?
    rescue Errno::ENOENT => error
      "#{source} does not compile: #{error.message}; on Debian: apt-get install golang-go gcc"
    end

    def newer?(product, *sources)
      File.exist?(product) && sources.all? { |path| File.mtime(product) > File.mtime(path) }
    end
  end
end
