# frozen_string_literal: true

# What bounds the figure of scenario 15, which is missed: the least that a compiler of serializers
# must do. It asks each declared field for its key, and the class for a method of that name. It
# makes one Part, the text of the methods by one interpolation, and the Plan, publishes both, and
# keeps by which line an error finds its field. It leaves out options, associations, views, Rules,
# Masks, blocks, other threads and Ractors. Run it with
# `bundle exec ruby benchmark/sketches/start.rb`, and with `RUBYOPT=--yjit` before that.

ROUNDS = 15
CLASSES = 200
VALUE = Struct.new(:id, :author, :body).new(1, "Ann", "text")

# Compiles one class.
module Least
  class << self
    def compile(serializer_class)
      epoch = ToJson::PlanCache.epoch
      ToJson::PlanCache.watch(serializer_class)
      unit = ToJson::Compiler::Unit.of(serializer_class)
      layout = ToJson::Compiler::PartLayout.new(true, :first)
      keys = unit.fields.map { |field| add(layout, serializer_class, field) }
      raise "two fields have one key" unless keys.uniq.size == keys.size

      code = ToJson::Compiler.new_code
      define(code, unit, keys, part = layout.part(true))
      ToJson::PlanCache.keep(serializer_class, plan = plan(serializer_class, code, part, epoch))
      code.instance_variable_set(:@to_json_plan, plan)
      handle = ToJson::Compiler::Handle.new(unit, code, plan).freeze
      ToJson::PlanCache.publish(serializer_class, epoch, { unit => handle })
    end

    private

    def add(layout, serializer_class, field)
      raise "a method" if serializer_class.public_method_defined?(field.source)

      key = field.key || field.name.name
      layout.pair(:value, key, source: field.source)
      key
    end

    def define(code, unit, keys, part)
      code.const_set(:P0, part)
      label = "(to_json #{unit.definition.label} #{code.object_id})"
      values = unit.fields.map { |field| "o.#{field.source}" }.join(",\n")
      ToJson::GeneratedCode.define(code, text(values), label)
      lines = keys.each_with_index.to_h { |key, index| [index + 2, key] }
      place = ToJson::Compiler::FieldLines::Place.new(label, lines, [])
      code.instance_variable_set(:@to_json_place, Ractor.make_shareable(place))
    end

    def text(values)
      <<~RUBY
        def self.object(w, s, o) = w.item(P0, #{values})
        def self.items(w, s, c)
          i = 0
          while i < c.size
            o = c[i]
            i += 1
            w.item(P0, #{values})
          end
        end
        def self.document(w, s, o)
          document = w.__to_json_last(P0, #{values})
        rescue ::Exception => error
          w.__to_json_leave(error)
        ensure
          w.__to_json_drop unless document
        end
      RUBY
    end

    def plan(serializer_class, code, part, epoch)
      ToJson::Plan.new(code: code, row: part, root_one: nil, root_many: nil, meta: nil,
                       serializer_class: serializer_class, rules: true, serializer: false,
                       masked: false, imperative: false, cached: false, document: true,
                       main_ractor_only: nil, helper: nil, epoch: epoch)
    end
  end
end

OURS = "class S_0 < ToJson::Serializer\n  attributes :id, :author, :body\nend"
# The library of each contender, and its steps; "_0" is the number of a class.
CONTENDERS = {
  "to_json" => ["to_json", OURS, "S_0.json!(VALUE)"],
  "the least" => ["to_json", OURS, "Least.compile(S_0)", "S_0.json!(VALUE)"],
  "Panko" => ["panko_serializer", OURS.sub("ToJson", "Panko"),
              "S_0.new.serialize_to_json(VALUE)"]
}.freeze

def clock = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_millisecond)

# @return [Float] milliseconds of processor time
def measure(library, *steps)
  steps = steps.map do |text|
    all = Array.new(CLASSES) { |number| text.gsub("_0", "_#{number}") }.join("\n")
    RubyVM::InstructionSequence.compile(all, __FILE__, __FILE__)
  end
  Object.class_eval("module ActiveRecord; class Base; end; end") # Panko looks for it
  GC.start
  began = clock
  require library
  steps.each(&:eval)
  clock - began
end

# In a process of its own, without Bundler.
def measure_apart(name)
  names = "panko|oj|bigdecimal|ostruct|activesupport|concurrent"
  paths = $LOAD_PATH.grep(%r{/(?:#{names})[\w-]*-\d}).map { |path| "-I#{path}" }
  options = ENV["RUBYOPT"].to_s.split.grep_v(/bundler/).join(" ")
  Float(IO.popen([{ "RUBYOPT" => options }, RbConfig.ruby, *paths, __FILE__, name], &:read))
end

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
if ARGV.any?
  print(measure(*CONTENDERS.fetch(ARGV.first)))
else
  taken = Array.new(ROUNDS) { CONTENDERS.keys.to_h { |name| [name, measure_apart(name)] } }
  CONTENDERS.each_key { |name| puts format("%-10s %6.1f ms", name, taken.map { _1[name] }.min) }
end
