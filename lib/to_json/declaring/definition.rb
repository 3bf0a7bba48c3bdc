# frozen_string_literal: true

# Layer: declaring. All that a serializer and its superclasses declare, or an inline block.
# definition_builder.rb creates it, the compiler turns it into Plans.

module ToJson
  # The fields of a serializer in their order, and what surrounds them. Frozen. If the class
  # declares more, it gets a new Definition.
  #
  # @example
  #   class BookSerializer < ToJson::Serializer
  #     root :book, :books
  #     attributes :id, text: :body
  #     view(:full) { attribute :pages, as: :integer }
  #   end
  #   BookSerializer.definition
  #   # => #<ToJson::Definition BookSerializer: root :book, :books; attributes :id, text: :body; …
  class Definition
    # One view: the views that it is built on, its own fields, and the names that it takes away.
    # Frozen.
    # @api private
    View = Struct.new(:from, :fields, :removed)

    # @api private
    # @return [String] whose Definition it is, for messages
    attr_reader :label
    # @api private
    # @return [Hash{Symbol => Field}] the fields without any view
    attr_reader :base
    # @api private
    # @return [Hash{Symbol => View}]
    attr_reader :views
    # @api private
    # @return [Hash{Symbol => Object}] what a class may set once (the last one counts, a subclass
    #   inherits it), as far as given: root, key_case, meta, default_views, cache, rows, resource
    attr_reader :settings

    # @return [Array<Field>] all Fields, without and with views; Fields of one name stand together.
    #   {#fields} returns some of them in this order.
    attr_reader :entries

    # @api private
    # @param elsewhere [Boolean] whether it is an inline block's, of another object than the
    #   serializer's
    def initialize(label:, base:, views: {}, settings: {}, elsewhere: false)
      @label, @base, @views, @settings, @elsewhere = label, base.freeze, views.freeze,
                                                     settings.freeze, elsewhere
      @without_views = base.values.freeze
      views.empty? ? keep_base : keep_views
      @default_views = known_views_of("default_view", settings[:default_views] || NOTHING)
      check_views
      check_envelope
      freeze
    end

    NOTHING = [].freeze
    NO_RESOURCE = {}.freeze
    private_constant :NOTHING, :NO_RESOURCE

    # Returns the fields of one or several views. If several views define a name, the Field of the
    # last view is used. The order is that of the declarations, not that of the arguments.
    #
    # @example
    #   class ShopSerializer < ToJson::Serializer
    #     attributes :id, :name
    #     view(:admin) { attributes :owner; remove :name }
    #   end
    #   ShopSerializer.definition.fields.map(&:name)         # => [:id, :name]
    #   ShopSerializer.definition.fields([:admin]).map(&:name) # => [:id, :owner]
    # @param views [Array<Symbol>] the result of {#resolve_views}
    # @return [Array<Field>] frozen
    def fields(views = [])
      return @without_views if views.empty?

      chosen = @base.dup
      with_foundations(views).each do |name|
        view = @views.fetch(name)
        view.removed.each { |removed| chosen.delete(removed) }
        chosen.merge!(view.fields)
      end
      @names.filter_map { |name| chosen[name] }.freeze
    end

    # @return [Array<Symbol>] the names of all fields, also of those in views
    attr_reader :names

    # @return [Array<Symbol>] in the order of declaration
    attr_reader :view_names

    # @return [Array<Symbol>] the views of calls that name none
    attr_reader :default_views

    # @param name [Symbol]
    # @return [Boolean]
    def view?(name) = @views.key?(name)

    # Returns the names of the views that a `view:` means. A String is compared and never becomes a
    # Symbol.
    #
    # @param given [Symbol, String, Array<Symbol, String>, nil] nil: the default views
    # @return [Array<Symbol>] each view once, at its last place
    # @raise [UnknownViewError] for an unknown view; the message lists the known ones
    # @raise [ArgumentError] for anything else
    def resolve_views(given)
      case given
      when nil then @default_views
      when Symbol, String then [known_view(given)].freeze
      when Array then given.map { |name| known_view(name) }.reverse.uniq.reverse.freeze
      else
        raise ArgumentError,
              "view: takes a Symbol, a String or an Array of these; got #{given.class}"
      end
    end

    # @return [Symbol, #call, nil] how names become keys
    def key_case = @settings[:key_case]

    # @return [Array<Symbol>, nil] the root key for one and for many
    def root = @settings[:root]

    # @return [Hash, Proc, nil] the pairs beside the root
    def meta = @settings[:meta]

    # @return [Boolean, nil] whether relations may be written from their rows; nil: as the
    #   application says
    def rows = @settings[:rows]

    # @api private
    # @return [CacheOptions, nil] how objects are kept encoded
    def cache = @settings[:cache]

    # @api private
    # @return [Hash{Symbol, Array<Symbol> => Object, nil}] what {ResourceWords} made of `type`,
    #   `id`, links and meta; nil: none
    def resource = @settings.fetch(:resource, NO_RESOURCE)

    # @api private
    # @return [Array<String>] the declarations of {#resource}
    def resource_in_words
      resource.map do |(word, *names), value|
        word = :resource_meta if word == :meta
        given = value.is_a?(String) ? value.inspect : nil
        given ||= value.nil? ? "false" : Field::Wording::BLOCK
        [word, [*names.map(&:inspect), given].join(", ")].join(" ")
      end
    end

    # @api private
    # @return [Boolean] whether a field of it is read from documents
    def writable?
      @entries.any? do |field|
        field.writable || (field.kind == :nested && field.definition.writable?)
      end
    end

    # @api private
    # @return [Class, nil] what compiles it instead of the {Compiler}
    def compiler = nil

    # @api private
    # @return [Definition, nil] what stands for that of a class inside; nil: its own
    def derive(_serializer_class, _views, _form) = nil

    # @api private
    # @return [Boolean] whether {derive} does
    def derives? = false

    # @return [String] the declarations
    def inspect
      words = [*settings_in_words, *Field::Wording.fields(@without_views), *views_in_words]
      "#<ToJson::Definition #{@label}#{": #{words.join("; ")}" unless words.empty?}>"
    end

    # @api private
    # @return [Boolean] whether it is an inline block's, of another object than the serializer's
    def elsewhere? = @elsewhere

    # The names of a view's fields, those of the views that it is built on included.
    # @api private
    def names_in_view(name)
      with_foundations([name]).flat_map { |view| @views.fetch(view).fields.keys }.uniq
    end

    private

    # Most classes have no view.
    def keep_base
      @names = @base.keys.freeze
      @entries = @without_views
      @view_names = NOTHING
      @view_texts = @views
    end

    def keep_views
      @names = [*@base.keys, *@views.each_value.flat_map { |view| view.fields.keys }].uniq.freeze
      @entries = @names.flat_map do |name|
        [@base[name], *@views.each_value.map { |view| view.fields[name] }].compact
      end.freeze
      @view_names = @views.keys.freeze
      @view_texts = @view_names.to_h { |name| [name.name, name] }.freeze
    end

    # A named view stands where it is named last; one that it is built on stands before it.
    def with_foundations(views)
      views.each_with_object([]) do |name, all|
        foundations(name, []).each do |foundation|
          all << foundation unless all.include?(foundation)
        end
        all.delete(name)
        all << name
      end
    end

    def foundations(name, found)
      @views.fetch(name).from.each do |from|
        next if found.include?(from)

        foundations(from, found)
        found << from
      end
      found
    end

    def known_view(given)
      name = given.is_a?(String) ? @view_texts[given] : (given if @views.key?(given))
      return name if name
      unless given.is_a?(Symbol) || given.is_a?(String)
        raise ArgumentError, "view: takes Symbols and Strings; got #{given.class}"
      end

      raise UnknownViewError, "#{@label}: #{Suggestion.unknown("view", given, @view_names)}"
    end

    def known_views_of(word, names)
      names.each do |name|
        unless @views.key?(name)
          raise DefinitionError,
                "#{@label}: #{word.delete_suffix(":")}: " \
                "#{Suggestion.unknown("view", name, @view_names)}"
        end
      end
    end

    def check_views
      return if @views.empty?

      @views.each { |name, view| known_views_of("view #{name.inspect}: from:", view.from) }
      @views.each_key.with_object({}) { |name, checked| check_ground([name], checked) }
    end

    def check_envelope
      return unless meta && root&.include?(:meta)

      raise DefinitionError,
            "#{@label}: root :meta: the pairs of meta are written under this key. Choose another " \
            "root, or declare meta false."
    end

    # @param path [Array<Symbol>] a view, one that it is built on, one that this is built on …
    def check_ground(path, checked)
      return if checked[path.last]

      @views.fetch(path.last).from.each do |from|
        if path.include?(from)
          raise DefinitionError,
                "#{@label}: view #{[*path, from].map(&:inspect).join(" is from ")}. A view " \
                "cannot be from: itself."
        end

        check_ground([*path, from], checked)
      end
      checked[path.last] = true
    end

    def settings_in_words
      words = []
      words << "root #{root.uniq.map(&:inspect).join(", ")}" if root
      words << "transform_keys #{Field::Wording.value(key_case)}" if key_case
      if meta
        words <<
          (meta.is_a?(Proc) ? "meta #{Field::Wording::BLOCK}" :
             "meta #{Field::Wording.pairs(meta).join(", ")}")
      end
      words << ["cache", (cache.to_s unless cache.to_s.empty?)].compact.join(" ") if cache
      words << "rows #{rows}" unless rows.nil?
      words.concat(resource_in_words)
      unless @default_views.empty?
        words << "default_view #{@default_views.map(&:inspect).join(", ")}"
      end
      words
    end

    def views_in_words
      @views.map do |name, view|
        from = ", from: #{Field::Wording.value(view.from)}" unless view.from.empty?
        removed = "remove #{view.removed.map(&:inspect).join(", ")}" unless view.removed.empty?
        "view(#{name.inspect}#{from}) { " \
        "#{[*Field::Wording.fields(view.fields.values), removed].compact.join("; ")} }"
      end
    end
  end
end
