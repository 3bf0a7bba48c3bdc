# frozen_string_literal: true

# Layer: base. Loads what lib/to_json.rb leaves to Ruby's autoload.

module ToJson
  # Loads the files that are otherwise loaded at first use (caches, reading, JSON:API, HAL). This
  # takes some 30 milliseconds. Servers with threads call it, and servers that fork, so that their
  # workers share the memory. {ToJson.compile!} does it too, and so does Rails' `eager_load` where
  # `config.eager_load_namespaces << ToJson` stands or `to_json/active_support` is required.
  #
  # @example
  #   ToJson.eager_load! # => nil
  # @return [nil]
  # @raise [Error] in another Ractor than the main one
  def self.eager_load!
    main = Ractor.current == Ractor.main
    unless main
      raise Error,
            "ToJson.eager_load!: only the main Ractor can load files. Call it there before " \
            "you start other Ractors."
    end

    [self, Compiler, JsonApi, Hal].each do |home|
      home.constants.each { |name| FirstUse.of(name, home) }
    end
    nil
  end
end
