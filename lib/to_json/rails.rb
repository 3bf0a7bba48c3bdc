# frozen_string_literal: true

# Layer: hooks. `require "to_json/rails"` loads the Railtie, for programs that load the gem before
# they load Rails. Elsewhere the gem does it by itself.

require "to_json"
require "rails"
require_relative "rails/railtie"
