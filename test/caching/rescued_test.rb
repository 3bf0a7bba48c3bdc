# frozen_string_literal: true

require_relative "caching_case"

# A source whose `each` rescues what writing an element raised: only those that fail are missing,
# though their batch was looked up together.
class CachingRescuedTest < CachingCase
  Stop = Class.new(StandardError)

  # Goes on after what its block raised, which it keeps.
  class Patient
    include Enumerable
    attr_reader :heard

    def initialize(elements) = (@elements, @heard = elements, [])

    def each
      @elements.each do |element|
        yield element
      rescue StandardError => error
        @heard << error
      end
    end
  end

  # Every third post fails, in its getter or in its key.
  def broken(count)
    Array.new(count) { |index| Post.new(index, "t#{index}", index % 3 == 1 ? nil : 1) }
  end

  def fragile(at, base = ToJson::Serializer, **cache)
    Class.new(base) do
      attributes :id
      attribute(:title) do |post|
        at == :getter && post.version.nil? ? raise(Stop, post.id.to_s) : post.title
      end
      cache(key: ->(post) {
        at == :key && post.version.nil? ? raise(Stop, post.id.to_s) : (post.id unless at == :anew)
      },
            **cache)
    end
  end

  def good(posts)
    posts.reject { |post| post.version.nil? }.map do |post|
      %({"id":#{post.id},"title":"#{post.title}"})
    end
  end

  # So many whole ones behind them that each batch in which one fails is written while the source
  # still gives some.
  def with_more(posts, batch)
    more = batch * (posts.size + 1)
    posts + Array.new(more) { |index| Post.new(100 + index, "more", 1) }
  end

  %i[getter key].each do |at|
    [1, 2, 3, 7, 500].each do |batch|
      test "what fails in its #{at} is missing, alone, in batches of #{batch}" do
        [0, 1, 2, 5].each do |count|
          type, posts = fragile(at, batch: batch), with_more(broken(count), batch)
          due = "[#{good(posts).join(",")}]"
          2.times do
            assert_equal due, type.json!(source = Patient.new(posts))
            assert_equal posts.select { |post| post.version.nil? }.map { |post| post.id.to_s },
                         source.heard.map(&:message)
            assert_equal due[1..-2].gsub("},{", "}\n{") << "\n", type.ndjson(Patient.new(posts))
          end
        end
      end
    end
  end

  test "behind the last element no source hears what fails: it is raised, with its path. batch: " \
       "1 tells the source of each" do
    posts = [*broken(1), Post.new(1, "t1", nil)]
    assert_equal "$[1].title",
                 ToJson.location(assert_raises(Stop) { fragile(:getter).json!(Patient.new(posts)) })
    source = Patient.new(posts)
    assert_equal '[{"id":0,"title":"t0"}]', fragile(:getter, batch: 1).json!(source)
    assert_equal ["1"], source.heard.map(&:message)
  end

  test "elements that are not cached themselves, with cached parts" do
    inner = fragile(:getter)
    outer = Class.new(ToJson::Serializer) { has_one :post, serializer: inner }
    rows = with_more(broken(5), 500).map { |post| { post: post } }
    2.times do
      text = outer.json!(source = Patient.new(rows))
      assert_equal good(rows.map { |row| row[:post] }), text[1..-2].split(/(?<=}),/).map { |row|
        row[8..-2]
      }
      assert_equal 2, source.heard.size
    end
  end

  test "a source that lets out what failed, or raises another exception instead, ends the " \
       "document there" do
    type, posts = fragile(:getter, batch: 2), broken(6)
    assert_equal "$[1].title", ToJson.location(assert_raises(Stop) { type.json!(posts.each) })
    wrapping = Enumerator.new do |feed|
      posts.each { |post| feed << post }
    rescue Stop
      raise ArgumentError, "wrapped"
    end
    sink = []
    assert_raises(ArgumentError) { type.json!(wrapping, into: sink, chunk: 1) }
    assert_operator '[{"id":0,"title":"t0"}', :start_with?, sink.join
  end

  test "an object without a key that fails half-way leaves nothing of itself" do
    type = Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:title) { |post| post.version.nil? ? raise(Stop) : post.title }
      cache key: ->(post) { post.id if post.id.even? }, batch: 1
    end
    assert_equal "[#{good(broken(6)).join(",")}]", type.json!(Patient.new(broken(6)))
  end
end
