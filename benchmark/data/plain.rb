# frozen_string_literal: true

require "yaml"

module Bench
  # Objects of plain classes, as most are: members set by `initialize`, read through attr_reader.
  module Plain
    WORDS = YAML.safe_load_file(File.expand_path("words.yml", __dir__)).freeze

    # A class of these members, as one would write it.
    def self.new(*members)
      names = members.map { |member| "value_of_#{member}" }.join(", ")
      Class.new do
        attr_reader(*members)

        # What active_model_serializers asks of an object.
        alias_method :read_attribute_for_serialization, :public_send

        class_eval("def initialize(#{names}) = " \
                   "(#{members.map { |member| "@#{member} = value_of_#{member}" }.join("; ")})",
                   __FILE__, __LINE__ - 2)
      end
    end
  end
end
