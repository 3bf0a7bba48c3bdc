# frozen_string_literal: true

# Fuzz. Random fields of a class, a view or an inline block. generator.rb makes the classes.

require_relative "choices"
require_relative "../kit/dice"

module Fuzz
  module Definitions
    # What Generator includes. Reads its @dice, @types, @named, @model, @id, @parent, @later, and
    # @fits and @flat, which say what names may be.
    module RandomFields
      FIELDS = Dice.weights(group: 5, attribute: 5, code: 5, as: 4, method: 2, nested: 2, one: 3,
                            many: 3, any: 1, flatten: 2)
      STYLES = Dice.weights(class: 4, lambda: 2, map: 1, string: 3, lookup: 4)

      # What a body is: of a :class, of a :view, or :inline. taken: names of its fields so far.
      # pool: the only names there are, or nil.
      Body = Struct.new(:taken, :of, :depth, :pool) do
        def free?(name) = !taken.include?(name)
        def inline = of == :inline
      end

      private

      def fields(count, body)
        if count.positive? && !body.inline && body.pool.nil? && @dice.once_in(40)
          return [many_fields(body)]
        end

        Array.new(count) { field(body) }.compact
      end

      # More than one native call takes.
      def many_fields(body)
        names = (Keys::MANY - body.taken).first(61 + @dice.below(80))
        body.taken.concat(names)
        Group
          .new(
            names.map { |name| Field.new(kind: :attribute, name: name, key: name, style: :group) }
          )
      end

      def field(body)
        case kind = @dice.weighted(FIELDS)
        when :group then group(body)
        when :attribute then attribute(body, value_key)
        when :code then code(body)
        when :as then as(body)
        when :method then body.inline || body.pool ? nil : method_field(body)
        when :nested then nested(body)
        when :flatten then flatten(body)
        else association(body, kind)
        end
      end

      def value_key
        case @dice.below(4)
        when 0 then @dice.pick(Keys::WORDS)
        when 1 then @dice.pick(Keys::ODD)
        else @dice.pick(Keys::PLAIN)
        end
      end

      # The key's own name, or any other that is free and fits the key case.
      def name_for(body, key)
        names = body.pool || [*(key unless @dice.once_in(5)), *Array.new(6) { value_key },
                              *Array.new(4) { @dice.pick(Keys::PLAIN) }]
        name = names.find { |candidate| fits?(body, candidate) } or return
        body.taken << name
        name
      end

      def fits?(body, name)
        body.free?(name) && @fits.all? { |pattern| name.match?(pattern) } &&
          (body.inline || !@flat.include?(name))
      end

      def group(body)
        options = plain_options
        pairs = Array.new(1 + @dice.below(5)) { value_key }.uniq.filter_map do |key|
          (name = name_for(body, key)) && [name, key]
        end
        pairs = pairs.reject do |name, key|
          name != key && %i[if unless as format default].include?(key)
        end
        if pairs.any?
          Group
            .new(
              pairs.map do |name, key|
                Field.new(kind: :attribute, name: name, key: key, style: :group, **options)
              end
            )
        end
      end

      def attribute(body, key, **more)
        name = name_for(body, key) or return
        style = name == key ? :plain : @dice.pick(%i[positional source name])
        Field.new(kind: :attribute, name: name, key: key, style: style, **plain_options, **more)
      end

      def code(body)
        key = value_key
        name = name_for(body, key) or return
        style = @dice.once_in(3) ? :lambda : :plain
        Field.new(kind: :attribute, name: name, key: key, style: style,
                  reader: @dice.pick(style == :lambda ? LAMBDAS : BLOCKS), **plain_options)
      end

      def as(body)
        kind = @dice.pick([*Keys::KINDS.keys, :time, :code, :serializer])
        case kind
        when :code then attribute(body, value_key, as: @dice.pick(CALLABLES))
        when :serializer
          if @types.empty?
            nil
          else
            attribute(body, @dice.pick(Keys::SERIALIZED),
                      as: Reference.new(:class, [@dice.pick(@types).id]))
          end
        else
          attribute(body, @dice.pick(Keys::KINDS.fetch(kind)), as: kind,
                    format: (@dice.pick(FORMATS) if kind == :time))
        end&.then { |field| with_fitting_default(field) }
      end

      # A default that is the same converted or not: which of the two is not said.
      def with_fitting_default(field)
        return field unless field.default

        text = { string: '"none"', integer: "0", boolean: "false" }[field.as]
        field.with(default: DEFAULTS.find { |code| code.text == text })
      end

      def method_field(body)
        name = READ.sort_by { @dice.float }.find { |candidate| fits?(body, candidate) } or return
        body.taken << name
        Field.new(kind: :attribute, name: name, key: name, **plain_options)
      end

      def plain_options
        options = { tests: tests }
        case @dice.below(12)
        when 0 then options[:skip] = :nil
        when 1 then options[:skip] = :blank
        when 2 then options[:default] = @dice.pick(DEFAULTS)
        end
        options
      end

      def tests
        return [] unless @dice.once_in(5)

        Array.new(@dice.once_in(4) ? 2 : 1) do
          word = @dice.pick(%i[if unless])
          case @dice.below(4)
          when 0 then Test.new(word, nil, @dice.pick(CONDITIONS))
          when 1 then Test.new(word, @dice.pick(TESTS), @dice.pick(Keys::FLAGS))
          else Test.new(word, nil, @dice.pick(Keys::FLAGS))
          end
        end
      end

      def nested(body)
        name = name_for(body, value_key) or return
        Field.new(kind: :nested, name: name, tests: tests, target: inline(body))
      end

      def inline(body, pool = nil)
        count = body.depth.zero? ? 1 : @dice.below(4)
        Inline.new(fields(count, Body.new([], :inline, body.depth - 1, pool)))
      end

      def flatten(body)
        key =
          if body.pool
            { profile: :extra, details: :more }[Keys::FLAT.key(body.pool)]
          else
            @dice.pick(%i[profile details])
          end
        return if key.nil? || !body.free?(key) || body.depth.zero?

        body.taken << key
        known = body.of == :class && !@later ? flattable(body) : []
        if @dice.once_in(2) || known.empty?
          return Field.new(kind: :flatten, name: key, key: key, tests: tests,
                           target: inline(body, Keys::FLAT.fetch(key)))
        end

        reference = Reference.new(@dice.pick(%i[class class lambda]), [@dice.pick(known)])
        @flat |= Paper.object_names(@model, reference.ids[0])
        Field.new(kind: :flatten, name: key, key: key, tests: tests, target: reference,
                  **narrowed(reference))
      end

      # Classes that have no name of this one.
      def flattable(body)
        mine = body.taken + @flat + (@parent ? Paper.object_names(@model, @parent.id) : [])
        (@types - (@parent ? @model.line(@parent.id) : [])).map(&:id).reject do |id|
          Paper.object_names(@model, id).intersect?(mine) || @model.line(id).any?(&:mix)
        end
      end

      def association(body, kind)
        return if body.depth.zero?

        keys,
        word = { one: [Keys::ONE, @dice.pick(%i[has_one belongs_to])],
                 many: [Keys::LIST, :has_many], any: [Keys::ANY, :association] }.fetch(kind)
        target = target(body)
        rows = { map: :mapped, lookup: :looked }.fetch(target.is_a?(Reference) ? target.style : nil,
                                                       :free)
        key = @dice.pick(keys.fetch(rows))
        name = name_for(body, key) or return
        Field.new(kind: word, name: name, key: key, style: name == key ? :plain :
                    @dice.pick(%i[source name]), target: target, tests: tests,
                  **association_options(kind, target))
          .then { |field| with_reader(field) }
      end

      def association_options(kind, target)
        options = target.is_a?(Inline) ? {} : narrowed(target)
        case @dice.below(12)
        when 0 then options[:skip] = :nil
        when 1 then options[:skip] = :blank
        when 2 then kind == :many && options[:default] = DEFAULTS.find { |code| code.text == "[]" }
        end
        options
      end

      # A block that gives the value; the lookup needs none.
      def with_reader(field)
        if !field.target.is_a?(Reference) || field.target.style == :lookup ||
             field.style == :source || !@dice.once_in(4)
          return field
        end

        field.with(reader: @dice.pick(VALUES))
      end

      def target(body)
        return inline(body) if @dice.once_in(3)

        style = @dice.weighted(STYLES)
        known = @types.map(&:id)
        return Reference.new(:lookup, []) if style == :lookup && @named
        if known.empty? || @dice.once_in(4)
          return Reference.new(body.of == :class ? :self : :lambda, [@id])
        end
        unmistakable =
          if style == :string && @named && !@later
            @types.reject { |type| type.constant.end_with?("Serializer") }.map(&:id)
          else
            []
          end
        return Reference.new(:string, [@dice.pick(unmistakable)]) if unmistakable.any?

        case style
        when :map, :lambda
          Reference.new(style,
                        [@dice.pick([*known, *(@id if style == :lambda)]), @dice.pick(known)])
        else Reference.new(:class, [@dice.pick(known)])
        end
      end

      # view:, only:, except: and context: of an association.
      def narrowed(reference)
        options = {}
        ids = reference.ids
        options[:context] = @dice.pick(CONTEXTS) if @dice.once_in(6)
        return options if ids.empty? || ids.include?(@id)

        views = ids.map { |id| @model.views(id).keys }.inject(:&)
        if views.any? && @dice.once_in(3)
          options[:view] = @dice.once_in(3) ? [@dice.pick(views)] : @dice.pick(views)
        end
        options[:view] = [] if views.any? && @dice.once_in(8)
        names = Choices.names_of(@model, ids, options[:view])
        options[:only] = Choices.pick(@dice, @model, names, 2) if names.any? && @dice.once_in(8)
        options[:except] = Choices.pick(@dice, @model, names, 2) if names.any? && @dice.once_in(8)
        options
      end
    end
  end
end
