# frozen_string_literal: true

# Scenario 1. Five pairs of literals (support/contenders.rb): what a call costs before it has much to do.

require_relative "../support/contenders"

Bench.scenario 1, "small", "small object, class DSL" do
  hash, write = Bench::Contenders::ADDRESS_HASH, Bench::Contenders::WRITE_ADDRESS

  table "address" do
    setup :ours do
      class AddressSerializer < ToJson::Serializer
        Bench::Contenders.define(self, "serialize", Bench::Contenders::PUT_ADDRESS)
      end
    end

    contender "to_json, reused instance", :ours, before: "serializer = AddressSerializer.new", code: "serializer.json!"
    contender "to_json, json!", :ours, code: "AddressSerializer.json!"

    contender "Hash + JSON.generate", :hand, peer: "json", code: "JSON.generate(#{hash})"
    contender "Hash + JSON::Coder", :hand, peer: "json", before: "coder = JSON::Coder.new", code: "coder.generate(#{hash})"
    contender "Hash + Oj.dump strict", :hand, peer: "oj", code: "Oj.dump(#{hash}, mode: :strict)"
    # indent: -1 is Oj's way to leave out a newline at the end.
    contender "Oj::StringWriter, reset", :hand, peer: "oj", before: "writer = Oj::StringWriter.new(mode: :strict, indent: -1)",
                                                code: "writer.reset\n#{write}"
    contender "Oj::StringWriter, new", :hand, peer: "oj", before: "options = {mode: :strict, indent: -1}",
                                              code: "writer = Oj::StringWriter.new(options)\n#{write}"
    contender "Jbuilder", :gem, peer: "jbuilder", code: Bench::Contenders::JBUILDER_ADDRESS

    # What any DSL of this shape must pay: a call of a native method for each pair, and the String.
    setup :control do
      class AddressCalls < Array
        alias_method :put, :push
        Bench::Contenders.define(self, "json!(document)", "clear\n#{Bench::Contenders::PUT_ADDRESS}document + \"\"")
      end
    end

    contender "lower bound", :control, before: "calls = AddressCalls.new\ndocument = #{Bench::Contenders::ADDRESS_DOCUMENT}",
                                       code: "calls.json!(document)"

    # And the bytes: the same calls of words that write them.
    setup :lower_bound do
      class AddressBound < LowerBound
        Bench::Contenders.bind(self, "", Bench::Contenders::PUT_ADDRESS)
      end

      if LowerBound.const_defined?(:Words) # where there are vectors
        class AddressKept < LowerBound::Words
          Bench::Contenders.bind_kept(self, "", Bench::Contenders::PUT_ADDRESS)
        end
      end
    end

    contender "lower bound, native", :control, peer: "lower_bound", code: "AddressBound.json!"
    contender "lower bound, native, reused", :control, peer: "lower_bound", before: "bound = AddressBound.start", code: "bound.json!"
    contender "lower bound, kept right", :control, peer: "lower_bound", code: "AddressKept.json!"
    contender "lower bound, kept right, reused", :control, peer: "lower_bound", before: "bound = AddressKept.new", code: "bound.json!"

    reach "to_json, reused instance", over: :hand, interpreter: 1.0, yjit: 1.4
    reach "to_json, json!", over: "Oj::StringWriter, new", at_least: 2.5
    reach "to_json, json!", over: "Jbuilder", at_least: 9
    reach "lower bound", over: :hand
    reach "lower bound", over: "Jbuilder"
    ["native", "kept right"].each do |which|
      reach "lower bound, #{which}, reused", over: :hand
      [:hand, "Oj::StringWriter, new", "Jbuilder"].each { |other| reach "lower bound, #{which}", over: other }
    end
    limit "to_json, reused instance", metric: "objects", at_most: 1
    limit "to_json, json!", metric: "objects", at_most: 2
  end
end
