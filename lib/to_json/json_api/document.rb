# frozen_string_literal: true

# Layer: json_api. Writes a document: the members of the top level, the primary data, and the
# included resources.

module ToJson
  module JsonApi
    # The document of one call. {DocumentSerializer} passes the Writer to {#write}.
    # @api private
    class Document
      include Envelope::Held

      VERSION = { "version" => "1.1" }.freeze

      # @param choice [Choice]
      # @param objects [Object]
      # @param top [Hash] links:, meta:, jsonapi:, collection:
      def initialize(choice, objects, top)
        @choice, @objects, @top = choice, objects, top
        @resource = choice.resource
        %i[links meta jsonapi].each { |name| check(name, top[name]) }
      end

      # @return [Object] what the program gave
      def scope = @objects

      # @param w [Writer]
      # @param s [DocumentSerializer] with the context
      def write(w, s)
        begin_linking(w, s)
        @s = @group ? @group.s : w.helper(@resource.serializer_class, s)
        if w.item(DocumentSerializer::HEAD, jsonapi, links, null? ? nil : true)
          data(w)
          w.close
        end
        included(w) if @choice.compound?
        w.item(DocumentSerializer::TAIL, meta)
      end

      private

      # Refuses numbers, Strings and Arrays, which are no objects of JSON. true and false are
      # allowed, because they have a meaning.
      def check(name, given)
        case given
        when ::Numeric, ::String, ::Symbol, ::Array
          raise ArgumentError, "#{name}: takes a Hash; got #{Lookup.class_of(given)}"
        else given
        end
      end

      # Makes a Linking only if the document may meet other resources.
      def begin_linking(w, s)
        return unless @choice.compound? || @choice.root_form.read.positive?

        @linking = Linking.new(@choice)
        @group = @linking.group(w, s, @resource)
      end

      def jsonapi
        case (given = @top[:jsonapi])
        when nil, false then SKIP
        when true then VERSION
        else given
        end
      end

      def links
        given = @top[:links]
        given = check(:links, given.call(@objects)) if given.respond_to?(:call)
        given.nil? ? SKIP : given
      end

      def meta
        given = @top[:meta]
        return SKIP if given == false

        given = check(:meta, given.call(@objects)) if given.respond_to?(:call)
        given = of_class if given.nil?
        given.nil? ? SKIP : given
      end

      # The `meta` that the class declares.
      def of_class
        given = @resource.meta
        return given unless given.is_a?(Proc)

        @s.__send__(Compiler::Blocks.meta_for(@resource.serializer_class, given), @objects)
      end

      def data(w)
        form = @choice.root_form
        if nil == @objects
          w.many([])
          w.close
        elsif many?(w) then many(w, form)
        else
          due?(w, @objects)
          one(w, form, @objects)
        end
      end

      def null? = nil == @objects && !@top[:collection]

      def many?(w)
        asked = @top[:collection]
        asked.nil? ? w.many?(@objects) : asked
      end

      def many(w, form)
        walked = w.many(@objects)
        if form.read.zero? && !@choice.compound?
          w.iterate(form.plan, @s, walked || @objects, form.mask)
        else
          w.each(walked || @objects) { |object| one(w, form, object) if due?(w, object) }
        end
        w.close
      end

      # Whether to write a resource as primary data. If resources can be met again, each is written
      # only once.
      def due?(w, object)
        nil == object || !@choice.compound? ||
          @linking.primary?(w, @group, object)
      end

      def one(w, form, object)
        if form.read.positive? && nil != object
          w.give(@linking.read(w, @group, object, form))
        end
        w.one(form.plan, @s, object, form.mask)
      end

      def included(w)
        queue = @linking.close(w)
        return if w.item(DocumentSerializer::INCLUDED, queue).nil? # an empty array is complete

        index = 0
        while index < queue.size
          first = queue[index]
          index += 1
          next if first.primary

          form = @choice.form(first.group.resource, first.bits)
          if form.read.zero? && !w.flushes?
            index = together(w, form, queue, index - 1)
          elsif Linking::Batch === first # flushes when it is due
            together(w, form, [first], 0)
          else
            include(w, first, form)
            w.flush_if_due if w.flushes?
          end
        end
        w.close
      end

      # Writes an entry, and the following ones that the same code writes, by one call.
      def together(w, form, queue, index)
        group, bits, objects = queue[index].group, queue[index].bits, []
        while (entry = queue[index]) && entry.group.equal?(group) && entry.bits == bits
          entry.pass(objects)
          index += 1
        end
        w.iterate(form.plan, group.s, objects, form.mask)
        index
      end

      def include(w, entry, form)
        w.give(entry.values) if entry.values
        w.one(form.plan, entry.group.s, entry.object, form.mask)
        entry.object = entry.values = nil
      end
    end
  end
end
