# frozen_string_literal: true

# Layer: rails. Whose the options of `render` are.

module ToJson
  module Rendering
    # @api private
    module RenderOptions
      # Options that choose the document.
      OURS = %i[serializer namespace preload view only except root meta context rules collection
                max_depth].freeze
      # Of these, what `json!` takes.
      OF_DOCUMENT = (OURS - %i[serializer namespace preload]).freeze
    end
  end
end
