# frozen_string_literal: true

# Layer: none below it. Which of our contenders in a table all others are set in relation to.

module Bench
  # One rule for the run, which takes more samples of it, and for the report.
  module MainContender
    PLAIN_CALL = "to_json, json!"

    # The plain call, else what the first claim is about, else the first.
    # @param ours [Array<String>] names of ours, in the order of the table
    # @param claimed [Array<String>] what the table's claims are about
    # @return [String, nil]
    def self.of(ours, claimed) = ours.find { |name| name == PLAIN_CALL } || claimed.find { |name| ours.include?(name) } || ours.first
  end
end
