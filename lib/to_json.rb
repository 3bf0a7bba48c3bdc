# frozen_string_literal: true

# Ruby objects to JSON. The order of these lines is the architecture: a file uses only what stands above it.

require_relative "to_json/version"
require_relative "to_json/errors"
require_relative "to_json/blank"
require_relative "to_json/field_reader"
require_relative "to_json/plan"
require_relative "to_json/native"
require_relative "to_json/rules"
require_relative "to_json/own_methods"
require_relative "to_json/fragment"
require_relative "to_json/tree"
require_relative "to_json/entry"
require_relative "to_json/dsl"
require_relative "to_json/serialize"
require_relative "to_json/block_context"
require_relative "to_json/serializer"
require_relative "to_json/generate"
