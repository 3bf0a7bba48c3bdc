# frozen_string_literal: true

# Layer: plans. What a program says about Plans: ToJson.compile! and ToJson.kept_choices.

module ToJson
  # How many choices each serializer class keeps: compositions of views, and what `only:` and
  # `except:` say of flattened fields and of associations whose serializer a value tells. If calls
  # repeat one, it is read and checked once. The one that was not used for longest goes first. Views
  # are kept besides. Names of other fields are read so fast that their words are not kept.
  #
  # @return [Integer] 100, until another number is set
  def self.kept_choices = PlanCache.most_choices

  # Caveats: set it before the first document, in the main Ractor. Each call with a choice looks
  # through all that are kept, so a large number costs time too. A class that already keeps more
  # choices drops none of them.
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

  # Compiles all serializers, every view of them. For the end of boot, when all are loaded; if YJIT
  # is to be used, switch it on before. Without it each is compiled at its first use. Loads first
  # what {eager_load!} loads.
  #
  # @example
  #   class KeySerializer < ToJson::Serializer
  #     attributes :id
  #     view(:full) { attributes :name }
  #   end
  #   KeySerializer.compile! # => 2
  # @return [Integer] how many Plans there are
  # @raise [DefinitionError, SerializerNotFound, UnknownViewError] for declarations that refer to
  #   what is not there
  # @raise [Error] in another Ractor than the main one
  def self.compile!
    unless Ractor.current == Ractor.main
      raise Error, "ToJson.compile! works only in the main Ractor. Call it there first."
    end

    eager_load!
    PlanCache.descendants(Serializer).sum { |heir| PlanCache.compile_all(heir) }
  end
end
