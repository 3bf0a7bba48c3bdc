# frozen_string_literal: true

module Bench
  # What a document is made of, and the Ruby text of whoever writes it field by field. Fields are
  # {key => nil for the getter of that name, text that reads the value (`o.` is the object),
  # {fields} of one object, or [{fields}] of many}. Text, so that each contender has code of its
  # own: shared code would share its inline caches, and what YJIT makes of it.
  class Shape
    attr_reader :fields

    def initialize(fields)
      @fields = fields
    end

    # `o` is what stands before a getter: "v.", "post.", "@".
    def hash(o = "v.")
      pairs = @fields.map do |key, field|
        "#{key}: " + case field
                     when Hash then "(#{key} = #{o}#{key}; #{inner(field).hash("#{key}.")})"
                     when Array
                       "#{o}#{key}.map { |#{one(key)}| #{inner(field).hash("#{one(key)}.")} }"
                     else read(key, o)
                     end
      end
      "{#{pairs.join(", ")}}"
    end

    # Calls of an Oj::StringWriter or StreamWriter.
    def writer(o = "v.", key = nil)
      lines = @fields.map do |name, field|
        case field
        when Hash then "#{name} = #{o}#{name}\n#{inner(field).writer("#{name}.", name)}"
        when Array then inner(field).writer_of_many("#{o}#{name}", one(name), name)
        else "writer.push_value(#{read(name, o)}, \"#{name}\")"
        end
      end
      ["writer.push_object#{named(key)}", *lines, "writer.pop"].join("\n")
    end

    def writer_of_many(list, one, key = nil)
      ["writer.push_array#{named(key)}", "#{list}.each do |#{one}|", writer("#{one}."), "end",
       "writer.pop"].join("\n")
    end

    # Our own words.
    def put(o = "v.")
      @fields.map do |key, field|
        next "put :#{key}, #{read(key, o)}" unless field.is_a?(Hash)

        "put :#{key} do\n#{key} = #{o}#{key}\n#{inner(field).put("#{key}.")}\nend"
      end.join("\n")
    end

    # Words of Jbuilder and of those that copied them; of json_builder with another `prefix`.
    def words(o = "v.", prefix: "json.")
      @fields.map do |key, field|
        word = prefix.empty? && key == :name ? "key :name," : "#{prefix}#{key}"
        next "#{word} #{read(key, o)}" unless field.is_a?(Hash)

        "#{word} do\n#{key} = #{o}#{key}\n#{inner(field).words("#{key}.", prefix: prefix)}\nend"
      end.join("\n")
    end

    # Jbuilder's shorter words.
    def extracting(o = "v.")
      runs = @fields.chunk_while { |(_, left), (_, right)| left.nil? && right.nil? }
      runs.map do |run|
        key, field = run.first
        case field
        when nil then "json.extract! #{o.chomp(".")}, #{symbols(run.map(&:first))}"
        when String then "json.#{key} #{read(key, o)}"
        else extracting_inner(key, inner(field), "#{o}#{key}", field.is_a?(Array) ? one(key) : key)
        end
      end.join("\n")
    end

    def extracting_many(list, one)
      return "json.array! #{list}, #{symbols}" if plain?

      "json.array! #{list} do |#{one}|\n#{extracting("#{one}.")}\nend"
    end

    # All of them getters?
    def plain? = @fields.values.none?

    def symbols(keys = @fields.keys) = keys.map(&:inspect).join(", ")

    # The Ruby that reads a field which is neither one object nor many.
    def read(key, o) = @fields[key] ? @fields[key].gsub(/\bo\./, o) : "#{o}#{key}"

    private

    def inner(field) = Shape.new(field.is_a?(Array) ? field.first : field)
    def one(key) = key.to_s.chomp("s")
    def named(key) = ("(\"#{key}\")" if key)

    def extracting_inner(key, shape, value, local)
      return "json.#{key} #{value}, #{shape.symbols}" if shape.plain?

      words = shape.extracting("#{local}.")
      return "json.#{key} #{value} do |#{local}|\n#{words}\nend" if local != key

      "#{key} = #{value}\njson.#{key} do\n#{words}\nend"
    end
  end
end
