# frozen_string_literal: true

# Demo, the story: database, excerpt, document, check, table. Started by bin/demo, which has
# installed and compiled what this needs.

gem_directories = Gem.path.dup                           # before Bundler narrows them to its bundle
require "bundler/setup"
$stdout.sync = true

require "to_json"
require_relative "options"
require_relative "database"
require_relative "document"
require_relative "peers"
require_relative "stopwatch"
require_relative "table"
require_relative "../examples/class_form"
require_relative "../examples/module_form"
require_relative "../examples/block_form"
require_relative "../examples/explicit_receiver"
require_relative "../examples/declared"

module Demo
  class Main
    EXCERPT_LINES = 40
    OURS = "to_json, class form"
    private_constant :EXCERPT_LINES, :OURS

    def initialize(options, gem_directories)
      @options = options
      @database = Database.new(File.join(options.directory, "gems.sqlite3"),
                               Specifications.new(gem_directories))
    end

    def run
      open_database
      gems = InstalledGem.complete.limit(@options.rows).to_a
      show_excerpt(gems)
      bytes = write_document(gems)
      measure(gems, bytes)
    end

    private

    def open_database
      started = now
      built = @database.open(rebuild: @options.rebuild) do |done|
        print "\r   reading specifications: #{done}" if $stdout.tty?
      end
      print "\r\e[K" if built && $stdout.tty?
      verb = built ? "built from this machine's gem specifications" : "up to date"
      title "Database", "#{verb} (#{seconds(now - started)})"
      say tally(@database.counts), "  in #{File.join(@options.directory, "gems.sqlite3")}"
    end

    # The smallest gem that has something of everything, as a reader would like to see it.
    def show_excerpt(gems)
      gem = gems.select { |row| row.dependencies.any? && row.authors.any? && row.files.any? }
              .min_by { |row| row.files.size } || gems.first
      return unless gem

      title "Excerpt", "puts ToJson.pretty_generate(GemSerializer.new(gem))"
      lines = ToJson.pretty_generate(GemSerializer.new(gem)).lines(chomp: true)
      say(*lines.first(EXCERPT_LINES))
      say "(#{lines.size - EXCERPT_LINES} more lines)" if lines.size > EXCERPT_LINES
    end

    # @return [Integer] the bytes written
    def write_document(gems)
      path = File.join(@options.directory, "gems.json")
      title "Document",
            "File.open(path, \"wb\") { |file| CatalogueSerializer.json!(gems, into: file) }"
      started = now
      File.open("#{path}.part", "wb") { |file| CatalogueSerializer.json!(gems, into: file) }
      took = now - started
      File.rename("#{path}.part", path)
      text = File.read(path, encoding: Encoding::UTF_8)
      say "#{path}: #{Table.thousands(text.bytesize)} bytes in #{milliseconds(took)} ms " \
          "(ActiveRecord casts its columns at this first reading)"
      counted = Document.check(text, @database.counts(InstalledGem.order(:id).limit(@options.rows)))
      say "read back by json #{JSON::VERSION}; the same as SQL counts: #{tally(counted)}"
      text.bytesize
    end

    def measure(gems, bytes)
      ways = ways(gems)
      ruby = "ruby #{RUBY_VERSION}#{" with YJIT" if yjit?}, ActiveRecord #{ActiveRecord.version}"
      title "Comparison",
            "#{gems.size} gems, loaded before; median of #{@options.runs} runs in turn; #{ruby}"
      documents = ways.transform_values(&:call)
      Document.compare(documents)
      Document.identical(documents.select { |name, _| name.start_with?("to_json") })
      say "#{ways.size} ways, one document: what they write parses to the same, ours to the " \
          "byte, compared before the timing", ""
      *samples,
      reading = Stopwatch.compare(ways.merge("reading alone" => -> { Peers.read(gems) }),
                                  runs: @options.runs)
      reference = samples.find { |sample| sample.name == OURS }
      rows = samples.map do |sample|
        [sample.name, milliseconds(sample.seconds),
         Kernel.format("%.1f", bytes / sample.seconds / 1e6),
         Table.thousands(sample.objects), Kernel.format("%.2f", sample.seconds / reference.seconds)]
      end
      say(*Table.format(["", "CPU ms", "MB/s", "objects", "time, x ours"], rows).lines(chomp: true))
      say "",
          "Of each, #{milliseconds(reading.seconds)} ms go to ActiveRecord: calling every getter " \
          "once and writing nothing takes that."
    end

    def ways(gems)
      { OURS => -> { CatalogueSerializer.json!(gems) },
        "to_json, declared" => -> { DeclaredGemSerializer.json!(gems) },
        "to_json, module form" => -> { CatalogueDocument.json!(gems) },
        "to_json, block form" => -> { CatalogueReport.new(gems).to_document },
        "to_json, explicit receiver" => -> { ExplicitCatalogue.document(gems) },
        "Oj::StringWriter (#{Oj::VERSION})" => -> { Peers.oj_string_writer(gems) },
        "Hash + JSON.generate (#{JSON::VERSION})" => -> { Peers.hash_generate(gems) },
        "Jbuilder (#{::Gem.loaded_specs.fetch("jbuilder").version})" => -> {
          Peers.jbuilder(gems)
        } }
    end

    def title(name, detail) = puts("", "== #{name}: #{detail}")
    def say(*lines) = lines.each { |line| puts "   #{line}".rstrip }
    def tally(counts)
      counts.map { |name, number| "#{Table.thousands(number)} #{name}" }.join(", ")
    end
    def seconds(number) = Kernel.format("%.1f s", number)
    def milliseconds(number) = Kernel.format("%.2f", number * 1e3)
    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    def yjit? = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled?
  end
end

begin
  options = Demo::Options.parse(ARGV)
rescue OptionParser::ParseError => error
  warn "bin/demo: #{error.message}. See bin/demo --help."
  exit 2
end

begin
  Demo::Main.new(options, gem_directories + [Bundler.bundle_path.to_s]).run
rescue Demo::Mismatch => error
  warn "bin/demo: #{error.message}"
  exit 1
end
