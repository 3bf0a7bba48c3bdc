# frozen_string_literal: true

# Layer: active_record. ToJson.preload, and the class method `preloads` of serializers.

module ToJson
  # Loads what a serializer will read, with one query for each association instead of one for each
  # record. docs/serializers.md is the guide.
  module Preloading
    class << self
      # @return [Symbol, #call, nil] `:off`: {ToJson.preload} returns what it was given
      # @api private
      attr_accessor :mode

      # What {ToJson.preload} does, whatever the mode is.
      # @api private
      # @param leave_cached [Boolean] whether what a cache may have is left to {Missing}
      # @return [Object]
      def preload(objects, serializer_class, view: nil, only: nil, except: nil, context: {},
                  leave_cached: false)
        unit = unit(serializer_class, view, only, except) or return objects
        apply(objects, unit, context, FieldConditions.new(context, leave_cached: leave_cached))
      end

      # Returns as an `only:` what a document of JSON:API reads: its attributes, and what is
      # included.
      # @api private
      # @param model [Class, nil] of the records
      # @param chosen [Array] `view:`, `include:` and `fields:` of `json_api!`
      # @return [Selection]
      # @raise [JsonApi::ParameterError, UnknownViewError]
      def resources(serializer_class, model, chosen)
        check(serializer_class)
        FirstUse.of(:Choice, JsonApi)
        choice = JsonApi::Choice.of(serializer_class, *chosen)
        JsonApi::PreloadSelection.new(choice, model).selection
      end

      # @api private
      # @return [Class, nil] of the records; nil: none, or several
      def model_of(objects)
        return objects.klass if ::ActiveRecord::Relation === objects

        records = ::Array === objects ? objects : [objects]
        models = Records.among(records).map(&:class).uniq
        models.first if models.size == 1
      end

      # @api private
      # The same of records of several classes.
      # @param records [#to_ary, Enumerable] an Enumerable is loaded by the batch while it is read
      # @yieldparam record [ActiveRecord::Base, Delegator]
      # @yieldreturn [Class, nil] its serializer; nil: it is left alone
      # @param options [#call] takes a serializer and one of its records, returns keywords
      # @return [Object] the records
      def preload_by(records, options)
        load = lambda do |some|
          some = some.select { |one| Records.behind(one) }
          some.group_by { |record| yield record }.each do |found, ones|
            preload(ones, found, **options.call(found, ones.first)) if found
          end
        end
        return PreloadedBatches.new(records, &load) unless records.respond_to?(:to_ary)

        load.call(records.to_ary)
        records
      end

      # @api private
      # @return [Array<Symbol, Hash>] see {Declarations#preloads}
      def names(model, serializer_class, view, only, except, context)
        unit = unit(serializer_class, view, only, except) or return []
        PreloadNames.words(AssociationTree.names(unit, model, FieldConditions.new(context)))
      end

      # @api private
      # @return [Compiler::Unit, nil] nil: nothing is declared
      def unit(serializer_class, view, only, except)
        check(serializer_class)
        return unless serializer_class.declared?

        definition = serializer_class.definition
        views = definition.resolve_views(view)
        restrictions = [[(Selection.parse(only) unless only.nil?),
                         (Selection.parse(except) unless except.nil?)]]
        restrictions.reject!(&:none?)
        Compiler::Restrictions.check(definition, views, restrictions)
        Compiler::Unit.new(serializer_class, definition, views, restrictions, :object)
      end

      # @api private
      # @return [Object] the objects, or a relation or an Enumerable that has them
      def apply(objects, unit, context, conditions = FieldConditions.new(context))
        case objects
        when nil, ::Hash, ::String then objects
        when ::ActiveRecord::Relation then relation(objects, unit, conditions)
        when ::Array then load(objects, unit, conditions, objects)
        when ::Set then load(objects.to_a, unit, conditions, objects)
        else one_or_others(objects, unit, conditions)
        end
      end

      private

      def check(serializer_class)
        return if serializer_class.is_a?(Class) && serializer_class < Serializer

        raise ArgumentError,
              "preload takes a subclass of ToJson::Serializer; got #{serializer_class.inspect}"
      end

      # A relation that is loaded or holds records of its own remains the same object.
      def relation(objects, unit, conditions)
        unless there?(objects)
          tree = AssociationTree.of(unit, objects.klass, conditions)
          return tree.names.empty? ? objects : objects.preload(tree.names) if tree.whole?
        end
        load(objects.load.to_a, unit, conditions, objects)
      end

      # Joins may have chosen among the associated records, and `load_async` has begun.
      def there?(objects)
        objects.loaded? || objects.scheduled? || objects.eager_loading? ||
          objects.is_a?(::ActiveRecord::Associations::CollectionProxy)
      end

      def one_or_others(objects, unit, conditions)
        return load([objects], unit, conditions, objects) if Records.behind(objects)

        if objects.respond_to?(:to_ary)
          return apply(objects.to_ary, unit, nil, conditions) && objects
        end
        return objects unless ::Enumerable === objects && !(::Struct === objects)

        PreloadedBatches.new(objects) { |records| load(records, unit, conditions, nil) }
      end

      def load(objects, unit, conditions, given)
        records = Records.among(objects)
        unless records.empty? || at_once?(records, unit, conditions)
          AssociationLoader.new.load(records, unit, conditions)
        end
        given
      end

      # Loads in the usual case: all records have one class and were read just before.
      def at_once?(records, unit, conditions)
        model = records.first.class
        records.all? { |record| record.instance_of?(model) } &&
          AssociationTree.of(unit, model, conditions).load(records)
      rescue DefinitionError
        false # the names of a `preload:` are another class's
      end
    end
  end

  # The declarations of a serializer class.
  module Declarations
    # Returns the associations that {ToJson.preload} loads for records of a class, as ActiveRecord's
    # `preload` takes them. Defined where `to_json/active_record` is loaded, as it is in Rails.
    # Where only the records can tell more, the rest is missing: inside polymorphic associations,
    # single table inheritance, recursion, and where a lambda chooses the serializer. Associations
    # beyond the first 200 serializers inside are missing, too. A serializer counts once for each
    # path to it.
    #
    # @param model [Class] of the records
    # @param view [Symbol, String, Array<Symbol, String>, nil]
    # @param only [Object, nil] as for `json!`
    # @param except [Object, nil]
    # @param context [Object]
    # @return [Array<Symbol, Hash>] such as `[:author, {comments: [:author]}]`
    # @raise [UnknownViewError, UnknownFieldError, SelectionError]
    # @raise [DefinitionError] for a `preload:` that names no association
    def preloads(model, view: nil, only: nil, except: nil, context: {})
      Preloading.names(model, self, view, only, except, context)
    end
  end

  # Loads the associations that a serializer will read, to any depth: one query for each
  # association, however many records there are. What is loaded already is not loaded again.
  #
  # The result goes to `json!` with the same `view:`, `only:`, `except:` and `context:`. With
  # `include:` or `fields:` it goes to `json_api!`, with the same `view:`, `include:`, `fields:` and
  # `context:`: what is included is loaded, and nothing for other relationships.
  #
  # @param objects [ActiveRecord::Relation, ActiveRecord::Base, Array, Enumerable, nil] a relation
  #   that is not loaded is returned as another relation, with `preload`, where declarations tell
  #   all; else it is loaded. Of an Enumerable such as `find_each` the records are loaded in batches
  #   of 1000, while it is read. Others than records are left as they are
  # @param serializer_class [Class] a subclass of {Serializer}
  # @param view [Symbol, String, Array<Symbol, String>, nil]
  # @param only [Object, nil] as for `json!`
  # @param except [Object, nil]
  # @param include [Object, nil] as for `json_api!`; `[]` includes nothing
  # @param fields [Hash, nil] as for `json_api!`
  # @param context [Object] conditions that look at nothing else are asked with it
  # @return [Object] the objects
  # @raise [UnknownViewError, UnknownFieldError, SelectionError] as `json!`
  # @raise [JsonApi::ParameterError] as `json_api!`
  # @raise [ArgumentError] for `only:` or `except:` beside `include:` or `fields:`
  # @raise [DefinitionError] for a `preload:` that names no association
  def self.preload(objects, serializer_class, view: nil, only: nil, except: nil, include: nil,
                   fields: nil, context: {})
    mode = Preloading.mode
    mode = mode.call if mode.respond_to?(:call)
    return objects if mode == :off

    unless include.nil? && fields.nil?
      unless only.nil? && except.nil?
        raise ArgumentError, "preload: only: and except: are those of json!, include: and " \
                             "fields: those of json_api!. They cannot be combined."
      end
      only = Preloading.resources(serializer_class, Preloading.model_of(objects),
                                  [view, include, fields])
    end
    Preloading.preload(objects, serializer_class, view: view, only: only, except: except,
                       context: context)
  end
end
