# frozen_string_literal: true

# Layer: active_record. Words the message of the N+1 guard: which association was loaded, and what
# to change.

module ToJson
  module Preloading
    # @api private
    class Advice
      # @param current [CurrentField] the field
      # @param chain [Array<ActiveRecord::Associations::Association>] the associations from the
      #   object at hand to the one that is loaded
      def initialize(current, chain)
        @current, @association, @reflection = current, chain.last, chain.last.reflection
        @model = chain.first.owner.class
        @chain = without_parents(chain.map { |association| association.reflection.name })
      end

      # @return [String] the message of the error, without its path
      def text
        "#{@reflection.active_record}##{@reflection.name} is loaded record by record. #{advice}"
      end

      private

      # The part of the chain that begins at the object of this field: without the associations that
      # the fields around this one have read. It is empty if one of these is the association that
      # was loaded. If one of the fields around has a block or a method, that may have read any
      # association, so nobody knows where the object's part begins. Then the whole chain is
      # returned.
      def without_parents(chain)
        left, sources = chain, @current.parents.map { |field| field.source&.to_sym }
        left, sources = left.drop(1), sources.drop(1) while left.any? && sources.first == left.first
        @unknown = !sources.empty? && left.size > 1
        @unknown ? chain : left
      end

      def advice
        return limited unless Preloadable.preloadable?(@reflection)
        return by_hand if @unknown || @current.field.nil?
        return (held? ? held : render_again) if @chain.empty? || named?
        return by_hand unless @current.computed? || of_value?

        "Declare what it reads: #{@current.words}, preload: #{words(@chain)}."
      end

      def limited
        "It cannot be preloaded, because its scope has a limit, an offset, a group or takes the " \
          "record. Change the scope, or declare preload: false if a query for each record is meant."
      end

      # Whether the record already holds a part of what the association will load: an `inverse_of:`
      # has put records into it, or the association that it goes through is loaded. Then
      # {AssociationLoader} leaves the association to its getter.
      def held?
        owner = @association.owner
        PreloadNames.through(owner.class, @reflection.name).any? do |name|
          association = owner.association(name)
          association.loaded? || [*association.target].any?
        end
      end

      def held
        "#{@current.serializer_class} declares it, but a record holds a part of it in memory " \
          "already (by inverse_of, by build, or by the association that it goes through). " \
          "ToJson.preload would lose that part, so it leaves the record alone. Load the " \
          "association before that part, or declare preload: false to allow the queries."
      end

      def by_hand
        "Load it for all records at once, before the document, as by #{@model}.preload(" \
          "#{words(@chain, nil)})."
      end

      # Whether the declaration names the associations already.
      def named?
        return covers?(@current.field.preload, @chain) if @current.computed? || of_value?

        @chain.first == @current.field.source&.to_sym &&
          covers?(@current.field.preload, @chain.drop(1))
      end

      # Whether the records belong to the value of the field, which is being written.
      def of_value?
        @current.path.nil? && @model.reflect_on_association(@current.field.source).nil?
      end

      def covers?(tree, chain)
        chain.empty? || (tree ? covers?(tree[chain.first], chain.drop(1)) : false)
      end

      def render_again
        serializer_class = @current.serializer_class
        included = ", include: …" if @current.unit&.form == :related # of JSON:API
        rendered = ", or render the records themselves with preload: :auto" if defined?(Railtie)
        "#{serializer_class} declares it, but the records were not preloaded. Pass them through " \
          "ToJson.preload(records, #{serializer_class}#{included})#{rendered}."
      end

      # As `preload:` and ActiveRecord's `preload` take it: `:author`, or `{author: :avatar}`, or
      # without braces.
      def words(chain, braces = "{}")
        return chain.first.inspect if chain.size == 1

        "#{braces && "{"}#{chain.first}: #{words(chain.drop(1))}#{braces && "}"}"
      end
    end
    private_constant :Advice
  end
end
