# frozen_string_literal: true

require "yaml"
require_relative "peer_gems"

module Bench
  # A Ruby on which benchmarks run, with its peers installed and the extension, the probe and Go's
  # program compiled: all below tmp/bench/VERSION-PLATFORM.
  class Stage
    FACTS = "puts RUBY_VERSION, RUBY_PLATFORM, RbConfig.ruby, " \
            "RbConfig::CONFIG.values_at('rubyhdrdir', 'rubyarchhdrdir', 'CC')"
    PLAIN = {"RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil}.freeze
    # Variables that choose another build.
    BUILDS = %w[DEBUG SANITIZE COVERAGE PLANT].to_h { |name| ["TO_JSON_#{name}", nil] }.freeze

    # `load_paths` are the peers' gems; `missing` says why by peer.
    attr_reader :version, :missing, :load_paths

    # `ruby` is the program.
    def initialize(ruby)
      @missing, @source, @native, @load_paths = {}, ROOT, "native", []
      facts, status = Open3.capture2(PLAIN, ruby, "-rrbconfig", "-e", FACTS)
      raise MissingError, "#{ruby} does not run" unless status.success?

      @version, platform, @ruby, *@headers, @compiler = facts.lines(chomp: true)
      @directory = File.join(ROOT, "tmp", "bench", "#{@version}-#{platform}")
      FileUtils.mkdir_p(compiled)
    rescue Errno::ENOENT
      raise MissingError, "there is no Ruby at #{ruby}"
    end

    # Installs and builds what is not yet there. Peers that cannot be installed end in `missing`.
    def prepare
      gems = PeerGems.new(@ruby, @version, @directory, peers)
      @load_paths, @missing = gems.load_paths, gems.missing
      build_extension
      build_probe
      peers.select { |_, peer| peer["source"] }.each do |name, peer|
        error = build(peer["source"], name, "go", "build")
        @missing[name] = "#{error}; on Debian: apt-get install golang-go" if error
      end
      self
    end

    # Where it cannot be compiled, bytes have no figure; instructions need it.
    def build_probe
      build("probe.c", "probe.so", *@compiler.split, *%w[-O2 -shared -fPIC -Wl,-z,lazy],
            *@headers.map { |path| "-I#{path}" })
    end

    # This Ruby with the gem of another tree, compiled into a directory of that name; benchmarks
    # and peers stay those of this tree. `built`: that gem is the one that is compiled here.
    def with_gem(source, name, built: false)
      library = File.join(native, "to_json.so")
      dup.tap { |other| other.use_gem(source, name, (library if built)) }
    end

    # True when this Ruby was built with YJIT.
    def yjit?
      asked = "print defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?"
      Open3.capture2e(@ruby, "--yjit", "-e", asked).first == "true"
    end

    # What peers.yml lists.
    def peers = @peers ||= YAML.safe_load_file(File.join(ROOT, "benchmark", "peers.yml"))

    # Why this peer cannot run here, or nil.
    def missing_reason(peer)
      entry = peers.fetch(peer) { return "benchmark/peers.yml does not list it" }
      wanted = Gem::Requirement.new(entry.fetch("ruby", ">= 3.1"))
      wanted.satisfied_by?(Gem::Version.new(@version)) ? @missing[peer] : "needs Ruby #{wanted}"
    end

    # The worker's command. lib and what Bundler would find are on the load path: it starts without.
    def command(flags)
      paths = [File.join(@source, "lib"), compiled, *@load_paths]
      [@ruby, *flags, *paths.flat_map { |path| ["-I", path] },
       File.join(ROOT, "benchmark/worker/main.rb")]
    end

    def environment
      probe = File.join(compiled, "probe.so")
      {**PLAIN, "TO_JSON_NATIVE" => native, "LD_PRELOAD" => (probe if File.exist?(probe))}
    end

    # Where the probe and Go's program are.
    def compiled = File.join(@directory, "compiled")

    protected

    def use_gem(source, name, library)
      @source, @native = source, name
      return build_extension unless library

      FileUtils.mkdir_p(native)
      FileUtils.cp(library, native)
    end

    private

    def native = File.join(@directory, @native)

    # Out of the tree, so that debug builds and other Rubies are left alone.
    def build_extension
      sources = Dir[File.join(@source, "ext", "**", "*.{c,h,rb}")]
      return if newer?(File.join(native, "to_json.so"), *sources)

      warn "compiling the extension for Ruby #{@version}"
      FileUtils.mkdir_p(native)
      configure = [@ruby, File.join(@source, "ext", "to_json", "extconf.rb")]
      [configure, ["make", "-j2"]].each do |command|
        text, status = Open3.capture2e({**PLAIN, **BUILDS}, *command, chdir: native)
        raise MissingError, "the extension does not compile:\n#{text}" unless status.success?
      end
    end

    # Makes a product of a file of benchmark/native; nil, or what the compiler said.
    def build(source, name, *command)
      product, path = File.join(compiled, name), File.join(ROOT, "benchmark/native", source)
      return if newer?(product, path)

      text, status = Open3.capture2e(*command, "-o", product, path)
      "#{source} does not compile: #{(text[/.*error.*/] || text).strip}" unless status.success?
    rescue Errno::ENOENT => error
      "#{source} does not compile: #{error.message}"
    end

    def newer?(product, *sources)
      File.exist?(product) && sources.all? { |path| File.mtime(product) > File.mtime(path) }
    end
  end
end
