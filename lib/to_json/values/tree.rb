# frozen_string_literal: true

# Layer: values. Documents as Ruby values, for `to_h` and `as_json`. The native part is
# ext/to_json/values/parsed.c.

module ToJson
  # Parses a document that the Writer wrote. So `to_h` returns what any JSON parser makes of the
  # document, and its values never differ from the text. Text that is not JSON, which a {Fragment}
  # with `check: false` may have, raises {FragmentError}.
  #
  # `parse(json)` takes a document of our Writer, and returns a Hash with String keys, an Array, a
  # String, a number, true, false or nil.
  # @api private
  module Tree
  end
end
