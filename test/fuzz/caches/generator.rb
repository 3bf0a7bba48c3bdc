# frozen_string_literal: true

# Fuzz, target "caches". Random serializers, a deploy that changes some of their lines, and calls.

require_relative "words"

module Fuzz
  module Caches
    # `object`: the index of a Node; nil: all of them.
    Call = Struct.new(:method, :serializer, :object, :options) do
      def to_s
        given = object ? "nodes[#{object}]" : "nodes"
        "#{serializer}.#{method}(#{given}, **#{options.inspect})"
      end
    end

    # `before`, `after` the deploy: {name of a serializer => {subject => line}}.
    Case = Struct.new(:before, :after, :calls)

    # Makes Cases.
    class Generator
      FORMATS = %i[json! json! json_api! json_api! json_api! hal! ndjson json_api_ndjson].freeze
      CONTEXTS = [nil, nil, {}, { admin: true }, { admin: false }].freeze
      INCLUDES = %w[kid kids pal pals kid.kids kids.pal pals.pals kid,pals].freeze
      ONLY = %w[key long_name key,long_name].freeze

      def initialize(dice)
        @dice = dice
      end

      # @return [Case]
      def case
        before = SERIALIZERS.to_h { |name| [name, lines] }
        Case.new(before, deployed(before), Array.new(@dice.between(3, 8)) { call })
      end

      private

      def lines
        @untold = @dice.once_in(3)
        found = WORDS.transform_values { |some| @dice.pick(some) }
        ASSOCIATIONS.each { |name, words| found[name] = association(name, words) }
        whole(found)
      end

      # In the order of SUBJECTS, without lines that name an association that is not there.
      def whole(lines)
        lines = SUBJECTS.to_h { |subject| [subject, lines[subject]] }.compact
        %i[around view].each do |subject|
          name = lines[subject].to_s[/(?:relationship_\w+\(|remove ):(\w+)/, 1]&.to_sym or next
          lines.delete(subject) unless lines[name]&.include?("serializer:")
        end
        lines[:view] ||= WORDS[:view].first
        lines
      end

      # One or two lines of one or each serializer are others.
      def deployed(before)
        changed = @dice.once_in(2) ? before.keys : [@dice.pick(before.keys)]
        before.to_h do |name, given|
          next [name, given] unless changed.include?(name)

          others = lines
          subjects = Array.new(@dice.between(1, 2)) { @dice.pick(SUBJECTS) }
          [name, whole(given.merge(subjects.to_h { |subject| [subject, others[subject]] }))]
        end
      end

      def association(name, words)
        return if @dice.once_in(4)
        return "#{words[:word]} :#{name} #{@dice.pick(INLINE)}" if @dice.once_in(10)

        options = words.except(:word, :block).transform_values { |some| @dice.pick(some) }
        given = options["serializer"] = @dice.pick(@untold ? CHOICES + UNTOLD : CHOICES)
        options["linkage"] = nil unless given&.match?(/\A"?[A-Z]/)
        block = @dice.pick(words[:block]) if given
        options["source"] = nil if block
        options = options.compact.map { |option, text| ", #{option}: #{text}" }.join
        "#{words[:word]}(:#{name}#{options})#{" #{block}" if block}"
      end

      def call
        method = @dice.pick(FORMATS)
        options = { context: @dice.pick(CONTEXTS), view: @dice.pick([nil, nil, nil, :other]) }
        options[:include] = @dice.pick(INCLUDES) if method == :json_api!
        options[:only] = @dice.pick(ONLY) if !method.start_with?("json_api") && @dice.once_in(4)
        many = method.end_with?("ndjson") || @dice.once_in(3)
        Call.new(method, @dice.pick(SERIALIZERS), (@dice.below(5) unless many), options.compact)
      end
    end
  end
end
