# frozen_string_literal: true

require_relative "declaration_case"

# What the tests of lookups share: constants in a world of their own, which each test makes anew.
class LookupCase < DeclarationCase
  def setup
    super
    Object.const_set(:LookupWorld, Module.new)
  end

  def teardown
    Object.send(:remove_const, :LookupWorld)
    super
  end

  # LookupWorld::Api::V1::PostSerializer and what it stands in; a Class, unless a value is given.
  def make(name, value = nil, inherits: ToJson::Serializer)
    *within, last = name.split("::").map(&:to_sym)
    scope = within.reduce(LookupWorld) do |outer, inner|
      if outer.const_defined?(inner, false)
        outer.const_get(inner)
      else
        outer.const_set(inner, Module.new)
      end
    end
    scope.const_set(last, value || Class.new(inherits))
  end

  # A class that has had a name at the top: named in the world, it would be looked for by the
  # world's name too.
  def named_top(name, inherits = Object)
    *within, last = name.to_s.split("::").map(&:to_sym)
    outer = within.empty? ? Object : Object.const_set(within[0], Module.new)
    Class.new(inherits).tap { |type| outer.const_set(last, type) }
  ensure
    Object.send(:remove_const, within[0] || last)
  end

  def remove(name)
    *within, last = name.split("::").map(&:to_sym)
    within.reduce(LookupWorld) { |outer, inner| outer.const_get(inner) }.send(:remove_const, last)
  end

  def find(serializer, type) = ToJson::Lookup.find(serializer, type.allocate)

  def found(serializer, type) = find(serializer, type).name.delete_prefix("LookupWorld::")
end
