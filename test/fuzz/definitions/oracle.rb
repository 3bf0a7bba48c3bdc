# frozen_string_literal: true

# Fuzz. A naive interpreter of Definitions: what docs/serializers.md says, field by field, into Ruby
# values. It knows a class's public `definition` and nothing of Plans.

require_relative "actors"
require_relative "conversions"
require_relative "../kit/text"

module Fuzz
  module Definitions
    # What may stand under a key. Object: its fields are read when they are asked for.
    Leaf = Struct.new(:value)
    Node = Struct.new(:place, :row)
    List = Struct.new(:children)

    # Where fields are read: a serializer with its context, the fields, what only/except leave of
    # them, and what an overriding `serialize` writes around them; `own`: whether its methods serve
    # fields by their name.
    Place = Struct.new(:serializer, :fields, :key_case, :only, :except, :mix, :own)

    # What blocks and methods see as self.
    module Stage
      attr_accessor :context, :object
    end

    # Reads; what it finds is written by Tree and Imperative in writers.rb.
    class Oracle
      EVERYBODYS = ToJson::Serializer.ancestors.freeze
      # Rows may have a getter of that name.
      CLASS = Kernel.instance_method(:class)

      def initialize(rows = nil)
        @rows = rows
      end

      # @return [Array(Symbol, Child, Hash)] the root's key or nil, what stands under it, the meta
      #   or nil
      def document(klass, given, view: nil, only: nil, except: nil, root: nil, meta: nil,
                   context: {}, collection: nil)
        place = serializer(klass, view, [only].compact, [except].compact, context)
        many = !given.nil? && (collection.nil? ? many?(given) : collection)
        key = root(klass, root, many)
        raise ArgumentError if meta && !key

        [key, children(given, many) { place }, (meta || meta_of(place, klass, given) if key)]
      end

      # Yields key and child of each pair that is due.
      def each_pair(node, &block)
        mix = node.place.mix or return each_field(node, &block)

        reached("serialize that calls #{mix.style}")
        yield "before", Leaf.new(Fuzz.get(node.row, :id)) if mix.before
        each_field(node, &block)
        yield "after", Leaf.new({ title: Fuzz.get(node.row, :title) }) if mix.after
      end

      # And of each field.
      def each_field(node, &block)
        place, row = *node
        place.fields.each do |field|
          next flatten(field, place, row, &block) if field.kind == :flatten
          next unless kept?(field.name.to_s, place) && applies?(field, place, row)

          value = value(field, place, row)
          if field.skip && (field.skip == :nil ? value.nil? : blank?(value))
            next reached("skip_#{field.skip}: skipped")
          end

          if place.key_case
            reached("key case: #{place.key_case.is_a?(Symbol) ? place.key_case : "callable"}")
          end
          yield Conversions.key(field.name.to_s, place.key_case), child(field, value, place, row)
        end
      end

      private

      def reached(row) = @rows&.reached(row)

      # mixed: by its `serialize`, if it has one; else by its fields alone.
      def serializer(klass, view, only, except, context, mixed: true)
        definition = klass.definition
        serializer = klass.allocate.extend(Stage)
        serializer.context = context
        mix = klass.fuzz_mix if mixed && klass.respond_to?(:fuzz_mix)
        made = place(serializer, definition, definition.resolve_views(view), definition.key_case,
                     only, except, mix: mix, checked: mixed)
        return made unless mix&.view

        # put_attributes with a view of its own takes nothing from the call.
        place(serializer, definition, definition.resolve_views(mix.view), definition.key_case, [],
              [], mix: mix)
      end

      # -- what a field gives

      def applies?(field, place, row)
        field.conditions.all? do |word, condition|
          given =
            if condition.is_a?(Symbol)
              named(condition, place, row)
            else
              call(condition, place, row)
            end
          reached("#{word}: #{given ? "holds" : "does not"}")
          (word == :if) == (given ? true : false)
        end
      end

      def named(name, place, row)
        unless own?(place, name)
          return Fuzz.get(row, name).tap { reached("a condition of the object") }
        end

        reached("a condition of the serializer")
        method(name, place, row)
      end

      def value(field, place, row)
        value = read(field, place, row)
        return value unless value.nil? && !ToJson::Field::NONE.equal?(field.default)

        field.default.is_a?(Proc) ? call(field.default, place, row) : field.default
      end

      def read(field, place, row)
        if field.reader then call(field.reader, place, row)
        elsif field.source.nil? then row
        elsif place.own && own?(place, field.source) then method(field.source, place, row)
        else
          if row.is_a?(Hash) && !row.key?(field.source) && !row.key?(field.source.to_s)
            reached("a key that is absent")
          end
          Fuzz.get(row, field.source)
        end
      end

      # A public method of the serializer that is the user's, and no `serialize`.
      def own?(place, name)
        klass = place.serializer.class
        return false unless klass.public_method_defined?(name) && name != :serialize

        !EVERYBODYS.include?(klass.instance_method(name).owner)
      end

      def method(name, place, row)
        METHODS[name]&.at(2)&.then { |rule| reached(rule) }
        method = place.serializer.method(name)
        with_object(place, row) do
          if method.parameters.none? { |kind, _| %i[req opt].include?(kind) }
            method.call
          else
            method.call(row)
          end
        end
      end

      def call(code, place, row)
        with_object(place, row) do
          if code.parameters.empty?
            place.serializer.instance_exec(&code)
          else
            place.serializer.instance_exec(row, &code)
          end
        end
      end

      def with_object(place, row)
        before = place.serializer.object
        place.serializer.object = row
        yield
      ensure
        place.serializer.object = before
      end

      def blank?(value)
        case value
        when nil, false then true
        when String then value.valid_encoding? && !value.encode("UTF-8").match?(/[^[:space:]]/)
        else value.respond_to?(:empty?) && value.empty?
        end
      end

      # -- what is written for it

      def child(field, value, place, row)
        return converted(field, value, place) if field.kind == :attribute
        return Leaf.new(nil).tap { reached("a nil association") } if value.nil?

        many = field.kind == :many || (field.kind == :any && many?(value))
        reached("#{field.kind}: #{many ? "many" : "one"}#{" inline" if field.definition}")
        # It is asked for whenever there is something to walk, be it nil.
        if field.context.is_a?(Proc) && !(many && value.is_a?(Array) && value.empty?)
          call(field.context, place, row)
        end
        below = below(field, place, row)
        children(value, many) { |item| below.call(item) }
      end

      def children(value, many)
        return Leaf.new(nil) if value.nil?
        return Node.new(yield(value), value) unless many

        list = items(value)
        reached("an empty collection") if list.empty?
        List
          .new(
            list.map do |item|
              if item.nil?
                Leaf.new(nil).tap { reached("nil among many") }
              else
                Node.new(yield(item), item)
              end
            end
          )
      end

      # The place of a field's objects, one by one: they may be written by different serializers.
      def below(field, place, row)
        only = inner(field, place.only) + [tree(field.only)].compact
        except = inner(field, place.except) + [tree(field.except)].compact
        beside = field.kind == :flatten
        own = place.own && field.kind == :nested
        if field.definition
          return ->(_) do
            place(place.serializer, field.definition, [], place.key_case, only, except,
                  checked: !beside, own: own)
          end
        end

        lambda do |item|
          klass = resolved(field, item, place.serializer.class)
          reached("a serializer within itself") if klass == place.serializer.class
          serializer(klass, field.view, only, except, context(field, place, row), mixed: !beside)
        end
      end

      def context(field, place, row)
        return place.serializer.context if ToJson::Field::NONE.equal?(field.context)

        field.context.is_a?(Proc) ? call(field.context, place, row) : field.context
      end

      def flatten(field, place, row, &block)
        return unless applies?(field, place, row)

        value = value(field, place, row)
        return reached("flatten: nil") if value.nil?

        reached("flatten: #{field.definition ? "inline" : "class"}")
        each_pair(Node.new(below(field, place, row).call(value), value), &block)
      end

      def converted(field, value, place)
        return Leaf.new(value) if field.as.nil? || value.nil?

        if field.as.is_a?(Class) && field.as <= ToJson::Serializer
          reached("as: a serializer")
          return children(value, many?(value)) do
            serializer(field.as, nil, [], [], place.serializer.context)
          end
        end
        reached("as: #{field.as}") if field.as.is_a?(Symbol)
        reached("format: #{field.format.inspect}") if field.as == :time
        Leaf.new(Conversions.as(field.as, value, field.format))
      end

      # -- many, and who writes it

      def many?(value)
        value.is_a?(Array) || value.respond_to?(:to_ary) ||
          (value.is_a?(Enumerable) && [Hash, Struct, IO, Dir].none? { |type| value.is_a?(type) })
      end

      def items(value) = value.respond_to?(:to_ary) ? value.to_ary : value.to_a

      def resolved(field, value, klass)
        reached("serializer: #{field.serializer ? field.serializer.class : "looked up"}")
        case field.serializer
        when nil then looked_up("#{CLASS.bind_call(value).name}Serializer", klass)
        when String then looked_up(field.serializer, klass)
        when Proc then field.serializer.call(value)
        when Hash then field.serializer.fetch(CLASS.bind_call(value))
        else field.serializer
        end
      end

      # In the class's own namespace, then outwards.
      def looked_up(name, klass)
        namespace = klass.name.to_s.split("::")[0...-1]
        found = namespace.size.downto(0).filter_map do |count|
          (namespace.first(count) + name.split("::")).inject(Object) do |space, part|
            space&.const_defined?(part, false) ? space.const_get(part, false) : nil
          end
        end
        reached("a lookup that a nearer one wins") if found.size > 1
        found.first || raise(ToJson::SerializerNotFound)
      end

      # -- only and except

      def kept?(name, place)
        place.only.all? { |tree| tree.key?(name) } && place.except.none? do |tree|
          tree.key?(name) && tree[name].nil?
        end
      end

      # What they say of a field's own fields. Those of a flattened one stand in this object.
      def inner(field, trees)
        field.kind == :flatten ? trees : trees.filter_map { |tree| tree[field.name.to_s] }
      end

      def tree(selection) = selection&.tree&.transform_values { |part| tree(part) }

      # A place, whose only/except name nothing that no view has; they say nothing yet of what is
      # found by a value.
      def place(serializer, definition, views, key_case, only, except, mix: nil, checked: true,
                own: true)
        fields = definition.fields(views)
        (only + except).each { |tree| known(tree, definition.entries, fields) } if checked
        Place.new(serializer, fields, key_case, only, except, mix, own)
      end

      def known(tree, entries, fields)
        tree.each do |name, part|
          found = find(entries, name) { |field| definition_below(field)&.entries }
          raise ToJson::UnknownFieldError if found.empty?

          due = find(fields, name) { |field| fields_below(field) }.grep(ToJson::Field)
          inside = due.empty? ? found : due
          if part && inside.all? { |field| field != :any && field.kind == :attribute }
            raise ToJson::UnknownFieldError
          end

          due.each do |field|
            definition = part && definition_below(field) and known(
              part, definition.entries, fields_below(field)
            )
          end
        end
      end

      # Fields of that name; :any where a flattened value alone can tell.
      def find(fields, name, &below)
        fields.flat_map do |field|
          next field.name.to_s == name ? [field] : [] unless field.kind == :flatten

          (inner = yield(field)) ? find(inner, name, &below) : [:any]
        end
      end

      def definition_below(field)
        field.definition || (field.serializer.definition if field.serializer.is_a?(Class))
      end
      def fields_below(field)
        definition_below(field)&.then do |definition|
          definition.fields(field.definition ? [] : definition.resolve_views(field.view))
        end
      end

      # -- what stands around the data

      def root(klass, given, many)
        name = klass.definition.root&.at(many ? 1 : 0)
        reached("a root for #{many ? "many" : "one"}") if name
        case given
        when nil then name
        when true then name || raise(ArgumentError)
        when false then nil
        else given
        end
      end

      def meta_of(place, klass, given)
        meta = klass.definition.meta
        reached("meta of the class") if meta
        meta.is_a?(Proc) ? call(meta, place, given) : meta
      end
    end
  end
end
