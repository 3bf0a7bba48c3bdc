# frozen_string_literal: true

require_relative "../test_helper"

# Links to other pages. test/rails/cases has pages of Kaminari, Pagy and WillPaginate themselves.
class JsonApiPaginationTest < ToJsonTest
  Page = Struct.new(:current_page, :total_pages)
  Counted = Struct.new(:page, :pages, :next) # as Pagy
  Endless = Struct.new(:current_page, :next_page)

  def links(page, params = {}, **options)
    made = ToJson::JsonApi::Pagination.links(page, url: "https://example.com/posts",
                                                   params: params, **options)
    assert_empty ToJson::JsonApi.validate({ data: [], links: made })
    made
  end

  def numbers(page) = links(page).transform_values { |link| link && link[/\d+\z/].to_i }

  { Page.new(1, 3) => [1, 1, nil, 2, 3], Page.new(2, 3) => [2, 1, 1, 3, 3],
    Page.new(3, 3) => [3, 1, 2, nil, 3], Page.new(1, 0) => [1, 1, nil, nil, 1],
    Page.new(9, 3) => [9, 1, 3, nil, 3], Counted.new(2, 2, nil) => [2, 1, 1, nil, 2] }
    .each do |page, expected|
    test "#{page.inspect} links #{expected.inspect}" do
      assert_equal %i[self first prev next last].zip(expected).to_h, numbers(page)
    end
  end

  test "pages that are not counted have no last" do
    assert_equal({ self: 2, first: 1, prev: 1, next: 3 }, numbers(Endless.new(2, 3)))
    assert_equal({ self: 2, first: 1, prev: 1, next: nil }, numbers(Endless.new(2, nil)))
  end

  test "the parameters of the request stay, percent-encoded, and the number changes" do
    params = { "filter" => { "tag" => ["ä&b", "c d"] }, page: { "size" => "5", number: "7" },
               "sort" => nil }
    assert_equal "https://example.com/posts?filter%5Btag%5D%5B%5D=%C3%A4%26b&" \
                 "filter%5Btag%5D%5B%5D=c%20d&page%5Bsize%5D=5&page%5Bnumber%5D=2&sort=",
                 links(Page.new(1, 2), params)[:next]
    assert_equal "https://example.com/posts?page%5Bp%5D=2",
                 links(Page.new(1, 2), { page: "x" }, name: "p")[:next]
  end

  test "what is no page is refused" do
    [[], nil, BasicObject.new, Struct.new(:page).new(1)].each do |given|
      refute ToJson::JsonApi::Pagination.page?(given)
      error = assert_raises(ArgumentError) { links(given) }
      assert_match(/\Apagination: takes a page of Kaminari, Pagy or WillPaginate; got /,
                   error.message)
    end
  end
end
