# frozen_string_literal: true

# What the tests of the N+1 guard share.

require_relative "preload_case"
require "logger"

class GuardCase < PreloadCase
  def setup
    super
    ToJson.n_plus_one = :raise
  end

  def teardown
    ToJson.n_plus_one = :off
    ToJson::Writer.watch(false) # other tests count Writers that are collected
    super
  end

  # A serializer whose messages have a name.
  def named(name = "PostSerializer", &)
    serializer(&).tap { |made| made.define_singleton_method(:to_s) { name } }
  end

  def reported(&) = assert_raises(ToJson::NPlusOneError, &)

  # What is logged while the block runs.
  def logged
    log = StringIO.new
    before, ActiveRecord::Base.logger = ActiveRecord::Base.logger, Logger.new(log, level: :warn)
    ToJson.n_plus_one = :log
    yield
    log.string.lines.map { |line| line[/to_json: .*/] }
  ensure
    ActiveRecord::Base.logger = before
  end
end
