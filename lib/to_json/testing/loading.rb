# frozen_string_literal: true

# Layer: testing. Tells whether a document asks the database while it is written.

module ToJson
  module Testing
    # @api private
    module Loading
      # Leaves the document at its first query. No `rescue` of the user's takes it.
      class Query < Exception
        # @return [String]
        attr_reader :sql

        # @param sql [String]
        def initialize(sql)
          @sql = sql
          super("a query while a document is written: #{sql}")
        end
      end
      # Events that load nothing.
      BESIDE = %w[SCHEMA TRANSACTION].freeze
      private_constant :Query, :BESIDE

      class << self
        # @param given [Class, Serialize]
        # @param arguments [Array]
        # @param keywords [Hash] of `json!`
        # @param preload [Boolean] whether associations are loaded before, as `render` does it
        # @return [String, nil] the first query, with the path of the field that made it
        # @raise [Error] without ActiveRecord
        def problem(given, arguments, keywords, preload)
          unless defined?(::ActiveRecord::Base)
            raise Error, "a test of what a document loads needs ActiveRecord, which is not loaded"
          end

          require "to_json/active_record"
          serializer_class, arguments, keywords = parts(given, arguments, keywords)
          arguments = [ready(serializer_class, arguments.first, keywords,
                             preload)] if arguments.size == 1
          query = first_query { serializer_class.json!(*arguments, **keywords) } or return
          "#{ToJson.location(query) || "$"}: the document loads while it is written: " \
            "#{query.sql}\nName the association in a declaration (has_one, has_many), or with " \
            "preload:, or load it before."
        end

        private

        def parts(given, arguments, keywords)
          return [given, arguments, keywords] if given.is_a?(Class) && given < Serialize
          unless Serialize === given
            raise ArgumentError, "takes a serializer, or a serializer class and its arguments; " \
                                 "got #{Lookup.class_of(given)}"
          end

          kept, *held = given.__send__(:__to_json_arguments)
          [given.class, arguments.empty? ? held : arguments, { **kept.to_h, **keywords }]
        end

        # The records themselves, and with `preload` their associations, are loaded.
        def ready(serializer_class, object, keywords, preload)
          if preload && serializer_class < Serializer && serializer_class.declared?
            object = Preloading.preload(object, serializer_class,
                                        **keywords.slice(:view, :only, :except, :context))
          end
          case object
          when ::ActiveRecord::Relation then object.load
          when Hash, Struct then object
          else Enumerable === object ? object.to_a : object # find_each
          end
        end

        def first_query(&)
          thread = Thread.current
          watch = lambda do |*, payload|
            next if BESIDE.include?(payload[:name]) || !Thread.current.equal?(thread)

            raise Query, payload[:sql].to_s
          end
          ::ActiveSupport::Notifications.subscribed(watch, "sql.active_record", &)
          nil
        rescue Query => query
          query
        end
      end
    end
    private_constant :Loading
  end
end
