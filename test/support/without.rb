# frozen_string_literal: true

# ENV["TO_JSON_WITHOUT"] = "activesupport,oj": `require` of these libraries fails in this process,
# as it does where they are not installed. The gem itself must not notice.

# Prepended to Object when something is banned.
module Without
  LIBRARIES = { "activesupport" =>
                  %w[active_support], "activerecord" => %w[active_record active_model sqlite3],
                "json" =>
                  %w[json], "oj" => %w[oj], "bigdecimal" => %w[bigdecimal],
                  "sinatra" => %w[sinatra], "roda" => %w[roda] }.freeze
  BANNED = ENV["TO_JSON_WITHOUT"].to_s.split(",").flat_map { |name| LIBRARIES.fetch(name) }.freeze

  # True when `path` belongs to a library that is to be absent.
  def self.banned?(path) = BANNED.any? { |name| path == name || path.start_with?("#{name}/") }

  # Requires `path` and tells whether it is there. Tests of a library that may be absent stand in
  # `if Without.library?("active_support")`.
  def self.library?(path)
    require path
    true
  rescue LoadError
    false
  end

  # Stands before Kernel#require.
  def require(path)
    if Without.banned?(path.to_s)
      raise LoadError, "cannot load such file -- #{path} (TO_JSON_WITHOUT)"
    end

    super
  end
end

Object.prepend(Without) unless Without::BANNED.empty?
