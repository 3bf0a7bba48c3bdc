# frozen_string_literal: true

# Layer: active_record. Loads associations of records that are in memory, level by level.

module ToJson
  module Preloading
    # Loads the associations that the serializer of the records reads, then those that the
    # serializers of the loaded records read, and so on. Declarations alone do not know the classes
    # of all records, nor where a recursion ends; the loaded records do.
    #
    # Does not preload if ActiveRecord's preloader would find something else than the getter: for a
    # new record, and for an association with records that are not saved.
    # @api private
    class AssociationLoader
      # The most levels of associations inside associations.
      MOST_LEVELS = 32
      # Records that one serializer writes, and the units around it; perhaps only one field of them.
      Group = Struct.new(:unit, :conditions, :around, :records, :only)
      # The records of one class in a group.
      Part = Struct.new(:group, :records, :fields)
      NONE = [].freeze
      private_constant :MOST_LEVELS, :Group, :Part, :NONE

      def initialize
        @done = Hash.new { |all, unit| all[unit] = {}.compare_by_identity }
        @ancestors = {}.compare_by_identity
        @loaded = {}.compare_by_identity # what this has loaded, all of it
      end

      # @param records [Array<ActiveRecord::Base>]
      # @param unit [Compiler::Unit]
      # @param conditions [FieldConditions]
      # @param only [Field, nil] the one field to load for
      # @return [void]
      def load(records, unit, conditions, only = nil)
        groups = [Group.new(unit, conditions, [unit], records, only)]
        MOST_LEVELS.times do
          parts = groups.flat_map { |group| parts(group) }
          return if parts.empty?

          fetch(parts)
          groups = inside(parts)
        end
      end

      private

      def parts(group)
        done = @done[[group.unit, group.conditions, group.only]]
        fresh = group.records.select { |record| !done.key?(record) && done[record] = true }
        fresh.group_by(&:class).map do |model, records|
          Part.new(group, records, fields(group, model))
        end
      end

      def fields(group, model)
        FieldAssociations.of(group.unit, model, group.conditions, group.only)
      end

      # -- one level ----------------------------------------------------------------------------

      def fetch(parts)
        wanted = Hash.new { |all, name| all[name] = [] }
        parts.each do |part|
          reflections(part).each do |reflection|
            wanted[reflection.name].concat(part.records.select { |record|
              missing?(record, reflection)
            })
          end
        end
        together(wanted) { |names, records| preload(records, names) }
        parts.each { |part| preload_named(part.records, part.fields.names) }
        parts.each { |part| read(part) if part.records.one? }
      end

      # For one record, the getter of an association that the preloader cannot load takes no more
      # queries. So the getter is called, and the associations inside are preloaded. For several
      # records, the getters would make a query for each, which the N+1 guard must report.
      def read(part)
        record = part.records.first
        return if record.new_record? || record.strict_loading?

        part.fields.links.each_value do |link|
          association = record.association(link.name)
          association.load_target unless association.loaded?
        end
      end

      def reflections(part)
        model = part.records.first.class
        named = part.fields.names.keys.filter_map { |name| model.reflect_on_association(name) }
        part.fields.links.each_value.map(&:reflection) | named
      end

      # Yields names and their records. All associations that are missing for the same records are
      # yielded together, since ActiveRecord joins queries if it can. First come the associations
      # that must not find loaded records on their way.
      def together(wanted)
        by_class = Hash.new { |all, place| all[place] = [] }
        wanted.each do |name, records|
          records.uniq(&:__id__).group_by(&:class).each do |model, ones|
            apart = Preloadable.scoped_through?(model.reflect_on_association(name))
            by_class[[!apart, model, ones.map(&:__id__)]] << [name, ones]
          end
        end
        first, rest = by_class.partition { |(later, *), _| !later }
        [*first, *rest].each { |_, pairs| yield pairs.map(&:first), pairs.first.last }
      end

      def preload(records, names)
        ::ActiveRecord::Associations::Preloader.new(records: records, associations: names).call
        records.each { |record| keep_strict(record, names) }
        model = records.first.class
        names = names.flat_map { |name| PreloadNames.through(model, name) }
        records.each { |record| (@loaded[record] ||= []).concat(names) }
      end

      # As ActiveRecord does it: for a relation that is strict, and in its mode `:n_plus_one_only`.
      def keep_strict(record, names)
        if record.strict_loading_n_plus_one_only?
          names.each { |name| watch(record, name) }
        elsif record.strict_loading?
          names.each { |name| target(record, name).each(&:strict_loading!) }
        end
      end

      def watch(record, name)
        strict = record.class.reflect_on_association(name).macro == :has_many
        target(record, name).each do |one|
          strict ? one.strict_loading! : one.strict_loading!(false, mode: :n_plus_one_only)
        end
      end

      # What `preload:` names, and what it names inside.
      def preload_named(records, tree)
        return if tree.empty?

        records.group_by(&:class).each do |model, ones|
          found = tree.filter_map { |name, _| model.reflect_on_association(name) }
          wanted = found.to_h do |reflection|
            [reflection.name, ones.select { |one| missing?(one, reflection) }]
          end
          together(wanted) { |names, some| preload(some, names) }
          found.each do |reflection|
            preload_named(held(ones, reflection.name).keys, tree[reflection.name])
          end
        end
      end

      # Whether the getter would only ask the database.
      def missing?(record, reflection)
        return false if record.new_record? || touched?(record, reflection.name)

        return true unless reflection.options[:through]

        through = PreloadNames.through(record.class, reflection.name).drop(1)
        through -= @loaded.fetch(record, NONE) unless Preloadable.scoped_through?(reflection)
        through.none? { |name| touched?(record, name) }
      end

      def touched?(record, name)
        association = record.association(name)
        association.loaded? || target(record, name).any?
      end

      # @return [Array<ActiveRecord::Base>] the records that the association holds
      def target(record, name)
        found = record.association(name).target
        found.nil? || Array === found ? found.to_a : [found]
      end

      # -- the next level -----------------------------------------------------------------------

      def inside(parts)
        groups = {}
        parts.each do |part|
          part.fields.links.each_value do |link|
            records = held(part.records, link.name)
            next if records.empty?

            link.insides.each { |unit, field| descend(groups, part.group, unit, field, records) }
            preload_named(records.keys, link.names)
          end
        end
        groups.values
      end

      # @return [Hash{ActiveRecord::Base => Array<ActiveRecord::Base>}] each record that the
      #   associations of these records hold, with its owners
      def held(records, name)
        found = {}.compare_by_identity
        records.each do |record|
          next unless record.association(name).loaded?

          target(record, name).each { |one| (found[one] ||= []) << record }
        end
        found
      end

      def descend(groups, around, unit, field, records)
        conditions = around.conditions.inside(unit, field)
        units(around.conditions, unit, field, records.keys).each do |inner, ones|
          recursive = around.around.include?(inner)
          ones = ones.reject { |one| circular?(one, records[one]) } if recursive
          next if ones.empty?

          group = groups[[inner, conditions, recursive]] ||=
            Group.new(inner, conditions, around.around | [inner], [])
          group.records.concat(ones)
        end
      end

      # @return [Hash{Compiler::Unit => Array<ActiveRecord::Base>}]
      def units(conditions, unit, field, records)
        found = records.group_by do |record|
          next record.class unless field.serializer.is_a?(Proc) && !field.definition

          [record.class, conditions.chosen(unit, field, record)]
        end
        found.each_with_object({}) do |((model, chosen), ones), all|
          inner = chosen ? Inner.of_lambda(unit, field, chosen, model)
                         : Inner.of_class(unit, field, model)
          (all[inner] ||= []).concat(ones) if inner
        end
      end

      # Whether the record is inside itself, so that its document would have no end.
      def circular?(record, owners)
        known = (@ancestors[record] ||= {})
        owners.each do |owner|
          known[[owner.class, owner.id]] = true
          known.update(@ancestors[owner]) if @ancestors[owner]
        end
        known.key?([record.class, record.id])
      end
    end
    private_constant :AssociationLoader
  end
end
