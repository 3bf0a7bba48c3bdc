# frozen_string_literal: true

# The class form: a serializer is a class with a method `serialize`. Start here.
#
#     ruby -Ilib examples/class_form.rb

require "to_json"

# One gem, its authors, dependencies and files.
class GemSerializer < ToJson::Serializer
  def serialize(gem)
    # [:summary, :about] writes gem.summary as "about"
    put_fields gem, :name, :version, [:summary, :about]
    put_field_unless_nil gem, :homepage                            # no key at all for nil
    put_fields gem, :licenses, :required_ruby, :released_on, :installed_at, [:default_gem, :default]
    # many: an array, the block once per author
    put :authors, gem.authors do |author|
      value author.name
    end
    put :dependencies, gem.dependencies do |dependency|
      put_fields dependency, :name, :requirement, :kind, [:installed?, :installed]
    end
    put :files, gem.files do |file|
      put_fields file, :path, :bytes
    end
  end
end

# All of them. A serializer is a value: it writes in place, into the same document.
class CatalogueSerializer < ToJson::Serializer
  def serialize(gems)
    put :gems, gems do |gem|
      value GemSerializer.new(gem)
    end
  end
end

if $PROGRAM_NAME == __FILE__
  require_relative "sample"

  puts GemSerializer.json!(Sample::GEMS.last)                      # a String
  # or straight into anything that has `write`
  CatalogueSerializer.json!(Sample::GEMS, into: $stdout)
  puts
end
