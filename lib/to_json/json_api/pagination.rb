# frozen_string_literal: true

# Layer: json_api. Links to the other pages of a collection.

module ToJson
  module JsonApi
    # Makes the links `self`, `first`, `prev`, `next` and `last` of a page of Kaminari, Pagy or
    # WillPaginate, or of anything with their methods.
    #
    # @example
    #   page = Struct.new(:current_page, :total_pages).new(2, 3)
    #   links = ToJson::JsonApi::Pagination.links(page, url: "https://example.com/posts",
    #                                             params: { "sort" => "-id" })
    #   links[:next] # => https://example.com/posts?sort=-id&page%5Bnumber%5D=3
    #   links[:prev] # => https://example.com/posts?sort=-id&page%5Bnumber%5D=1
    module Pagination
      # The methods that return the number of a page: first that of Kaminari and WillPaginate, then
      # those of Pagy.
      CURRENT = %i[current_page page].freeze
      LAST = %i[total_pages pages last].freeze
      private_constant :CURRENT, :LAST

      class << self
        # @param page [#current_page, #page]
        # @param url [String] that of the collection, without a query
        # @param params [Hash] the query parameters of the request, nested as Rack has them
        # @param name [String] the name in the brackets of `page[…]` that has the number
        # @return [Hash{Symbol => String, nil}] nil: there is no such page. Without `last` if the
        #   pages are not counted
        # @raise [ArgumentError] if `page` is no page
        def links(page, url:, params: {}, name: "number")
          unless page?(page)
            raise ArgumentError, "pagination: takes a page of Kaminari, Pagy or WillPaginate; " \
                                 "got #{Lookup.class_of(page)}"
          end

          numbers(page).transform_values { |number| number && address(url, params, name, number) }
        end

        # @return [Boolean] whether an object tells which page it is
        def page?(object)
          return false unless Object === object

          object.respond_to?(:current_page) ||
            (object.respond_to?(:page) && object.respond_to?(:next))
        end

        private

        def numbers(page)
          current = ask(page, CURRENT)
          last = ([ask(page, LAST), 1].max if counted?(page))
          { self: current, first: 1, prev: preceding(current, last),
            next: following(page, current, last), **(last ? { last: last } : {}) }
        end

        # Whether the pages are counted. Kaminari and Pagy have pages without a count, whose
        # total_pages raises.
        def counted?(page)
          return false if defined?(::Kaminari::PaginatableWithoutCount) &&
                          ::Kaminari::PaginatableWithoutCount === page
          return false if defined?(::Pagy) && ::Pagy === page && page.count.nil?

          LAST.any? { |name| page.respond_to?(name) }
        end

        def preceding(current, last)
          [current - 1, *last].min if current > 1
        end

        def following(page, current, last)
          return (current + 1 if current < last) if last

          ask(page, page.respond_to?(:next_page) ? %i[next_page] : %i[next])
        end

        def ask(page, names) = page.public_send(names.find { |name| page.respond_to?(name) })

        def address(url, params, name, number)
          params = params.transform_keys(&:to_s)
          pages = params["page"]
          pages = Hash === pages ? pages.transform_keys(&:to_s) : {}
          pairs = encoded(params.merge("page" => { **pages, name => number }))
          "#{url}?#{pairs.join("&")}"
        end

        def encoded(value, prefix = nil)
          case value
          when Hash
            value.flat_map do |key, inner|
              encoded(inner, prefix ? "#{prefix}%5B#{escape(key)}%5D" : escape(key))
            end
          when Array then value.flat_map { |inner| encoded(inner, "#{prefix}%5B%5D") }
          else ["#{prefix}=#{escape(value)}"]
          end
        end

        def escape(value)
          value.to_s.b.gsub(/[^a-zA-Z0-9_.~-]/n) { |byte| format("%%%02X", byte.ord) }
               .force_encoding(Encoding::UTF_8)
        end
      end
    end
  end
end
