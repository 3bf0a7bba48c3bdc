# frozen_string_literal: true

require_relative "../test_helper"
require "minitest/mock"
require_relative "../../benchmark/harness/machine"

# What stands on the page of results beside the figures.
class BenchmarkMachineTest < ToJsonTest
  test "what a machine without /proc does not tell is nil, and the rest is there" do
    asked = File.method(:file?)
    File.stub(:file?, ->(path) { !path.start_with?("/proc/") && asked.call(path) }) do
      facts = Bench::Machine.facts
      assert_nil facts["load_before"]
      assert_equal [String, Integer, String], facts.values_at("cpu", "cores", "system").map(&:class)
    end
  end

  test "on Linux it tells the load" do
    needs_proc
    assert_kind_of Float, Bench::Machine.facts["load_before"]
  end
end
