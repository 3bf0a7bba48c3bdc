# frozen_string_literal: true

# Ruby objects to JSON. The order of these lines is the architecture: a file uses only what stands above it.
#
# `Later.read`: at its place in this order too, but read when its constant is first named (lib/to_json/later.rb). The first to name it must be
# the main Ractor: what declares, compiles, or asks a store. What any Ractor may name first is required.

require_relative "to_json/version"
require_relative "to_json/later"
require_relative "to_json/errors"
require_relative "to_json/suggestion"
require_relative "to_json/blank"
require_relative "to_json/generated"
require_relative "to_json/field_reader"
require_relative "to_json/part"
require_relative "to_json/plan"
require_relative "to_json/native"
require_relative "to_json/dialects"
require_relative "to_json/dialects/json"
require_relative "to_json/dialects/oj"
require_relative "to_json/dialects/rails"
require_relative "to_json/rules"
require_relative "to_json/own_methods"
require_relative "to_json/fragment"
require_relative "to_json/text"
require_relative "to_json/tree"
require_relative "to_json/entry"
ToJson::Later.read "to_json/entry_making", :Making, ToJson::Entry  # first uses under YJIT
require_relative "to_json/dsl"
require_relative "to_json/conversion"
require_relative "to_json/key_case"
require_relative "to_json/caching"
ToJson::Later.read "to_json/selection", :Selection  # only:, except:
ToJson::Later.read "to_json/cache_options", :CacheOptions  # cache
require_relative "to_json/field"
require_relative "to_json/field_options"
ToJson::Later.read "to_json/association_options", :AssociationOptions  # has_one, has_many, association, flatten
require_relative "to_json/definition"
require_relative "to_json/declared"
require_relative "to_json/lookup"
ToJson::Later.read "to_json/cache_key", :CacheKey  # looks of a cache
ToJson::Later.read "to_json/cache_store", :CacheStore  # cache_store =, looks of a cache
require_relative "to_json/envelope"
require_relative "to_json/plan_cache"
require_relative "to_json/field_declarations"
require_relative "to_json/declarations"
require_relative "to_json/serialize"
require_relative "to_json/block_context"
require_relative "to_json/serializer"
ToJson::Later.read "to_json/compiling", :Compiler  # compiling
ToJson::Later.read "to_json/mask", :Mask  # calls with only: or except:
require_relative "to_json/buffer"
require_relative "to_json/generate"
require_relative "to_json/coder"
require_relative "to_json/stream"
require_relative "to_json/records"
