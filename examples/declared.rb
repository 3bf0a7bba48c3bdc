# frozen_string_literal: true

# Declared: what is regular is said once, in the class, and compiled at its first use. The words of
# the DSL are at hand for what is not, see docs/serializers.md.
#
#     ruby -Ilib examples/declared.rb

require "to_json"

class DeclaredGemSerializer < ToJson::Serializer
  root :gem, :gems                                                 # around one, around many
  # summary: :about writes gem.summary as "about"
  attributes :name, :version, summary: :about
  attribute :homepage, skip_nil: true                              # no key at all for nil
  attributes :licenses, :required_ruby, :released_on, :installed_at, default_gem: :default
  attribute(:authors) { |gem| gem.authors.map(&:name) }            # a block gives the value
  has_many(:dependencies) { attributes :name, :requirement, :kind, installed?: :installed }
  has_many(:files) { attributes :path, :bytes }
  view(:short) { remove :licenses, :required_ruby, :installed_at, :dependencies, :files }
end

if $PROGRAM_NAME == __FILE__
  require_relative "sample"

  puts DeclaredGemSerializer.json!(Sample::GEMS)                                # a String
  puts DeclaredGemSerializer.json!(Sample::GEMS.last, root: false)
  # what a client may ask for
  puts DeclaredGemSerializer.json!(Sample::GEMS, view: :short, only: "name,about")
end
