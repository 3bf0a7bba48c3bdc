# frozen_string_literal: true

# Layer: values. Tells which values `put_fields_unless_blank` takes for blank if ActiveSupport is
# not loaded.

module ToJson
  # A String that has none of these is blank: Unicode white space, as ActiveSupport has it.
  # @api private
  NOT_BLANK = /[^[:space:]]/u
end
