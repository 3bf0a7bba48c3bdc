# frozen_string_literal: true

# Layer: rails. Loads the Railtie where Rails is, whatever is loaded first: with the gem, if Rails
# is loaded already; when the application's class is defined, if only ActiveSupport is. Without
# either, `require "to_json/rails"` loads it.

if defined?(Rails::Railtie)
  require_relative "railtie"
elsif defined?(ActiveSupport) && ActiveSupport.respond_to?(:on_load)
  ActiveSupport.on_load(:before_configuration) { require "to_json/rails" }
end
