# frozen_string_literal: true

# Fuzz. What bin/fuzz can run: a target of a later issue joins here.

require_relative "values/target"
require_relative "scripts/target"
require_relative "definitions/target"
require_relative "dialects/runner"
require_relative "reading/target"
require_relative "caches/target"

module Fuzz
  # Those of PEERS run in processes of their own.
  TARGETS = { "values" => ValuesTarget, "scripts" => ScriptsTarget,
              "definitions" => DefinitionsTarget, "reading" => ReadingTarget,
              "caches" => CachesTarget, **PEERS.transform_values { nil } }.freeze

  def self.runner(name, **options)
    target = TARGETS.fetch(name)
    target ? Runner.new(target.new, **options) : DialectRunner.new(name, **options)
  end
end
