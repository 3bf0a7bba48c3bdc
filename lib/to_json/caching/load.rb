# frozen_string_literal: true

# Layer: caching. Loads the files that make cache keys and ask stores. The first `cache`, store,
# digest or ETag of the process needs them.

ToJson::FirstUse.uninterrupted do
  require_relative "keys/object_key"
  require_relative "keys/cache_key"
  require_relative "keys/context_key"
  require_relative "cache_store"
  require_relative "instructions"
  require_relative "closure"
  require_relative "without_code"
  require_relative "identity"
  require_relative "content"
  require_relative "rules_content"
  require_relative "signature"
  require_relative "digest"
  require_relative "cache_batches"
  require_relative "keys/part_keys"
  require_relative "part_cache"
  require_relative "prefetch"
  require_relative "cached_plan"
end
