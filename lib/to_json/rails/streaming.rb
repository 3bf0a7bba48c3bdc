# frozen_string_literal: true

# Layer: rails. Writes documents while the response is sent.

module ToJson
  module Rendering
    # The body of a response. Rails 7.2 wraps a body into a buffer that responds to `to_ary`. Then
    # Rack::ETag and servers read the body as a whole. Rails does not wrap a body that responds to
    # `to_path`, so this body does while it is assigned.
    # @api private
    class Body < Stream
      # @yield assigns the body
      def unbuffered
        @assigned = true
        yield
      ensure
        @assigned = false
      end

      def respond_to?(name, include_all = false) = (name == :to_path && @assigned) || super

      # `response.body` returns this text, for example to an `after_action`. The first call writes
      # the whole document. The text is kept, so that {#each} and {#call} send it.
      # @return [String]
      # @raise [SinkError, Error] as {#each}
      def body
        @body ||= (+"").tap { |text| each { |chunk| text << chunk } }
      end

      private

      def produce(sink) = @body && !closed? ? sink.write(@body) : super
    end

    # A body is read after the action. So this restores what the action had: the locale, the time
    # zone, the attributes of `ActiveSupport::CurrentAttributes`, the roles and shards of the
    # databases, and the controller. When the body ends, its connection to the database goes back to
    # the pool.
    # @api private
    class Surroundings
      # @param controller [ActionController::Metal]
      # @param model [Class, nil] of ActiveRecord
      def initialize(controller, model)
        @controller = controller
        @model = model if model.respond_to?(:with_connection)
        @locale = ::I18n.locale
        @zone = ::Time.zone
        @current = current_classes.map { |type| [type, type.instance.attributes.dup] }
        @connections = connection_classes.map { |type| [type, connection_of(type)] }
      end

      # @yield writes the document
      def call(&)
        Rendering.with_controller(@controller) do
          in_locale { in_zone { in_current { in_connections(@connections) { connected(&) } } } }
        end
      end

      private

      def in_locale(&) = ::I18n.with_locale(@locale, &)
      def in_zone(&) = ::Time.use_zone(@zone, &)

      def current_classes
        return [] unless defined?(::ActiveSupport::CurrentAttributes)

        ::ActiveSupport::CurrentAttributes.descendants.select(&:name)
      end

      # `Current.set(tenant: 1) { … }` around an action ends before the body is read. This calls no
      # setter of an attribute such as `tenant=`, since the application may have defined its own.
      def in_current
        changed = @current.map { |type, kept| [type.instance, kept, type.instance.attributes] }
        changed.reject! { |_, kept, attributes| same?(kept, attributes) }
        changed.each { |current, kept, _| current.attributes = kept.dup }
        yield
      ensure
        changed&.each { |current, _, attributes| current.attributes = attributes }
      end

      # Compares values by identity, because `==` would load a relation.
      def same?(kept, attributes)
        kept.size == attributes.size &&
          kept.all? { |name, value| attributes.key?(name) && attributes[name].equal?(value) }
      end

      # ActiveRecord::Base, and the abstract classes, each of which may have a database of its own.
      def connection_classes
        return [] unless defined?(::ActiveRecord::Base)

        [::ActiveRecord::Base, *::ActiveRecord::Base.descendants.select(&:abstract_class?)]
      end

      def connection_of(type)
        { role: type.current_role, shard: type.current_shard,
          prevent_writes: type.current_preventing_writes }
      end

      def in_connections(connections, &)
        (type, connection), *others = connections
        return yield unless type
        return in_connections(others, &) if connection == connection_of(type)

        base = ::ActiveRecord::Base
        if type.equal?(base)
          base.connected_to(**connection) { in_connections(others, &) }
        else
          base.connected_to_many(type, **connection) { in_connections(others, &) }
        end
      end

      # Rails >= 7.2 lends a connection for the time of the block.
      def connected(&)
        @model ? @model.with_connection { yield } : yield
      end
    end

    # Reads relations by `find_each`, if that gives the same records in the same order.
    # @api private
    module FindEach
      class << self
        # @param value [Object]
        # @return [Enumerator, Object] an Enumerator for a relation that can be read in batches
        def of(value)
          direction = direction_of(value) or return value
          # find_each warns about an order, or raises
          relation = value.order_values.empty? ? value : value.unscope(:order)
          direction == :asc ? relation.find_each : relation.find_each(order: direction)
        end

        private

        # @return [:asc, :desc, nil] nil: the relation must be read as a whole
        def direction_of(relation)
          return unless plain?(relation)

          order_of(relation.order_values, relation.klass.primary_key)
        end

        def plain?(relation)
          unless defined?(::ActiveRecord::Relation) && ::ActiveRecord::Relation === relation
            return false
          end
          if relation.loaded? || relation.scheduled? || changed?(relation) ||
             !relation.klass.primary_key.is_a?(String)
            return false
          end

          %i[select group joins left_outer_joins eager_load includes].all? { |part|
            relation.public_send(:"#{part}_values").empty?
          } && relation.limit_value.nil? && relation.offset_value.nil? &&
            relation.from_clause.empty? && !relation.distinct_value &&
            relation.reverse_order_value.nil?
        end

        # Whether an association has records that its table does not have yet, or has as they were.
        def changed?(relation)
          ::ActiveRecord::Associations::CollectionProxy === relation && relation.target.any?
        end

        # Rows without an order come in any order.
        def order_of(orders, key)
          return :asc if orders.empty?
          return if orders.size > 1

          node = orders.first
          return :asc if [key, key.to_sym].include?(node)
          unless node.respond_to?(:expr) && node.expr.respond_to?(:name) &&
                 node.expr.name.to_s == key
            return
          end

          case node
          when ::Arel::Nodes::Ascending then :asc
          when ::Arel::Nodes::Descending then :desc
          end
        end
      end
    end
  end
end
