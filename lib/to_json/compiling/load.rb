# frozen_string_literal: true

# Layer: compiling. Reads the compiler, in the order of its parts, when something is first compiled;
# what few classes need is autoloaded. See lib/to_json.rb for what may be.
# While the files are loaded, exceptions of other threads (a Timeout's) wait. Otherwise a part of
# the compiler could be missing for the rest of the process.

Thread.handle_interrupt(Object => :never) do
  caching = File.expand_path("../caching", __dir__)
  require_relative "unit"
  require_relative "compilation"
  require_relative "blocks"
  require_relative "main_ractor_only"
  ToJson::Compiler.autoload :Instructions, "#{caching}/instructions" # a cache's keys
  ToJson::Compiler.autoload :Closure, "#{caching}/closure" # a cache's keys
  ToJson::Compiler.autoload :Content, "#{caching}/content" # a cache's keys
  ToJson::Compiler.autoload :RulesContent, "#{caching}/rules_content" # a cache's keys
  ToJson::Compiler.autoload :Signature, "#{caching}/signature" # a cache's keys
  ToJson::Compiler.autoload :Digest, "#{caching}/digest" # digest
  ToJson::Compiler.autoload :CacheBatches, "#{caching}/cache_batches" # looks of a cache
  ToJson::Compiler.autoload :PartKeys, "#{caching}/part_keys" # compiling what is cached
  ToJson::Compiler.autoload :PartCache, "#{caching}/part_cache" # compiling what is cached
  ToJson::Compiler.autoload :Prefetch, "#{caching}/prefetch" # looks of a cache
  require_relative "source"
  require_relative "field_access"
  # compiling associations, or what is cached
  ToJson::Compiler.autoload :PartsInside, "#{caching}/parts_inside"
  require_relative "part_layout"
  require_relative "code"
  require_relative "document_code"
  require_relative "field_lines"
  require_relative "association_strategy"
  ToJson::Compiler.autoload :Site, "#{__dir__}/site" # compiling a SharedSite
  # compiling what the value tells, what is cached, Masks
  ToJson::Compiler.autoload :SharedSite, "#{__dir__}/shared_site"
  # compiling declarations beside a serialize
  ToJson::Compiler.autoload :Imperative, "#{__dir__}/imperative"
  ToJson::Compiler.autoload :CachedPlan, "#{caching}/cached_plan" # compiling what is cached
  require_relative "compiler"
  ToJson::Compiler.autoload :Explanation, "#{__dir__}/explanation" # explain
  ToJson::Compiler.autoload :JsonSchema, "#{__dir__}/json_schema" # json_schema
end
