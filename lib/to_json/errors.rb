# frozen_string_literal: true

# Layer: errors. One vocabulary for all that can go wrong, and where it went wrong.

module ToJson
  # What every error of this library is. Its message begins with the path in the document and ends with
  # what to do.
  #
  # @example
  #   begin
  #     ToJson.generate({ users: [{ score: Float::NAN }] })
  #   rescue ToJson::Error => error
  #     error.path    # => "$.users[0].score"
  #     error.message # => "$.users[0].score: Float::NAN is not valid JSON. Pass nan: :null to write null instead."
  #   end
  class Error < StandardError
    # @return [String, nil] where in the document, `"$"` being its root; nil before a document has begun
    attr_reader :path

    # @api private
    # What Ruby code of ours raised learns its path on the way out of the document.
    def place(path)
      return if @path

      @path = path
      @placed = true
    end

    # @return [String] beginning with the path, where there is one
    def to_s = @placed ? "#{@path}: #{super}" : super
  end

  # Calls in an order that makes no JSON: a value where a key is due, two roots, an unmatched `close`; or a call where
  # no document is being written.
  #
  # @example
  #   ToJson.json { |j| j.put :a, 1; j.value 2 } # !> ToJson::GrammarError: $: a value where a key is due: …
  class GrammarError < Error; end

  # Nested deeper than `max_depth`, which is also how a structure that contains itself ends.
  #
  # @example
  #   list = []
  #   list << list
  #   ToJson.generate(list, max_depth: 3) # !> ToJson::NestingError: $[0][0][0]: nested more than 3 deep. …
  class NestingError < Error; end

  # Bytes that are no text in their String's encoding, or text that has no UTF-8 form.
  #
  # @example
  #   ToJson.generate(["ab\xFF"]) # !> ToJson::EncodingError: $[0]: …
  class EncodingError < Error; end

  # A number that JSON cannot express: NaN, Infinity.
  #
  # @example
  #   ToJson.generate(1 / 0.0) # !> ToJson::NumberError: $: Float::INFINITY is not valid JSON. Pass nan: :null to write null instead.
  class NumberError < Error; end

  # A value of a class that has no JSON form under the Rules in force.
  #
  # @example
  #   ToJson.generate({ at: Object.new }) # !> ToJson::UnsupportedTypeError: $.at: Object has no JSON form. …
  class UnsupportedTypeError < Error; end

  # A value of an association, or a model, where no serializer was named and none is found; a name that leads to none.
  #
  # @example
  #   class TeamSerializer < ToJson::Serializer
  #     has_one :coach
  #   end
  #   TeamSerializer.json!({ coach: 5 }) # !> ToJson::SerializerNotFound: $.coach: no serializer for Integer: tried …
  class SerializerNotFound < UnsupportedTypeError; end

  # Text that was to be spliced in but is not one JSON value.
  #
  # @example
  #   ToJson::Fragment.new("[1,]") # !> ToJson::FragmentError: …
  class FragmentError < Error; end

  # Two keys of one Hash read the same, under `duplicates: :raise`.
  #
  # @example
  #   ToJson.generate({ "a" => 1, a: 2 }, duplicates: :raise) # !> ToJson::DuplicateKeyError: $.a: two keys of one Hash read "a". …
  class DuplicateKeyError < Error; end

  # The Sink cannot take bytes, or its `write` answered what no `write` may answer. A {Buffer} is at work already.
  #
  # @example
  #   ToJson.generate(1, into: :file) # !> ToJson::SinkError: into: needs a String, or an object with write or <<; got Symbol.
  class SinkError < Error; end

  # Bytes that had to be taken back were delivered already, so this document cannot go on.
  class PoisonedError < Error; end

  # A serializer class that contradicts the DSL, or declares what cannot be; raised while it is defined, or where that takes
  # other classes, when it is compiled.
  #
  # @example
  #   Class.new(ToJson::Serializer) { def value = 1 } # !> ToJson::DefinitionError: …
  class DefinitionError < Error; end

  # A name in `only:` or `except:` that no field has. The message lists the fields that there are.
  #
  # @example
  #   class MemoSerializer < ToJson::Serializer
  #     attributes :id, :text
  #   end
  #   MemoSerializer.json!({ id: 1, text: "" }, only: "id,txt")
  #   # !> ToJson::UnknownFieldError: MemoSerializer: unknown field "txt", did you mean "text"? Known: id, text.
  class UnknownFieldError < Error; end

  # A view that the serializer does not declare. The message lists those that it does.
  #
  # @example
  #   class NoteSerializer < ToJson::Serializer
  #     view(:full) { attributes :text }
  #   end
  #   NoteSerializer.definition.resolve_views("fall")
  #   # !> ToJson::UnknownViewError: NoteSerializer: unknown view "fall", did you mean "full"? Known: full.
  class UnknownViewError < Error; end

  # An `only:` or `except:` that is none.
  #
  # @example
  #   ToJson::Selection.parse("id,author(name") # !> ToJson::SelectionError: "id,author(name", offset 9: "(" is not closed.
  class SelectionError < Error; end

  # A part that was to be cached has no key, or there is no store for it.
  #
  # @example
  #   class PinSerializer < ToJson::Serializer
  #     attributes :id
  #     cache key: :id, store: -> { nil }
  #   end
  #   PinSerializer.json!({ id: 1 }) # !> ToJson::CacheError: $: PinSerializer: cache: there is no store. …
  class CacheError < Error; end

  # Puts the path into the detailed message of an exception of the user's own, where exceptions have
  # one (Ruby >= 3.2).
  # @api private
  module Located
    def detailed_message(highlight: false, **)
      "#{super} (to_json: at #{@__to_json_location})"
    end
  end

  # Where in the document an exception passed that left `json!`, `encode!` or `generate`, be it ours or
  # the user's own.
  #
  # Caveats: on Ruby 3.2 and newer, the detailed message of an exception of your own tells the place
  # too, but only if no other Ractor exists when it is raised. With Ractors, call this method.
  #
  # @example
  #   begin
  #     ToJson.generate([1, Class.new { def to_h = raise("no") }.new])
  #   rescue => error
  #     ToJson.location(error) # => "$[1]"
  #   end
  #
  # @param error [Exception]
  # @return [String, nil] the path, nil for an exception that no document saw
  def self.location(error)
    error.is_a?(Error) ? error.path : error.instance_variable_get(:@__to_json_location)
  end

  # How many bytes of its document a Sink had taken when an exception left `json!`, `encode!` or `generate`, be it ours, the
  # Sink's or your own code's. 0: nothing has left, so another answer can still be given.
  #
  # Caveats: what counts are whole calls of `write`, or what they answered. How much of its last text a `write` that raised passed on,
  # nobody knows but the Sink.
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
  # @return [Integer, nil] of the outermost document into an IO that it left; nil where there was none
  def self.delivered(error) = error.instance_variable_get(:@__to_json_delivered)

  DETAILED_MESSAGES = Exception.method_defined?(:detailed_message)
  private_constant :DETAILED_MESSAGES

  # Called once for each exception that passes through a document (tj_locate asks whether it was). respond_to? of each
  # made YJIT of 3.4 keep a method entry of each for ever.
  #
  # `extend` makes a singleton class. Two Ractors that make one at once corrupt the heap: Ruby links
  # it to its superclass without a lock (seen with 3.1.2 and 3.4.5). So only a lone Ractor does.
  # 2.times { Ractor.new { loop { Object.new.singleton_class } } }; sleep
  # @api private
  def self.located(error, path)
    return error.place(path.freeze) if error.is_a?(Error)

    error.instance_variable_set(:@__to_json_location, path.freeze)
    error.extend(Located) if DETAILED_MESSAGES && Ractor.count == 1
  end
end
