# frozen_string_literal: true

# Ruby objects to JSON. The order of these lines is the architecture: a file uses only what stands
# above it.
#
# `autoload`: Ruby reads that file when its constant is first named, since nine tenths of a
# `require "to_json"` are Ruby's parser at work. Before Ruby 3.5 only the main Ractor can read a
# file. So every constant that another Ractor may name first is required here; a constant that only
# the main Ractor names first (what declares, compiles, or asks a store) may be autoloaded. Code
# that runs in both asks `Ractor.current` before it names such a constant.

require_relative "to_json/version"
require_relative "to_json/eager_load"
require_relative "to_json/errors"
require_relative "to_json/suggestion"
ToJson.autoload :JsonApi, "#{__dir__}/to_json/json_api" # json_api!
ToJson.autoload :Reading, "#{__dir__}/to_json/reading" # parse, read, permit, expect
ToJson.autoload :Hal, "#{__dir__}/to_json/hal" # hal!
require_relative "to_json/values/blank"
require_relative "to_json/plans/generated_code"
require_relative "to_json/plans/field_reader"
require_relative "to_json/plans/part"
require_relative "to_json/plans/plan"
require_relative "to_json/native"
require_relative "to_json/dialects/registry"
require_relative "to_json/dialects/json"
require_relative "to_json/dialects/oj"
require_relative "to_json/dialects/rails"
require_relative "to_json/values/rules"
require_relative "to_json/values/own_methods"
require_relative "to_json/values/fragment"
require_relative "to_json/values/text"
require_relative "to_json/values/tree"
require_relative "to_json/documents/dsl"
require_relative "to_json/values/conversion"
require_relative "to_json/declaring/key_case"
require_relative "to_json/caching/default_store"
ToJson.autoload :Selection, "#{__dir__}/to_json/declaring/selection" # only:, except:
ToJson.autoload :CacheOptions, "#{__dir__}/to_json/caching/cache_options" # cache
require_relative "to_json/declaring/field"
require_relative "to_json/declaring/field_options"
# has_one, has_many, association, flatten
ToJson.autoload :AssociationOptions, "#{__dir__}/to_json/declaring/association_options"
# writable:
ToJson.autoload :WritableOptions, "#{__dir__}/to_json/declaring/writable_options"
require_relative "to_json/declaring/definition"
require_relative "to_json/declaring/definition_builder"
require_relative "to_json/declaring/lookup"
ToJson.autoload :CacheKey, "#{__dir__}/to_json/caching/cache_key" # looks of a cache
# cache_store =, looks of a cache
ToJson.autoload :CacheStore, "#{__dir__}/to_json/caching/cache_store"
require_relative "to_json/declaring/envelope"
require_relative "to_json/plans/plan_cache"
require_relative "to_json/plans/class_memory"
require_relative "to_json/plans/compile"
require_relative "to_json/declaring/field_declarations"
require_relative "to_json/declaring/unknown_words"
require_relative "to_json/declaring/change_hooks"
require_relative "to_json/declaring/declarations"
require_relative "to_json/declaring/resource_words"
require_relative "to_json/declaring/declared_class"
require_relative "to_json/documents/interop"
require_relative "to_json/documents/serialize"
require_relative "to_json/documents/block_context"
require_relative "to_json/documents/serializer"
ToJson.autoload :Compiler, "#{__dir__}/to_json/compiling/load" # compiling
ToJson.autoload :Mask, "#{__dir__}/to_json/plans/mask" # calls with only: or except:
require_relative "to_json/documents/buffer"
require_relative "to_json/documents/generate"
require_relative "to_json/documents/coder"
require_relative "to_json/documents/stream"
require_relative "to_json/documents/records"
require_relative "to_json/documents/resources"
require_relative "to_json/documents/parse"
require_relative "to_json/rails/hook"
