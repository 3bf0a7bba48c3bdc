# frozen_string_literal: true

# Layer: rails. Writes documents while the response is sent.

module ToJson
  module Rendering
    # The body of a response. Rails 7.2 puts bodies into a buffer that says it has `to_ary`, so that
    # Rack::ETag and servers read it as a whole. It leaves those with `to_path` as they are, so this
    # one says that it has that method, while it is assigned.
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
    end

    # What a body finds when it is read, after the action: the locale, the time zone and the
    # controller are as they were when it was made, and the connection to the database that it needs
    # is given back when it ends.
    # @api private
    class Surroundings
      # @param controller [ActionController::Metal]
      # @param model [Class, nil] of ActiveRecord
      def initialize(controller, model)
        @controller = controller
        @model = model if model.respond_to?(:with_connection)
        @locale = ::I18n.locale
        @zone = ::Time.zone
        @role = @shard = nil
        keep_role if defined?(::ActiveRecord::Base)
      end

      # @yield writes the document
      def call(&)
        Rendering.with_controller(@controller) do
          in_locale { in_zone { in_role { connected(&) } } }
        end
      end

      private

      def keep_role
        @role, @shard = ::ActiveRecord::Base.current_role, ::ActiveRecord::Base.current_shard
      end

      def in_locale(&) = ::I18n.with_locale(@locale, &)
      def in_zone(&) = ::Time.use_zone(@zone, &)

      def in_role(&)
        if @role.nil? ||
           (@role == ::ActiveRecord::Base.current_role &&
            @shard == ::ActiveRecord::Base.current_shard)
          return yield
        end

        ::ActiveRecord::Base.connected_to(role: @role, shard: @shard, &)
      end

      # Rails >= 7.2 lends one for the block, and has it back at its end.
      def connected(&)
        @model ? @model.with_connection { yield } : yield
      end
    end

    # Relations are read in batches where that gives the same records in the same order.
    # @api private
    module FindEach
      class << self
        # @param value [Object]
        # @return [Enumerator, Object] an Enumerator for a relation that can be read in batches
        def of(value)
          direction = direction_of(value) or return value
          direction == :asc ? value.find_each : value.find_each(order: direction)
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
          if relation.loaded? || relation.scheduled? || !relation.klass.primary_key.is_a?(String)
            return false
          end

          %i[select group joins left_outer_joins eager_load includes].all? { |part|
            relation.public_send(:"#{part}_values").empty?
          } && relation.limit_value.nil? && relation.offset_value.nil? &&
            relation.from_clause.empty? && !relation.distinct_value &&
            relation.reverse_order_value.nil?
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
