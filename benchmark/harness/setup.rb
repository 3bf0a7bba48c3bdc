# frozen_string_literal: true

require_relative "stage"
require_relative "worker_process"

module Bench
  # One column of the report: a prepared Ruby, and whether YJIT compiles.
  class Setup
    # YJIT's figures are judged from this Ruby on; those of older ones are printed only.
    YJIT_JUDGED_FROM = Gem::Version.new("3.4")

    attr_reader :stage, :yjit, :versions
    attr_accessor :description

    def initialize(stage, yjit:)
      @stage, @yjit, @versions = stage, yjit, {}
    end

    def id = "#{@stage.version}#{" --yjit" if @yjit}"

    # "interpreter" or "yjit" where the figures of that name bind, else nil.
    def judged_as
      return "interpreter" unless @yjit

      "yjit" if Gem::Version.new(@stage.version) >= YJIT_JUDGED_FROM
    end

    # A worker; with `wrapper` it runs below that command.
    def start(wrapper: [], **environment)
      WorkerProcess.new({**@stage.environment, **environment.transform_keys(&:to_s)},
                        [*wrapper, *@stage.command(@yjit ? ["--yjit"] : [])])
    end

    # A flag that did nothing must not pass for YJIT: a worker says what it runs on.
    def identify
      worker = start
      identity = worker.ask(:identity)
      raise MissingError, "#{id} says it is #{identity}" unless identity["yjit"] == @yjit

      @description = identity["ruby"]
      self
    ensure
      worker&.close
    end

    # As results.json has it.
    def to_results
      {"id" => id, "ruby" => @description, "yjit" => @yjit, "judged_as" => judged_as,
       "versions" => @versions, "missing" => @stage.missing}
    end
  end
end
