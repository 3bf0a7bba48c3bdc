# frozen_string_literal: true

# Layer: rows. Tells whether rows give the same document as models.

module ToJson
  module Rows
    # The seven conditions, which are asked for each document. Each is a method that returns nil if
    # the condition holds, or the reason why models are needed. docs/active_record.md has an example
    # of each. Other reasons are found elsewhere: in analysis.rb those that several fields have
    # together (an association that leads back, or that two fields read); in preloads.rb what a
    # relation preloads; in decision.rb `rows: false`, and a collection that cannot be asked.
    # @api private
    module Conditions
      # The clauses that a relation may have. Any other one, perhaps of a newer ActiveRecord, needs
      # models.
      PARTS = %i[where order limit offset joins left_outer_joins group having select distinct lock
                 readonly from reordering references with annotate optimizer_hints preload includes
                 reverse_order create_with extending strict_loading].freeze

      # The methods by which a relation reads its records.
      READING = %i[each to_ary to_a records load exec_queries arel].freeze

      # The methods by which a class makes a record of a row, as far as this ActiveRecord has them.
      MAKING = %i[instantiate instantiate_instance_of find_by_sql allocate
                  discriminate_class_for_record type_for_attribute with_connection].freeze

      # The methods of a record that are called while it is made, or by its getters.
      MADE = %i[init_with_attributes init_internals _read_attribute].freeze

      # The options of an association that do not change which rows are read.
      OPTIONS = %i[class_name foreign_key primary_key inverse_of optional required dependent
                   counter_cache touch autosave validate before_add after_add before_remove
                   after_remove anonymous_class index_errors].freeze

      KINDS = %i[belongs_to has_one has_many].freeze

      # Clauses with which a query may return a row although no record was found, as with COUNT.
      COUNTING = %i[select having].freeze
      # The SQL that ActiveRecord writes for `where(id: [])`.
      NEVER = "1=0"
      NO_VALUE = "where: allows no value, so models make no query"
      NONE = "the relation is none"
      LIMIT_ZERO = "limit: 0, so models make no query"
      # Reasons that mean that there are no rows: then `rows: :cursor` is not refused.
      EMPTY = [NO_VALUE, NONE, LIMIT_ZERO].freeze

      RELATIONS = %w[Relation AssociationRelation Associations::CollectionProxy].freeze
      BASES = %i[Base].freeze
      private_constant :RELATIONS, :BASES, :PARTS, :READING, :MAKING, :MADE, :OPTIONS, :KINDS,
                       :COUNTING

      class << self
        # 1. The relation reads its records as ActiveRecord's relations do.
        # @param relation [ActiveRecord::Relation]
        # @param values [Hash] its clauses; asking for them makes a Hash
        # @return [String, nil]
        def relation(relation, values)
          return "the relation is loaded" if relation.loaded?

          if ::ActiveRecord::Associations::CollectionProxy === relation
            refused = collection(relation.proxy_association) || read_otherwise(relation)
            return refused if refused

            relation = relation.scope
            values = relation.values
          end
          query(relation, values)
        end

        # 2. Nothing but ActiveRecord takes part in making a record.
        # @param model [Class]
        # @return [String, nil]
        def making(model)
          return "#{model} has after_find callbacks" unless model._find_callbacks.empty?
          return "#{model} has after_initialize callbacks" unless model._initialize_callbacks.empty?

          changed = changed(MAKING) { |name| model.method(name).owner }
          return "#{model}.#{changed} is overridden" if changed

          changed = changed(MADE) { |name| model.instance_method(name).owner }
          "#{model}##{changed} is overridden" if changed
        end

        # 3. All rows are of one class.
        # @param model [Class]
        # @param names [Array<String>] the columns of a result
        # @return [String, nil]
        def one_class(model, names)
          column = model.inheritance_column.to_s
          return unless names.include?(column)

          "the rows of #{model} have the column #{column}, which tells their class"
        end

        # 4. ActiveRecord generated the getter.
        # @param model [Class]
        # @param name [Symbol]
        # @return [String, nil]
        def getter(model, name)
          return if name == :id && Getters.key?(model)

          "#{model}##{name} is no getter of a column" unless Getters.of_column?(model, name)
        end

        # 5. Each column that is read is in the result once.
        # @param names [Array<String>] of the result
        # @param read [Array<String>]
        # @return [String, nil]
        def columns(names, read)
          read.each do |name|
            count = names.count(name)
            return "the column #{name} is in the result #{count} times" unless count == 1
          end
          nil
        end

        # 6. Nobody needs the object but the Plan.
        # @param unit [Compiler::Unit]
        # @param field [Field]
        # @return [String, nil]
        def field(unit, field)
          return "a cache keeps it" if field.cache
          return "preload: false" if field.preload == false
          return "its default: is a block" if field.default.is_a?(Proc)
          return "its context: is a block" if field.context.is_a?(Proc)
          return "its serializer: is a block" if field.serializer.is_a?(Proc)

          computed(unit, field)
        end

        # 7. The association is plain.
        # @param reflection [ActiveRecord::Reflection::AssociationReflection]
        # @param model [Class] of the records; it may have inherited the association
        # @return [String, nil]
        def association(reflection, model)
          option = (reflection.options.keys - OPTIONS).first
          return "the association has #{option}:" if option
          return "its scope takes the record" if reflection.scope && !reflection.scope.arity.zero?
          unless Getters.of_association?(model, reflection.name)
            return "#{model}##{reflection.name} is overridden"
          end
          unless KINDS.include?(reflection.macro)
            return "the association is #{reflection.macro}"
          end

          of_class(reflection, reflection.klass)
        rescue ::NameError, ::ArgumentError
          "the class of the association, or its scope, cannot be found"
        rescue ::StandardError => error
          raise error if FromOutside.raised?(error) { of_class(reflection, reflection.klass) }

          "the class of the association cannot be asked: #{error.message}"
        end

        private

        # @return [String, nil] why the collection of a record may differ from the database
        def collection(association)
          owner = association.owner
          return "the owner of the collection is not saved" if owner.new_record?
          return "the owner of the collection has changed" if Unsaved.changes?(owner)
          return "the collection has records that are not saved" unless association.target.empty?

          option = association.reflection.options[:strict_loading]
          "the collection is strict about loading" if option || owner.strict_loading?
        end

        def query(relation, values)
          return "the relation is being loaded (load_async)" if relation.scheduled?
          return "the relation is eager loading" if relation.eager_loading?
          return NONE if relation.null_relation?
          return LIMIT_ZERO if values[:limit] == 0
          return NO_VALUE if values.key?(:where) && contradictory?(relation, values)

          values.each_key { |part| return "the relation has #{part}" unless part?(part) }
          read_otherwise(relation)
        end

        # Whether no record can fulfil a condition, such as `where(id: [])` or a value that the type
        # of the column cannot have. Models ask the database nothing then. A query with COUNT would
        # return a row.
        def contradictory?(relation, values)
          last = relation.where_values_hash
          return true if last.any? { |name, value| none?(relation, name, value) }

          # The Hash has only the last condition on a column. The SQL has all, but making it takes
          # 50 µs. So it is made only if a query without records may return rows.
          COUNTING.any? { |part| values.key?(part) } && relation.to_sql.include?(NEVER)
        end

        def none?(relation, name, value)
          return value.empty? if value.is_a?(::Array)

          !relation.klass.type_for_attribute(name).serializable?(value)
        end

        def part?(name) = PARTS.include?(name)

        def read_otherwise(relation)
          changed = changed(READING) { |name| relation.method(name).owner }
          "#{changed} of the relation is overridden" if changed
        end

        # @return [Symbol, nil] a method that somebody has changed
        def changed(names)
          owners.fetch(names).each { |name, known| return name unless known.include?(yield(name)) }
          nil
        end

        # Looked up at the first use, because looking it up loads ActiveRecord::Base.
        # @return [Hash{Array<Symbol> => Hash{Symbol => Array<Module>}}] ActiveRecord's modules that
        #   have these methods; none if another library has put its own before them
        def owners
          @owners ||= {
            READING => all(READING, RELATIONS) { |type, name| type.instance_method(name) },
            MAKING => all(MAKING, BASES) { |base, name| base.method(name) },
            MADE => all(MADE, BASES) { |base, name| base.instance_method(name) }
          }.compare_by_identity.freeze
        end

        # Methods that this ActiveRecord does not have are left out.
        def all(names, types)
          types = types.map { |type| ::ActiveRecord.const_get(type) }
          found = names.filter_map do |name|
            owners = types.map { |type| yield(type, name).owner }
            [name, owners.all? { |owner| ours?(owner) } ? owners : []]
          rescue ::NameError
            nil
          end
          found.to_h
        end

        def ours?(owner)
          ::Class.equal?(owner) || owner.name.to_s.start_with?("ActiveRecord::", "ActiveModel::")
        end

        def computed(unit, field)
          owner = Compiler::Owner.new(unit.serializer_class, nil, !unit.elsewhere?)
          if owner.computes?(field)
            return field.reader ? "a block gives it" : "a method of the serializer gives it"
          end
          return if field.conditions.empty?

          owner.condition(field, Compiler::Source::OWN, :object)
          "its condition is a block or a method of the serializer" if owner.used?
        end

        def of_class(reflection, klass)
          reflection.check_validity! # as the getter does: it raises if inverse_of: is wrong
          link = Level.link(reflection)
          unless [link.column, link.inner_column].all?(String)
            return "the association has several keys"
          end
          return "#{klass} is strict about loading" if klass.strict_loading_by_default

          scoped = link.scoped
          return scoped.reason if scoped.is_a?(Refusal)

          types = [reflection.active_record.type_for_attribute(link.column),
                   klass.type_for_attribute(link.inner_column)]
          "its keys have different types" unless types.map(&:type).uniq.size == 1
        end
      end
    end
    private_constant :Conditions
  end
end
