# frozen_string_literal: true

# Fuzz. Random Definitions × random objects: what a serializer writes is what the naive interpreter
# of its Definition says and what the imperative DSL writes, by every way out, at its first use and
# later; and it parses to what to_h gives.

require_relative "build"
require_relative "cached"
require_relative "calls"
require_relative "generator"
require_relative "lines"
require_relative "rows_reached"
require_relative "shrink"
require_relative "source"
require_relative "writers"
require_relative "../kit/deliveries"
require_relative "../kit/rows"
require_relative "../kit/ways_out"
require "to_json/testing"

module Fuzz
  # The target "definitions".
  class DefinitionsTarget
    include Definitions
    include Definitions::Cached
    include Definitions::Recorded

    # A case that generator or shrinker should not have made.
    Senseless = Class.new(StandardError)

    # What making a case small may do to names.
    CLASH = /two fields have the name|would both be written/

    def name = "definitions"
    def rows = Definitions::ROWS + Deliveries::ROWS + Recorded::ROWS

    def generate(dice)
      generator = Generator.new(dice)
      found = Case.new(types: generator.types, change: generator.change, calls: [])
      found.with(calls: CallGenerator.new(dice, found).calls, delivery: Delivery.random(dice),
                 lines: Lines.random(dice))
    end

    def simpler(found) = Shrink.simpler(found)
    def source(found) = Source.of(found)

    # @return [String, nil] what is wrong
    def check(found, rows = nil)
      @rows = rows
      @delivery, @lines = found.delivery, found.lines
      Reach.count(found, rows) if rows
      world = Build.new(found, rows)
      world.begin
      calls = found.calls.map { |call| [call, world.row(call.given)] }
      all(found, world, calls) || cached(world, calls) || later(
        found, world, calls
      ) || renamed(found, world)
    rescue ToJson::DefinitionError => error
      "a sound Definition is refused: #{error.message}" if rows || !error.message.match?(CLASH)
    # a row made plainer than what is read from it, while a case is made small
    rescue Senseless => error
      rows && error.message
    ensure
      world&.dismantle
    end

    private

    def reached(row) = @rows&.reached(row)

    def all(found, world, calls)
      model = found.model(changed: false)
      each_problem(calls) do |call, given|
        declared(world[call.id], model, call) || answered(world, model, call, given)
      end
    end

    # An anonymous class stays one.
    def renamed(found, world)
      found.types.filter_map { |type|
        (name = world[type.id].name.to_s).start_with?("ToJson") &&
          "an anonymous class is called #{name} now"
      }.first
    end

    # When the classes have changed.
    def later(found, world, calls)
      return unless found.change

      world.change
      model = found.model(changed: true)
      calls.each_index do |index|
        call, given = calls[index]
        call = Shrink.cut(call, model)
        problem = declared(world[call.id], model, call) || answered(world, model, call, given)
        # What an association's only: or view: names may be gone: refused when it is compiled, be
        # there data or not.
        next if problem&.match?(/got ToJson::Unknown(Field|View)Error/)
        # Two flattened serializers may have got fields of one name (seed 1004, case 1492).
        next if problem&.match?(/got ToJson::DefinitionError: .* would both be written/)
        return "after the change, call #{index}: #{problem}" if problem
      end
      nil
    end

    def each_problem(calls)
      calls.each_with_index do |(call, given), index|
        problem = yield(call, given)
        return "call #{index}: #{problem}" if problem
      end
      nil
    end

    # The class's Definition has the fields of the paper.
    def declared(klass, model, call)
      due = model.fields(call.id, model.resolved(call.id, call.view)).map do |field|
        [KINDS_OF.fetch(field.kind), field.name]
      end
      found = klass.definition.fields(klass.definition.resolve_views(call.view)).map do |field|
        [field.kind, field.name]
      end
      "the Definition has #{found.inspect}, due is #{due.inspect}" unless found == due
    rescue KeyError, ToJson::UnknownViewError
      nil
    end

    KINDS_OF = { attribute: :attribute, nested: :nested, has_one: :one, belongs_to: :one,
                 has_many: :many, association: :any, flatten: :flatten }.freeze

    def answered(world, model, call, given)
      @max_depth = call.max_depth
      rules = call.rules || (model.line(call.id).any?(&:html) ? { html_safe: true } : {})
      due = due(world, call, given, rules)
      problem = wrong_way(world, call, given, due)
      problem ||= read_back(world[call.id], call, given, due) if due.text
      problem ||= against_schema(world[call.id], call, given, due) if due.text
      problem ||= delivered(world[call.id], call, given, due)
      problem ||= recorded(world[call.id], call, given, due, due) if world.faults.empty?
      return problem if problem || due.error || world.faults.empty?

      struck(world, call, given, rules, due)
    end

    # What json_schema says of the class holds for what it writes. nil as an element is not
    # foreseen.
    def against_schema(klass, call, given, due)
      return if given.nil? || call.rules || PLAIN.any? { |declares| !declares.call(klass) }

      keywords = { view: call.view, only: tree(call.only&.names), except: tree(call.except&.names),
                   root: call.root, collection: call.collection }.compact
      matcher = SCHEMAS.follow_schema_of(klass, **keywords)
      return if matcher.matches?(due.text) ||
                matcher.matches?(without_nil(ToJson::Tree.parse(due.text)))

      "json_schema: #{matcher.failure_message} in #{due.text}"
    end

    # The document with no nil among the elements of an Array.
    def without_nil(value)
      case value
      when Array then value.compact.map { |element| without_nil(element) }
      when Hash then value.transform_values { |inner| without_nil(inner) }
      else value
      end
    end

    SCHEMAS = Object.new.extend(ToJson::Testing::Matchers)
    PLAIN = [:declared?.to_proc,
             ->(klass) { klass.instance_method(:serialize).owner == ToJson::Serializer }].freeze
    private_constant :SCHEMAS, :PLAIN

    # What the oracle says, once with the imperative DSL.
    def due(world, call, given, rules, rows = @rows)
      klass = world[call.id]
      options = { view: call.view, only: tree(call.only&.names), except: tree(call.except&.names),
                  root: call.root, meta: call.meta,
                  context: call.context || {}, collection: call.collection }
      written = outcome do
        Imperative.new.text(klass, given, rules: rules, max_depth: call.max_depth, **options)
      end
      told = outcome { Tree.new(rows).text(klass, given, rules: rules, **options) }
      # Of two errors either may come first.
      return written if call.max_depth && (written.error.is_a?(ToJson::NestingError) || told.error)

      if told.error && !ERRORS.include?(kind(told.error))
        raise Senseless, "no case should end with #{told}"
      end
      raise "the oracle disagrees with itself: #{told} and #{written}" if difference(told, written)
      told
    end

    # @return [Hash, nil] as the oracle has it
    def tree(names) = names&.to_h { |name, part| [name.to_s, tree(part)] }

    # Every way to get the document, one by one.
    def ways(world, call, given)
      klass = world[call.id]
      options = call.options
      options[:collection] = call.collection unless call.collection.nil?
      word = { true => :many, false => :one }[call.collection]
      Enumerator.new do |out|
        out << ["json!", outcome { klass.json!(given, **options) }]
        out << ["json! again", outcome { klass.json!(given, **options) }]
        out << ["tiny buffers", caught { WaysOut.tiny { klass.json!(given, **options) } }]
        out << ["one byte a time",
                caught { WaysOut.one_byte { |io| klass.json!(given, into: io, **options) } }]
        out << ["appended",
                caught { WaysOut.appended { |text| klass.json!(given, into: text, **options) } }]
        # A State, because to_json() without one escapes as ActiveSupport says where that is loaded.
        out << ["new(…).to_json", outcome { klass.new(given, **options).to_json(JSON::State.new) }]
        out << ["to_h", outcome { written_from_values(klass, given, options) }]
        out << [word.to_s, outcome { klass.public_send(word, given, **call.options) }] if word
        out << ["a body", outcome { klass.stream(given, **options).each.to_a.join }]
        if record?(klass, call)
          out << ["a record",
                  caught do
                    WaysOut.tiny do
                      klass.ndjson([given].each, **options.except(:collection), into: []).join.chomp
                    end
                  end]
        end
      end
    end

    # @return [String] the document, if `to_h` is what a parser makes of it
    def written_from_values(klass, given, options)
      found = klass.to_h(given, **options)
      text = klass.json!(given, **options)
      found.inspect == ToJson::Tree.parse(text).inspect ? text : "to_h is #{found.inspect}"
    end

    # Whether a line of NDJSON is the document: it has no root but the call's, and is one.
    def record?(klass, call)
      !call.meta && (call.root == false || (call.root.nil? && !klass.definition.root)) &&
        call.given.is_a?(Row)
    end

    # A Result; its error may be a Symbol that was thrown.
    def outcome(&run) = caught { WaysOut.plain { run.call } }

    def caught
      thrown = catch(:fuzz) { return yield }
      Result.new(nil, :throw).tap { reached("error: throw") if thrown }
    end

    def difference(due, result)
      return if due.text && asked_its_class?(result.error)

      if due.error
        unless kind(due.error) == kind(result.error) ||
                 (result.error.is_a?(ToJson::NestingError) && @max_depth)
          return "#{due} is due, got #{result}"
        end

        reached("error: #{kind(due.error)}")
        if result.partial && Text.parsed(result.partial) != :invalid
          return "part of a failed document parses: #{result.partial}"
        end
      elsif due.text != result.text then "due #{due}, got #{result}"
      end
    end

    # A lookup or a map asks a value for its class: a getter of that name may strike there, whatever
    # is written.
    def asked_its_class?(error)
      error.is_a?(Boom) && error.backtrace.to_a.any? do |line|
        line.include?("lib/to_json/declaring/lookup.rb")
      end
    end

    def kind(error) = error.is_a?(Symbol) ? "throw" : error.class.name.to_s.split("::").last

    def read_back(klass, call, given, due)
      plain = Text.parsed(due.text)
      return "json reads nothing in #{due.text}" if plain == :invalid

      hash = klass.to_h(given, **call.options, **{ collection: call.collection }.compact)
      "to_h: #{hash.inspect}" unless hash == Text.plain(plain)
    end

    # A getter that fails, and the next call, which must be right.
    def struck(world, call, given, rules, well)
      Fault.armed = true
      due = due(world, call, given, rules, nil)
      problem = wrong_way(world, call, given, due) and return "struck, #{problem}"
      Fault.armed = false
      problem = recorded(world[call.id], call, given, well, due) and return "struck, #{problem}"
      (problem = wrong_way(world, call, given, well)) && "after it was struck, #{problem}"
    ensure
      Fault.armed = false
    end

    def delivered(klass, call, given, due)
      return if @delivery.nil? || due.error.is_a?(Symbol)

      options = { **call.options, collection: call.collection }.compact
      Deliveries.problem(@delivery, due.text, false, @rows) do |**into|
        klass.json!(given, **options, **into)
      end
    end

    def wrong_way(world, call, given, due)
      ways(world, call, given).each do |way, result|
        wrong = difference(due, result)
        return "#{way}: #{wrong}" if wrong
      end
      nil
    end
  end
end
