# frozen_string_literal: true

module Bench
  # Loads peers as peers.yml says. Workers start without Bundler: what the load path has is what
  # `require` finds.
  module Libraries
    class << self
      # Whatever this peer's contenders require. `peer` is its entry in peers.yml.
      def load(name, peer)
        return if peer["source"] || (@loaded ||= []).include?(name)

        peer.fetch("specs", []).each { |gem| activate(gem) }
        here = "benchmark/peers.yml (#{name})"
        Object.class_eval(peer["prepare"], here, 1) if peer["prepare"]
        peer.fetch("require", [name]).each { |library| require library }
        Object.class_eval(peer["setup"], here, 1) if peer["setup"]
        @loaded << name
      end

      def load_for(contender, peers)
        contender.peer.each { |name| load(name, peers.fetch(name)) }
        require "to_json" if contender.group == "ours"
      end

      # What this process has loaded: version by gem.
      def versions
        paths = $LOADED_FEATURES.filter_map do |path|
          path.match(%r{/gems/([a-z][\w-]*?)-(\d[\w.]*)(?:-[\w-]+)?/})&.captures
        end
        {"to_json" => defined?(ToJson::VERSION) && ToJson::VERSION,
         "json" => defined?(JSON::VERSION) && JSON::VERSION, **paths.to_h}.select { |_, one| one }
      end

      private

      # So that RubyGems knows the gem on the load path: some ask it (`gem "sqlite3"`).
      def activate(gem)
        path = $LOAD_PATH.find { |directory| directory.match?(%r{/gems/#{gem}-\d[^/]*/}) }
        raise LoadError, "#{gem} is not on the load path" unless path

        path = path.sub(%r{/gems/(#{gem}-\d[^/]*)/.*}, '/specifications/\1.gemspec')
        Gem.loaded_specs[gem] ||= Gem::Specification.load(path)
      end
    end
  end
end
