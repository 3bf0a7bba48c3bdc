# frozen_string_literal: true

require_relative "../support/base"

module ToJson
  module Generators
    # Is invoked by `rails generate scaffold` after it has made a controller. Replaces the list of
    # parameters in the controller by the serializer, if the serializer reads all of them.
    # @api private
    class ParamsGenerator < Base
      LIST = /^([ \t]*)params\.(?:expect\(|require\(:\w+\)\.permit\()[^\n]*$/
      private_constant :LIST

      def self.desc(text = nil) = text ? super : "Has a controller read parameters by a serializer"

      def initialize(args, local_options = {}, config = {})
        super(args, local_options, { **config, within: :controller })
      end

      def read_by_serializer
        return if behavior == :revoke || !exist?(controller) || !exist?(serializer)

        source = File.read(full(controller))
        key = source[/^[ \t]*params\.(?:expect\(|require\(:)(\w+)/, 1]
        return unless key && attributes.any? && (attributes_names - fields.writable).empty?

        say_status :read, "parameters of #{controller} by #{serializer_name}"
        return if options[:pretend]

        File.write(full(controller), source.sub(LIST) { "#{$1}#{call(key)}" })
      end

      private

      def call(key)
        root = ", root: :#{key}" unless key == file_name
        "#{serializer_name}.expect(params#{root})"
      end

      def controller = File.join("app/controllers", class_path, "#{plural_file_name}_controller.rb")
      def serializer = File.join("app/serializers", class_path, "#{file_name}_serializer.rb")
      def full(path) = File.expand_path(path, destination_root)
      def exist?(path) = File.exist?(full(path))
    end
  end
end
