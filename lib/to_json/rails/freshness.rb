# frozen_string_literal: true

# Layer: rails. Makes the parts of an ETag that a serializer adds.

module ToJson
  module Rendering
    # Turns serializers into validators for `stale?` and `fresh_when`: the digest of the class and
    # of the serializers inside, view, only, except, root, locale, time zone, the context if the
    # class looks at it, and the versions of the records. If one of these is not known, the document
    # itself is written, and the validator is its digest.
    # @api private
    class Freshness
      # Keywords that a validator can contain. With any other one, the document is written.
      TOLD = %i[view only except root context].freeze
      # What ActiveSupport asks an object for before `to_a`.
      KEYS = %i[cache_key_with_version cache_key].freeze
      private_constant :TOLD, :KEYS

      class << self
        # @param value [Object] what `stale?` was given
        # @return [Boolean]
        def serializers?(value)
          case value
          when Serialize then true
          when Array, Set then value.any? { |one| serializers?(one) }
          when Hash then serializers?(value.values)
          else false
          end
        end

        # Puts the validators of serializers in their places. ActiveSupport would ask a serializer
        # for `cache_key` and `to_a` first, which it may have as a Struct, a model, or for a field.
        # @param controller [ActionController::Metal]
        # @param value [Object] what an ETag is made of
        # @return [Object]
        def told(controller, value)
          return new(controller, value).text if Serialize === value
          return value if value.nil? || KEYS.any? { |key| value.respond_to?(key) }
          return value unless value.respond_to?(:to_a)

          value.to_a.map { |one| told(controller, one) }
        end
      end

      # @param controller [ActionController::Metal]
      # @param serializer [Serialize]
      def initialize(controller, serializer)
        FirstUse.of(:CacheKey)
        @controller, @serializer = controller, serializer
        @given, *@arguments = serializer.__send__(:__to_json_arguments)
        @given = @serializer.class < Serializer ? checked(@given.to_h) : @given.to_h
      end

      # @return [String]
      def text = from_versions || "document-#{CacheKey.digest(document)}"

      private

      def checked(given)
        ClientFields.checked(@serializer.class, given, Models.of(@arguments.first))
      end

      # As `render` would write it, with its associations preloaded.
      def document = RenderCall.new(@controller, { json: @serializer }, :json).document.digestible

      # @return [String, nil] nil: the document must be written
      def from_versions
        type = @serializer.class
        return unless @arguments.size == 1 && (@given.keys - TOLD).empty? && !state?
        unless type < Serializer && type.declared? && !PlanCache.imperative?(type) &&
               type.definition.meta.nil?
          return
        end

        object = @arguments.first
        parts = [Nested.digest(type, Models.of(object)), Versions.of(object), context(type)]
        CacheKey.digest(CacheKey.tree([*parts, *words])) if parts.all?
      rescue CacheError
        nil # a context that says nothing of itself
      end

      # Whether what the instance writes may depend on more than its arguments: on its state, or on
      # those of `encode!`, whose document it writes.
      def state?
        @serializer.instance_variables.any? || CacheKey.extended?(@serializer) ||
          !@serializer.__send__(:encoded_json).nil?
      end

      def words
        selections = @given.values_at(:only, :except).map do |one|
          one && names(Selection.parse(one))
        end
        zone = ::Time.zone&.name
        [Array(@given[:view]).map(&:to_s), selections, @given[:root], ::I18n.locale, zone]
      end

      def names(selection) = selection.tree.transform_values { |part| part && names(part) }

      def context(type)
        return "none" unless Nested.contextual?(type)

        ContextKey.of("#{type}: ETag",
                      @given.fetch(:context) { @controller.send(:serialization_context) })
      end

      # The versions of records.
      module Versions
        # Of a relation with more rows than this, only their number and the latest change are read.
        MOST_ROWS = 1_000
        # With these a query can give columns of other tables for a `*`.
        OTHER_TABLES = %i[joins left_outer_joins].freeze
        # With these, another query may give other rows, or fewer.
        CHOOSING = %i[limit offset distinct group].freeze
        # What makes the key of a record.
        VERSION = %i[cache_key_with_version cache_key cache_version].freeze
        private_constant :MOST_ROWS, :OTHER_TABLES, :CHOOSING, :VERSION

        class << self
          # @return [String, nil] nil if one of the records has no version
          def of(object)
            case object
            when nil then "nil"
            when Array then all(object)
            else relation?(object) ? of_relation(object) : of_record(object)
            end
          end

          private

          # False for a presenter around a relation, since its elements may be presenters, too.
          def relation?(object)
            defined?(::ActiveRecord::Relation) && ::ActiveRecord::Relation === object
          end

          # If a query joins what it preloads, its conditions may choose the associated records.
          def of_relation(relation)
            return if !columns_only?(relation) || relation.eager_loading?
            return all(relation.to_ary) if relation.loaded? || !of_table?(relation)
            return unless relation.klass.column_names.include?("updated_at")

            of_rows(relation.except(:includes, :preload)) # which `pluck` would join
          end

          # Whether a query for keys and versions finds those of the records. It does not if a row
          # of the result may stand for several, if an association has records that are not in the
          # table, or if code changes what is read or its version. With a limit, another query may
          # give other rows, unless the order is total.
          def of_table?(relation)
            (relation.values.keys & CHOOSING).empty? && relation.singleton_methods.empty? &&
              usual?(relation.klass) &&
              !(::ActiveRecord::Associations::CollectionProxy === relation && relation.target.any?)
          end

          # Subclasses (STI) can have more, and may not be loaded. An `attribute` without a column
          # may have another default for each viewer.
          def usual?(model)
            !Models.share_table?(model) && (model.attribute_names - model.column_names).empty? &&
              model._find_callbacks.empty? && model._initialize_callbacks.empty? &&
              VERSION.all? do |name|
                model.instance_method(name).owner.name.to_s.start_with?("ActiveRecord::")
              end
          end

          # What Rails calls the version of a relation, the number of rows and the latest change,
          # stays the same if one row leaves while another one comes: on a page, by a join, in time.
          def of_rows(relation)
            keys = Array(relation.klass.primary_key)
            return if keys.empty?

            rows = relation.limit(MOST_ROWS + 1).pluck(*keys, :updated_at)
            place = CacheKey.tree([relation.klass.name, relation.klass.current_shard,
                                   relation.select_values.map(&:to_s)])
            return "#{place}-#{relation.cache_key_with_version}" if rows.size > MOST_ROWS
            return if rows.any? { |row| row.last.nil? }

            "#{place}-#{rows.map { |*key, at| row(key, at) }.join(",")}"
          end

          # CacheKey's text of a Time takes longer than reading the row. The column may be a date.
          def row(key, at)
            return CacheKey.tree([key, at]) unless at.respond_to?(:nsec)

            "#{CacheKey.tree(key)}@#{at.to_i}.#{at.nsec}"
          end

          # A SELECT may give values of other tables, or of the viewer. No version of a record
          # changes with these.
          def columns_only?(relation)
            columns = relation.klass.column_names
            columns += ["*"] if (relation.values.keys & OTHER_TABLES).empty?
            table = "#{relation.klass.table_name}."
            relation.from_clause.empty? && relation.select_values.all? do |one|
              (Symbol === one || String === one) && columns.include?(one.to_s.delete_prefix(table))
            end
          end

          def all(records)
            versions = records.map { |record| (record.nil? ? "nil" : of_record(record)) || return }
            "[#{versions.join(",")}]"
          end

          # @raise [CacheError] if the record has no key of its own, or no `updated_at`
          def of_record(record) = CacheKey.default("ETag", record)
        end
      end
      private_constant :Versions

      # Digests of serializer classes together with those that are looked up by the model's
      # associations, which {Declarations#digest} does not see. Kept until a serializer changes.
      module Nested
        # What is kept in one epoch: the classes for each [Class, model], and for each Class whether
        # it may look at a context.
        Kept = Struct.new(:epoch, :parts)
        private_constant :Kept

        class << self
          # @param model [Class, nil] of the records
          # @return [String, nil] nil: only values can tell a serializer inside
          def digest(type, model)
            kept = fresh
            types = kept.fetch([type, model]) do |key|
              seen = {}
              complete = walk(type, model, seen)
              kept[key] = complete ? seen.keys.map(&:first).uniq : nil
            end
            types&.map(&:digest)&.join(",")
          end

          # Whether the class may look at a context.
          def contextual?(type)
            kept = fresh
            kept.fetch(type) do
              signature = Compiler::Signature.new("#{type}: ETag", PlanCache)
              [[], *type.definition.view_names.map { |view| [view] }].each do |views|
                signature.of_unit(Compiler::Unit.new(type, type.definition, views, [], :object))
              end
              kept[type] = signature.contextual?
            end
          end

          private

          # A change of a serializer begins a new epoch, so nothing is kept for classes that were
          # reloaded. Epoch and parts are published by one assignment. So no thread finds parts of
          # an older epoch, even if another thread is killed here.
          def fresh
            epoch = PlanCache.epoch
            kept = @kept
            kept = @kept = Kept.new(epoch, {}) unless kept&.epoch == epoch
            kept.parts
          end

          # Goes through the serializers inside without recursion, since there may be hundreds.
          # @param seen [Hash] gets them
          # @return [Boolean] false: only values can tell one of them
          def walk(type, model, seen)
            places = [[type, type.definition, model]]
            while (type, definition, model = places.shift)
              next if seen[[type, definition]]

              seen[[type, definition]] = true
              definition.entries.each do |field|
                return false if records?(type, field, model)
                next if field.kind == :attribute

                place = inside(type, field, model)
                return false unless place
                places << place unless place.empty?
              end
            end
            true
          end

          # Whether a plain field may have records for its value: those of an association, or of
          # what only a subclass has. Their serializers are looked up while they are written.
          def records?(type, field, model)
            return false unless field.kind == :attribute && field.reader.nil?
            return false if type.public_method_defined?(field.source)
            return true if model.nil?

            model.respond_to?(:reflect_on_association) &&
              (!model.reflect_on_association(field.source).nil? ||
                !(model.has_attribute?(field.source) || model.method_defined?(field.source)))
          end

          # @return [Array, nil] the serializer, its Definition and its model; empty: nothing of it
          #   can be in a document; nil: only values can tell it
          def inside(type, field, model)
            inner, one_class = Models.inside(type, field, model)
            inner = nil unless one_class
            return [type, field.definition, inner] if field.definition

            case field.serializer
            when Class then [field.serializer, field.serializer.definition, inner]
            when String, nil then looked_up(type, field.serializer, inner)
            end
          end

          def looked_up(type, name, model)
            return if name.nil? && model.nil?

            found = Lookup.of_class(type, name, model)
            [found, found.definition, model]
          rescue SerializerNotFound
            []
          end
        end
      end
      private_constant :Nested
    end

    # ActiveSupport makes an ETag of the `to_param` of each part. So a serializer counts also where
    # {Freshness.told} does not look: in an `etag { }` of a class before it includes {Rendering}.
    # An object whose class has its own `to_param`, such as a record, keeps it: URLs need it.
    # @api private
    module Validator
      class << self
        # Defines `to_param` in Serialize itself. In a module included there it would count as the
        # serializer's own method, and `attribute :slug, :to_param` would call it instead of the
        # object's.
        # @return [void]
        def add
          return if Serialize.method_defined?(:to_param, false)

          Serialize.define_method(:to_param) do
            controller = Rendering.controller
            controller && Validator.free?(self) ? Freshness.new(controller, self).text : super()
          end
        end

        # Whether the object has no `to_param` but Object's.
        def free?(object)
          Serialize.instance_method(:to_param).bind(object).super_method&.owner == Object
        end
      end
    end
  end
end
