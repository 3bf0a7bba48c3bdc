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
      assert_equal [nil, nil], facts.values_at("memory_bytes", "load_before")
      assert_equal [String, Integer, String], facts.values_at("cpu", "cores", "system").map(&:class)
    end
  end

  test "on Linux it tells memory in bytes and the load" do
    needs_proc
    memory, load = Bench::Machine.facts.values_at("memory_bytes", "load_before")
    assert_operator memory, :>, 100 << 20
    assert_kind_of Float, load
  end
end
