# frozen_string_literal: true

# The block form: no class of its own. Inside the block the words of the DSL stand beside everything
# that surrounds it: local variables, instance variables, methods (private ones too) and constants.
#
#     ruby -Ilib examples/block_form.rb

require "to_json"

class CatalogueReport
  def initialize(gems)
    @gems = gems
  end

  # @return [String] the document; with `into:` that receiver
  def to_document(**options)
    ToJson::Serializer.json!(**options) do
      put :gems, @gems do |gem|
        put name: gem.name, version: gem.version, about: gem.summary
        put :homepage, gem.homepage if homepage?(gem)
        put_fields gem, :licenses, :required_ruby, :released_on, :installed_at
        put :default, gem.default_gem
        put :authors do
          array(gem.authors) { |author| value author.name }
        end
        put :dependencies, gem.dependencies do |dependency|
          put_fields dependency, :name, :requirement, :kind
          put :installed, dependency.installed?
        end
        put :files, gem.files do |file|
          put_fields file, :path, :bytes
        end
      end
    end
  end

  private

  def homepage?(gem) = !gem.homepage.nil?
end

if $PROGRAM_NAME == __FILE__
  require_relative "sample"

  puts CatalogueReport.new(Sample::GEMS).to_document
end
