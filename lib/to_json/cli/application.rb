# frozen_string_literal: true

# Layer: cli. Chooses what writes records: ToJson.generate, or a serializer that the user names.

module ToJson
  module CLI
    # One way to write values, made from the options --serializer, --view, --only, --except,
    # --max-depth and those of the rules.
    class Application
      def initialize(options)
        @serializer = find(options[:serializer]) if options[:serializer]
        @keywords = options.slice(:view, :only, :except, :max_depth).compact
        unless @serializer || (@keywords.keys - [:max_depth]).empty?
          raise Failure,
                "--view, --only and --except select fields of a serializer: pass --serializer " \
                "FILE:Class too"
        end

        @keywords[:rules] = rules(options[:rules]) if options[:rules]
        @flush = options[:line_buffered] ? { flush: :record } : {}
      end

      # Whether JSON text must become values; else it can stay text.
      def values? = @serializer || @keywords.key?(:rules) ? true : false

      # @param value [Object] one value, or an Enumerator of records
      # @return [String, Object] the document, or `into`
      def write(value, into: nil)
        keywords = into ? @keywords.merge(into: into) : @keywords
        explained do
          @serializer ? @serializer.json!(value, **keywords) : ToJson.generate(value, **keywords)
        end
      end

      # A line for each; an error names the record, from 1.
      #
      # @param records [Enumerator]
      def write_lines(records, into:)
        return write_one_by_one(records, into) if @serializer && !@serializer.respond_to?(:ndjson)

        explained(RECORD) do
          (@serializer || ToJson).ndjson(records, **@keywords, **@flush, into: into)
        end
      end

      private

      # How the place of an error in a record of NDJSON begins.
      RECORD = /\A\$\[(\d+)\]/
      private_constant :RECORD

      # By a class that has no more than json!, such as one that includes ToJson::Serialize.
      def write_one_by_one(records, into)
        records.each.with_index(1) do |record, number|
          into.write("#{write(record)}\n")
        rescue Invalid => error
          raise Invalid, "record #{number}: #{error.message.b}"
        end
      end

      def explained(record = nil)
        yield
      rescue Failure, Invalid, PipeClosed
        raise
      rescue UnknownFieldError, UnknownViewError => error
        raise Failure, "--view, --only, --except: #{error.message}"
      rescue StandardError, SystemStackError => error
        raise Invalid, described(error, record)
      end

      def described(error, record)
        place = ToJson.location(error)
        message = error.message
        if record && (match = record.match(place.to_s))
          number = "record #{match[1].to_i + 1}: "
          message = message.scrub.sub(record, "$")
          place = place.sub(record, "$")
        end
        place = nil if place == "$" || (place && message.start_with?(place))
        # a dialect raises its library's classes
        ours = error.is_a?(ToJson::Error) || (@keywords.key?(:rules) && message.start_with?("$"))
        message = message.sub("Pass nan: :null", "Pass --nan null")
        text = ours ? message : "#{error.class}: #{message}"
        from = error.backtrace&.find { |line| @file && line.start_with?(@file) } unless ours
        [number, place && "#{place}: ", shortened(text),
         from && " (#{from[/\A[^:]+:\d+/]})"].compact.join("")
      end

      def rules(options)
        require "active_support/all" if options[:dialect] == :rails
        Rules.new(**options)
      rescue LoadError
        raise Failure,
              "--dialect rails needs the activesupport gem, which is not installed: gem install " \
              "activesupport"
      rescue ArgumentError => error
        raise Failure, error.message.sub(/\A\w+(?=:)/) { |name| "--#{name.tr("_", "-")}" }
      end

      # One line: before Ruby 3.4 a NoMethodError shows its whole receiver.
      def shortened(text)
        line = text.scrub.lines.first.to_s.chomp
        line.size > 300 ? "#{line[0, 300]}…" : line
      end

      # "serializers/post.rb:Api::PostSerializer"
      def find(reference)
        match = /\A(.+?):([A-Z]\w*(?:::[A-Z]\w*)*)\z/.match(reference)
        unless match
          raise Failure,
                "--serializer takes FILE:Class, such as post_serializer.rb:PostSerializer, got " \
                "#{reference.b}"
        end

        load_file(match[1])
        found = Object.const_get(match[2])
        return found if found.respond_to?(:json!)

        raise Failure,
              "--serializer: #{match[2]} is not a serializer: it has no method json!. Inherit " \
              "from ToJson::Serializer."
      rescue NameError => error
        raise unless error.instance_of?(NameError) && match

        raise Failure, "--serializer: #{match[1].b} defines no #{match[2]}"
      end

      def load_file(path)
        @file = File.expand_path(path)
        unless File.file?(@file)
          raise Failure, "--serializer: #{path.b}: #{Errno::ENOENT.new.message}"
        end

        require @file
      rescue StandardError, ScriptError => error
        raise if error.is_a?(Failure)

        raise Failure, "--serializer: #{path.b}: #{error.class}: #{error.message.b}"
      end
    end
  end
end
