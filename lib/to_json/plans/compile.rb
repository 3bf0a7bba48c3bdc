# frozen_string_literal: true

# Layer: plans. The methods for programs: ToJson.compile! and ToJson.kept_choices.

module ToJson
  # How many choices each serializer class keeps. A choice is kept if it is a composition of views,
  # or if its `only:` or `except:` name flattened fields, or fields of an association whose
  # serializer depends on the value. If calls repeat a kept choice, it is read and checked only
  # once. The least recently used choice is dropped first. Single views are kept too, and do not
  # count. Other names are read so fast that keeping them is not worth it.
  #
  # @return [Integer] 100, until another number is set
  def self.kept_choices = PlanCache.most_choices

  # Caveats: set it before the first document, in the main Ractor. Each call with a choice searches
  # all kept choices, so a large number also costs time. A class that already keeps more choices
  # drops none of them.
  #
  # @example
  #   ToJson.kept_choices = 100 # => 100
  # @param most [Integer] 0: none
  # @return [Integer]
  # @raise [ArgumentError] unless it is an Integer from 0 to 10,000
  def self.kept_choices=(most)
    unless most.is_a?(Integer) && most.between?(0, 10_000)
      raise ArgumentError, "kept_choices takes an Integer from 0 to 10000; got #{most.inspect}"
    end

    PlanCache.most_choices = most
  end

  # Compiles all serializers, with all their views. Call it at the end of boot, when all serializers
  # are loaded. Without this call, each serializer is compiled at its first use. Calls {eager_load!}
  # first.
  #
  # @example
  #   class KeySerializer < ToJson::Serializer
  #     attributes :id
  #     view(:full) { attributes :name }
  #   end
  #   KeySerializer.compile! # => 2
  # @return [Integer] how many Plans there are
  # @raise [DefinitionError, SerializerNotFound, UnknownViewError] for declarations that refer to
  #   something that does not exist
  # @raise [Error] in another Ractor than the main one
  def self.compile!
    unless Ractor.current == Ractor.main
      raise Error, "ToJson.compile! works only in the main Ractor. Call it there first."
    end

    eager_load!
    PlanCache.descendants(Serializer).sum { |heir| PlanCache.compile_all(heir) }
  end
end
