# frozen_string_literal: true

# Layer: declaring. One declared field: a frozen value. field_options.rb checks its options.

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
    # Stands for an option that was not given, where nil would be a value.
    # @api private
    NONE = Object.new.tap do |none|
      none.define_singleton_method(:inspect) { "ToJson::Field::NONE" }
    end.freeze

    # An option of a declaration.
    #
    # - `words`: the declarations that take it: attributes, associations, or flatten
    # - `keeps`: the reader of Field that returns it. A method of that name in {FieldOptions} checks
    #   the given value.
    # - `counts`: the method of {Compiler::Signature} that adds it to the keys of caches; nil: it
    #   changes no text
    # @api private
    Option = Struct.new(:words, :keeps, :counts)
    ALL = %i[attribute association flatten].freeze
    ONE_EACH = ALL.first(2).freeze
    ASSOCIATED = ALL.last(2).freeze
    private_constant :ALL, :ONE_EACH, :ASSOCIATED

    # All options, in the order in which `inspect` shows them.
    # @api private
    OPTIONS = {
      serializer: [ASSOCIATED, :serializer, nil], # Signature follows it
      view: [ASSOCIATED, :view, :literal],
      only: [ASSOCIATED, :only, :selected],
      except: [ASSOCIATED, :except, :selected],
      context: [ASSOCIATED, :context, :run],
      cache: [[:association], :cache, :version],
      if: [ALL, :conditions, :run],
      unless: [ALL, :conditions, :run],
      as: [[:attribute], :as, :conversion],
      format: [[:attribute], :format, :literal],
      skip_nil: [ONE_EACH, :skip, :literal],
      skip_blank: [ONE_EACH, :skip, :literal],
      default: [ONE_EACH, :default, :run],
      preload: [ALL, :preload, nil],
      linkage: [[:association], :linkage, :literal],
      writable: [ALL, :writable, nil],
      constant: [[], :constant, :run], given: [[], :given, nil], key: [[], :key, :literal],
      identifies: [[], :identifies, :literal], relates: [[], :relates, :relationship],
      through: [[], :through, :literal]
    }.transform_values { |fields| Option.new(*fields).freeze }.freeze

    # The names of the options that a word takes.
    # @api private
    def self.options_of(word) = OPTIONS.select { |_, option| option.words.include?(word) }.keys

    # The options of attributes. In the Hash of names that `attributes` takes, these keys are
    # options.
    # @api private
    OF_ATTRIBUTES = options_of(:attribute).freeze

    # {reader => the method of Signature} of all options that count.
    # @api private
    COUNTED = OPTIONS.each_value.to_h { |option| [option.keeps, option.counts] }.compact.freeze
    NO_CONDITIONS = [].freeze
    NO_OPTIONS = {}.freeze
    private_constant :NO_CONDITIONS, :NO_OPTIONS

    # @return [Symbol] `:attribute`, `:nested` (an object with fields of the same object), `:one`,
    #   `:many`, `:any` (the value decides between one and many) or `:flatten`
    attr_reader :kind
    # @return [Symbol] the name in the document, before `transform_keys`
    attr_reader :name
    # @return [Symbol, nil] the method or key that is read from the object; nil for `nested`
    attr_reader :source
    # @return [Proc, nil] the block or lambda that gives the value instead
    attr_reader :reader
    # @return [Symbol, #call, Module, nil] the conversion: a kind such as `:string`, a callable, a
    #   module with `encode`, or a serializer
    def as = @options[:as]
    # @return [Symbol, String, nil] with `as: :time`: `:iso8601`, `:utc`, `:unix`, `:unix_ms` or a
    #   pattern for strftime
    def format = @options[:format]
    # @return [Array] pairs of `:if` or `:unless` and a Symbol or Proc
    def conditions = @options.fetch(:conditions, NO_CONDITIONS)
    # @return [Symbol, nil] `:nil` or `:blank`: the values that are left out, together with their
    #   key
    def skip = @options[:skip]
    # @return [Object] what is written instead of nil; {NONE}: null
    def default = @options.fetch(:default, NONE)
    # @return [Definition, nil] the fields of an inline block
    attr_reader :definition
    # @return [Class, String, Proc, Hash, nil] the serializer of an association; nil: the class of
    #   the value decides
    def serializer = @options[:serializer]
    # @return [Array<Symbol>, nil] the views of the association's serializer
    def view = @options[:view]
    # @return [Selection, nil] of the association's fields
    def only = @options[:only]
    # @return [Selection, nil] of the association's fields
    def except = @options[:except]
    # @return [Object] the context of the association; {NONE}: the current one
    def context = @options.fetch(:context, NONE)
    # @return [CacheOptions, nil] how the text of the association is cached
    def cache = @options[:cache]
    # @return [Hash{Symbol => Hash}, false, nil] the associations that `preload:` names, as a tree;
    #   false: nothing is preloaded for this field; nil: the rest of the declaration decides
    def preload = @options[:preload]
    # @return [Boolean, Symbol, nil] whether JSON:API always writes `data` of the relationship; a
    #   Symbol names the method that returns the id of the other object
    def linkage = @options[:linkage]
    # @return [Hash{Symbol => Object}, nil] how it is read back, as {WritableOptions} says; nil: it
    #   is not writable
    def writable = @options[:writable]
    # @api private
    # @return [Object, nil] the value, if it is known without an object
    def constant = @options[:constant]
    # @api private
    # @return [Integer, nil] the index of the value in the Array given to the Writer (Writer#give)
    def given = @options[:given]
    # @api private
    # @return [String, nil] the type of resources: the value is an id or an Array of ids, and
    #   identifiers are written
    def identifies = @options[:identifies]
    # @api private
    # @return [Array(Compiler::Unit, Field), nil] for identifiers in a relationship of JSON:API: the
    #   Unit that declares the association, and the association
    def relates = @options[:relates]
    # @api private
    # @return [String, nil] the key, whatever the key case is
    def key = @options[:key]
    # @api private
    # @return [:always, :names, nil] how `only:` and `except:` apply to a member of an envelope.
    #   `:always`: they do not apply, and it is always written. `:names`: they name the fields
    #   inside it, as for a flatten
    def through = @options[:through] || (:names if @kind == :flatten)
    # @api private
    # @return [Boolean] whether the declaration has no option
    def plain? = @options.empty?
    # @api private
    # @return [Boolean] whether the value is read from no object
    def supplied? = @options.key?(:constant) || @options.key?(:given)
    # @return [String, nil] the file and line of the declaration, such as
    #   `"/app/serializers/post_serializer.rb:3"`
    attr_reader :declared_at

    LIBRARY = File.expand_path("..", __dir__).concat("/").freeze
    # The most stack frames of this gem between the declaring line and the current one.
    MOST_FRAMES = 8
    private_constant :LIBRARY, :MOST_FRAMES

    # @api private
    # @return [String, nil] the innermost line outside of this gem that is running
    def self.place_at_work
      place = caller_locations(2, MOST_FRAMES).find do |frame|
        frame.path && !frame.path.start_with?(LIBRARY, "<internal:")
      end
      "#{place.absolute_path || place.path}:#{place.lineno}".freeze if place
    end

    # @api private
    # @return [Hash{Symbol => Object}] the values that were given, by the names of their readers
    attr_reader :options

    # @api private
    def initialize(kind, name, source, options = NO_OPTIONS, reader: nil, definition: nil,
                   declared_at: nil)
      @kind, @name, @source, @options = kind, name, source, options.freeze
      @reader, @definition, @declared_at = reader, definition, declared_at
      freeze
    end

    # @return [String] the declaration
    def inspect = "#<ToJson::Field #{Wording.field(self)}>"

    # Writes Fields as they were declared. Definition uses it for itself, too.
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

        # A text for each field, and one for plain attributes that follow each other.
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

        def options(field) = pairs(OPTIONS.to_h { |name, _| [name, option(field, name)] })

        # The value that was given for the option; nil if there is none.
        def option(field, name)
          case name
          when :if, :unless
            tests = field.conditions.filter_map { |kind, test| test if kind == name }
            tests unless tests.empty?
          when :skip_nil then true if field.skip == :nil
          when :skip_blank then true if field.skip == :blank
          when :through then field.options[:through] # a flatten always has one
          when :preload then field.preload ? names(field.preload) : field.preload
          when :writable then field.writable && (field.writable.empty? || field.writable)
          else field.public_send(OPTIONS.fetch(name).keeps)
          end
        end

        # The shortest form of a tree of names.
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
        def option?(source) = OF_ATTRIBUTES.include?(source)
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
