# frozen_string_literal: true

# The main Ractor, taken for another one by the library. What runs within a Ractor counts for no
# coverage, and Ractors cannot see what a test has around it.
module OtherRactor
  # Prepended to Ractor's singleton class.
  module Current
    def current = Thread.current.thread_variable_get(:to_json_elsewhere) || super
  end

  # @return [Object] what the block returns
  def self.run
    Ractor.singleton_class.prepend(Current)
    Thread.current.thread_variable_set(:to_json_elsewhere, {}) # what a Ractor keeps, by names
    yield
  ensure
    Thread.current.thread_variable_set(:to_json_elsewhere, nil)
  end
end
