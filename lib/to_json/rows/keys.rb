# frozen_string_literal: true

# Layer: rows. Tells whether a database may find two keys equal that Ruby does not.

module ToJson
  module Rows
    # Rows are joined by keys that Ruby finds equal, and so are preloaded records. But the getter of
    # one record finds rows whose keys the database finds equal: `"A"` and `"a"` if a column ignores
    # case, `"a"` and `"a "` if it ignores spaces at the end, and numbers and times if one of the
    # columns keeps fewer digits.
    # @api private
    module Keys
      # Texts without a space at the end, of ASCII characters that no collation of MariaDB 10.11
      # finds equal, except for upper and lower case and the pairs of {SAME}.
      PLAIN = /\A[A-Za-z0-9_ -\/:;<=>@]*(?<! )\z/
      # Different letters that a collation finds equal: i and y in Lithuanian, i and j, u and v in
      # Roman, n and m in macce_general_ci.
      SAME = %w[yjvn iium].freeze
      private_constant :PLAIN, :SAME

      class << self
        # @param type [ActiveModel::Type::Value] of the column in which the keys were found
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

        # @param value [Object] what the database is sent for a key
        # @return [Object, nil] the same object for values that may be equal; nil: it may equal any
        #   value
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
