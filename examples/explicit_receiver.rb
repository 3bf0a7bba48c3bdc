# frozen_string_literal: true

# The explicit receiver: the words are methods of the block's argument. Nothing changes inside the
# block, which suits code that cannot have another self, or whose readers should see where each word
# comes from.
#
#     ruby -Ilib examples/explicit_receiver.rb

require "to_json"

module ExplicitCatalogue
  # @return [String] the document
  def self.document(gems)
    ToJson.json do |j|
      j.put :gems, gems do |gem|
        j.put_fields gem, :name, :version, %i[summary about]
        j.put_field_unless_nil gem, :homepage
        j.put_fields gem, :licenses, :required_ruby, :released_on, :installed_at,
                     %i[default_gem default]
        j.put(:authors, gem.authors) { |author| j.value author.name }
        j.put(:dependencies, gem.dependencies) do |dependency|
          j.put_fields dependency, :name, :requirement, :kind, %i[installed? installed]
        end
        j.put(:files, gem.files) { |file| j.put_fields file, :path, :bytes }
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  require_relative "sample"

  puts ExplicitCatalogue.document(Sample::GEMS)
end
