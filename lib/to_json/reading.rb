# frozen_string_literal: true

# Layer: base. The module ToJson::Reading, which reads documents back to attributes. Its files are
# in lib/to_json/reading, and are loaded when something is first read.

ToJson::FirstUse.uninterrupted do
  require_relative "reading/pointer"
  require_relative "reading/values"
  require_relative "reading/options"
  require_relative "reading/parser"
  require_relative "reading/input"
  require_relative "reading/linkage"
  require_relative "reading/session"
  require_relative "reading/conversions"
  require_relative "reading/special_members"
  require_relative "reading/read_unit"
  require_relative "reading/related"
  require_relative "reading/code"
  require_relative "reading/code_cache"
  require_relative "reading/document_reader"
  require_relative "reading/assignment"
  require_relative "reading/params"
  require_relative "reading/attribute_names"
  require_relative "reading/model_errors"
  require_relative "reading/lines"
  require_relative "reading/call"
end
