# frozen_string_literal: true

# Fuzz. put_field, put_fields and their conditional kin on paper.

require_relative "words"

module Fuzz
  # An object to read: a Hash by key, or getters.
  class Readable
    attr_reader :kind, :values

    # @param kind [Symbol] :object, :symbols, :strings
    # @param values [Hash{Symbol => Spec}]
    def initialize(kind, values)
      @kind = kind
      @values = values
    end

    def source(page)
      pairs = @values.map do |name, value|
        "#{@kind == :strings ? name.to_s.inspect : name.inspect} => #{value.source(page)}"
      end
      hash = "{#{pairs.join(", ")}}"
      @kind == :object ? "Fuzz::Fields.new(#{hash})" : hash
    end

    # The value of a field, absent ones nil. An object's :boom raises.
    def read(name, model)
      name = name.to_sym
      model.reached("fields of a #{@kind == :object ? "object" : "Hash by #{@kind}"}")
      raise(Boom, nil, []) if name == :boom && @kind == :object

      model.resolve(@values.fetch(name) { Plain.new(nil) })
    end
  end

  # put_field(s)… of any variant.
  class PutFields < Step
    FILTERS = {
      "" => ->(_, _) { true },
      "_unless_nil" => ->(spec, _) { !nothing?(spec) },
      "_unless_blank" => ->(spec, _) { !blank?(spec) },
      "_if" => ->(spec, condition) { holds?(condition, spec) },
      "_unless" => ->(spec, condition) { !holds?(condition, spec) }
    }.freeze
    CONDITIONS = { ":nil?" => "symbol", "->(v) { v }" => "proc",
                   "->(v) { raise Fuzz::Boom }" => "proc" }.freeze

    def self.nothing?(spec) = spec.is_a?(Plain) && spec.value.nil?

    def self.blank?(spec)
      case spec
      when Plain
        [nil, false].include?(spec.value) ||
          (spec.value.respond_to?(:match?) && !spec.value.match?(/[^[:space:]]/))
      when List then spec.elements.empty? && %w[Array Set].include?(spec.kind)
      when Table then spec.pairs.empty?
      else false
      end
    end

    def self.holds?(condition, spec)
      case condition
      when ":nil?" then nothing?(spec)
      when "->(v) { v }" then !(spec.is_a?(Plain) && [nil, false].include?(spec.value))
      else raise(Boom, nil, [])
      end
    end

    # @param word [String] put_field or put_fields
    # @param fields [Array] for put_field [source] or [source, name]; for put_fields any mix
    def initialize(word, filter, object, fields, condition: nil, block: nil)
      super()
      @word = word
      @filter = filter
      @object = object
      @fields = fields
      @condition = condition
      @block = block
    end

    def source(page)
      arguments = [@condition, @object.source(page), *@fields.map(&:inspect)].compact.join(", ")
      "#{page.receiver}#{@word}#{@filter}(#{arguments})#{@block&.source(page)}"
    end

    def run(model)
      model.reached("#{@word}#{@filter}#{" #{CONDITIONS.fetch(@condition)}" if @condition}")
      return one(model) if @block

      model.word do
        names = @word == "put_field" ? [[@fields[0], @fields.last]] : flat(@fields, model)
        write(model, names)
        nil
      end
    end

    def inner = @block ? @block.steps : []

    def simpler
      fewer = []
      if @word == "put_fields"
        fewer += Shrinker.sublists(@fields).map do |fields|
          with(fields: fields) if fields.any?
        end.compact
      end
      fewer << with(block: nil) if @block
      fewer += @block.simpler.map { |block| with(block: block) } if @block
      fewer += Shrinker.sublists(@object.values.to_a).map do |pairs|
        with(object: Readable.new(@object.kind, pairs.to_h))
      end
      fewer + Shrinker.one_simpler(@object.values.to_a) do |name, value|
        value.simpler.map { |simple| [name, simple] }
      end
                      .map { |pairs| with(object: Readable.new(@object.kind, pairs.to_h)) }
    end

    private

    def with(object: @object, fields: @fields, block: @block)
      PutFields.new(@word, @filter, object, fields, condition: @condition, block: block)
    end

    # Two failures in one call may come in either order: fields are read one by one or all at first.
    # Whether a return or a throw comes before one that raises is then for neither to say.
    def write(model, names)
      later = interleaved = pairs = nil
      begin
        pairs = names.filter_map do |source, name|
          spec = @object.read(source, model)
          [name.to_s, spec] if passes?(spec)
        end
      rescue Boom
        later = "Boom"
      end
      begin
        trees = step_by_step(model, names)
      rescue Refused, Boom => error
        interleaved = error
      rescue Model::Returning, Model::Thrown => exit
        raise later ? Model::Undecided : exit
      end
      if later && interleaved.is_a?(Refused) then Refused.now("Boom", *interleaved.names)
      elsif interleaved then raise interleaved
      end
      trees.each { |name, tree| model.top.add_pair(name, tree) }
      pairs
    end

    def step_by_step(model, names)
      names.filter_map do |source, name|
        spec = @object.read(source, model)
        next unless passes?(spec)

        depth = model.top.begin_pair
        [name.to_s, spec.tree(model, depth)]
      end
    end

    def passes?(spec) = FILTERS.fetch(@filter).call(spec, @condition)

    # put_field with a block: as put :name, value do … end
    def one(model)
      spec = nil
      model.word do
        spec = @object.read(@fields[0], model)
        return nil unless passes?(spec)
      end
      model.reached("put_field block")
      Put.new(Plain.new(@fields.last), value: spec, block: @block).run(model)
    end

    def flat(fields, model)
      fields.flat_map do |field|
        case field
        when Array then pair?(field) ? [mapped(field, model)] : list(field, model)
        when Hash then field.map { |source, name| mapped([source, name || source], model) }
        else [[field, field]]
        end
      end
    end

    def pair?(field)
      field.size == 2 && field.all? { |name| name.is_a?(Symbol) || name.is_a?(String) }
    end

    def mapped(pair, model)
      model.reached("put_fields: mapped")
      pair
    end

    def list(fields, model)
      model.reached("put_fields: a list")
      flat(fields, model)
    end
  end
end
