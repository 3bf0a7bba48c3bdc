# frozen_string_literal: true

require_relative "../support/base"

module ToJson
  module Generators
    # The test of a serializer for RSpec. The generator of the serializer calls it.
    # @api private
    class RspecGenerator < Base
      hide!
      source_root File.expand_path("templates", __dir__)

      def create_spec
        path = File.join("spec/serializers", class_path, "#{file_name}_serializer_spec.rb")
        template "serializer_spec.rb.tt", path, skip: keep?
      end
    end
  end
end
