# frozen_string_literal: true

# Layer: hooks. Where Roda looks for `plugin :to_json`.

require "to_json/roda"
