# frozen_string_literal: true

# `rails generate serializer` is looked for here before it is among Rails' own generators, where
# active_model_serializers has one too.

require_relative "../to_json/serializer/serializer_generator"

module ToJson
  module Generators
    # The short name of the generator of a serializer.
    # @api private
    class ShortSerializerGenerator < SerializerGenerator
      source_root SerializerGenerator.source_root

      namespace "rails:serializer"
    end
  end
end
