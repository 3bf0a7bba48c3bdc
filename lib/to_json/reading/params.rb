# frozen_string_literal: true

# Layer: reading. Reads and makes ActionController::Parameters, for `permit` and `expect`.

module ToJson
  module Reading
    # @api private
    module Params
      # The parameters that Rails adds to those of a request.
      OF_ROUTES = %w[controller action format].freeze
      private_constant :OF_ROUTES

      class << self
        # @param found [Hash, Array<Hash>]
        # @return [ActionController::Parameters, Array<ActionController::Parameters>]
        # @raise [Error] if Rails is not loaded
        def permitted(found)
          unless defined?(::ActionController::Parameters)
            raise Error, "permit and expect return ActionController::Parameters, which is not " \
                         "loaded. Call parse, which returns a Hash."
          end
          return found.map { |one| permitted(one) } if Array === found

          ::ActionController::Parameters.new(found).permit!
        end

        # Finds what `expect` reads: the pairs under the root, or a document of JSON:API or HAL. If
        # ParamsWrapper of Rails made the root by copying some pairs of the body, it is the body.
        # @return [Array(Hash, Options)]
        # @raise [ReadError]
        def under_root(serializer_class, params, options)
          value = Given.new(Input.read(params, options))
          return [value, options] if options.root == false

          no_object(value.pairs) unless Hash === value.pairs
          return [value, options] if enveloped?(value.pairs, options)

          root = root(serializer_class, options)
          body = body(value.pairs, root)
          options = options.dup.tap { |copy| copy.root = body ? false : root }.freeze
          [Given.new(body || { root => value.pairs[root] }), options]
        end

        private

        # A client may send any JSON: text and the body of a request need not be an object.
        def no_object(value)
          message = "takes an object; got #{Pointer.shown(value)}."
          raise ReadError.new([ReadError::Problem.new("", message, :type)])
        end

        def enveloped?(pairs, options)
          return false if options.envelope == :plain
          return true if options.envelope

          data = pairs["data"]
          data = data.first if Array === data
          (Hash === data && String === data["type"]) || Hash === pairs["_links"] ||
            Hash === pairs["_embedded"]
        end

        def root(serializer_class, options)
          given = options.root
          given = nil if given == true
          roots = serializer_class.definition.root
          given ||= (options.collection ? roots.last : roots.first) if roots
          return given.to_s if given

          name = Reflection.name_of(serializer_class) or
            raise ArgumentError, "#{serializer_class}: expect: a class without a name needs root:."
          KeyCase.apply(:snake, name[/[^:]+\z/].delete_suffix("Serializer"))
        end

        # @return [Hash, nil] the body, if all pairs under the root are also pairs of the body, as
        #   if ParamsWrapper had copied them. It copies only keys that the model has, so other keys
        #   of the serializer are in the body alone
        def body(pairs, root)
          unless pairs.key?(root)
            raise ReadError.new([ReadError::Problem.new("/#{root}", "is missing.", :missing)])
          end

          inner = pairs[root]
          return unless Hash === inner &&
                        inner.all? { |key, one| pairs.key?(key) && pairs[key] == one }

          pairs.except(root, *OF_ROUTES, *("id" unless inner.key?("id")))
        end
      end

      # Wraps parameters that are plain Hashes already, for {Input}.
      Given = Struct.new(:pairs) do
        def to_unsafe_h = pairs
      end
      private_constant :Given
    end
  end
end
