# frozen_string_literal: true

# Layer: base. The module ToJson::Reading, which reads documents back to attributes. Its files are
# in lib/to_json/reading, and are loaded when something is first read.
# While they are loaded, exceptions of other threads wait. Otherwise a part could be missing for the
# rest of the process.

Thread.handle_interrupt(Object => :never) do
  require_relative "reading/pointer"
  require_relative "reading/values"
  require_relative "reading/options"
  require_relative "reading/parser"
  require_relative "reading/input"
  require_relative "reading/linkage"
  require_relative "reading/session"
  require_relative "reading/conversions"
  require_relative "reading/family"
  require_relative "reading/level"
  require_relative "reading/related"
  require_relative "reading/code"
  require_relative "reading/kept"
  require_relative "reading/document"
  require_relative "reading/assignment"
  require_relative "reading/params"
  require_relative "reading/model_errors"
  require_relative "reading/call"
end

