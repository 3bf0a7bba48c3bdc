# frozen_string_literal: true

# Fuzz. Random DSL scripts against the model: the same document or the same named error, by every
# way out.

require_relative "generator"
require_relative "../kit/deliveries"
require_relative "../kit/rows"
require_relative "../kit/ways_out"

module Fuzz
  # A whole document on paper: its steps, the form it is written in, how deep it may nest, and a
  # Sink for it.
  Script = Struct.new(:form, :max_depth, :steps, :delivery) do
    def receiver = form == :receiver ? "j." : ""

    # A lambda, so that `return` ends the document.
    def body
      "lambda {#{" |j|" if form == :receiver}\n#{Steps.source(steps, Page.new(receiver, 1))}}"
    end

    def call
      case form
      when :receiver then "ToJson.json(max_depth: #{max_depth}, &script)"
      when :block then "ToJson::Serializer.json!(max_depth: #{max_depth}, &script)"
      when :module then "Fuzz::Host.new.json!(script, max_depth: #{max_depth})"
      else "Fuzz::Written.json!(script, max_depth: #{max_depth})"
      end
    end

    # The real thing.
    def run(script, into = nil, **pace)
      case form
      when :receiver then ToJson.json(max_depth: max_depth, into: into, **pace, &script)
      when :block then ToJson::Serializer.json!(max_depth: max_depth, into: into, **pace, &script)
      when :module then Host.new.json!(script, max_depth: max_depth, into: into, **pace)
      else Written.json!(script, max_depth: max_depth, into: into, **pace)
      end
    end

    def with(form: self.form, max_depth: self.max_depth, steps: self.steps, delivery: self.delivery)
      Script.new(form, max_depth, steps, delivery)
    end
  end

  # The target "scripts".
  class ScriptsTarget
    FORMS = %i[receiver class module block].freeze

    def name = "scripts"
    def rows = ScriptGenerator::ROWS + Deliveries::ROWS

    def generate(dice)
      Script.new(dice.pick(FORMS), dice.once_in(8) ? dice.between(1, 5) : 100,
                 ScriptGenerator.new(dice).document, Delivery.random(dice))
    end

    def source(script)
      "script = " \
      "#{script.body}\n#{"# delivered by #{script.delivery.source}\n" if script.delivery}puts " \
      "#{script.call}"
    end

    def simpler(script)
      plainer = []
      plainer << script.with(delivery: nil) if script.delivery
      plainer << script.with(form: :receiver) unless script.form == :receiver
      plainer << script.with(max_depth: 100) unless script.max_depth == 100
      plainer + Steps.simpler(script.steps).map { |steps| script.with(steps: steps) }
    end

    # @return [String, nil] what is wrong
    def check(script, rows = nil)
      model = Model.new(max_depth: script.max_depth, rows: rows)
      due, refused = modelled(model, script)
      body = eval(script.body) # rubocop:disable Security/Eval
      text = refused ? nil : Text.of(due)
      ways(script, body).each do |way, result|
        problem = difference(text, refused, result, way == "one byte a time" && model.recovered)
        return "#{way}: #{problem}" if problem
      end
      delivered(script, body, text, model, rows) || (to_h(script, body, due) unless refused)
    rescue Model::Undecided # it is to run, whatever comes of it
      results = ways(script, eval(script.body)) # rubocop:disable Security/Eval
      results.filter_map { |way, result| (problem = parses(result)) && "#{way}: #{problem}" }.first
    rescue KeyError # a step taken out of the block whose item it names: no case at all
      nil
    end

    private

    def modelled(model, script)
      [model.document(script.steps), nil]
    rescue Refused => refused
      model.reached("error: too deep") if refused.names == ["NestingError"]
      [nil, refused]
    end

    def ways(script, body)
      {
        "String" => WaysOut.plain { script.run(body, nil) },
        "tiny buffers" => WaysOut.tiny { script.run(body, nil) },
        "one byte a time" => WaysOut.one_byte { |io| script.run(body, io) }
      }
    end

    # Its Sink, in Writers that begin small.
    def delivered(script, body, text, model, rows)
      return unless script.delivery

      ToJson::Writer.sizes(16, 64 * 1024)
      unsure = model.recovered || script.body.include?("rescue StandardError")
      Deliveries.problem(script.delivery, text, unsure, rows) { |**into| script.run(body, **into) }
    ensure
      ToJson::Writer.sizes(*WaysOut::NORMAL)
    end

    def difference(text, refused, result, may_be_poisoned)
      # PoisonedError, or what came of it where the script rescues
      if may_be_poisoned && result.error
        return parses(result)
      elsif refused
        unless result.error && refused.names.include?(result.error.class.name.split("::").last)
          return "#{refused.message} is due, got #{result}"
        end

        return parses(result) || wordless(result.error)
      end
      "due #{text}, got #{result}" unless result.text == text
    end

    def parses(result)
      if result.partial && Text.parsed(result.partial) != :invalid
        "part of a failed document parses: #{result.partial}"
      end
    end

    # An error of ours says where.
    def wordless(error)
      return unless error.is_a?(ToJson::GrammarError) || error.is_a?(ToJson::NestingError)

      unless error.path&.start_with?("$") && error.message.start_with?(error.path)
        "no path in #{error.message.inspect}"
      end
    end

    def to_h(script, body, due)
      return unless script.form == :class

      hash = Written.new(body).to_h(max_depth: script.max_depth)
      "to_h: #{hash.inspect}" unless hash == Text.plain(due)
    end
  end
end
