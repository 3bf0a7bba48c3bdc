# frozen_string_literal: true

require_relative "table"

module Bench
  # A row of the project's list of benchmarks: its tables.
  class Scenario
    attr_reader :number, :name, :title, :tables, :path

    # Every scenario in the directory, in the order of their numbers.
    def self.load_all(directory)
      Dir[File.join(directory, "*.rb")].map { |path| load_file(path) }.sort_by(&:number)
    end

    # The one scenario that the file describes.
    def self.load_file(path)
      Thread.current[:to_json_bench_scenario] = nil
      load(path)
      scenario = Thread.current[:to_json_bench_scenario]
      raise DefinitionError, "#{path} describes no scenario" unless scenario

      scenario.tap(&:check)
    end

    def initialize(number, name, title, path)
      @number, @name, @title, @path, @tables = number, name, title, path, []
    end

    # A table; `measure` names the way (harness/measures), `options` are its own. `ruby` is a
    # requirement (">= 3.2"); not `quick`: --quick leaves the table out.
    def table(name, measure: "calls", ruby: nil, quick: true, **options, &block)
      raise DefinitionError, "#{@name}: two tables are named #{name.inspect}" if table_named(name)

      @tables << Table.new(name, measure, options, @path, ruby: ruby, quick: quick)
      @tables.last.instance_eval(&block)
    end

    def check
      raise DefinitionError, "#{@name} has no tables" if @tables.empty?

      @tables.each(&:check)
    end

    def table_named(name) = @tables.find { |table| table.name == name }
  end

  # What a scenario file calls, once.
  def self.scenario(number, name, title, &block)
    scenario = Scenario.new(number, name, title, caller_locations(1, 1).first.absolute_path)
    scenario.instance_eval(&block)
    Thread.current[:to_json_bench_scenario] = scenario
  end
end
