# frozen_string_literal: true

# Layer: reading. Parses JSON text with the json gem or Oj, whichever is loaded.

require "strscan"

module ToJson
  module Reading
    # First, the validator of this gem checks the text. So both libraries accept the same texts:
    # JSON as RFC 8259 defines it, in UTF-8, without comments or NaN. The parser of the library
    # checks only the depth, and that no key is twice in one object.
    # @api private
    module Parser
      # A Hash that raises for a key that it already has. For versions of json that have no option
      # for that.
      class Pairs < Hash
        def []=(key, value)
          raise Repeated if key?(key)

          super
        end
      end

      # Raised if an object has a key twice, or if the text is nested too deep.
      class Repeated < StandardError; end

      GOOD = '[{"a":[1.5,"b",null,true]}]'
      TWICE = '{"a":{"b":1,"b":2}}'
      DEEP = "[[[[1]]]]"
      SURROGATE = /\\u[dD][89a-fA-F]/u
      private_constant :GOOD, :TWICE, :DEEP, :SURROGATE

      class << self
        # @param text [String] in any encoding; binary text is taken for UTF-8
        # @param max_depth [Integer]
        # @return [Object]
        # @raise [ReadError]
        def parse(text, max_depth)
          text = utf8(text) unless text.encoding == Encoding::UTF_8
          # The exception of a Timeout must wait, because a StandardError may be a sign that the
          # library is unfit. That of a signal's handler does not wait: FromOutside recognizes it.
          parser = @chosen || FirstUse.uninterrupted { choose }
          begin
            Fragment.new(text) # checks it
            refuse_half(text, max_depth) if text.match?(SURROGATE)
            parser.call(text, max_depth)
          rescue ReadError
            raise
          rescue FragmentError => error
            raise ReadError.new([no_json(text, error)])
          rescue StandardError => error
            if FromOutside.raised?(error) { Fragment.new(text) && parser.call(text, max_depth) }
              raise error
            end

            raise ReadError.new([Scan.new(text, max_depth).problem || problem_of(error)])
          end
        end

        # Tries each library once, and returns the first that accepts and refuses what it must. The
        # choice is kept, whatever replaces JSON.parse later (as Oj.mimic_JSON does).
        # @return [#call]
        # @raise [Error] if there is no library
        def choose
          found = nil
          PARSERS.each { |kind| found ||= working(kind) }
          unless found
            raise Error,
                  "JSON is parsed by the json gem or Oj, and neither is loaded. Add require " \
                  "\"json\"."
          end
          Ractor.current == Ractor.main ? @chosen = found : found
        end

        # Chooses in advance. Call it in the main Ractor, because only a choice made there is kept
        # for all.
        def choose_if_loaded
          return unless @chosen.nil? && (Library.loaded(:JSON) || Library.loaded(:Oj))

          FirstUse.uninterrupted { choose }
        end

        private

        # Half of a surrogate pair is valid in JSON, but no String in UTF-8 can have it.
        def refuse_half(text, max_depth)
          return unless Scan.half?(text)

          problem = Scan.new(text, max_depth).problem and raise ReadError.new([problem])
        end

        # @return [#call, nil] nil: the library is not loaded, or it accepts a text that it must
        #   refuse
        def working(kind)
          parser = Ractor.make_shareable(kind.new)
          parser if reads?(parser) && refuses?(parser, TWICE) && refuses?(parser, DEEP)
        rescue StandardError => error # NameError among them
          raise error if FromOutside.raised?(error) { reads?(kind.new) }

          nil
        end

        def reads?(parser) = parser.call(GOOD, 3) == [{ "a" => [1.5, "b", nil, true] }]

        def refuses?(parser, text)
          given_to(parser, text)
          false
        rescue StandardError => error
          raise error if FromOutside.raised?(error) { given_to(parser, text) }

          true
        end

        def given_to(parser, text)
          parser.call(text, 3)
          parser.call(text, USUAL_DEPTH) if text == TWICE
        end

        def utf8(text)
          case text.encoding
          when Encoding::BINARY, Encoding::US_ASCII then text.dup.force_encoding(Encoding::UTF_8)
          else text.encode(Encoding::UTF_8)
          end
        rescue ::EncodingError
          problem = "cannot be converted from #{text.encoding} to UTF-8."
          raise ReadError.new([ReadError::Problem.new("", problem, :encoding)])
        end

        def no_json(text, error)
          said = error.message[/not valid JSON: (.+? at offset \d+)/mu, 1]
          code = text.valid_encoding? ? :syntax : :encoding
          ReadError::Problem.new("", "is no valid JSON: #{said}.", code)
        end

        def problem_of(error)
          said = error.message.scrub("?").lines("\n").first.to_s.chomp("\n")[0, 200]
          ReadError::Problem.new("", "is no valid JSON: #{said}.", :syntax)
        end
      end

      # json >= 2.13, which keeps options in a Coder.
      class ByCoder
        def initialize
          @coder = coder(USUAL_DEPTH)
        end

        def call(text, max_depth)
          (max_depth == USUAL_DEPTH ? @coder : coder(max_depth)).parse(text)
        end

        private

        def coder(max_depth)
          ::JSON::Coder.new(max_nesting: max_depth, allow_duplicate_key: false)
        end
      end

      # Older versions of json.
      class ByPairs
        def call(text, max_depth)
          ::JSON.parse(text, max_nesting: max_depth, object_class: Pairs)
        end
      end

      class ByOj
        # As json does, whatever Oj.default_options say.
        OJ_OPTIONS = { bigdecimal_load: :float, compat_bigdecimal: false, symbol_keys: false,
                       empty_string: true }.freeze

        def call(text, max_depth)
          handler = OjHandler.new(max_depth)
          ::Oj.sc_parse(handler, text, OJ_OPTIONS)
          handler.value
        end
      end

      # Versions of json that have neither option. The text is scanned first.
      class ByScan
        def call(text, max_depth)
          raise Repeated if Scan.new(text, max_depth).problem

          ::JSON.parse(text, max_nesting: max_depth)
        end
      end

      USUAL_DEPTH = 100
      PARSERS = [ByCoder, ByPairs, ByOj, ByScan].freeze
      private_constant :ByCoder, :ByPairs, :ByOj, :ByScan, :USUAL_DEPTH, :PARSERS

      # Builds the values that Oj reads, because Oj itself accepts a key twice, and any depth.
      class OjHandler
        # @return [Object] what was read
        attr_reader :value

        def initialize(max_depth)
          @left = max_depth
        end

        def hash_start = deeper({})
        def hash_end = @left += 1
        def array_start = deeper([])
        def array_end = @left += 1
        def array_append(array, value) = array << value
        def add_value(value) = @value = value

        def hash_set(hash, key, value)
          raise Repeated if hash.key?(key)

          hash[key] = value
        end

        private

        def deeper(container)
          raise Repeated if @left.zero?

          @left -= 1
          container
        end
      end
      private_constant :OjHandler
    end

    # Finds the place where valid JSON has a key twice or half of a surrogate pair, or is nested too
    # deep. For parsers that refuse such a text without the place, or accept it.
    # @api private
    class Scan
      # What follows a backslash.
      PAIR = /u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h/u
      HALF = /u[dD][89a-fA-F]/u
      private_constant :PAIR, :HALF

      # @param text [String] JSON, or one String of it
      # @return [Boolean] whether half of a surrogate pair is in it (RFC 8259, section 8.2)
      def self.half?(text)
        scanner = StringScanner.new(text)
        while scanner.skip_until(/\\/u)
          next if scanner.skip(PAIR)
          return true if scanner.match?(HALF)

          scanner.getch # a backslash, or the first character of another escape
        end
        false
      end

      def initialize(text, max_depth)
        @scanner, @max_depth, @path = StringScanner.new(text), max_depth, []
      end

      # @return [ReadError::Problem, nil]
      def problem
        catch(:found) do
          value
          nil
        end
      end

      private

      def value
        if @scanner.skip(/\s*\{\s*/u) then object
        elsif @scanner.skip(/\s*\[\s*/u) then array
        elsif @scanner.match?(/\s*"/u) then check_text(text)
        else @scanner.skip(/\s*[^\s,\]}]+/u)
        end
      end

      def object
        check_depth
        seen = {}
        until @scanner.skip(/\s*\}/u)
          @scanner.skip(/\s*,/u)
          name = text
          @path << Tree.parse(name)
          check_text(name)
          found("appears twice in one object.", :duplicate) if seen.key?(@path.last)
          seen[@path.last] = true
          @scanner.skip(/\s*:/u)
          value
          @path.pop
        end
      end

      def array
        check_depth
        index = -1
        until @scanner.skip(/\s*\]/u)
          @scanner.skip(/\s*,/u)
          @path << (index += 1)
          value
          @path.pop
        end
      end

      # One pattern for all of it would take up to 40 bytes of memory for each character.
      # @return [String] with its quotation marks
      def text
        from = @scanner.pos
        @scanner.skip(/\s*"/u)
        @scanner.getch while @scanner.skip_until(/["\\]/u) && @scanner.matched == "\\"
        @scanner.string.byteslice(from...@scanner.pos)
      end

      def check_text(text)
        found("has half of a surrogate pair.", :encoding) if Scan.half?(text)
      end

      def check_depth
        return if @path.size < @max_depth

        found("is nested more than #{@max_depth} deep.", :depth)
      end

      def found(message, code)
        throw(:found, ReadError::Problem.new(Pointer.of(@path), message, code))
      end
    end
  end
end
