# frozen_string_literal: true

# Layer: rails. All that the gem does when a Rails application boots.

require "rails/railtie"
require_relative "settings"

module ToJson
  autoload :Rendering, "#{__dir__}/rendering"

  # Gives the application `config.to_json`. A controller renders as before until it includes
  # {Rendering}.
  class Railtie < ::Rails::Railtie
    # The settings of programs without an application.
    ALONE = Settings.new
    # The mode of the N+1 guard by Rails.env, if the application has chosen none.
    GUARD = { "development" => :log, "test" => :raise }.freeze
    private_constant :ALONE, :GUARD

    class << self
      # @return [Settings] those of the application
      def settings
        config = ::Rails.application&.config or return ALONE
        give_settings(config) unless config.singleton_methods(false).include?(:to_json)
        config.to_json
      end

      # @api private
      # The store of `cache` without a store of its own: Rails.cache, unless caching is switched
      # off.
      # @return [Object, false]
      def cache_store = performs_caching? ? ::Rails.cache : false

      # @api private
      # Installs the N+1 guard, when ActiveRecord is loaded.
      # @return [void]
      def watch = ::ActiveSupport.on_load(:active_record) { Preloading::Guard.install }

      # @api private
      # @return [Symbol] what the N+1 guard does now: as the controller at work says
      def n_plus_one = at_work[:n_plus_one]

      # @api private
      # @return [Boolean] whether relations may be written from their rows: as that controller says
      def rows = at_work[:rows]

      private

      # @return [Settings] those of the controller at work
      def at_work
        controller = Rendering.controller unless ToJson.autoload?(:Rendering)
        controller ? Rendering.settings_of(controller) : settings
      end

      def performs_caching?
        type = Rendering.controller&.class
        return type.perform_caching if type.respond_to?(:perform_caching)

        config = ::Rails.application&.config
        !config.respond_to?(:action_controller) || config.action_controller.perform_caching != false
      end

      # ActiveSupport gives all objects a `to_json`, so `config.to_json` must be a method of this
      # object. A JSON generator passes an argument.
      def give_settings(config)
        settings = Settings.new(n_plus_one: GUARD.fetch(::Rails.env.to_s, :off))
        config.define_singleton_method(:to_json) do |*arguments|
          arguments.empty? ? settings : super(*arguments)
        end
      end
    end

    config.before_configuration { |application| Railtie.send(:give_settings, application.config) }
    config.eager_load_namespaces << ToJson

    ::ActiveSupport.on_load(:active_record) do
      require "to_json/active_record"
      Preloading.mode = -> { Railtie.settings[:preload] }
      Rows.setting = -> { Railtie.rows }
      Preloading::Guard.mode = -> { Railtie.n_plus_one }
    end

    Lookup.command = "Create one with bin/rails generate serializer %s"

    generators do |application|
      require "generators/to_json/support/hooks"
      ToJson::Generators::Hooks.install(application)
    end

    initializer "to_json.cache_store", before: :load_config_initializers do
      ToJson.cache_store = -> { Railtie.cache_store } if ToJson.cache_store.nil?
    end

    initializer "to_json.urls" do
      require_relative "urls"
      Serializer.include(Rendering::Urls)
    end

    # Called because a body that is left half read in a Fiber never restores the controller that it
    # replaced.
    initializer "to_json.controller" do |app|
      app.executor.to_complete { Rendering.forget_controller unless ToJson.autoload?(:Rendering) }
    end

    # In backtraces, the line of a declaration replaces the line of generated code that reads its
    # field.
    initializer "to_json.backtraces" do
      ::Rails.backtrace_cleaner.add_filter do |line|
        next line unless line.start_with?("(to_json ")

        Compiler::FieldLines.declared(line)&.delete_prefix("#{::Rails.root}/") || line
      end
    end

    # A declaration that leads nowhere fails at boot, not in a request.
    config.after_initialize { |app| ToJson.compile! if app.config.eager_load }

    # Runs before the initializers of the application, so that these can choose something else.
    initializer "to_json.json_api", before: :load_config_initializers do
      ToJson::JsonApi.conflicts = :warn if ::Rails.env.development?
    end

    config.after_initialize { Railtie.watch unless Railtie.settings[:n_plus_one] == :off }

    initializer "to_json.rescue_responses", before: "action_dispatch.configure" do |app|
      if app.config.respond_to?(:action_dispatch)
        Rendering::ClientErrors.add_to(app.config.action_dispatch.rescue_responses)
      end
    end
  end
end
