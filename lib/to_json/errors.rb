# frozen_string_literal: true

# Layer: base. All error classes, and how an exception learns its place in the document.

module ToJson
  # The base class of all errors of this library. The message begins with the path in the document
  # and ends with advice.
  #
  # @example
  #   begin
  #     ToJson.generate({ users: [{ score: Float::NAN }] })
  #   rescue ToJson::Error => error
  #     error.path    # => "$.users[0].score"
  #     error.message
  #     # => "$.users[0].score: Float::NAN is not valid JSON. Pass nan: :null to write null …
  #   end
  class Error < StandardError
    # @return [String, nil] the path in the document, `"$"` for its root; nil before a document has
    #   begun
    attr_reader :path

    # @api private
    # What Ruby code of ours raised learns its path on the way out of the document.
    def place(path)
      return if @path

      @path = path
      @placed = true
    end

    # @return [String] the message, with the path in front if there is one
    def to_s = @placed ? "#{@path}: #{super}" : super
  end

  # A call in the wrong place: a value where a key is expected, two roots, a `close` without `open`.
  # Also a call while no document is being written.
  #
  # @example
  #   ToJson.json { |j| j.put :a, 1; j.value 2 }
  #   # !> ToJson::GrammarError: $: a value where a key is expected: …
  class GrammarError < Error; end

  # The data is nested deeper than `max_depth`. A structure that contains itself also ends this way.
  #
  # @example
  #   list = []
  #   list << list
  #   ToJson.generate(list, max_depth: 3)
  #   # !> ToJson::NestingError: $[0][0][0]: nested more than 3 deep. …
  class NestingError < Error; end

  # A String has bytes that are invalid in its encoding, or text that UTF-8 does not have.
  #
  # @example
  #   ToJson.generate(["ab\xFF"]) # !> ToJson::EncodingError: $[0]: …
  class EncodingError < Error; end

  # A number that JSON cannot express: NaN, Infinity.
  #
  # @example
  #   ToJson.generate(1 / 0.0) # !> ToJson::NumberError: $: Float::INFINITY is not valid JSON. …
  class NumberError < Error; end

  # A value has no JSON form under the current Rules.
  #
  # @example
  #   ToJson.generate({ at: Object.new })
  #   # !> ToJson::UnsupportedTypeError: $.at: Object has no JSON form. …
  class UnsupportedTypeError < Error; end

  # No serializer was named and none was found for the value of an association or for a model, or
  # `serializer:` names a class that does not exist.
  #
  # @example
  #   class TeamSerializer < ToJson::Serializer
  #     has_one :coach
  #   end
  #   TeamSerializer.json!({ coach: 5 })
  #   # !> ToJson::SerializerNotFound: $.coach: no serializer for Integer: tried …
  class SerializerNotFound < UnsupportedTypeError; end

  # The text of a {Fragment} is not exactly one JSON value.
  #
  # @example
  #   ToJson::Fragment.new("[1,]") # !> ToJson::FragmentError: …
  class FragmentError < Error; end

  # Two keys of one Hash have the same text, under `duplicates: :raise`.
  #
  # @example
  #   ToJson.generate({ "a" => 1, a: 2 }, duplicates: :raise)
  #   # !> ToJson::DuplicateKeyError: $.a: two keys of one Hash have the text "a". …
  class DuplicateKeyError < Error; end

  # The Sink cannot take bytes, or its `write` returned an invalid number. Also: a {Buffer} is
  # already in use.
  #
  # @example
  #   ToJson.generate(1, into: :file)
  #   # !> ToJson::SinkError: into: needs a String, or an object with write or <<; got Symbol.
  class SinkError < Error; end

  # The document cannot continue: text had to be taken back that was already delivered, or a `write`
  # of the Sink has raised, so nobody knows which bytes it has sent. Raised only if an earlier
  # exception was rescued inside the document.
  class PoisonedError < Error; end

  # A serializer class is wrong: it hides a word of the DSL, or declares something impossible.
  # Raised while the class is defined. If other classes matter, it is raised when the class is
  # compiled.
  #
  # @example
  #   Class.new(ToJson::Serializer) { def value = 1 } # !> ToJson::DefinitionError: …
  class DefinitionError < Error; end

  # `only:` or `except:` names an unknown field. The message lists the known fields.
  #
  # @example
  #   class MemoSerializer < ToJson::Serializer
  #     attributes :id, :text
  #   end
  #   MemoSerializer.json!({ id: 1, text: "" }, only: "id,txt")
  #   # !> ToJson::UnknownFieldError: MemoSerializer: unknown field "txt", did you mean "text"? …
  class UnknownFieldError < Error; end

  # The serializer does not declare this view. The message lists the views that it declares.
  #
  # @example
  #   class NoteSerializer < ToJson::Serializer
  #     view(:full) { attributes :text }
  #   end
  #   NoteSerializer.definition.resolve_views("fall")
  #   # !> ToJson::UnknownViewError: NoteSerializer: unknown view "fall", did you mean "full"? …
  class UnknownViewError < Error; end

  # `only:` or `except:` is malformed.
  #
  # @example
  #   ToJson::Selection.parse("id,author(name")
  #   # !> ToJson::SelectionError: "id,author(name", offset 9: "(" is not closed.
  class SelectionError < Error; end

  # There is no key for an object that is to be cached, or no store.
  #
  # @example
  #   class PinSerializer < ToJson::Serializer
  #     attributes :id
  #     cache key: :id, store: -> { nil }
  #   end
  #   PinSerializer.json!({ id: 1 })
  #   # !> ToJson::CacheError: $: PinSerializer: cache: there is no store. …
  class CacheError < Error; end

  # A document cannot be read: it is not JSON, or not what the writable fields of a serializer
  # accept. Nothing was assigned. In a web application, the client causes this error.
  #
  # @example
  #   class WishSerializer < ToJson::Serializer
  #     attribute :count, as: :integer, writable: true
  #   end
  #   require "json"
  #   begin
  #     WishSerializer.parse('{"count":"many"}')
  #   rescue ToJson::ReadError => error
  #     error.pointer  # => "/count"
  #     error.message  # => "/count: takes an integer; got String \"many\"."
  #   end
  class ReadError < Error
    # What is wrong at one place of a document. Frozen.
    #
    # @example
    #   class TaskSerializer < ToJson::Serializer
    #     attribute :done, as: :boolean, writable: true
    #   end
    #   begin
    #     TaskSerializer.parse({ done: "maybe" })
    #   rescue ToJson::ReadError => error
    #     problem = error.problems.first
    #     problem.pointer # => "/done"
    #     problem.code    # => :type
    #     problem.message # => "takes true or false; got String \"maybe\"."
    #   end
    class Problem
      # @return [String] a JSON Pointer (RFC 6901), "" for the whole document
      attr_reader :pointer
      # @return [String] what the field accepts and what came
      attr_reader :message
      # @return [Symbol] `:type`, `:range`, `:choice`, `:unknown`, `:not_writable`, `:missing`,
      #   `:duplicate`, `:depth`, `:size`, `:encoding`, `:syntax` or `:invalid`
      attr_reader :code

      # @api private
      def initialize(pointer, message, code)
        @pointer, @message, @code = pointer, message, code
        freeze
      end

      # @return [String] the place and the message
      def to_s = "#{place}: #{message}"

      private

      # A client's key may have line breaks. They must not start new lines of a log.
      def place
        return "the document" if pointer.empty?

        pointer.gsub(/[[:cntrl:]]/u) { |one| format("\\u%04x", one.ord) }
      end
    end

    # @return [Array<Problem>] one, or with `errors: :all` all that were found
    attr_reader :problems
    # @return [Integer, nil] the line of NDJSON, counted from 1
    attr_reader :line
    # @api private
    # @return [Class, nil] the serializer that read
    attr_reader :serializer
    # @api private
    # @return [Array<Symbol>] its views
    attr_reader :views
    # @api private
    # @return [String, nil] the root of the call, if the class declares none
    attr_reader :root

    # @api private
    # @param problems [Array<Problem>, String] a String if another library makes a copy of the
    #   error: Minitest does so for an exception whose class has no name
    def initialize(problems, line = nil)
      return initialize([Problem.new("", problems.dup.freeze, :invalid)], line) if
        String === problems

      @problems, @line = problems.freeze, line
      super([("line #{line}: " if line), problems.join(" ")].join(""))
    end

    # @return [String] the JSON Pointer of the first problem
    def pointer = @problems.first.pointer

    # @api private
    # @return [self]
    def read_by(serializer, views, root = nil)
      @serializer ||= serializer
      @views ||= views
      @root ||= (root.to_s if Symbol === root || String === root)
      self
    end

    # Returns the problems as errors of ActiveModel, which must be loaded, for forms and for `render
    # json: error.model_errors, status: 422`. A problem inside an association is named, for example,
    # `comments[3].body`. A name that only a client chose is `:base`, or the field that contains it.
    #
    # @example
    #   ToJson::ReadError.method_defined?(:model_errors) # => true
    # @param model [Object, nil] whose errors these become; nil: an object without other errors
    # @return [ActiveModel::Errors]
    # @raise [Error] if ActiveModel is not loaded
    def model_errors(model = nil)
      FirstUse.of(:Reading)
      Reading::ModelErrors.of(self, model)
    end
  end

  # The N+1 guard is set to `:raise`, and a document loads an association record by record. The
  # message names the field and what to declare. Defined everywhere, raised only beside
  # ActiveRecord.
  #
  # @example
  #   ToJson::NPlusOneError.superclass # => ToJson::Error
  class NPlusOneError < Error; end

  # Puts the path into the detailed message of an exception of the user's own, where exceptions have
  # one (Ruby >= 3.2).
  # @api private
  module Located
    # Where it happened, and what to do about a serialize that got many objects instead of one.
    # @param declared_at [String, nil]
    # @return [String] for the end of a message
    def self.words(error, declared_at = nil)
      place = ToJson.location(error)
      declared = ", declared at #{declared_at}" if declared_at
      many = "; a collection was passed: if serialize takes one object, call many(objects)"
      " (to_json: at #{place}#{declared}#{many if of_many?(error, place)})"
    end

    # Whether a collection was asked for what it does not have, by the `serialize` of a document.
    def self.of_many?(error, place)
      return false unless NoMethodError === error && !place.include?("[")

      receiver = error.receiver
      Array === receiver || (Object === receiver && receiver.respond_to?(:to_ary))
    rescue StandardError
      false # it has no receiver, or that cannot be asked
    end
    private_class_method :of_many?

    def detailed_message(...) # a class's own method may take no keywords
      "#{super(...)}#{Located.words(self)}"
    end
  end

  # Returns the place in the document where an exception was raised that left `json!`, `encode!` or
  # `generate`. It works for our exceptions and for your own.
  #
  # Caveats: on Ruby 3.2 and newer, the detailed message of an exception of your own contains the
  # place too, but only if no other Ractor exists when it is raised. With Ractors, call this method.
  # An exception object that is raised again in another document keeps its place in the first one.
  #
  # @example
  #   begin
  #     ToJson.generate([1, Class.new { def to_h = raise("no") }.new])
  #   rescue => error
  #     ToJson.location(error) # => "$[1]"
  #   end
  #
  # @param error [Exception]
  # @return [String, nil] the path; nil if the exception did not pass through a document
  def self.location(error)
    error.is_a?(Error) ? error.path : error.instance_variable_get(:@__to_json_location)
  end

  # Returns the line of the class body that declares the field which was being read when an
  # exception left the document. Frames of generated code stand for it in the backtrace.
  #
  # @example
  #   class OddSerializer < ToJson::Serializer
  #     attributes :id, :nme
  #   end
  #   begin
  #     OddSerializer.json!(Class.new { def id = 1 }.new)
  #   rescue NoMethodError => error
  #     ToJson.declaration(error)[/:\d+:in .nme'/].class # => String
  #   end
  # @param error [Exception]
  # @return [String, nil] such as `"/app/serializers/post_serializer.rb:3:in `title'"`; nil if no
  #   generated code was at work
  def self.declaration(error)
    frame = error.backtrace&.find { |line| line.start_with?("(to_json ") }
    Compiler::FieldLines.declared(frame) if frame
  end

  # Returns how many bytes of the document the Sink had taken when an exception left `json!`,
  # `encode!` or `generate`. The exception may be ours, the Sink's, or your own. 0 means that
  # nothing was sent, so another answer is still possible.
  #
  # Caveats: only complete calls of `write`, or the numbers that they returned, are counted. If a
  # `write` raised, only the Sink knows how much of that text it passed on.
  #
  # @example
  #   lines = []
  #   begin
  #     ToJson.generate([1, Float::NAN], into: lines)
  #   rescue ToJson::NumberError => error
  #     ToJson.delivered(error) # => 0
  #   end
  #
  # @param error [Exception]
  # @return [Integer, nil] the number for the outermost document into an IO; nil if there was none
  def self.delivered(error) = error.instance_variable_get(:@__to_json_delivered)

  # Returns the attributes that `read` had assigned when a setter raised the exception. Returns an
  # empty Array for a Struct, which has its old values again, and if what builds an object raised,
  # because nothing is assigned before that.
  #
  # @example
  #   class Shy
  #     attr_writer :name
  #     def age=(_)
  #       raise "no"
  #     end
  #   end
  #   class ShySerializer < ToJson::Serializer
  #     attributes :name, :age, writable: true
  #   end
  #   begin
  #     ShySerializer.read({ name: "Ann", age: 7 }, into: Shy.new)
  #   rescue => error
  #     ToJson.assigned(error) # => [:name]
  #   end
  # @param error [Exception]
  # @return [Array<Symbol>, nil] the attributes; nil if the exception did not leave `read`
  def self.assigned(error) = error.instance_variable_get(:@__to_json_assigned)

  DETAILED_MESSAGES = Exception.method_defined?(:detailed_message)
  private_constant :DETAILED_MESSAGES

  # Called once for each exception that passes through a document (tj_locate asks whether it was).
  # respond_to? of each made YJIT of 3.4 keep a method entry of each for ever.
  #
  # `extend` makes a singleton class. Two Ractors that make one at once corrupt the heap: Ruby links
  # it to its superclass without a lock (seen with 3.1.2 and 3.4.5). So only a lone Ractor does.
  # 2.times { Ractor.new { loop { Object.new.singleton_class } } }; sleep
  # @api private
  def self.located(error, path)
    return if error.frozen? # a constant, or one made shareable: it passes through as it is
    return error.place(path.freeze) if error.is_a?(Error)

    error.instance_variable_set(:@__to_json_location, path.freeze)
    error.extend(Located) if DETAILED_MESSAGES && Ractor.count == 1
  end
end
