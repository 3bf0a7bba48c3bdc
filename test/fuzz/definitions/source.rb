# frozen_string_literal: true

# Fuzz. A case as Ruby that runs: its classes, its rows, its calls.

require_relative "build"

module Fuzz
  module Definitions
    # Prints what build.rb makes.
    class Source
      HEAD = "require \"fuzz/definitions/actors\"\nthings = Fuzz::Things.new\n"

      def self.of(found) = new(found).text

      def initialize(found)
        @case = found
      end

      def text
        parts = [HEAD, *@case.types.map { |type| type(type) },
                 *@case.calls.map { |call| call(call) }]
        if @case.change
          parts += ["\n# and then\n", change,
                    *@case.calls.map { |call| call(call.with(only: nil, except: nil)) }]
        end
        parts << "# delivered by #{@case.delivery.source}\n" if @case.delivery
        parts << "# as records: #{@case.lines.to_h}\n" if @case.lines
        parts.join
      end

      private

      def name(id)
        type = @case.type(id)
        type.space ? "FuzzScratch::#{"Inner::" if type.space == :inner}#{type.constant}" : id.to_s
      end

      def type(type)
        parent = type.parent ? name(type.parent) : "ToJson::Serializer"
        lines = type.parent ? [] : ["include Fuzz::Helpers"]
        lines << "rules(html_safe: true)" if type.html
        lines += body(type, type.items)
        lines += mix(type.mix) if type.mix
        head =
          if type.space
            "class #{name(type.id)} < #{parent}"
          else
            "#{type.id} = Class.new(#{parent}) do"
          end
        "\n#{head}\n#{lines.join("\n").gsub(/^/, "  ")}\nend\n"
      end

      def body(type, items)
        late = @case.change&.kind == :methods && @case.change.id == type.id
        names =
          (Paper.names(items) & READ)
            .reject { late } | (Paper.all_fields(items).flat_map(&:tests).map(&:name) & CONDITIONS)
        before, after = names.partition { |name| name.size.odd? }
        methods(before) + items(type, items) + methods(after)
      end

      def methods(names) = names.map { |name| METHODS.fetch(name)[0] }

      def items(type, items) = items.map { |item| word(type, Words.of(item)) }

      def word(type, word)
        arguments = [*word.arguments.map { |argument| ruby(type, argument) },
                     *word.options.map do |name, value|
                       "#{name.match?(/\A[a-z]\w*\z/) ? name : name.to_s.inspect}: " \
                       "#{ruby(type, value)}"
                     end]
        arguments = arguments.any? ? "(#{arguments.join(", ")})" : ""
        case word.block
        when Piece then "#{word.name}#{block(arguments, word.block.code.source(word.block.key))}"
        when Array
          "#{word.name}#{arguments} do\n#{items(type, word.block).join("\n").gsub(/^/, "  ")}\nend"
        else "#{word.name}#{arguments}"
        end
      end

      # (&:a) joins the arguments.
      def block(arguments, text)
        if text.start_with?("(&")
          "#{arguments.chomp(")")}, #{text.delete_prefix("(")}"
        else
          "#{arguments} #{text}"
        end
      end

      def ruby(type, value)
        case value
        when Piece then value.code.source(value.key)
        when Reference then reference(type, value)
        when Array then "[#{value.map { |item| ruby(type, item) }.join(", ")}]"
        # {:a!=>1} is no Ruby
        when Hash
          pairs = value.map { |key, inner| "#{ruby(type, key)} => #{ruby(type, inner)}" }
          "{ #{pairs.join(", ")} }"
        else value.inspect
        end
      end

      def reference(type, reference)
        first, last = reference.ids.values_at(0, -1).map { |id| name(id) }
        case reference.style
        when :class then first
        when :self then "self"
        when :string then Build.name_from(type, @case.type(reference.ids[0])).inspect
        when :map then "{ Hash => #{first}, FuzzRow => #{last} }"
        else "->(value) { Hash === value ? #{first} : #{last} }"
        end
      end

      def mix(mix)
        view = "object#{", view: #{mix.view.inspect}" if mix.view}"
        ["def serialize(object)", *("  put :before, Fuzz.get(object, :id)" if mix.before),
           mix.style == :super ? "  super(object)" : "  put_attributes #{view}",
         *("  put(:after) { put :title, Fuzz.get(object, :title) }" if mix.after), "end"]
      end

      def change
        change = @case.change
        return type(change.type) if change.kind == :nearer

        found = @case.type(change.id)
        lines =
          if change.kind == :methods
            methods(Paper.names(found.items) & READ)
          else
            body(found, change.items)
          end
        "#{name(change.id)}.class_eval do\n#{lines.join("\n").gsub(/^/, "  ")}\nend\n"
      end

      def call(call)
        options = call.options
        options[:collection] = call.collection unless call.collection.nil?
        given = call.given ? call.given.source : "nil"
        text =
          "#{name(call.id)}.json!(#{[
            given, *options.map { |name, value| "#{name}: #{ruby(nil, value)}" }
          ].join(", ")})"
        "#{"p(Fuzz::Fault.armed_for { #{text} })\n" if given.include?("Fuzz::Fault")}puts #{text}\n"
      end
    end
  end
end
