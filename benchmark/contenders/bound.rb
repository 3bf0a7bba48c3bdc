# frozen_string_literal: true

require_relative "shape"

module Bench
  # The least that a compiled declaration cannot do without, for a Shape: an entry that tells one
  # object from many, a reader a field, an object whose methods compute what is computed, one native
  # call an object that gets its values (native/lower_bound.c), the String. Lists have elements.
  class Bound
    # Adds the contender: `v` is one object, or with `many` a list; `read` is Ruby before that.
    def self.add(table, shape, many: nil, read: nil, **more)
      bound = new(shape, many)
      table.setup :lower_bound, bound.text
      code = many ? "BoundDocument.kept!(v, LowerBound::Buffer.take)" : "BoundDocument.entry!(v)"
      table.contender "lower bound, kept right", :control, peer: "lower_bound",
                                                           code: [*read, code].join("\n"), **more
    end

    # Of a DSL: the same `serialize` with words that write (LowerBound::Words), on a new object and
    # on one that is kept. `call` is what json! is given.
    def self.words(table, parameter, body, call)
      run = "serialize(#{parameter})\n    finish\n  ensure\n    left"
      table.setup :lower_bound, <<~RUBY
        class WordsBound < LowerBound::Words
          def serialize(#{parameter})
            #{body}
          end

          def self.json!(#{parameter})
            bound = start
            #{run.gsub(/^( *)(serialize|finish|left)/, '\1bound.\2')}
          end

          def json!(#{parameter})
            restart
            #{run}
          end
        end
      RUBY
      table.contender "lower bound, kept right", :control, peer: "lower_bound",
                                                           code: "WordsBound.json!#{call}"
      table.contender "lower bound, kept right, reused", :control,
                      peer: "lower_bound", before: "bound = WordsBound.new",
                      code: "bound.json!#{call}"
    end

    def initialize(shape, many)
      @calls, @texts, @methods = [], [], []
      @text, @values, @name = +"", [], "document"
      many ? list("v", many, shape) : object(shape, "v.")
      call(@name == "after" ? "last" : "document")
    end

    # A class BoundDocument.
    def text
      lines = @calls.join("\n").gsub(/^/, "    ")
      <<~RUBY
        class BoundDocument
          TEXTS = [#{@texts.join(",\n    ")}].freeze
          #{@texts.each_index.map { |i| "T#{i}" }.join(", ")}, = TEXTS
          #{@methods.join("\n  ")}

          def self.kept!(v, to)
        #{lines}
          ensure
            to.left
          end

          LowerBound.entry(self)
        end
      RUBY
    end

    private

    def object(shape, o)
      @text << "{"
      shape.fields.each_with_index do |(key, field), index|
        @text << "#{"," unless index.zero?}\"#{key}\":"
        case field
        when Hash
          @calls << "#{key} = #{o}#{key}"
          object(Shape.new(field), "#{key}.")
        when Array then list("#{o}#{key}", key.to_s.chomp("s"), Shape.new(field.first))
        when String then computed(key, shape, o)
        else value("#{o}#{key}")
        end
      end
      @text << "}"
    end

    def computed(key, shape, o)
      @methods << "def #{key}(object) = #{shape.read(key, "object.")}"
      value("new.#{key}(#{o.chomp(".")})")
    end

    # The text so far stands before it.
    def value(code)
      @values << [@text, code]
      @text = +""
    end

    def list(code, one, shape)
      @text << "["
      call(@name == "after" ? "after" : "add")
      list = "#{one}s_of_it"
      @calls << "#{list} = #{code}" << "#{one}_index = 0" << "while #{one}_index < #{list}.size" <<
        "#{one} = #{list}[#{one}_index]" << "#{one}_index += 1"
      @name = "add"
      object(shape, "#{one}.")
      @text << ","
      call(@name) # over a comma, where the object ends with a list
      @calls << "end"
      @name = "after"
      @text << "]"
    end

    # One native call with what has come together.
    def call(name)
      texts = [*@values.map(&:first), *(@text unless @text.empty?)]
      @texts << "LowerBound.texts(#{texts.map(&:dump).join(", ")})"
      @calls << "to.#{name}(#{["T#{@texts.size - 1}", *@values.map(&:last)].join(", ")})"
      @text, @values = +"", []
    end
  end
end
