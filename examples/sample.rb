# frozen_string_literal: true

# What the examples write when they are run by themselves: two gems as plain Ruby objects. bin/demo
# gives them ActiveRecord rows instead; a serializer does not care, it only calls the methods.

require "date"

module Sample
  Gem = Struct.new(:name, :version, :summary, :homepage, :licenses, :required_ruby, :released_on,
                   :installed_at,
                   :default_gem, :authors, :dependencies, :files, keyword_init: true)
  Author = Struct.new(:name)
  Dependency = Struct.new(:name, :requirement, :kind, :target) do
    def installed? = !target.nil?
  end
  GemFile = Struct.new(:path, :bytes)

  GEMS = [
    Gem.new(
      name: "anvil", version: "1.2.0", summary: "Bends iron \"cold\"",
      homepage: "https://anvil.example", licenses: ["MIT"],
      required_ruby: ">= 3.1", released_on: Date.new(2026, 11, 20),
      installed_at: Time.utc(2026, 11, 21, 10, 30, 0.25r),
      default_gem: false, authors: [Author.new("Ada Smith"), Author.new("José Ferreiro")],
      dependencies: [Dependency.new("hammer", "~> 2.0", "runtime", :here),
                     Dependency.new("tongs", ">= 0", "development", nil)],
      files: [GemFile.new("lib/anvil.rb", 1_204), GemFile.new("README.md", 310)]
    ),
    Gem.new(
      name: "hammer", version: "2.1.3", summary: "Hits", homepage: nil, licenses: [],
      required_ruby: ">= 0", released_on: Date.new(2026, 2, 28),
      installed_at: Time.utc(2026, 11, 21, 10, 31),
      default_gem: true, authors: [], dependencies: [], files: [GemFile.new("hammer.rb", nil)]
    )
  ].freeze
end
