# frozen_string_literal: true

# Fuzz. Random serializers of a world's models, as Ruby source in a tree that can be made smaller.

module Fuzz
  module Relations
    # A line of a class body; with `inside`, one that opens a block.
    Node = Struct.new(:text, :inside) do
      def lines(indent)
        space = "  " * indent
        return [space + text] unless inside

        ["#{space}#{text} do", *inside.flat_map { |node| node.lines(indent + 1) }, "#{space}end"]
      end
    end

    # A class: its name, and Nodes.
    Declared = Struct.new(:name, :nodes) do
      def source
        ["class @W::#{name} < ToJson::Serializer", *nodes.flat_map { |node| node.lines(1) },
         "end"].join("\n")
      end
    end

    # Draws classes: the last one is the document's.
    class Serializers
      AS = %i[string integer float boolean date time].freeze
      # @return [Array<Declared>]
      attr_reader :classes
      # @return [Array<String>] names of the fields of the outermost class, as written
      attr_reader :names

      def initialize(dice, world)
        @dice = dice
        @world = world
        @classes = []
      end

      # @return [Array<Declared>]
      def draw(model, name = "CaseSerializer", depth = @dice.pick([0, 0, 0, 1, 1, 1, 2, 2, 3]))
        @names = []
        nodes = [*around, *nodes(model, depth, @names)]
        view = []
        nodes << Node.new("view :full", nodes(model, depth - 1, @names, 2)) if @dice.once_in(4)
        nodes << Node.new("view :bare", [Node.new("remove :\"#{@names.first}\"", nil)]) if view?
        @classes << Declared.new(name, nodes + view)
        @classes
      end

      private

      def view? = @names.any? && @dice.once_in(6)

      def around
        lines = []
        lines << "root :item, :items" if @dice.once_in(6)
        lines << "transform_keys :camel_lower" if @dice.once_in(12)
        lines << "meta { |given| { of: given.class.name } }" if lines.any? && @dice.once_in(8)
        lines.map { |line| Node.new(line, nil) }
      end

      # Fields with names that are not in `taken` yet.
      def nodes(model, depth, taken, most = 5)
        made = Array.new(@dice.between(1, most)) { attribute(model, taken) }
        if depth.positive? && model.links.any?
          Array.new(@dice.pick([1, 1, 1, 2])) { made << association(model, depth, taken) }
        end
        made << nested(model, taken) if @dice.once_in(20)
        made << flattened(model, depth, taken) if depth.positive? && @dice.once_in(15)
        made.compact!
        made.any? ? made : [Node.new("attributes :id", nil)]
      end

      def fresh(name, taken)
        name += "_#{taken.size}" if taken.include?(name)
        return if taken.include?(name)

        taken << name
        name
      end

      # What the model answers to.
      def readable(model)
        return "id" if @dice.once_in(6)
        return @dice.pick(model.reads) if model.reads.any? && @dice.once_in(3)

        keys = WorldMaker::KEYS.fetch(model.table, {}).keys
        return @dice.pick(keys).to_s if keys.any? && @dice.once_in(6)
        return @dice.pick(ODD) if @dice.once_in(60)

        @dice.pick(model.columns).name
      end

      # Nothing that is written with its address.
      ODD = %w[type to_param cache_key persisted? attributes helper extra name no_such
               id_in_database new_record? virtual n class].freeze

      def attribute(model, taken)
        reads = readable(model)
        if reads.match?(/[^\w ]/) || @dice.once_in(8) # another name
          name = fresh("f#{taken.size}", taken) or return
          return Node.new("attribute :#{name}, source: :\"#{reads}\"#{options(model)}", nil)
        end
        name = fresh(reads, taken) or return
        return by_code(name, model) if @dice.once_in(80)
        return Node.new("attribute :\"#{name}\"#{options(model)}", nil) if name == reads

        Node.new("attribute :\"#{name}\", source: :\"#{reads}\"#{options(model)}", nil)
      end

      def by_code(name, model)
        reads = @dice.pick(model.columns).name
        Node.new("attribute(:\"#{name}\") #{@dice.pick(["{ |one| one[:\"#{reads}\"] }", "{ 1 }",
                                                        "{ |one| one.class.name }",
                                                        "{ context[:on] }"])}", nil)
      end

      def options(model)
        return "" unless @dice.once_in(8)

        ", #{@dice.pick([-> { "as: :string" }, -> { "as: :boolean" },
                         -> { "as: :#{@dice.pick(AS)}" }, -> { "skip_nil: true" },
                         -> { "skip_blank: true" }, -> { "default: \"-\"" },
                         -> { "default: #{@dice.pick(["1", "-> { context[:on] }",
                                                      "->(one) { one.id }", "[]", "\"\""])}" },
                         -> { condition(model) }, -> { condition(model) },
                         -> { "as: ->(value) { value.class.name }" },
                         -> { time(model) }]).call}"
      end

      # Mostly of what is a time.
      def time(_model) = @dice.once_in(4) ? "as: :time, format: :unix_ms" : "as: :string"

      def condition(model)
        word = @dice.pick(%w[if unless])
        booleans = model.columns.select { |one| one.family == :boolean }.map(&:name)
        tests = ["-> { context[:on] }", "->(one) { one.id }", ":id", "->(_one) { true }"]
        booleans.each { |name| tests.push(*[":\"#{name}\"", ":\"#{name}?\""] * 3) }
        tests.push(":\"#{@dice.pick(model.columns).name}?\"")
        "#{word}: #{@dice.pick(tests)}"
      end

      # -- associations --------------------------------------------------------------------------

      def association(model, depth, taken)
        link, (kind, to) = @dice.pick(usual(model) || model.links.to_a)
        name = fresh(link.to_s, taken) or return
        word = @dice.once_in(12) ? "association" : (kind == :has_many ? "has_many" : "has_one")
        options = name == link.to_s ? "" : ", source: :#{link}"
        options += ", #{@dice.pick(LINK_OPTIONS)}" if @dice.once_in(8)
        options += ", #{condition(model)}" if @dice.once_in(20)
        inside(word, name, options, @world.models.fetch(to), depth, link)
      end

      # Twice in three times one that has neither a scope nor options of its own.
      def usual(model)
        links = model.links.slice(*USUAL.fetch(model.name, [])).to_a
        links if links.any? && !@dice.once_in(3)
      end

      USUAL = { "Author" => %i[posts profile mentor], "Post" => %i[author editor comments taggings],
                "Comment" => %i[post author], "Profile" => %i[author],
                "Tagging" => %i[post tag] }.freeze

      LINK_OPTIONS = ["skip_nil: true", "skip_blank: true", "default: []", "preload: false",
                      "default: nil"].freeze

      def inside(word, name, options, to, depth, link)
        return polymorphic(word, name, options, depth) if link == :notable

        if @dice.once_in(3)
          inner = other(to, depth)
          more = @dice.pick(["", "", "", ", only: :id", ", except: :id", ", context: { on: true }"])
          how = @dice.once_in(10) ? "->(_one) { @W::#{inner} }" : "@W::#{inner}"
          return Node.new("#{word} :#{name}, serializer: #{how}#{options}#{more}", nil)
        end
        if @dice.once_in(8)
          looked_up(to)
          return Node.new("#{word} :#{name}#{options}", nil)
        end
        Node.new("#{word}(:#{name}#{options})", nodes(to, depth - 1, [], 3))
      end

      # A class of its own, which always has an id.
      def other(model, depth)
        name = "Inner#{@classes.size}Serializer"
        place = Declared.new(name, nil)
        @classes << place
        taken = ["id"]
        place.nodes = [Node.new("attributes :id", nil), *nodes(model, depth - 1, taken, 3)]
        @classes.delete(place)
        @classes << place
        name
      end

      def looked_up(model)
        name = "#{model.name}Serializer"
        return if @classes.any? { |one| one.name == name }

        @classes << Declared.new(name, [Node.new("attributes :id", nil), attribute(model, ["id"])]
                                         .compact)
      end

      def polymorphic(word, name, options, depth)
        map = %w[Post Author].map do |model|
          "@W::#{model} => @W::#{other(@world.models.fetch(model), depth)}"
        end
        Node.new("#{word} :#{name}, serializer: { #{map.join(", ")} }#{options}", nil)
      end

      def nested(model, taken)
        name = fresh("nested#{taken.size}", taken)
        Node.new("nested(:#{name})", nodes(model, 0, [], 2))
      end

      def flattened(model, depth, taken)
        ones = model.links.select { |link, (kind, _)| kind != :has_many && link != :notable }
        return if ones.empty?

        link, (_, to) = @dice.pick(ones.to_a)
        return if taken.include?(link.to_s)

        fields = nodes(@world.models.fetch(to), depth - 1, taken, 2)
        Node.new("flatten(:#{link})", fields)
      end
    end
  end
end
