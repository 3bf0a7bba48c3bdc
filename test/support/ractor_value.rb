# frozen_string_literal: true

# Ractor#value for Rubies that only have its ancestor `take`. The tests call `value`, and so do the
# scripts that they run in processes of their own.
Ractor.alias_method(:value, :take) unless Ractor.method_defined?(:value)
