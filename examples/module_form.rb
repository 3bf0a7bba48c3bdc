# frozen_string_literal: true

# The module form: a class of yours becomes a serializer by including ToJson::Serialize, and what
# several serializers share goes into concerns, plain modules that use the same words.
#
#     ruby -Ilib examples/module_form.rb

require "to_json"

module WithAuthors
  def put_authors(gem)
    put :authors, gem.authors do |author|
      value author.name
    end
  end
end

module WithContents
  def put_dependencies(gem)
    put :dependencies, gem.dependencies do |dependency|
      put_fields dependency, :name, :requirement, :kind, [:installed?, :installed]
    end
  end

  def put_files(gem)
    put :files, gem.files do |file|
      put_fields file, :path, :bytes
    end
  end
end

class CatalogueDocument
  include ToJson::Serialize
  include WithAuthors
  include WithContents

  GEM_FIELDS = [:licenses, :required_ruby, :released_on, :installed_at,
                { default_gem: :default }].freeze

  def serialize(gems)
    put :gems, gems do |gem|
      put_fields gem, :name, :version, { summary: :about }
      put_field_unless_nil gem, :homepage
      put_fields gem, GEM_FIELDS                                   # one Array of fields does too
      put_authors gem
      put_dependencies gem
      put_files gem
    end
  end
end

if $PROGRAM_NAME == __FILE__
  require_relative "sample"

  puts CatalogueDocument.json!(Sample::GEMS)

  # `new` stays yours; an instance can be used again and again
  document = CatalogueDocument.new
  puts document.json!(Sample::GEMS.first(1))
end
