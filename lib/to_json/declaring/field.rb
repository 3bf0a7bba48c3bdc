# frozen_string_literal: true

# Layer: declaring. One declared field: a plain, frozen value. field_options.rb checks its options.

module ToJson
  # A field that a serializer declares. Frozen.
  #
  # @example
  #   class PersonSerializer < ToJson::Serializer
  #     attribute :nick, :nickname, if: :public?, skip_nil: true
  #   end
  #   field = PersonSerializer.definition.fields.first
  #   field        # => #<ToJson::Field attribute :nick, :nickname, if: :public?, skip_nil: true>
  #   field.source # => :nickname
  class Field
    # What stands for "none was given" where nil would be a value.
    # @api private
    NONE = Object.new.tap do |none|
      none.define_singleton_method(:inspect) { "ToJson::Field::NONE" }
    end.freeze

    # The options of attributes. Where `attributes` maps names, a key of these is an option.
    # @api private
    OPTIONS = %i[if unless as format skip_nil skip_blank default preload].freeze
    NO_CONDITIONS = [].freeze
    private_constant :NO_CONDITIONS

    # @return [Symbol] `:attribute`, `:nested` (an object with fields of the same object), `:one`,
    #   `:many`, `:any` (the value decides between one and many) or `:flatten`
    attr_reader :kind
    # @return [Symbol] the name in the document, before `transform_keys`
    attr_reader :name
    # @return [Symbol, nil] what is read from the object; nil for `nested`
    attr_reader :source
    # @return [Proc, nil] the block or lambda that gives the value instead
    attr_reader :reader
    # @return [Symbol, #call, Module, nil] the conversion: a kind such as `:string`, a callable, a
    #   module with `encode`, or a serializer
    attr_reader :as
    # @return [Symbol, String, nil] with `as: :time`: `:iso8601`, `:utc`, `:unix`, `:unix_ms` or a
    #   pattern for strftime
    attr_reader :format
    # @return [Array] pairs of `:if` or `:unless` and a Symbol or Proc
    attr_reader :conditions
    # @return [Symbol, nil] `:nil` or `:blank`: for which values no key is written
    attr_reader :skip
    # @return [Object] what is written instead of nil; {NONE}: null
    attr_reader :default
    # @return [Definition, nil] the fields of an inline block
    attr_reader :definition
    # @return [Class, String, Proc, Hash, nil] the serializer of an association; nil: the class of
    #   the value decides
    attr_reader :serializer
    # @return [Array<Symbol>, nil] the views of the association's serializer
    attr_reader :view
    # @return [Selection, nil] of the association's fields
    attr_reader :only
    # @return [Selection, nil] of the association's fields
    attr_reader :except
    # @return [Object] the context of the association; {NONE}: the current one
    attr_reader :context
    # @return [CacheOptions, nil] how the association's text is kept
    attr_reader :cache
    # @return [Hash{Symbol => Hash}, false, nil] the associations that `preload:` names, as a tree;
    #   false: nothing of this field is preloaded; nil: what the declaration tells
    attr_reader :preload
    # @return [String, nil] the file and line of the declaration, such as
    #   `"/app/serializers/post_serializer.rb:3"`
    attr_reader :declared_at

    LIBRARY = File.expand_path("..", __dir__).concat("/").freeze
    # Frames of ours above a line that declares, at most.
    MOST_FRAMES = 8
    private_constant :LIBRARY, :MOST_FRAMES

    # @api private
    # @return [String, nil] the line outside of the library that is at work
    def self.place_at_work
      place = caller_locations(2, MOST_FRAMES).find do |frame|
        !frame.path.start_with?(LIBRARY, "<internal:")
      end
      "#{place.absolute_path || place.path}:#{place.lineno}".freeze if place
    end

    # @api private
    def initialize(kind, name, source, reader: nil, as: nil, format: nil, conditions: NO_CONDITIONS,
                   skip: nil, default: NONE,
                   definition: nil, serializer: nil, view: nil, only: nil, except: nil,
                   context: NONE, cache: nil,
                   preload: nil, declared_at: nil)
      @kind, @name, @source, @reader = kind, name, source, reader
      @as, @format, @conditions, @skip, @default = as, format, conditions.freeze, skip, default
      @definition, @serializer, @view, @only, @except, @context =
        definition, serializer, view, only, except, context
      @cache, @preload, @declared_at = cache, preload, declared_at
      freeze
    end

    # @return [String] the declaration
    def inspect = "#<ToJson::Field #{Wording.field(self)}>"

    # Fields, and later Definitions, as they were declared.
    # @api private
    module Wording
      WORDS = { attribute: "attribute", nested: "nested", one: "has_one", many: "has_many",
                any: "association", flatten: "flatten" }.freeze
      BLOCK = "{ … }"
      LAMBDA = "->(…) { … }"

      class << self
        # @return [String]
        def field(field)
          arguments = [field.name.inspect, source(field), *options(field)].compact
          block = block(field)
          return "#{WORDS.fetch(field.kind)} #{arguments.join(", ")}" unless block

          "#{WORDS.fetch(field.kind)}(#{arguments.join(", ")}) #{block}"
        end

        # Fields one after the other, plain attributes together.
        # @return [Array<String>]
        def fields(fields)
          fields.slice_when do |one, next_one|
            !plain?(one) || !plain?(next_one) || (renamed?(one) && !renamed?(next_one))
          end
                .map do |group|
                  if plain?(group.first)
                    "attributes #{group.map { |one| plain(one) }.join(", ")}"
                  else
                    field(group.first)
                  end
                end
        end

        # @return [Array<String>] `name: value` for each that was given
        def pairs(given)
          given.filter_map do |name, value|
            "#{name}: #{value(value)}" unless value.nil? || NONE.equal?(value)
          end
        end

        # @return [String]
        def value(value)
          case value
          when Proc then LAMBDA
          when Array
            if value.size == 1
              value(value.first)
            else
              "[#{value.map { |item| value(item) }.join(", ")}]"
            end
          when Hash
            "{#{value.map { |key, item| "#{value(key)} => #{value(item)}" }.join(", ")}}"
          when Symbol, String, Numeric, Module, true, false then value.inspect
          when CacheOptions then value.to_s.empty? ? "true" : "{#{value}}"
          when Selection then value.to_s.inspect
          else "#<#{Reflection.class_of(value)}>"
          end
        end

        private

        def source(field)
          return LAMBDA if field.reader&.lambda?
          return if field.reader || field.kind == :nested || field.source == field.name

          field.kind == :attribute ? field.source.inspect : "source: #{field.source.inspect}"
        end

        def options(field)
          conditions = field.conditions.group_by(&:first).transform_values do |given|
            given.map(&:last)
          end
          pairs(serializer: field.serializer, view: field.view, only: field.only,
                except: field.except, context: field.context, cache: field.cache,
                if: conditions[:if], unless: conditions[:unless], as: field.as,
                format: field.format,
                skip_nil: (true if field.skip == :nil), skip_blank: (true if field.skip == :blank),
                default: field.default,
                preload: (field.preload ? names(field.preload) : field.preload))
        end

        # The shortest words for a tree of names.
        def names(tree)
          deep, flat = tree.partition { |_, inside| inside.any? }
          words = flat.map(&:first)
          words << deep.to_h { |name, inside| [name, names(inside)] } unless deep.empty?
          words.size == 1 ? words.first : words
        end

        def block(field)
          if field.definition then "{ #{fields(field.definition.fields).join("; ")} }"
          elsif field.reader && !field.reader.lambda? then BLOCK
          end
        end

        def plain?(field)
          field.kind == :attribute && field.reader.nil? && !option?(field.source) &&
            options(field).empty?
        end
        def renamed?(field) = field.source != field.name
        def option?(source) = OPTIONS.include?(source)
        def plain(field)
          if renamed?(field)
            "#{field.source.inspect.delete_prefix(":")}: #{field.name.inspect}"
          else
            field.name.inspect
          end
        end
      end
    end
  end
end
