# frozen_string_literal: true

# docs/coming_from.md in parts: what belongs to which library. Run as a script it runs the library's
# own side of one section at the top level, as a reader would, in a process that has nothing else
# loaded:
#
#   ruby test/docs/coming_from.rb Alba
#   # writes a Marshal of {locals: {one:, many:}, failures: [], checked: 2}

require_relative "doctest"

module ComingFrom
  PATH = "docs/coming_from.md"
  FILE = File.expand_path("../../#{PATH}", __dir__)

  # A part between two headings. `theirs`, `ours` and `data` are Doctest::Examples, `documents` JSON
  # texts without white space.
  Section = Struct.new(:title, :theirs, :ours, :data, :documents, keyword_init: true)

  # Title of a section => the gem that its own side needs.
  GEMS = {
    "Alba" => "alba", "Panko" => "panko_serializer",
    "active_model_serializers" => "active_model_serializers", "Blueprinter" => "blueprinter",
    "Jbuilder" => "jbuilder", "RABL" => "rabl", "Representable" => "representable",
    "jsonapi-serializer" => "jsonapi-serializer", "Transmutation" => "transmutation"
  }.freeze

  # Equal when parsed, but not the same bytes, as their sections say.
  OTHER_BYTES = %w[Blueprinter Panko RABL jsonapi-serializer].freeze

  class << self
    # @return [Hash{String => Section}] by title; what stands above the first section is the
    #   document's own, "".
    def sections
      @sections ||= begin
        text = File.read(FILE, encoding: Encoding::UTF_8)
        blocks = ["```ruby theirs", "```ruby", "```ruby data", "```json"].map do |fence|
          Doctest.fenced(PATH, text, fence)
        end
        headings(text).each_cons(2).to_h do |(title, first), (_, after)|
          theirs, ours, data, json = blocks.map do |examples|
            examples.select { |example| example.line.between?(first, after) }
          end
          [title,
           Section.new(title: title, theirs: theirs, ours: ours, data: data,
                       documents: json.map { |example| compact(example.code) })]
        end
      end
    end

    # Titles of those that are installed: all but where the Gemfile's groups are left out, or the
    # gem wants a newer Ruby.
    def installed
      GEMS.keys.select { |title| Gem::Specification.find_all_by_name(GEMS[title]).any? }
    end

    # Runs the library's own side of a section in this process, at the top level.
    def run_theirs(title)
      recorder = Recorder.new
      TOPLEVEL_BINDING.local_variable_set(:__doctest__, recorder)
      [*sections[""].data, *sections.fetch(title).theirs].each { |example| recorder.run(example) }
      locals = %i[one many].to_h do |name|
        [name,
         TOPLEVEL_BINDING.local_variable_defined?(name) ?
           TOPLEVEL_BINDING.local_variable_get(name) : nil]
      end
      { locals: locals, failures: recorder.failures, checked: recorder.checked }
    end

    private

    def headings(text)
      found = text.lines.each.with_index(1).filter_map do |line, number|
        [line.delete_prefix("## ").chomp, number] if line.start_with?("## ")
      end
      [["", 0], *found, [nil, text.lines.size]]
    end

    # JSON without the white space between its tokens, everything else as it stands.
    def compact(json) = json.gsub(/("(?:[^"\\]|\\.)*")|\s+/) { $1 }
  end

  # Takes what the statements of an example give, as Doctest::Session does, without the library.
  class Recorder
    attr_reader :failures, :checked

    def initialize
      @failures = []
      @checked = 0
    end

    def run(example)
      @example = example
      @expectations = Doctest.expectations(example.code)
      before = @checked
      TOPLEVEL_BINDING.eval(Doctest.instrument(example.code, @expectations), example.path,
                            example.line)
      if @checked - before != @expectations.size
        @failures <<
          "#{example.place}: #{@expectations.size} results, #{@checked - before} compared"
      end
    end

    def value(index, value)
      @checked += 1
      expectation = @expectations[index]
      return value if Doctest.matches?(expectation.text, value)

      @failures <<
        "#{@example.path}:#{@example.line + expectation.last}: # => #{expectation.text}\n  but " \
        "it gives #{value}"
      value
    end
  end
end

if $PROGRAM_NAME == __FILE__
  answer = $stdout.dup.binmode
  $stdout.reopen($stderr) # what the libraries print
  answer.write(Marshal.dump(ComingFrom.run_theirs(ARGV.fetch(0))))
end
