# frozen_string_literal: true

require "json"
require "time"

module Bench
  # Documents to read: ten fields, two of which are an object and a list of objects.
  module Readings
    # What is built: objects with setters.
    class Plain
      class << self
        attr_reader :names

        def with(*names)
          Class.new(self) do
            @names = names
            attr_accessor(*names)
          end
        end
      end

      def to_h
        self.class.names.to_h { |name| [name, Readings.plain(public_send(name))] }
      end
    end
    Author = Plain.with(:name, :email)
    Comment = Plain.with(:author, :body, :score)
    Article = Plain.with(:title, :slug, :subtitle, :views, :rating, :published, :published_at,
                         :released_on, :author, :comments)

    class << self
      # @return [Array<String>] eight documents, as browsers send them
      def texts = Array.new(8) { |index| JSON.generate(camel(document(index))) }

      # What was read, as text: the same for all who read it.
      def text(read) = JSON.generate(plain(read))

      # A document with the names that objects have.
      def snake(text) = text.gsub(/[A-Z](?=\w*":)/) { |letter| "_#{letter.downcase}" }

      def plain(value)
        case value
        when Plain then value.to_h
        when Hash then value.to_h { |key, one| [key, plain(one)] }
        when Array then value.map { |one| plain(one) }
        when Time, DateTime then value.to_time.utc.iso8601(3)
        when Date then value.iso8601
        when nil, true, false, String, Numeric then value
        else # of Shale
          value.class.attributes.keys.to_h { |name| [name, plain(value.public_send(name))] }
        end
      end

      # What parameters of Rails are made from: names in snake_case, under a root.
      def parameters
        Array.new(8) do |index|
          ActiveSupport::HashWithIndifferentAccess.new("article" => document(index))
        end
      end

      private

      def document(index)
        { "title" => "How to brew tea, part #{index}", "slug" => "how-to-brew-tea-#{index}",
          "subtitle" => index.odd? ? "Water, leaves & time" : nil, "views" => 12_345 + index,
          "rating" => 4.25 + (index / 8.0), "published" => index.even?,
          "published_at" => "2026-11-#{10 + index}T08:30:15.125Z",
          "released_on" => "2026-12-#{10 + index}",
          "author" => { "name" => "Ann Example #{index}", "email" => "ann#{index}@example.org" },
          "comments" => Array.new(3) do |number|
            { "author" => "Reader #{number}", "body" => "I like the part about leaf no. #{number}.",
              "score" => index + number }
          end }
      end

      def camel(value)
        case value
        when Hash
          value.to_h { |key, one| [key.gsub(/_(\w)/) { $1.upcase }, camel(one)] }
        when Array then value.map { |one| camel(one) }
        else value
        end
      end
    end
  end
end
