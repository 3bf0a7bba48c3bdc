# frozen_string_literal: true

# Layer: rails. The settings of an application or a controller class.

module ToJson
  # The settings of `config.to_json`, and those of a controller class, which override them. A name
  # that is not in {DEFAULTS} raises an error.
  #
  # @example
  #   settings = ToJson::Settings.new
  #   settings.missing_serializer       # => :raise
  #   settings.missing_serializer = :as_json
  #   settings.missing_serializer       # => :as_json
  class Settings
    # The name of each setting and its value where nothing was chosen.
    DEFAULTS = {
      # What `render json: record` does if the record has no serializer: :raise, or :as_json for
      # Rails' own way.
      missing_serializer: :raise,
      # The Module or name in which serializers are looked up. nil: that of the controller.
      namespace: nil,
      # Whether associations are loaded before a document is written: :auto, :manual or :off.
      preload: :auto,
      # Whether relations may be written from their rows, without models.
      rows: true,
      # What happens if a document loads an association record by record: :raise, :log or :off. An
      # application begins with :raise in its tests and with :log in development.
      n_plus_one: :off
    }
    # The values that a setting takes, where they are few.
    CHOICES = { missing_serializer: %i[raise as_json], preload: %i[auto manual off],
                rows: [true, false],
                n_plus_one: %i[raise log off] }.freeze

    # @param above [Settings, nil] where a setting is read that was not chosen here
    # @param chosen [Hash{Symbol => Object}]
    # @raise [ArgumentError]
    def initialize(above = nil, **chosen)
      @above = above
      @chosen = {}
      chosen.each { |name, value| choose(name, value) }
    end

    # @param name [Symbol]
    # @return [Object]
    # @raise [ArgumentError] for an unknown name
    def [](name)
      check(name)
      return @chosen[name] if @chosen.key?(name)

      @above ? @above[name] : DEFAULTS[name]
    end

    # @param name [Symbol]
    # @param value [Object]
    # @raise [ArgumentError] for an unknown name, or a value that the setting does not take
    def []=(name, value)
      choose(name, value)
      Railtie.watch if name == :n_plus_one && value != :off
    end

    private

    def choose(name, value)
      check(name)
      choices = CHOICES[name]
      unless choices.nil? || choices.include?(value)
        raise ArgumentError,
              "#{name} takes #{choices.map(&:inspect).join(" or ")}; got #{value.inspect}"
      end

      @chosen[name] = value
    end

    def check(name)
      return if DEFAULTS.key?(name)

      raise ArgumentError, "to_json: #{Suggestion.unknown("setting", name, DEFAULTS.keys)}"
    end

    # A reader and a writer for each setting.
    def method_missing(name, *values)
      setting = name.to_s.delete_suffix("=").to_sym
      return super unless values.size == (name.end_with?("=") ? 1 : 0)

      values.empty? ? self[name] : self[setting] = values.first
    end

    def respond_to_missing?(name, _private = false)
      DEFAULTS.key?(name.to_s.delete_suffix("=").to_sym)
    end
  end
end
