# frozen_string_literal: true

# Layer: blog_contenders. The contenders of collections, which scenarios 6 and 9 share: of each kind of object the same fields for who
# writes by hand, for Jbuilder, and for the serializers of blog/*.rb.

require_relative "blog_contenders"

module Bench
  # Adds contenders to a table whose `v` is a collection, or is made one by `read`.
  module BlogCollections
    COMMENT = ["comment", %i[id body author]].freeze
    POST = ["post", %i[id title body]].freeze

    class << self
      # 100 posts with 10 comments each.
      def articles(table, **more) = add(table, "Article", "post", %i[id title body author_name], include: {comments: COMMENT}, **more)

      # Comments alone.
      def comments(table, **more) = add(table, "Comment", *COMMENT, **more)

      # Authors with their posts.
      def authors(table, **more) = add(table, "Author", "author", %i[id name], include: {posts: POST}, **more)

      private

      # `include` is one association, with the name of an element and its fields; `read` makes `v` what is serialized; `gems`: these only;
      # `fastest`: by hand only what is.
      def add(table, serializer, one, fields, include: nil, read: nil, gems: nil, fastest: false)
        association, element = include&.first
        BlogContenders.many(table, serializer, include: association, read: read, gems: gems, jbuilder: jbuilder(one, fields, association, element))
        Hand.add(table, read: read, fastest: fastest, hash: "v.map { |#{one}| #{hash(one, fields, association, element)} }", write: <<~RUBY)
          writer.push_array
          v.each do |#{one}|
          #{write(one, fields, association, element).gsub(/^/, "  ")}
          end
          writer.pop
        RUBY
      end

      def jbuilder(one, fields, association, element)
        names = ->(list) { list.map(&:inspect).join(", ") }
        return "Jbuilder.encode { |json| json.array! v, #{names[fields]} }" unless association

        <<~RUBY
          Jbuilder.encode do |json|
            json.array! v do |#{one}|
              json.extract! #{one}, #{names[fields]}
              json.#{association} #{one}.#{association}, #{names[element.last]}
            end
          end
        RUBY
      end

      def hash(one, fields, association = nil, element = nil)
        pairs = fields.map { |field| "#{field}: #{one}.#{field}" }
        pairs << "#{association}: #{one}.#{association}.map { |#{element.first}| #{hash(*element)} }" if association
        "{#{pairs.join(", ")}}"
      end

      # Lines that write one object.
      def write(one, fields, association = nil, element = nil)
        lines = ["writer.push_object", *fields.map { |field| "writer.push_value(#{one}.#{field}, \"#{field}\")" }]
        if association
          lines << "writer.push_array(\"#{association}\")" << "#{one}.#{association}.each do |#{element.first}|"
          lines << write(*element).gsub(/^/, "  ") << "end" << "writer.pop"
        end
        [*lines, "writer.pop"].join("\n")
      end
    end
  end
end
