# frozen_string_literal: true

# ENV["TO_JSON_GC"]: what the garbage collector does to each test.
#
#   stress   GC.stress during the test: every allocation collects
#   compact  all objects are moved before each test and again during it (auto_compact)
#   calls    a debug build collects at each call of Ruby's API from C that may allocate
#            (ext/to_json/writer/forced_gc.h)

# Wraps the tests; prepended only when asked for.
module GcModes
  MODES = %w[stress compact calls].freeze
  MODE = ENV["TO_JSON_GC"].to_s

  # Moves every object that can be moved and checks that no reference went stale.
  def self.move_everything
    parameters = GC.method(:verify_compaction_references).parameters
    room = parameters.include?(%i[key double_heap]) ? :double_heap : :expand_heap # Ruby 3.1 : newer
    GC.verify_compaction_references(toward: :empty, room => true)
  end

  # Minitest's hook right around the test method.
  def after_setup
    super
    GcModes.move_everything if MODE == "compact"
    GC.stress = true if MODE == "stress"
    ToJson::Writer.collecting = true if MODE == "calls"
  end

  # The same, behind it.
  def before_teardown
    GC.stress = false
    ToJson::Writer.collecting = false if MODE == "calls"
    GcModes.move_everything if MODE == "compact"
    super
  end
end

unless GcModes::MODE.empty?
  unless GcModes::MODES.include?(GcModes::MODE)
    raise ArgumentError, "TO_JSON_GC is one of #{GcModes::MODES.join(", ")}"
  end

  ToJsonTest.prepend(GcModes)
  GC.auto_compact = true if GcModes::MODE == "compact"
  if GcModes::MODE == "calls"
    Minitest.after_run do
      calls = ToJson::Writer.allocating_calls
      if calls.positive?
        puts("calls that may allocate: #{calls}")
      else
        abort("no call was told: is this a debug build?")
      end
    end
  end
end
