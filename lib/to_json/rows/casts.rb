# frozen_string_literal: true

# Layer: rows. Knows the types of columns whose values a Cell writes without asking the type.

module ToJson
  # Relations that are written from the rows of their queries, without models.
  # @api private
  module Rows
    # Knows the types of ActiveModel, ActiveRecord and its adapters by the names of their classes. A
    # type of any other class, a subclass too, is always asked by its `deserialize`.
    # @api private
    module Casts
      # Kind of Cell => names below POSTGRES, ACTIVE_MODEL and so on.
      MODEL = "ActiveModel::Type::"
      RECORD = "ActiveRecord::Type::"
      POSTGRES = "ActiveRecord::ConnectionAdapters::PostgreSQL::OID::"
      NAMES = {
        any: { MODEL => %w[Value] },
        integer: {
          MODEL => %w[Integer BigInteger], RECORD => %w[UnsignedInteger DecimalWithoutScale],
          POSTGRES => %w[Oid],
          "ActiveRecord::ConnectionAdapters::SQLite3Adapter::" => %w[SQLite3Integer]
        },
        float: { MODEL => %w[Float] },
        string: { MODEL => %w[String ImmutableString], RECORD => %w[Text],
                  POSTGRES => %w[Enum SpecializedString Xml] },
        binary: { MODEL => %w[Binary] },
        boolean: { MODEL => %w[Boolean] },
        uuid: { POSTGRES => %w[Uuid] },
        name: { "ActiveRecord::Enum::" => %w[EnumType] },
        decimal: { MODEL => %w[Decimal], POSTGRES => %w[Decimal] },
        date: { MODEL => %w[Date], RECORD => %w[Date], POSTGRES => %w[Date] },
        moment: { MODEL => %w[DateTime], RECORD => %w[DateTime],
                  POSTGRES => %w[DateTime Timestamp TimestampWithTimeZone] },
        clock: { MODEL => %w[Time], RECORD => %w[Time] }
      }.freeze
      KINDS = NAMES.flat_map { |kind, rooms|
        rooms.flat_map { |room, names| names.map { |name| ["#{room}#{name}", kind] } }
      }.to_h.freeze
      # The type that ActiveRecord wraps around the type of a time, to convert it to Time.zone.
      CONVERTER = "ActiveRecord::AttributeMethods::TimeZoneConversion::TimeZoneConverter"

      HOME = %r{\A.*/active_(?:model|record|support)(?=/|\.rb\z)}

      private_constant :MODEL, :RECORD, :POSTGRES, :NAMES, :CONVERTER, :HOME

      @original = {}.compare_by_identity

      module_function

      # @param type [Object] what `type_for_attribute` gives
      # @return [Symbol, nil] the kind of its Cell; nil: only `deserialize` knows
      def of(type)
        return unless original?(type)
        return KINDS[type.class.name] unless type.class.name == CONVERTER

        kind = of(type.__getobj__)
        kind if %i[moment clock].include?(kind)
      end

      # C calls this for the first time of a column, and for each time in another period of the
      # zone.
      #
      # @param value [Object] which a type has made
      # @return [Array, nil] seconds and nanoseconds since 1970; the offset; whether it is written
      #   as UTC; the first second of the period with this offset, and the first one after it;
      #   whether it is a TimeWithZone. nil if the text depends on more than these.
      def period_of(value)
        if ::ActiveSupport::TimeWithZone === value
          period = value.period
          [value.to_i, value.nsec, value.utc_offset, value.utc?, period.starts_at&.to_i,
           period.ends_at&.to_i, true]
        elsif value.instance_of?(::Time) && value.utc?
          [value.to_i, value.nsec, 0, true, nil, nil, false]
        end
      end

      # Whether nobody has patched the type, as far as its methods tell.
      def original?(type)
        return false unless type.singleton_methods.empty?

        klass = type.class
        return @original[klass] if @original.key?(klass)

        @original[klass] = KINDS.key?(klass.name) || klass.name == CONVERTER ? whole?(klass) : false
      end

      # Whether all methods of the class, and of what it inherits from, stand in the files of Rails.
      def whole?(klass)
        modules = klass.ancestors.take_while { |mod| mod != ::Object }
        # the rest is what DelegateClass made
        modules = modules.take(modules.index(klass) + 1) if klass.name == CONVERTER
        modules.all? do |mod|
          names = [*mod.instance_methods(false), *mod.private_instance_methods(false)]
          methods = names.map { |name| mod.instance_method(name) }
          # DelegateClass makes instance_methods(false) name inherited ones too
          methods = methods.select { |method| method.owner == mod }
          methods.all? { |method| method.source_location&.first.to_s.start_with?(*homes) }
        end
      end

      # Where the files of Rails begin.
      def homes
        @homes ||= %w[ActiveModel ActiveRecord ActiveSupport].map { |name|
          ::Object.const_source_location(name).first[HOME]
        }.freeze
      end

      private_class_method :original?, :whole?, :homes
    end
  end
end
