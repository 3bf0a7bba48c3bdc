# frozen_string_literal: true

# Layer: reading. The calls `parse`, `read`, `permit`, `expect` and `parse_ndjson`.

module ToJson
  module Reading
    # @api private
    module Call
      class << self
        # @return [Hash, Array<Hash>, Array(Object, Hash)]
        def parse(serializer_class, given, keywords)
          options = Options.of(serializer_class, keywords, Options::PARSE)
          document = document(serializer_class, given, options, :values)
          with_unknown(document.found, document)
        end

        # @return [Object]
        def read(serializer_class, given, into, keywords)
          options = Options.of(serializer_class, keywords, Options::PARSE)
          check_target(serializer_class, into, options)
          document = document(serializer_class, given, options, :values).check_id(into)
          with_unknown(Assignment.new(serializer_class).into(into, document), document)
        rescue ReadError => error
          raise error.read_by(serializer_class, options.view, options.root)
        end

        # @return [ActionController::Parameters, Array]
        def permit(serializer_class, params, keywords)
          options = Options.of(serializer_class, keywords, Options::PERMIT)
          refuse_nil(serializer_class, params, options)
          document = document(serializer_class, params, options, :params)
          with_unknown(Params.permitted(document.found), document)
        end

        # Does what `permit` does, with the pairs under the root.
        # @return [ActionController::Parameters, Array]
        def expect(serializer_class, params, keywords)
          options = Options.of(serializer_class, keywords, Options::EXPECT)
          refuse_nil(serializer_class, params, options)
          located(serializer_class, options) do
            params, options = Params.under_root(serializer_class, params, options)
          end
          document = document(serializer_class, params, options, :params)
          refuse_nothing(serializer_class, options) if document.found.empty?
          with_unknown(Params.permitted(document.found), document)
        end

        # @param io [IO, String]
        # @yieldparam attributes [Hash]
        # @yieldparam line [Integer]
        def lines(serializer_class, io, keywords, on_error)
          options = Options.of(serializer_class, keywords, Options::PARSE)
          refused = 0
          Lines.each(io, options.max_bytes) do |text, number|
            next if blank?(text)

            found = line(serializer_class, text, number, options, on_error)
            next yield(found, number) unless NOTHING.equal?(found)

            options = options.to_terse if (refused += 1) == Session::MOST_COMPARED
          end
        end

        private

        # @return [DocumentReader] that has read it
        def document(serializer_class, given, options, mode)
          DocumentReader.new(serializer_class, options, mode, Input.form?(given))
                  .read(Input.read(given, options))
        rescue ReadError => error
          raise error.read_by(serializer_class, options.view, options.root)
        end

        def with_unknown(found, document)
          document.unknown ? [found, document.unknown] : found
        end

        def located(serializer_class, options)
          yield
        rescue ReadError => error
          raise error.read_by(serializer_class, options.view, options.root)
        end

        def check_target(serializer_class, into, options)
          if nil == into
            raise ArgumentError,
                  "#{serializer_class}: read: into: is nil. Pass an object to assign to, a class " \
                  "to build, or call parse."
          end
          return if options.collection == false

          raise ArgumentError,
                "#{serializer_class}: read: collection: works only with parse. read assigns to " \
                "one object."
        end

        # Refuses nil: `permit(params[:post])` passes nil if the client sent no `post`.
        def refuse_nil(serializer_class, params, options)
          return unless nil == params

          located(serializer_class, options) do
            raise ReadError.new([ReadError::Problem.new("", "is missing.", :missing)])
          end
        end

        def refuse_nothing(serializer_class, options)
          located(serializer_class, options) do
            raise ReadError.new([ReadError::Problem.new("", "has none of the writable fields.",
                                                        :missing)])
          end
        end

        def line(serializer_class, text, number, options, on_error)
          document = document(serializer_class, text, options, :values)
          with_unknown(document.found, document)
        rescue ReadError => error
          error = ReadError.new(error.problems, number).read_by(serializer_class, options.view)
          raise error unless on_error

          on_error.call(error)
          NOTHING
        end

        # The text may have any encoding. Invalid text is refused later, with its line's number.
        def blank?(text) = text.ascii_only? && text.match?(/\A\s*\z/u)
      end
    end
  end
end
