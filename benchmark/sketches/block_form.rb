# frozen_string_literal: true

# What the block form must cost at least where only Ruby's public API finds the block's self: the
# class form, and beside it no more than a Proc, its Binding, a new object, and its ten instance
# variables set and compared once by straight Ruby. The block itself never runs.
#
#   ruby -Ilib benchmark/sketches/block_form.rb          # also with --yjit
#
# Prints times of the class form: the least of turns, for the block form and for the sketch.

require "to_json"

NAMES = %w[name birthday street skills single_skills booleans request response params number].freeze
VARIABLES = NAMES.map { |name| "@#{name}" }.freeze

ADDRESS = <<~RUBY
  put :address, "1143 1st Ave"
  put :address2, "Apt 200"
  put :city, "New York"
  put :state, "New York"
  put :zip, 10065
RUBY

def person(at) = <<~RUBY
  put :name, #{at}name
  put :birthday, #{at}birthday
  put :street do
    #{ADDRESS}
  end
  put :skills do
    %i[ruby asp php mysql mongodb haproxy marathon].each { |skill| put skill, true }
  end
  put :single_skills, #{at}single_skills
  put :booleans, #{at}booleans
RUBY

# A caller with ten instance variables, as a controller has.
class Page
  def initialize
    @name, @birthday, @street, @skills = "Garrett Bjerkhoel", Time.at(0), nil, nil
    @single_skills, @booleans = %w[a b c d e], [true, true, false, nil]
    @request, @response, @params, @number = Object.new, Object.new, { id: 1 }, 1
  end

  # The least that makes a receiver and gives its variables back.
  def least(&block)
    from = block.binding.receiver
    copy = Copy.allocate
    from.read_into(copy)
    copy.same_as?(from)
  end

  class_eval <<~RUBY, __FILE__, __LINE__ + 1
    def read_into(copy) = copy.fill(#{VARIABLES.join(", ")})
    def same?(#{NAMES.join(", ")}) = #{NAMES.map { |name| "@#{name}.equal?(#{name})" }.join(" && ")}
  RUBY
end

# Stands for the hidden subclass of the block form.
class Copy < Page
  class_eval <<~RUBY, __FILE__, __LINE__ + 1
    def fill(#{NAMES.join(", ")})
      #{NAMES.map { |name| "@#{name} = #{name}" }.join("\n")}
    end
    def same_as?(from) = from.same?(#{VARIABLES.join(", ")})
  RUBY
end

class SmallSerializer < ToJson::Serializer
  class_eval("def serialize\n#{ADDRESS}end", __FILE__, __LINE__)
end

class ComplexSerializer < ToJson::Serializer
  class_eval("def serialize(name, birthday, single_skills, booleans)\n#{person("")}end", __FILE__, __LINE__)
end

class Page
  class_eval <<~RUBY, __FILE__, __LINE__ + 1
    def small_class = SmallSerializer.json!
    def small_block = ToJson::Serializer.json! { #{ADDRESS} }
    def small_sketch = (least { #{ADDRESS} }; small_class)
    def complex_class = ComplexSerializer.json!(@name, @birthday, @single_skills, @booleans)
    def complex_block = ToJson::Serializer.json! { #{person("@")} }
    def complex_sketch = (least { #{person("@")} }; complex_class)
  RUBY
end

CALLS = 400
TURNS = 200
page = Page.new
least = Hash.new(Float::INFINITY)
clock = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
methods = %w[small complex].product(%w[class block sketch]).map { |pair| pair.join("_") }
methods.each_slice(3) { |documents| raise "they differ" if documents.map { |name| page.__send__(name) }.uniq.size > 1 }
TURNS.times do
  methods.each do |name|
    began = clock.call
    CALLS.times { page.__send__(name) }
    least[name] = [least[name], clock.call - began].min
  end
end
{ "small" => 3, "complex" => 1.6 }.each do |document, due|
  block, sketch = %w[block sketch].map { |form| least["#{document}_#{form}"] / least["#{document}_class"] }
  puts format("%-8s block form %.2f, due %.1f; sketch %.2f", document, block, due, sketch)
end
