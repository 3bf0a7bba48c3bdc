# frozen_string_literal: true

require_relative "../support/base"

module ToJson
  module Generators
    # The test of a serializer for Minitest. The generator of the serializer calls it.
    # @api private
    class TestUnitGenerator < Base
      hide!
      source_root File.expand_path("templates", __dir__)

      def create_test
        path = File.join("test/serializers", class_path, "#{file_name}_serializer_test.rb")
        template "serializer_test.rb.tt", path, skip: keep?
      end
    end
  end
end
