# frozen_string_literal: true

# Fuzz. The words of the DSL on paper: each is printed as Ruby and run on the model.

require_relative "step"

module Fuzz
  # put :k, v · put :k do … end · put :k, v do |v| … end
  class Put < Step
    attr_reader :block

    def initialize(key, value: nil, block: nil, collection: nil)
      super()
      @key = key
      @value = value
      @block = block
      @collection = collection
    end

    def source(page)
      arguments = [*head(page), @value&.source(page),
                   ("collection: #{@collection}" unless @collection.nil?)].compact.join(", ")
      "#{page.receiver}#{word}(#{arguments})#{@block&.source(page)}"
    end

    def run(model)
      model.word do
        depth = begin_in(model)
        if !@block then add(model, plain(model, depth))
        elsif !@value then run_slot(model, depth, {})
        else run_value_block(model, depth)
        end
      end
    end

    def inner = @block ? @block.steps : []

    def simpler
      fewer = []
      fewer << with(value: nil, collection: nil) if @value && @block
      fewer << with(block: nil, collection: nil) if @value && @block
      fewer << with(collection: nil) unless @collection.nil?
      fewer += @value.simpler.map { |value| with(value: value) } if @value
      fewer += @block.simpler.map { |block| with(block: block) } if @block
      fewer
    end

    private

    def word = "put"
    def head(page) = [@key.source(page)]
    def with(**changes)
      self.class.new(@key, value: @value, block: @block, collection: @collection, **changes)
    end

    def begin_in(model)
      depth = model.top.begin_pair
      @text = @key.key_text(model)
      depth
    end

    def add(model, tree)
      model.top.add_pair(@text, tree)
      nil
    end

    def plain(model, depth)
      model.reached("#{word}: plain")
      @value.tree(model, depth)
    end

    def run_slot(model, depth, items)
      parent = model.top
      text = @text
      model.reached("#{word} block")
      model.block(slot(model, depth, parent, text), @block.steps, items)
    end

    def slot(model, depth, parent, text)
      Frame.new(:slot, depth, model) do |frame|
        if frame.empty? then model.reached("#{word} block that writes nothing")
        else attach(parent, text, frame)
        end
      end
    end

    def attach(parent, text, frame) = parent.add_pair(text, frame.content)

    def run_value_block(model, depth)
      spec = model.resolve(@value)
      if spec.is_a?(Plain) && spec.value.nil?
        model.reached("#{word} value block: nil")
        return add(model, nil)
      end
      many = @collection.nil? ? spec.many? : @collection
      model.reached("collection: #{@collection}") unless @collection.nil?
      many ? run_list(model, depth, spec) : run_one(model, depth, spec)
    end

    def run_one(model, depth, spec)
      model.reached("#{word} value block: one")
      run_slot(model, depth, @block.bind(spec, 0))
    end

    def run_list(model, depth, spec)
      model.reached("#{word} value block: many#{" with index" if @block.parameters == 2}")
      parent = model.top
      text = @text
      frame = Frame.new(:list, depth, model) { |list| attach(parent, text, list) }
      model.each_in(frame, spec.items, @block)
    end
  end

  # value v · value do … end · value v do |v| … end
  class Value < Put
    private

    def word = "value"
    def head(_page) = []
    def begin_in(model) = model.top.begin_value

    def add(model, tree)
      model.top.add_value(tree)
      nil
    end

    def attach(parent, _text, frame) = parent.add_value(frame.content)
  end

  # put a: 1 · put({a: 1}) · put :k, a: 1 · value a: 1 · array a: 1
  class Keywords < Step
    def initialize(style, table)
      super()
      @style = style
      @table = table
    end

    def source(page)
      pairs = @table.pairs.map { |key, value| "#{key.source} => #{value.source(page)}" }.join(", ")
      "#{page.receiver}#{format({ put: "put(%s)", hash: "put({%s})", key: "put(:k, %s)",
                                  value: "value(%s)", array: "array(%s)" }[@style], pairs)}"
    end

    def run(model)
      model.word do
        model.reached("keywords: #{@style}")
        case @style
        when :put, :hash then put_pairs(model)
        when :key then put_under_key(model)
        when :value
          model.top.begin_value.then { |depth| model.top.add_value(@table.tree(model, depth)) }
        else
          list = model.inside(model.top.begin_value)
          model.top.add_value([@table.tree(model, list)])
        end
        nil
      end
    end

    def simpler
      @table.simpler.filter_map do |table|
        Keywords.new(@style, table) if table.is_a?(Table) && (table.pairs.any? || @style == :hash)
      end
    end

    private

    # All pairs, or none.
    def put_pairs(model)
      pairs = @table.pairs.map do |key, value|
        depth = model.top.begin_pair
        [key.key_text(model), value.tree(model, depth)]
      end
      pairs.each { |key, tree| model.top.add_pair(key, tree) }
    end

    def put_under_key(model)
      depth = model.top.begin_pair
      model.top.add_pair("k", @table.tree(model, depth))
    end
  end

  # array · array x · array a, b · with a block · array do … end
  class ArrayWord < Step
    def initialize(arguments, block: nil, collection: nil)
      super()
      @arguments = arguments
      @block = block
      @collection = collection
    end

    def source(page)
      arguments = [*@arguments.map { |spec| spec.source(page) },
                   *("collection: #{@collection}" unless @collection.nil?)]
      "#{page.receiver}array#{"(#{arguments.join(", ")})" if arguments.any?}#{@block&.source(page)}"
    end

    def run(model)
      model.word do
        parent = model.top
        depth = parent.begin_value
        frame = Frame.new(:list, depth, model) { |list| parent.add_value(list.content) }
        if @arguments.empty? && @block
          model.reached("array do")
          model.block(frame, @block.steps)
        else fill(model, frame, depth)
        end
      end
    end

    def inner = @block ? @block.steps : []

    def simpler
      fewer = Shrinker.sublists(@arguments).map do |arguments|
        with(arguments) if arguments.any? || @collection.nil?
      end.compact
      fewer << ArrayWord.new(@arguments, block: @block) unless @collection.nil?
      fewer << ArrayWord.new(@arguments, collection: @collection) if @block && @arguments.any?
      fewer += Shrinker.one_simpler(@arguments, &:simpler).map { |arguments| with(arguments) }
      if @block
        fewer += @block.simpler.map do |block|
          ArrayWord.new(@arguments, block: block, collection: @collection)
        end
      end
      fewer
    end

    private

    def with(arguments)
      ArrayWord.new(arguments, block: @block, collection: arguments.size == 1 ? @collection : nil)
    end

    def fill(model, frame, depth)
      specs = elements(model)
      return model.each_in(frame, specs, @block) if @block

      specs.each { |spec| frame.add_value(spec.tree(model, depth + 1)) }
      frame.finish
      nil
    end

    def elements(model)
      specs = @arguments.map { |spec| model.resolve(spec) }
      model.reached("collection: #{@collection}") unless @collection.nil?
      row, list = kind(specs)
      model.reached("array#{" block" if @block}: #{row}")
      list
    end

    def kind(specs)
      return ["several", specs] if specs.size > 1
      return ["none or nil", []] if specs.empty? || (specs[0].is_a?(Plain) && specs[0].value.nil?)

      many = @collection.nil? ? specs[0].many? : @collection
      many ? ["many", specs[0].items] : ["one", specs]
    end
  end

  # open · open :k · open_array · close
  class Primitive < Step
    def initialize(word, key = nil)
      super()
      @word = word
      @key = key
    end

    def source(page) = "#{page.receiver}#{@word}#{"(#{@key.source})" if @key}"

    def run(model)
      model.reached(@key ? "open key" : @word)
      model.word do
        parent = model.top
        case @word
        when "close" then model.close
        when "open_array"
          model.open(:list, parent.begin_value) { |list| parent.add_value(list.content) }
        else
          @key ? open_key(model, parent) : model.open(:slot, parent.begin_value) do |slot|
            parent.add_value(slot.content) unless slot.empty?
          end
        end
      end
    end

    private

    def open_key(model, parent)
      depth = parent.begin_pair
      text = @key.key_text(model)
      model.open(:slot, depth) { |slot| parent.add_pair(text, slot.content) unless slot.empty? }
    end
  end

  # Calls with arguments that no word takes.
  class Misuse < Step
    CALLS = ["put", "put(:k)", "put(1, 2, 3)", "put({a: 1}) { }", "value", "value(1, 2)",
             "put_field", "put_field({a: 1})",
             "put_field({a: 1}, 5)", "put_fields({a: 1}, 5)", "put_fields({a: 1}, [[1]])",
             "open(1, 2)", "open { }", "open_array(1)",
             "close(1)", "put_field_if(7, {a: 1}, :a)"].freeze

    def initialize(call)
      super()
      @call = call
    end

    def source(page) = "#{page.receiver}#{@call}"

    def run(model)
      model.reached("error: wrong arguments")
      Refused.now("ArgumentError")
    end
  end
end
