# frozen_string_literal: true

# Layer: values. Documents as Ruby values, for `to_h` and `as_json`. The native part is
# ext/to_json/values/parsed.c.

module ToJson
  # Reads back what the Writer wrote, so that `to_h` is what any JSON parser makes of the document:
  # the same calls cannot mean one thing as text and another as values. Text that is not JSON,
  # which a {Fragment} with `check: false` may have, raises {FragmentError}.
  #
  # `parse(json)` takes a document of our Writer, and returns a Hash with String keys, an Array, a
  # String, a number, true, false or nil.
  # @api private
  module Tree
  end
end
