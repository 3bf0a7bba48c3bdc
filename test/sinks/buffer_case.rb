# frozen_string_literal: true

# What the tests of ToJson::Buffer share.

require_relative "sink_case"

class BufferCase < SinkCase
  # What would change a Buffer.
  CHANGES = {
    "write" => ->(sink) { sink.write("x") },
    "<<" => ->(sink) { sink << "x" },
    "clear" => :clear.to_proc,
    "shrink" => :shrink.to_proc,
    "freeze" => :freeze.to_proc,
    "another document" => ->(sink) { ToJson.generate(1, into: sink) },
    "write_to" => ->(sink) { sink.write_to([]) },
    "initialize" => ->(sink) { sink.send(:initialize, capacity: 100_000) },
    "initialize_copy" => ->(sink) { sink.send(:initialize_copy, ToJson::Buffer.new) }
  }.freeze

  def buffer(text = nil) = ToJson::Buffer.new.tap { |made| made << text if text }
end
