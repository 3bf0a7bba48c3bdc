# frozen_string_literal: true

# Layer: reading. Generates the Ruby that reads one object: straight-line code, field by field.

module ToJson
  module Reading
    # Writes the methods of a module. Its method `read(h, r, a)` reads the object `h` of a document
    # into the Hash `a`, which is empty, and returns `a`: the attributes. `r` is the Session. The
    # method counts the keys that it reads, so it looks for unknown keys only if `h` has more keys.
    # The other methods are for {Assignment}.
    # @api private
    class Code
      # Members of a resource of JSON:API besides `attributes` and `relationships`.
      OF_RESOURCES = %w[type id lid links meta].freeze

      # @param unit [ReadUnit]
      # @param compilation [Compilation] gives the code of other ReadUnits
      def initialize(unit, compilation)
        @unit, @compilation = unit, compilation
        @constants, @lines, @flattened = Compiler::Constants.new, [], 0
        @time = unit.serializer_class.rules.to_h[:time]
        @targets = {}
      end

      # @param code [Module] in which the methods are defined
      def define(code)
        writing("read(h, r, a)") do
          send(@unit.envelope)
          add(1, "a")
        end
        assigning if @unit.mode == :values
        @constants.install(code)
        GeneratedCode.define(code, @lines.join("\n"),
                             "(to_json #{@unit.serializer_class} reading #{code.object_id})")
      end

      private

      def add(indent, text) = @lines << (("  " * indent) + text)

      # Writes the methods that {Assignment} calls.
      def assigning
        names, places = @unit.assigned, Ractor.make_shareable(@unit.places)
        related = Related.all(@unit, @compilation, places).to_h do |one|
          [one.name.inspect, @constants.name("RELATED", one)]
        end
        writing("places") { add(1, @constants.name("PLACES", places)) }
        writing("associate(o, a, w)") { associate(related, "o") }
        writing("lacks(o, a)") { lacks(names) }
        writing("assign(o, a, d)") { names.each { |name| assign(name) } }
        writing("fill(o, a, w)") do
          associate(related, "nil")
          names.each { |name| given(name) { add(2, setting(name)) } }
          add(1, "o")
          add(0, "rescue NoMethodError => e")
          add(1, "w.lacking(o, a, e)")
        end
      end

      def writing(name)
        add(0, "def self.#{name}")
        yield
        add(0, "end")
      end

      def associate(related, object)
        related.each do |name, constant|
          add(1, "w.associate(#{object}, a, #{constant}) if a[#{name}]")
        end
      end

      # Asks for all setters at once first, because most objects have all of them.
      def lacks(names)
        has = names.to_h { |name| [name, "o.respond_to?(#{"#{name}=".inspect})"] }
        add(1, "return if #{["true", *has.values].join(" && ")}")
        has.each do |name, one|
          add(1, "return #{name.inspect} if a.key?(#{name.inspect}) && !#{one}")
        end
        add(1, "nil")
      end

      def assign(name)
        given(name) do
          add(2, setting(name))
          add(2, "d << #{name.inspect}")
        end
      end

      def given(name)
        add(1, "if (v = a[#{name.inspect}]) || a.key?(#{name.inspect})")
        yield
        add(1, "end")
      end

      def setting(name)
        return "o.#{name} = v" if /\A[a-z_]\w*\z/.match?(name)

        "o.public_send(#{"#{name}=".inspect}, v)"
      end

      # -- envelopes ------------------------------------------------------------------------------

      def plain = object("h", "n", 1, @unit.fields, [])

      # Reads associations in `_embedded`, and also beside the fields: a client may send them as in
      # a plain document.
      def hal
        object("h", "n", 1, @unit.fields, %w[_links _embedded])
        part("_embedded", "e", @unit.fields.select { |field| @unit.association?(field) })
      end

      def json_api
        id = @unit.fields.find { |field| field.name == :id && field.kind == :attribute }
        related, values = (@unit.fields - [id]).partition { |field| @unit.related?(field) }
        object("h", "n", 1, [], OF_RESOURCES + %w[attributes relationships])
        identity(id) if id
        part("attributes", "e", values)
        part("relationships", "l", related)
      end

      # @param source [String] the variable of the object
      # @param others [Array<String>] keys that the object may have and that are not read here
      def object(source, count, indent, fields, others)
        known = []
        count = nil if others.empty? && one_each?(fields)
        add(indent, "#{count} = 0") if count
        each_of(fields, @unit, source, count, indent, "a", known)
        others.each do |key|
          add(indent, "#{count} += 1 if #{source}.key?(#{text(key)})") unless known.include?(key)
        end
        shape = shape(known | others)
        add(indent, "r.handle_unknown_keys(#{source}, #{shape}) " \
                    "unless #{count || "a.size"} == #{source}.size")
      end

      # Whether each key makes one attribute. Then there are as many attributes as known keys, and
      # no count is needed.
      def one_each?(fields)
        kinds = fields.map(&:kind)
        @unit.envelope == :plain && !kinds.include?(:nested) && !kinds.include?(:flatten)
      end

      def part(key, variable, fields)
        add(1, "if (#{variable} = r.part(h, #{text(key)}))")
        object(variable, "m", 2, fields, [])
        add(2, "r.leave")
        add(1, "end")
      end

      def identity(field)
        add(1, "if (v = h[\"id\"])")
        target(field, @unit, "a")
        add(2, "a[#{@unit.target(field).inspect}] = " \
               "#{Conversions.identity(field, text("id"))}")
        add(1, "end")
      end

      def shape(known)
        found = Shape.new(known.to_h { |key| [key.dup.freeze, true] }.freeze,
                          (@unit.others - known).freeze).freeze
        @constants.name("SHAPE", Ractor.make_shareable(found))
      end

      # -- fields ---------------------------------------------------------------------------------

      def each_of(fields, unit, source, count, indent, into, known)
        fields.each do |field|
          if field.kind == :flatten
            flatten(field, unit, source, count, indent, into, known)
            next
          end
          key = unit.key(field)
          taken(unit, key) if known.include?(key)
          known << key
          one(field, unit, key, source, count, indent, into, known)
        end
      end

      def one(field, unit, key, source, count, indent, into, known)
        literal = text(key)
        add(indent, "if (v = #{source}[#{key.inspect}]) || #{source}.key?(#{literal})")
        add(indent + 1, "#{count} += 1") if count
        add(indent + 1, assignment(field, unit, literal, into))
        if (form_key = unit.form_key(field)) # as fields_for names it
          known << form_key
          add(indent, "elsif (v = #{source}[#{form_key.inspect}])")
          add(indent + 1, "#{count} += 1") if count
          add(indent + 1, assignment(field, unit, text(form_key), into))
        elsif unit.certain?(field)
          add(indent, "else")
          add(indent + 1, "r.absent(#{literal})")
        end
        add(indent, "end")
      end

      def assignment(field, unit, key, into)
        if field.kind == :nested
          unit.inner(field, nil).targets.each { |one| claim(field, one, into) }
          inner = name(unit.inner(field, nil))
          return "r.within(v, #{key}, #{inner}, #{into})"
        end
        if unit.related?(field)
          return "r.link(v, #{key}, #{link(field, unit)}, #{into})"
        end

        target(field, unit, into)
        line = "#{into}[#{unit.target(field).inspect}] = #{expression(field, unit, key)}"
        # Rails' `comments_attributes=` takes no nil
        unit.association?(field) && field.writable[:nested] ? "#{line} unless nil == v" : line
      end

      def expression(field, unit, key)
        unless unit.association?(field)
          return Conversions.of(field, key, unit.mode, @time, @constants)
        end

        word = field.kind == :attribute ? :any : field.kind
        found = unit.serializers(field)
        if found.size > 1 || !found.key?(nil)
          return "r.#{word}(v, #{key}, #{code_by_type(field, unit, found)})"
        end

        inner = field.kind == :attribute ? unit.of_class(field.as)
                                         : unit.inner(field, found.fetch(nil))
        code = @compilation.code(inner)
        code = CodeWithDestroy.new(code).freeze if field.writable[:destroy]
        "r.#{word}(v, #{key}, #{@constants.name("CODE", code)})"
      end

      # Reads the fields of a flattened object, which are among these in the document, into another
      # Hash.
      def flatten(field, unit, source, count, indent, into, known)
        inner = unit.inner(field, unit.serializers(field).fetch(nil))
        variable = "b#{@flattened += 1}"
        target(field, unit, into)
        add(indent, "#{variable} = {}")
        each_of(inner.fields, inner, source, count, indent, variable, known)
        add(indent, "#{into}[#{unit.target(field).inspect}] = #{variable} " \
                    "unless #{variable}.empty?")
      end

      def code_by_type(field, unit, serializers)
        codes = serializers.to_h do |type, found|
          [type, @compilation.code(unit.inner(field, found))]
        end
        key_case = unit.serializer_class.definition.key_case
        @constants.name("CODES", CodeByType.build(field, key_case, serializers, codes))
      end

      def link(field, unit)
        @constants.name("LINK", Linkage.build(field, unit, @compilation))
      end

      def name(unit) = @constants.name("CODE", @compilation.code(unit))

      # A literal of a String that is not allocated anew at each call.
      def text(key) = "#{key.inspect}.freeze"

      # -- mistakes -------------------------------------------------------------------------------

      # Refuses a second field that assigns the same attribute: it would overwrite the first one.
      def target(field, unit, into) = claim(field, unit.target(field), into)

      def claim(field, target, into)
        name = [into, target]
        other = @targets[name]
        @targets[name] = field
        return unless other && other != field

        raise DefinitionError,
              "#{@unit}: #{other.name.inspect} and #{field.name.inspect} are both writable and " \
              "would both assign #{target.inspect}. Give one of them another name: " \
              "writable: :name."
      end

      def taken(unit, key)
        raise DefinitionError,
              "#{unit}: two writable fields have the key #{key.inspect}. Rename one, or leave " \
              "it out of the flatten."
      end
    end

    # Compiles a ReadUnit, together with those inside it, and keeps the code of each for other
    # ReadUnits that have it inside.
    # @api private
    class Compilation
      MEMORY = :@to_json_read_units
      private_constant :MEMORY

      # @param epoch [Integer] of the Plans, before the Definition was read
      def initialize(epoch)
        @epoch, @codes, @waiting = epoch, {}, []
      end

      # @return [Module] the code of a ReadUnit. Units inside each other are compiled one after
      #   another, not one within the other, since there may be hundreds
      def run(unit)
        code(unit).tap do
          while (waiting = @waiting.shift)
            define(waiting)
          end
          keep
        end
      end

      # @return [Module] the code of a ReadUnit that is part of another one. It may have no methods
      #   yet
      def code(unit)
        @codes[unit] || kept(unit.serializer_class)[unit] || wait(unit)
      end

      private

      def kept(serializer_class) = ClassMemory.recall(serializer_class, MEMORY) || {}

      def keep
        @codes.group_by { |unit, _| unit.serializer_class }.each do |serializer_class, codes|
          all = kept(serializer_class).merge(codes.to_h).freeze
          ClassMemory.keep(serializer_class, MEMORY, @epoch, all)
        end
      end

      def wait(unit)
        @waiting << unit
        @codes[unit] = Module.new.tap { |code| code.instance_variable_set(:@to_json_code, true) }
      end

      def define(unit)
        PlanCache.watch(unit.serializer_class)
        Code.new(unit, self).define(@codes[unit])
      end
    end
  end
end
