# frozen_string_literal: true

# Layer: caching. Writes what objects say of themselves for cache keys: records of ActiveRecord,
# their relations, and all that have a method cache_key.

module ToJson
  module CacheKey
    # A key must tell all that can be written of an object. That of a record tells its row, and what
    # the record has besides is added here, or the record has no key.
    # @api private
    module Objects
      DEFAULT = :cache_key_with_version
      KEYS = [DEFAULT, :cache_key].freeze
      RELATION = %i[to_ary cache_version to_sql klass].freeze
      SINGLETON_METHODS = Kernel.instance_method(:singleton_methods)
      SINGLETON_CLASS = Kernel.instance_method(:singleton_class)
      NO_MORE = {}.freeze
      private_constant :DEFAULT, :KEYS, :RELATION, :SINGLETON_METHODS, :SINGLETON_CLASS,
                       :NO_MORE

      # The key that an object has by itself.
      # @return [String, nil] nil: it must not be cached, such as a record that was not saved
      # @raise [CacheError]
      def default(place, object)
        if has?(object, DEFAULT)
          return relation?(object) ? rows(place, object, 0) : own(place, object, DEFAULT, 0)
        end

        raise CacheError,
              "#{place}: an instance of #{Reflection.class_of(object)} has no #{DEFAULT} of its " \
              "own. Pass key: ->(object) { [object.id, object.updated_at] }."
      end

      # Whether an object has a cache key.
      def own?(object) = !key_of(object).nil?

      # Whether an object answers by the key of another object. A presenter does, which may have
      # more than the record in it, unless its class defines a key.
      def forwards?(object)
        return true if relation?(object) && !(::ActiveRecord::Relation === object)

        key = key_of(object)
        key ? !has?(object, key) : delegator?(object)
      end

      # Whether an object has methods, or modules, that its class does not have.
      def extended?(object)
        return false unless Reflection.singleton?(object)

        own = SINGLETON_CLASS.bind_call(object)
        methods = own.instance_methods(false) + own.private_instance_methods(false)
        methods += own.undefined_instance_methods if own.respond_to?(:undefined_instance_methods)
        methods.any? || own.ancestors - Reflection.class_of(object).ancestors != [own]
      end

      # @param object [Object] of which {own?} is true
      # @return [String, nil] nil: its key does not tell all of it
      def own_text(place, object)
        return if (record?(object) || relation?(object)) && extended?(object)
        return rows(place, object, 0) if relation?(object)
        if unsaved?(object) && object.respond_to?(:attributes)
          (values = values(object, 0)) && part(place, values, 0)
        else own(place, object, key_of(object), 0) { nil }
        end
      end

      # ActiveRecord tells relations apart by the number of rows and the latest change. Neither
      # changes if one row leaves and another one comes.
      def relation?(object)
        defined?(::ActiveRecord::Relation) && RELATION.all? { |method| object.respond_to?(method) }
      end

      # Whether it is a record of ActiveRecord. Only of such an object the constant is named, since
      # it is left to autoload.
      def record?(object)
        object.respond_to?(:changed_attribute_names_to_save) &&
          defined?(::ActiveRecord::Base) && ::ActiveRecord::Base === object
      end

      private

      def of_module(place, given, depth)
        key = KEYS.find { |name| SINGLETON_METHODS.bind_call(given).include?(name) }
        key ? own(place, given, key, depth) : quote("^", name_of(given) || refuse(place, given))
      end

      # That of its class, else one that it forwards.
      def key_of(object)
        KEYS.find { |key| has?(object, key) } || KEYS.find { |key| object.respond_to?(key) }
      end

      def delegator?(object) = defined?(::Delegator) && ::Delegator === object

      def own(place, object, method, depth)
        return if unsaved?(object)

        refuse_deep(place) if depth == DEEPEST
        own = object.public_send(method)
        if unversioned?(object, own)
          return block_given? ? yield : unversioned(place, object)
        end

        text = part(place, own, depth + 1) unless own.nil?
        return unless text && (more = more(object))

        more = more.empty? ? "" : "{#{digest_of(more, depth) || return}}"
        name = name_of(Reflection.class_of(object)).to_s
        "=#{name.ascii_only? ? name : quote("", name)}(#{text})#{more}"
      end

      # Attributes may be secret, so they stand in no key.
      # @return [String, nil] nil: one of the values has no text
      def digest_of(values, depth)
        text = pairs("", values, depth + 1) and digest(text)
      rescue CacheError
        nil
      end

      # What a record has beside the row that its key names, or lacks of it: changes, values of a
      # SELECT or an `attribute` that are in no column, and columns that are not in the SELECT. And
      # the shard that is read from.
      # @return [Hash, nil] nil: it cannot be told
      def more(record)
        return NO_MORE unless record?(record)

        type = record.class
        changed = Unsaved.names(record) or return
        names, columns = record.attribute_names, type.column_names
        more = (changed | (names - columns)).to_h { |name| [name, record[name]] }
        lacking = columns - names
        more[:lacking] = lacking.sort unless lacking.empty?
        more[:shard] = type.current_shard unless type.current_shard == :default
        more
      end

      # A relation counts by its query and its records.
      def rows(place, relation, depth)
        rows = relation.to_ary
        refuse(place, relation) unless Array === rows # it answers everything
        rows = rows.map { |record| versioned(record, depth) || return }
        text = parts(place, rows, depth) or return
        "(#{quote("^", relation.klass.name.to_s)},#{quote("_", digest(relation.to_sql))},#{text})"
      end

      # A record, or its attributes, if its key does not tell all of it.
      # @return [Object, nil] nil: they do not, either
      def versioned(record, depth)
        return record unless record?(record)
        return if extended?(record)

        record.has_attribute?(:updated_at) && !unsaved?(record) ? record : values(record, depth)
      end

      def values(record, depth)
        digest = digest_of(record.attributes, depth) and [record.class.name, digest]
      end

      # Whether the class of an object has the method, or the object itself. A DelegateClass defines
      # all methods of another class, which only forward.
      def has?(object, method)
        type = Reflection.class_of(object) # a presenter may answer `class` by that of its record
        return SINGLETON_METHODS.bind_call(object).include?(method) if Module === object

        if type.public_method_defined?(method)
          return !delegator?(object) || !forwarding?(type.instance_method(method))
        end
        Object === object && SINGLETON_METHODS.bind_call(object).include?(method)
      end

      # Whether delegate.rb has made the method.
      def forwarding?(method)
        made = Delegator.instance_method(:__getobj__).source_location
        made&.first == method.source_location&.first
      end

      # Its `updated_at` may be NULL.
      # @return [nil]
      # @raise [CacheError]
      def unversioned(place, record)
        return if record.has_attribute?(:updated_at)

        raise CacheError,
              "#{place}: #{Reflection.class_of(record)} has no updated_at, so the key of a " \
              "record stays when the record changes. Add that column, or return what counts, " \
              "such as " \
              "key: ->(record) { [record.id, record.name] } or " \
              "context: ->(context) { context[:user].role }."
      end

      # Whether ActiveRecord's key of a record is only its class and id.
      def unversioned?(object, key)
        record?(object) && String === key && key.end_with?("/#{object.id}") &&
          !object.class.name.nil? && key == "#{object.model_name.cache_key}/#{object.id}"
      end

      def unsaved?(object)
        return false unless object.respond_to?(:new_record?)

        object.new_record? || (record?(object) && (object.destroyed? || partial?(object)))
      end

      # A record of a SELECT without `updated_at` or the primary key has no key. One of a table
      # without a primary key has one only if its class makes it. No key tells methods of its own.
      def partial?(record)
        return true if extended?(record)
        return true if !record.has_attribute?("updated_at") &&
                       record.class.has_attribute?("updated_at") # also an alias

        id = record.id
        (Array === id ? id.include?(nil) : id.nil?) && !own_key?(record)
      end

      # Whether the class has a cache_key that is not ActiveRecord's.
      def own_key?(record)
        KEYS.any? do |key|
          !record.class.instance_method(key).owner.name.to_s.start_with?("ActiveRecord::")
        end
      end
    end
    private_constant :Objects
  end
end
