# frozen_string_literal: true

# Demo, checking: is a document what the database says? Asked of a parser that shares no code with
# us.

require "json"

module Demo
  # A document that is wrong: the demo's own failure, reported without a backtrace.
  class Mismatch < StandardError
  end

  module Document
    # @param json [String] the text of a catalogue
    # @param expected [Hash{Symbol => Integer}] what SQL counted, see Database#counts
    # @return [Hash{Symbol => Integer}] the same numbers, taken from the text
    # @raise [Mismatch] names the first number that differs
    def self.check(json, expected)
      counted = counts(JSON.parse(json))
      expected.each do |name, number|
        next if counted[name] == number

        raise Mismatch, "the document has #{counted[name].inspect} #{name}, the database #{number}"
      end
      counted
    rescue JSON::ParserError => error
      raise Mismatch, "the json gem cannot read the document: #{error.message[0, 200]}"
    end

    # @return [Hash{Symbol => Integer}] of a parsed catalogue
    def self.counts(catalogue)
      gems = catalogue.fetch("gems")
      files = gems.flat_map { |gem| gem["files"] }
      { gems: gems.size, authors: gems.sum { |gem| gem["authors"].size },
        dependencies: gems.sum do |gem|
          gem["dependencies"].size
        end,
        files: files.size, bytes: files.sum { |file| file["bytes"] || 0 } }
    end

    # @param documents [Hash{String => String}] name of the way => its text
    # @raise [Mismatch] names the way whose text does not parse to the same as the first one's, and
    #   where
    def self.compare(documents)
      (reference_name, reference), *others = documents.map { |name, text| [name, JSON.parse(text)] }
      others.each do |name, parsed|
        where = difference(reference, parsed)
        raise Mismatch, "#{name} differs from #{reference_name} at #{where}" if where
      end
      nil
    end

    # @param documents [Hash{String => String}] name of the way => its text
    # @raise [Mismatch] names the way whose text is not the first one's, and from which byte on
    def self.identical(documents)
      (reference_name, reference), *others = documents.to_a
      name, other = others.find { |_, text| text != reference }
      return if name.nil?

      byte = reference.each_byte
               .with_index
               .find { |value, index| value != other.getbyte(index) }
               &.last || reference.bytesize
      raise Mismatch, "#{name} differs from #{reference_name} from byte #{byte} on"
    end

    # @return [String, nil] the path of the first difference of two parsed documents
    def self.difference(one, other, path = "$")
      if one.is_a?(Hash) && other.is_a?(Hash)
        return "#{path} (keys #{one.keys} and #{other.keys})" unless one.keys == other.keys

        one.each do |key, value|
          (found = difference(value, other[key], "#{path}.#{key}")) and return found
        end
        nil
      elsif one.is_a?(Array) && other.is_a?(Array)
        return "#{path} (#{one.size} and #{other.size} elements)" unless one.size == other.size

        one.each_with_index do |value, i|
          (found = difference(value, other[i], "#{path}[#{i}]")) and return found
        end
        nil
      elsif !one.eql?(other)                             # 1 and 1.0 are two documents
        "#{path} (#{one.inspect} and #{other.inspect})"
      end
    end
  end
end
