# frozen_string_literal: true

# Fuzz. The libraries that dialects are compared with: how each is made, and the Gemfile that has
# it.

module Fuzz
  PEERS = {
    "json" => -> { require_relative("json_peer") && JsonPeer.new(:json) },
    "json2" => -> { require_relative("json_peer") && JsonPeer.new(:json2) },
    "rails" => -> { require_relative("rails_peer") && RailsPeer.new },
    "oj" => -> { require_relative("oj_peer") && OjPeer.new(:oj) },
    "oj_strict" => -> { require_relative("oj_peer") && OjPeer.new(:oj_strict) }
  }.freeze

  PEERS_GEMFILES = { "json" => "test/dialects/Gemfile", "json2" => "Gemfile", "rails" => "Gemfile",
                     "oj" => "Gemfile", "oj_strict" => "Gemfile" }.freeze
end
