# frozen_string_literal: true

# What app.rb requires, in this order.

ENV["RAILS_ENV"] ||= "test"
ENV["MT_NO_PLUGINS"] = "1"

require "logger"
require "stringio"
require "tmpdir"
require "rails"
require "active_record/railtie"
require "action_controller/railtie"
require "minitest"
require "rack/mock"
require "to_json"
