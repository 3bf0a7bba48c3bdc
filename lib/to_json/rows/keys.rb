# frozen_string_literal: true

# Layer: rows. Tells whether a database may find two keys equal that Ruby does not.

module ToJson
  module Rows
    # Rows are joined to each other by their keys as Ruby compares them, and so are records that are
    # preloaded. But the getter of one record takes what the database finds equal: `"A"` and `"a"`
    # where a column ignores case, `"a"` and `"a "` where it ignores spaces at the end, and numbers
    # and times of which one column keeps fewer digits.
    # @api private
    module Keys
      # Characters of ASCII that no collation of MariaDB 10.11 finds equal, but for the pairs of
      # {SAME}; and no space at the end.
      PLAIN = /\A[A-Za-z0-9_ -\/:;<=>@]*(?<! )\z/
      # Letters that a collation finds equal beside those of another case: Lithuanian i and y, Roman
      # i and j, u and v, and n and m in macce_general_ci.
      SAME = %w[yjvn iium].freeze
      private_constant :PLAIN, :SAME

      class << self
        # @param type [ActiveModel::Type::Value] of the column in which they were found
        # @param asked [Hash{Object => Object}] the keys that the database was asked for
        # @param found [Hash{Object => Object}] those of the rows that it returned
        # @return [Boolean] whether two of them may be equal for the database
        def alike?(type, asked, found)
          return true unless found.each_key.all? { |key| asked.key?(key) }
          return false if Casts.of(type) == :integer

          collide?(asked) { |key| sent(type.serialize(key)) || (return true) }
        end

        private

        # Whether the block returns the same for two of the keys.
        def collide?(keys)
          folded = {}
          keys.any? do |key, _|
            fold = yield(key)
            folded.key?(fold) || !(folded[fold] = true)
          end
        end

        # @param value [Object] that the database is sent for a key
        # @return [Object, nil] the same for what may be equal; nil: it may be equal to any other
        def sent(value)
          return value.to_s if ::ActiveModel::Type::Binary::Data === value
          return value unless ::String === value

          value.downcase.tr(*SAME) if value.ascii_only? && PLAIN.match?(value)
        end
      end
    end
    private_constant :Keys
  end
end
