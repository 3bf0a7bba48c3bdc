# frozen_string_literal: true

# A model with an as_json of its own.
class Note < ApplicationRecord
  def as_json(options = nil)
    { kind: "note", text: text, options: (options || {}).slice(:only, :except, :short),
      at: created_at, score: score&.to_f }
  end
end
