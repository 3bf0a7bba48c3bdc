# frozen_string_literal: true

require "rails/generators"

module ToJson
  module Generators
    # Makes `rails generate resource` and `scaffold` write a serializer, where a controller of the
    # application includes ToJson::Rendering or where `config.generators.serializer` says :to_json.
    # `rails generate model` has the option `--serializer`.
    # @api private
    module Hooks
      class << self
        # @param application [Rails::Engine] whose generators are loaded
        def install(application)
          return if @installed

          @installed = true
          # Before Rails' generators are loaded: their options take their defaults from this.
          ::Rails::Generators.configure!(application.config.generators)
          require "rails/generators/rails/resource/resource_generator"
          require "rails/generators/rails/scaffold_controller/scaffold_controller_generator"
          default = :to_json if rendering?(application.root)
          hook(::Rails::Generators::ModelGenerator, nil)
          hook(::Rails::Generators::ResourceGenerator, default)
          ::Rails::Generators::ScaffoldControllerGenerator.hook_for(
            :params, in: :to_json, as: :params, default: default, check_default_type: false,
                     desc: "Generator that has the controller read parameters by the serializer"
          )
        end

        private

        def hook(generator, default)
          # The setting may be false, though the option takes the name of a generator.
          options = { in: :to_json, as: :serializer, default: default, check_default_type: false,
                      desc: "Serializer to be invoked" }
          generator.hook_for(:serializer, options) do |serializer|
            scaffold = self.class.name.end_with?("ScaffoldGenerator")
            invoke(serializer, nil, nil, { within: scaffold ? :scaffold : :model })
          end
        end

        def rendering?(root)
          controllers = Dir[File.join(root, "app/controllers/**/*.rb")]
          controllers.any? { |path| File.binread(path).include?("ToJson::Rendering") }
        end
      end
    end
  end
end
