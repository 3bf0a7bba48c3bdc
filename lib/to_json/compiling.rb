# frozen_string_literal: true

# Layer: compiler. All of it, in the order of its parts: read when something is first compiled, and what most classes do without later still
# (lib/to_json/later.rb). Here and in lib/to_json.rb the order of the lines is the architecture.
# What other threads raise here, a Timeout's error for one, waits: half a compiler would be there for good.

Thread.handle_interrupt(Object => :never) do
  require_relative "compiler/unit"
  require_relative "compiler/compilation"
  require_relative "compiler/blocks"
  ToJson::Later.read "to_json/compiler/instructions", :Instructions, ToJson::Compiler  # a cache's keys
  ToJson::Later.read "to_json/compiler/closure", :Closure, ToJson::Compiler  # a cache's keys
  ToJson::Later.read "to_json/compiler/worth", :Worth, ToJson::Compiler  # a cache's keys
  ToJson::Later.read "to_json/compiler/rules_worth", :RulesWorth, ToJson::Compiler  # a cache's keys
  ToJson::Later.read "to_json/compiler/signature", :Signature, ToJson::Compiler  # a cache's keys
  ToJson::Later.read "to_json/compiler/batches", :Batches, ToJson::Compiler  # looks of a cache
  ToJson::Later.read "to_json/compiler/cache", :Cache, ToJson::Compiler  # compiling what is cached
  ToJson::Later.read "to_json/compiler/ahead", :Ahead, ToJson::Compiler  # looks of a cache
  require_relative "compiler/source"
  require_relative "compiler/reading"
  ToJson::Later.read "to_json/compiler/looking", :Looking, ToJson::Compiler  # compiling associations, or what is cached
  require_relative "compiler/layout"
  require_relative "compiler/code"
  require_relative "compiler/ending"
  require_relative "compiler/places"
  require_relative "compiler/ways"
  ToJson::Later.read "to_json/compiler/site", :Site, ToJson::Compiler  # compiling a SharedSite
  ToJson::Later.read "to_json/compiler/shared_site", :SharedSite, ToJson::Compiler  # compiling what the value tells, what is cached, Masks
  ToJson::Later.read "to_json/compiler/imperative", :Imperative, ToJson::Compiler  # compiling declarations beside a serialize
  ToJson::Later.read "to_json/compiler/cached", :Cached, ToJson::Compiler  # compiling what is cached
  require_relative "compiler"
  ToJson::Later.read "to_json/compiler/explanation", :Explanation, ToJson::Compiler  # explain
end
