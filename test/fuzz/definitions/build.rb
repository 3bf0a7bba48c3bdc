# frozen_string_literal: true

# Fuzz. Serializer classes and rows made from paper, by the public words of declaration.

require_relative "words"
require_relative "rows"

module Fuzz
  module Definitions
    # The classes of one case; `dismantle` takes their constants away.
    class Build
      SPACES = { outer: FuzzScratch, inner: FuzzScratch::Inner }.freeze

      attr_reader :things, :classes, :faults

      def initialize(found, rows = nil)
        @case = found
        @rows = rows
        @things = Things.new
        @classes = {}
        @faults = []
      end

      # The classes, as they are declared at first.
      def begin
        @case.types.each { |type| make(type) }
        self
      end

      def [](id) = @classes.fetch(id)

      # The classes change.
      def change
        change = @case.change
        @rows&.reached("change: #{change.kind}")
        case change.kind
        when :nearer then make(change.type)
        when :methods
          methods(self[change.id], Paper.fields(@case.type(change.id).items).map(&:name) & READ)
        else within(change.id, change.items)
        end
      end

      def row(given) = given&.build(self)

      def dismantle
        @case.all_types.each do |type|
          space, name = home(type)
          space.__send__(:remove_const, name) if space&.const_defined?(name, false)
        end
      end

      # An argument as it is.
      def ruby(argument, klass = nil)
        case argument
        when Piece
          @rows&.reached(argument.code.row)
          argument.code.for(argument.key)
        when Reference then reference(argument, klass)
        when Array then argument.map { |item| ruby(item, klass) }
        else argument
        end
      end

      # As seen from another class.
      def self.name_from(type, target)
        if type.space == :outer && target.space == :inner
          "Inner::#{target.constant}"
        else
          target.constant
        end
      end

      private

      def home(type)
        return unless type.space

        *modules, name = type.constant.split("::")
        [modules.inject(SPACES.fetch(type.space)) { |space, inner| space.const_get(inner, false) },
         name]
      end

      def make(type)
        klass = @classes[type.id] = Class.new(type.parent ? self[type.parent] : ToJson::Serializer)
        space, name = home(type)
        space&.const_set(name, klass)
        klass.include(Helpers) unless type.parent
        klass.rules(html_safe: true) if type.html
        within(type.id, type.items)
        mix(klass, type.mix) if type.mix
      end

      def within(id, items)
        klass = self[id]
        late = @case.change&.kind == :methods && @case.change.id == id
        fields = Paper.fields(items)
        tests = Paper.all_fields(items).flat_map(&:tests)
        names = (fields.map(&:name) & READ).reject { late } | (tests.map(&:name) & CONDITIONS)
        before, after = names.partition { |name| name.size.odd? }
        methods(klass, before)
        declare(klass, klass, items)
        methods(klass, after)
      end

      # Real methods of the class, some before what is declared under their names, some behind.
      def methods(klass, names)
        names.each do |name|
          if name == :from_module
            next klass.include(Module.new { define_method(name, Bodies.instance_method(name)) })
          end

          klass.define_method(name, Bodies.instance_method(name))
          klass.__send__(:private, name) if name == :hidden
        end
      end

      # receiver: the class, or self in a block.
      def declare(receiver, klass, items)
        build = self
        items.each do |item|
          word = Words.of(item)
          @rows&.reached("word: #{word.name}")
          block = word.block
          # Whether blocks are run with another self or not.
          if block.is_a?(Array)
            block = proc do
              build.__send__(:declare, build.equal?(self) ? receiver : self, klass, word.block)
            end
          end
          block = ruby(block) if block.is_a?(Piece)
          receiver.__send__(word.name, *ruby(word.arguments),
                            **word.options.transform_values { |value| ruby(value, klass) }, &block)
        end
      end

      def reference(reference, klass)
        ids = reference.ids
        case reference.style
        when :class then self[ids[0]]
        when :self then klass
        when :string
          Build.name_from(@case.types.find { |type| @classes[type.id] == klass },
                          @case.type(ids[0]))
        when :map then { Hash => self[ids[0]], FuzzRow => self[ids.last] }
        when :lambda
          build = self
          ->(value) { Hash === value ? build[ids[0]] : build[ids.last] }
        end
      end

      def mix(klass, mix)
        klass.define_singleton_method(:fuzz_mix) { mix }
        given = { view: mix.view }.compact
        if mix.style == :super
          klass.class_eval do
            define_method(:serialize) do |object|
              put :before, Fuzz.get(object, :id) if mix.before
              super(object)
              put(:after) { put :title, Fuzz.get(object, :title) } if mix.after
            end
          end
        else
          klass.class_eval do
            define_method(:serialize) do |object|
              put :before, Fuzz.get(object, :id) if mix.before
              put_attributes object, **given
              put(:after) { put :title, Fuzz.get(object, :title) } if mix.after
            end
          end
        end
      end
    end
  end
end
