# frozen_string_literal: true

# Layer: rows. Tells whether a database may find two texts equal that Ruby does not.

module ToJson
  module Rows
    # Rows are joined to each other by the bytes of their keys, and so are records that are
    # preloaded. But the getter of one record takes what the database finds equal: `"A"` and `"a"`
    # where a column ignores case, `"a"` and `"a "` where it ignores spaces at the end.
    # @api private
    module TextKeys
      # Characters of ASCII that no collation of MariaDB 10.11 finds equal, but for the pairs of
      # {SAME}; and no space at the end.
      PLAIN = /\A[A-Za-z0-9_ -\/:;<=>@]*(?<! )\z/
      # Letters that a collation finds equal beside those of another case: Lithuanian i and y, Roman
      # i and j, u and v, and n and m in macce_general_ci.
      SAME = %w[yjvn iium].freeze
      private_constant :PLAIN, :SAME

      class << self
        # @param type [ActiveModel::Type::Value] of the column
        # @param keys [Array<Object>] each once
        # @return [Boolean] whether two of them may be equal for the database
        def alike?(type, keys)
          return false if type.type == :binary || keys.none?(::String)

          folded = {}
          keys.any? do |key|
            next false unless key.is_a?(::String)
            next true unless key.ascii_only? && PLAIN.match?(key)

            fold = key.downcase.tr(*SAME)
            folded.key?(fold) || !(folded[fold] = true)
          end
        end
      end
    end
    private_constant :TextKeys
  end
end
