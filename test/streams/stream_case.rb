# frozen_string_literal: true

# Serializers and Sinks of the files of test/streams.

require "test_helper"
require_relative "../support/ways_out"

class StreamCase < ToJsonTest
  CHUNK = 65_536
  Row = Struct.new(:id, :text)

  class RowSerializer < ToJson::Serializer
    root :row, :rows
    attributes :id, :text
    view(:short) { remove :text }
  end

  # The same without declared fields.
  class WordsSerializer < ToJson::Serializer
    def serialize(rows)
      array(rows) { |row| put_fields row, :id, :text }
    end
  end

  # What Rack hands to a streaming body.
  class Connection
    attr_reader :pieces, :closed_with

    def initialize(fails_at: nil, error: Errno::EPIPE)
      @pieces = []
      @fails_at = fails_at
      @error = error
      @closed = 0
    end

    def write(text)
      raise @error if @pieces.size == @fails_at

      @pieces << text
      text.bytesize
    end
    alias << write

    def close = @closed += 1
    def closed? = @closed.positive?
    def read(*) = nil
    def flush = self
    def close_read = nil
    def close_write = nil
    def text = @pieces.join
  end

  def rows(count, text = "é") = Array.new(count) { |n| Row.new(n, text) }

  # @return [Array<String>]
  def chunks(body) = body.each.to_a

  # Rows as they come; `log` gets :ended however the reading ends.
  def lazily(rows, log = [])
    Enumerator.new do |y|
      rows.each { |row| y << row; log << row.id }
    ensure
      log << :ended
    end
  end
end
