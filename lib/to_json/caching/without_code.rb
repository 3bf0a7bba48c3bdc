# frozen_string_literal: true

# Layer: caching. Describes methods for which Ruby has no instructions, for the keys of a cache.

module ToJson
  class Compiler
    # Such a method is that of an attr_reader or attr_writer, a C function, or one that
    # `define_method` made of a Proc without instructions (`f >> g`, `&:name`). Nothing tells the
    # last two apart, and the last may do anything. So a C function counts by its name only where C
    # code defined its class: then Ruby knows no line where the constant of the class was set.
    module WithoutCode
      # As in the name of this library's own, which defines Serialize: ".so", and in Ruby itself.
      LIBRARIES = [File.extname(Object.const_source_location("ToJson::Serialize").first), ""].freeze
      private_constant :LIBRARIES

      class << self
        # @param method [Method, UnboundMethod]
        # @return [Array, nil] nil if it may be made of a Proc
        def of(method)
          return [:variable, method.original_name, method.arity] if method.source_location

          home = home(method) or return
          home = above(method) unless in_c?(home)
          [:c, method.original_name, CacheKey.name_of(home)] if home && in_c?(home)
        end

        private

        # @return [Module, nil] which has the method; if that is a singleton class, whose it is
        def home(method)
          owner = method.owner
          return owner unless owner.singleton_class?
          return owner unless Method === method

          object = method.receiver
          line = Module === object ? object.ancestors : []
          line.find { |type| type.singleton_class == owner } || owner
        end

        # The class or module from which the owner of the method inherits it, if the owner gave it
        # another name, or made it public or private only.
        # @return [Module, nil]
        def above(method)
          owner, name = method.owner, method.original_name
          line = owner.ancestors.drop_while { |type| !type.equal?(owner) }.drop(1)
          line |= Object.ancestors unless Class === owner
          found = line.find { |type| own?(type, name) } or return
          other_name = method.name != name && !own?(owner, name)
          found if other_name || found.instance_method(name).hash == hash_of(method)
        end

        # Two methods with one hash have the same C function: neither can be collected meanwhile.
        def hash_of(method) = Method === method ? method.unbind.hash : method.hash

        def own?(type, name)
          type.method_defined?(name, false) || type.private_method_defined?(name, false)
        end

        # Ruby knows no place, or line 0 of the library.
        def in_c?(type)
          name = CacheKey.name_of(type)
          place = Object.const_source_location(name) if name
          return false unless place

          place.empty? || (place[1].zero? && LIBRARIES.include?(File.extname(place[0])))
        end
      end
    end
  end
end
