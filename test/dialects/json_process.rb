# frozen_string_literal: true

# Compares :json or :json2 with the json gem that this process has: run by json_test.rb under the
# Gemfile of each line.
#
#   ruby test/dialects/json_process.rb json [LIBRARY to load too]...
#   # writes a Marshal of {version:, options:, checked:, differences: []}

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "json"
require "to_json"
require "stringio"
require_relative "json_outcome"
require_relative "json_table"

# One process's comparisons.
class JsonComparison
  def initialize(dialect)
    @dialect = dialect
    @checked = 0
    @differences = []
  end

  def table
    JsonTable.options(@dialect).each do |options|
      serializer = declared(options)
      JsonTable.values(options, @dialect).each do |name, value|
        compare(name, value, options, serializer)
      end
    end
    JsonTable::CODERS.each { |options, block| coders(options, block) }
    patched
    additions if @dialect == :json2
    answer
  end

  def answer
    { version: JSON::VERSION, options: JSON::State.new.to_h.keys, checked: @checked,
      differences: @differences }
  end

  private

  def declared(options)
    dialect = @dialect
    Class.new(ToJson::Serializer) do
      rules dialect: dialect, **options
      attributes :v
    end
  end

  def compare(name, value, options, serializer)
    same(name, options, "generate", -> { JSON.generate(value.call, options) },
         -> { ToJson.generate(value.call, dialect: @dialect, **options) })
    same(name, options, "pretty_generate", -> { JSON.pretty_generate(value.call, options) },
         -> { ToJson.pretty_generate(value.call, dialect: @dialect, **options) })
    same(name, options, "an IO", -> { JSON.generate(value.call, options) },
         -> { into_io(value.call, options) })
    return if options[:sort_keys] || options[:rfc8785] # one pair has one order

    theirs = -> { JSON.generate({ v: value.call }, options) }
    same(name, options, "the DSL", theirs,
         -> { ToJson.json(rules: { dialect: @dialect, **options }) { |j| j.put :v, value.call } })
    same(name, options, "a declared serializer", theirs, -> { serializer.json!({ v: value.call }) })
  end

  def coders(options, block)
    theirs = JsonOutcome.of { JSON::Coder.new(**options, &block) }
    ours = JsonOutcome.of { ToJson::Coder.new(dialect: @dialect, **options, &block) }
    if theirs.error || ours.error
      return same("making a Coder", options, "new",
                  -> { theirs.error ? raise(theirs.error) : "made" },
                  -> { ours.error ? raise(ours.error) : "made" })
    end

    JsonTable.values(options.merge(strict: true, as_json: block || options[:as_json]),
                     @dialect).each do |name, value|
      same(name, options, "Coder#dump", -> { theirs.text.dump(value.call) },
           -> { ours.text.dump(value.call) })
      same(name, options, "Coder#generate into an IO", -> { theirs.text.generate(value.call) },
           -> do
             ours.text.generate(value.call, StringIO.new(String.new(encoding: "UTF-8"))).string
           end)
    end
  end

  # to_json on Ruby's own classes, one after the other, then all together.
  def patched
    JsonTable::PATCHES.each do |type, json|
      type.class_eval { define_method(:to_json) { |*| json } }
      [{}, { strict: true }].each do |options|
        JsonTable.values(options, @dialect).each do |name, value|
          plainly("#{name}, with #{type}#to_json", value, options)
        end
      end
    end
  ensure
    JsonTable::PATCHES.each_key { |type| type.send(:remove_method, :to_json) }
  end

  # What 2.x brings for Ruby's classes, each with a to_json.
  def additions
    require "json/add/core"
    require "json/add/bigdecimal"
    require "json/add/set"
    JsonTable::VALUES.each { |name, value| plainly("#{name}, with json/add", value, {}) }
  end

  def plainly(name, value, options)
    same(name, options, "generate", -> { JSON.generate(value.call, options) },
         -> { ToJson.generate(value.call, dialect: @dialect, **options) })
  end

  def into_io(value, options)
    ToJson.generate(value, dialect: @dialect, into: StringIO.new(String.new(encoding: "UTF-8")),
                    **options).string
  end

  def same(name, options, way, theirs, ours)
    @checked += 1
    due, got = JsonOutcome.of(&theirs), JsonOutcome.of(&ours)
    return if due.same?(got)

    @differences <<
      "#{name}, #{options.inspect[0, 120]}, #{way}: due #{due.inspect[0, 300]}, got " \
      "#{got.inspect[0, 300]}"
  end
end

if $PROGRAM_NAME == __FILE__
  answer = $stdout.dup.binmode
  $stdout.reopen($stderr)
  $VERBOSE = nil # json's deprecations
  ARGV.drop(1).each { |library| require library }
  answer.write(Marshal.dump(JsonComparison.new(ARGV.fetch(0).to_sym).table))
end
