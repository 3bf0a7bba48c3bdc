# frozen_string_literal: true

# Layer: rails. Loads the Railtie if there is Rails, whatever is loaded first. If Rails is loaded,
# the gem does it at once. If only ActiveSupport is loaded, it waits until the application's class
# is defined. In all other cases `require "to_json/rails"` does it.

if defined?(Rails::Railtie)
  require_relative "railtie"
elsif defined?(ActiveSupport) && ActiveSupport.respond_to?(:on_load)
  ActiveSupport.on_load(:before_configuration) { require "to_json/rails" }
end
