# frozen_string_literal: true

# Layer: definition. What was measured, as text: each contender's code, and the definitions that it stands on. Read from the scenario's
# file, so that the report shows what ran.

require_relative "definition"

module Bench
  # Text of a scenario for results.json.
  module Sources
    # {"contenders" => {table => {contender => {"code", "defined"}}}, "definitions" => {where => text}}; "defined" are keys of
    # "definitions": a file, or a file with the line of the block.
    def self.of(scenario)
      texts = {}
      contenders = scenario.tables.to_h do |table|
        [table.name, table.contenders.to_h { |contender| [contender.name, {"code" => code(contender), "defined" => definitions(table, contender, texts)}] }]
      end
      {"contenders" => contenders, "definitions" => texts}
    end

    # What is run before the loop, then what is timed.
    def self.code(contender)
      parts = [contender.define, contender.before && "#{contender.before.chomp}   # once, before the calls", contender.code]
      parts.compact.map(&:chomp).join("\n\n").gsub(/\n{3,}/, "\n\n")
    end

    def self.definitions(table, contender, texts)
      owners = [contender.group, *contender.peer, contender.name]
      table.setups.select { |whose, *| whose.intersect?(owners) }.map do |_, block, source|
        path, line = block.source_location
        where = relative(source || "#{path}:#{line}")
        texts[where] ||= with_constants(source ? File.read(source) : block_text(File.readlines(path), line))
        where
      end.uniq
    end

    # The block that begins in that line: down to the next line that is not further in.
    def self.block_text(lines, line)
      first = lines[line - 1]
      indent = first[/\A */].size
      return first.strip if first.match?(/\{.*\}\s*\z/)

      rest = lines.drop(line).take_while { |text| text.strip.empty? || text[/\A */].size > indent }
      shift = rest.reject { |text| text.strip.empty? }.map { |text| text[/\A */].size }.min.to_i
      rest.map { |text| text.strip.empty? ? "\n" : text[shift..] }.join.chomp
    end

    # Text that scenarios share is named by constants and methods: what they are is added.
    def self.with_constants(text)
      names = text.scan(/Bench::(?:Contenders|People)(?:::[A-Z][A-Z_0-9]+\b|\.put_person\("[^"]*"\)|\.build_person\([^)]*\)|\.person_hash\("[^"]*"\))/).uniq
      names.reduce(text) do |all, name|
        value = shared(name)
        value ? "#{all.chomp}\n\n# #{name} is:\n#{value.lines.map { |line| "#   #{line.chomp}".rstrip }.join("\n")}" : all
      end
    end

    # The String behind such a name, or nil.
    def self.shared(name)
      owner, member, arguments = name.match(/\ABench::(\w+)(?:::|\.)(\w+)(?:\((.*)\))?\z/).captures
      return nil unless Bench.const_defined?(owner)

      found = arguments ? Bench.const_get(owner).public_send(member, *arguments.scan(/"([^"]*)"/).flatten) : Bench.const_get(owner).const_get(member)
      found if found.is_a?(String)
    end

    def self.relative(path) = path.delete_prefix("#{File.expand_path("../..", __dir__)}/")

    private_class_method :code, :definitions, :block_text, :with_constants, :shared, :relative
  end
end
