# frozen_string_literal: true

# Layer: base. Loads what lib/to_json.rb leaves to Ruby's autoload.

module ToJson
  # Loads what else is loaded at first use (the compiler, caching, `only:` and `except:`,
  # associations that the value tells …), a few milliseconds: for servers that fork, so that their
  # workers share it. {ToJson.compile!} does it too, and so does Rails' `eager_load` where
  # `config.eager_load_namespaces << ToJson` stands or `to_json/active_support` is required.
  #
  # What belongs to documents of JSON:API is left out, unless something has named it before: a
  # serializer that has its words, or a line `ToJson::JsonApi` of the program.
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

    # The compiler's own constants are known when the compiler is loaded.
    [self, Compiler, *(JsonApi unless autoload?(:JsonApi))].each do |home|
      names = home.constants.select { |name| home.autoload?(name, false) }
      (names - [:JsonApi]).each { |name| home.const_get(name) }
    end
    nil
  end
end
