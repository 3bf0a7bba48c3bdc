# frozen_string_literal: true

# Layer: none below it. Loads a peer in a worker, as its line in peers.yml says.

module Bench
  # Workers start without Bundler: what the load path has is what `require` finds.
  module Libraries
    class << self
      # Whatever this peer's contenders require. `peer` is its line in peers.yml.
      def load(name, peer)
        return if peer["source"]&.end_with?(".go") || (@loaded ||= []).include?(name)

        peer.fetch("specs", []).each { |gem| activate(gem) }
        Object.class_eval(peer["prepare"], "benchmark/peers.yml (#{name})", 1) if peer["prepare"]
        peer.fetch("require", [name]).each { |library| require library }
        @loaded << name
      end

      # What the worker has loaded: version by gem.
      def versions
        found = {"to_json" => defined?(ToJson::VERSION) && ToJson::VERSION, "json" => defined?(JSON::VERSION) && JSON::VERSION}
        $LOADED_FEATURES.each { |path| (match = path.match(%r{/gems/([a-z][\w-]*?)-(\d[\w.]*)(?:-[\w-]+)?/})) and found[match[1]] = match[2] }
        found.select { |_, version| version }
      end

      private

      # So that RubyGems knows the gem that stands on the load path: some ask it (`gem "sqlite3"`, Gem.loaded_specs).
      def activate(gem)
        path = $LOAD_PATH.find { |directory| directory.match?(%r{/gems/#{gem}-\d[^/]*/}) } or raise LoadError, "#{gem} is not on the load path"
        Gem.loaded_specs[gem] ||= Gem::Specification.load(path.sub(%r{/gems/(#{gem}-\d[^/]*)/.*}, '/specifications/\1.gemspec'))
      end
    end
  end
end
