# frozen_string_literal: true

# Fuzz. Cases of relations that are simpler than one that fails.

require_relative "../kit/shrinker"

module Fuzz
  module Relations
    # First less of the call, the relation and the serializers, then less of the world.
    module Smaller
      def simpler(found)
        Enumerator.new do |out|
          parts(found) { |smaller| out << smaller }
          worlds(found.world) do |world|
            changed = found.dup
            changed.world = world
            out << changed
          end
        end
      end

      private

      def parts(found)
        Shrinker.sublists(found.options).each { |less| yield with(found, options: less) }
        Shrinker.sublists(found.scope.calls).each do |less|
          yield with(found, scope: Scope.new(found.scope.base, less))
        end
        found.classes.each_index do |index|
          fewer(found.classes[index].nodes) do |nodes|
            classes = found.classes.dup
            classes[index] = Declared.new(classes[index].name, nodes)
            yield with(found, classes: classes)
          end
          next if index == found.classes.size - 1

          yield with(found, classes: found.classes.reject.with_index { |_, i| i == index })
        end
        yield with(found, exit: :json) unless found.exit == :json
        yield with(found, zone: "UTC") unless found.zone == "UTC"
        yield with(found, clock: nil) if found.clock
        yield with(found, local: false) if found.local
      end

      def with(found, **changes)
        found.dup.tap { |made| changes.each { |name, value| made[name] = value } }
      end

      # Fewer nodes, at any depth, and lines without their options.
      def fewer(nodes, &block)
        Shrinker.sublists(nodes).each { |less| yield less if less.any? }
        nodes.each_with_index do |node, index|
          short = node.text[/\A\w+[ (]:"?[^"]+"?(?:, source: :"[^"]*")?(?=,)/]
          if short
            short += ")" if node.text.match?(/\A\w+\(/)
            yield replaced(nodes, index, Node.new(short, node.inside))
          end
          next unless node.inside

          fewer(node.inside) { |less| yield replaced(nodes, index, Node.new(node.text, less)) }
        end
      end

      def replaced(nodes, index, node)
        nodes.dup.tap { |made| made[index] = node }
      end

      def worlds(world)
        Shrinker.sublists(world.inserts).each { |less| yield changed(world, inserts: less) }
        yield changed(world, record: []) if world.record.any?
        world.models.each do |name, model|
          tables = world.tables.except(model.table)
          yield changed(world, models: world.models.except(name), tables: tables)
          Shrinker.sublists(model.lines).each do |less|
            smaller = model.dup
            smaller.lines = less
            yield changed(world, models: world.models.merge(name => smaller))
          end
        end
      end

      def changed(world, **changes)
        world.dup.tap { |made| changes.each { |name, value| made[name] = value } }
      end
    end
  end
end
