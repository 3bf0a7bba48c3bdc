# frozen_string_literal: true

# Fuzz. Declarations as calls: the word, its arguments, its options, its block. They are run by
# build.rb and printed by source.rb.

require_relative "paper"

module Fuzz
  module Definitions
    # A Code for a key.
    Piece = Struct.new(:code, :key)

    # block: nil, a Piece, or items.
    Word = Struct.new(:name, :arguments, :options, :block)

    # Turns items into Words.
    module Words
      module_function

      def of(item)
        case item
        when Group then group(item.fields)
        when View then Word.new(:view, [item.name], { from: item.from }.compact, item.items)
        when Removal then Word.new(:remove, item.names, {}, nil)
        when Setting then setting(item)
        else field(item)
        end
      end

      def group(fields)
        same, mapped = fields.partition { |field| field.key == field.name }
        Word.new(:attributes, same.map(&:name),
                 mapped.to_h { |field| [field.key, field.name] }.merge(options(fields.first)), nil)
      end

      def setting(item)
        case item.arguments
        in [Code => code] if item.word == :meta then Word.new(:meta, [], {}, Piece.new(code, nil))
        in [Hash => pairs] if item.word == :meta then Word.new(:meta, [], pairs, nil)
        in [*, Code => code] then Word.new(item.word, [Piece.new(code, nil)], {}, nil)
        else Word.new(item.word, item.arguments, {}, nil)
        end
      end

      def field(field)
        piece = field.reader && Piece.new(field.reader, field.key)
        arguments, named = written(field)
        arguments += [piece] if field.style == :lambda
        block = field.inline || (piece unless field.style == :lambda)
        Word.new(field.kind, arguments, named.merge(options(field)), block)
      end

      # How name and key stand.
      def written(field)
        case field.style
        when :positional then [[field.name, field.key], {}]
        when :source then [[field.name], { source: field.key }]
        when :name then [[field.key], { name: field.name }]
        else [[field.name], {}]
        end
      end

      def options(field)
        tests = field.tests.group_by(&:word).transform_values do |list|
          list.map { |test| test.code ? Piece.new(test.code, test.name) : test.name }
        end
        { as: as(field), format: field.format,
          **tests.transform_values { |list| list.size == 1 ? list[0] : list }, skip(field) => true,
          default: field.default && Piece.new(field.default, :note),
          serializer: (
            field.target if field.target.is_a?(Reference) && field.target.style != :lookup
          ),
          view: field.view, only: field.only&.ruby, except: field.except&.ruby,
          context: field.context && Piece.new(field.context, :note) }
          .reject { |name, value| name.nil? || value.nil? }
      end

      def as(field) = field.as.is_a?(Code) ? Piece.new(field.as, nil) : field.as
      def skip(field) = { nil: :skip_nil, blank: :skip_blank }[field.skip]
    end
  end
end
