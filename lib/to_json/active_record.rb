# frozen_string_literal: true

# Layer: hooks. `require "to_json/active_record"` adds `ToJson.preload`, the class method `preloads`
# of serializers, and the guard against associations that are loaded record by record. The Railtie
# requires this file.

require "to_json"
require "active_record"

require_relative "active_record/unknown_object"
require_relative "active_record/field_conditions"
require_relative "active_record/records"
require_relative "active_record/preloadable"
require_relative "active_record/analysis_memory"
require_relative "active_record/field_associations"
require_relative "active_record/preload_names"
require_relative "active_record/association_tree"
require_relative "active_record/association_loader"
require_relative "active_record/preloaded_batches"
require_relative "active_record/preloading"
require_relative "active_record/missing"
require_relative "active_record/current_field"
require_relative "active_record/advice"
require_relative "active_record/guard"
require_relative "rows/list"
require_relative "rows/conditions"
require_relative "rows/level"
require_relative "rows/getters"
require_relative "rows/casts"
require_relative "rows/row_class"
require_relative "rows/analysis"
require_relative "rows/preloads"
require_relative "rows/keys"
require_relative "rows/query"
require_relative "rows/record"
require_relative "rows/row_batches"
require_relative "rows/cursor"
require_relative "rows/explanation"
require_relative "rows/decision"
