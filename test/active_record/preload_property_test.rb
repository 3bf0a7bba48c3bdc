# frozen_string_literal: true

# For random serializers: the document with preloading is the document without, and the number of
# queries does not depend on the number of records.

require_relative "../test_helper"
require_relative "../support/figures"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"
  require_relative "random_serializers"

  class PreloadPropertyTest < PreloadCase
    # What is serialized, of all posts.
    FORMS = {
      "a relation" => -> { Post.order(:id) },
      "a loaded relation" => -> { Post.order(:id).load },
      "an Array" => -> { Post.order(:id).to_a },
      "find_each" => -> { Post.find_each },
      "one record" => -> { Post.first },
      "a relation with joins" => -> { Post.eager_load(:author, :comments).order(:id) },
      "a relation with a part of its own" => -> {
        Post.eager_load(:comments).where("shop_comments.id % 2 = 0").order(:id)
      },
      "a relation that preloads" => -> { Post.includes(:tags, author: :avatar).order(:id) }
    }.freeze

    # Every association of every record has something, and not the same for all.
    def fill(count)
      Shop.empty_tables
      authors = Array.new(count * 2) do |i|
        Author.create!(name: "author #{i}", avatar: Avatar.create!(url: "u#{i}"))
      end
      authors.each_with_index { |author, i| author.update!(mentor: authors[i - 1]) }
      authors.each_with_index { |author, i| Animal.create!(name: "pet #{i}", owner: author) }
      authors.each_with_index { |author, i| Dog.create!(name: "dog #{i}", owner: author) }
      tags = Array.new(3) { |i| Tag.create!(name: "tag #{i}") }
      authors.each_with_index do |author, i|
        post = Post.create!(title: "post #{i}", author: author, editor: authors[i - 2])
        3.times do |k|
          post.comments.create!(body: k.zero? ? post.title : "comment #{k}", author: authors[i - k])
        end
        2.times { |k| post.taggings.create!(tag: tags[(i + k) % 3]) }
        post.notes.create!(text: "of post #{i}")
        post.notes.create!(text: "of an author").update!(notable: author)
      end
    end

    COUNT = Figures.of("random serializers preloaded")

    test "random serializers write the same with and without, in queries that no number " \
         "of records changes" do
      random = Random.new(Minitest.seed)
      counts = Hash.new { |all, case_number| all[case_number] = [] }
      cases = Array.new(COUNT) do
        made = RandomSerializers.new(random)
        serializer_class = made.serializer("Post", 1 + random.rand(4))
        [serializer_class, made, made.mask(serializer_class), { on: random.rand < 0.5 },
         FORMS.keys.sample(random: random)]
      end
      [2, 4].each do |size|
        fill(size)
        cases.each_with_index do |(serializer_class, made, mask, context, form), number|
          plain = serializer_class.json!(FORMS[form].call, context: context, **mask)
          documents = []
          found = queries do
            objects = ToJson.preload(FORMS[form].call, serializer_class, context: context, **mask)
            documents << serializer_class.json!(objects, context: context, **mask)
          end
          what = "#{form}, #{mask}, #{context}, #{serializer_class.definition.inspect}"
          assert_equal(plain, documents.first, what)
          if made.preloadable?(form.include?("joins") || form.include?("part"))
            counts[number] << found.size
          end
          next unless counts[number].size == 2 && counts[number].uniq.size > 1

          alike = found.map { |sql| sql.gsub(/\(\?[, ?]*\)/, "(…)") }.tally.select do |_, times|
            times > 1
          end
          flunk("#{counts[number].join(" and ")} queries: " \
                "#{alike.map { |sql, times| "#{times} times #{sql}" }.join("\n")}\n#{what}")
        end
      end
      assert_operator(counts.size, :>, COUNT / 2)
      Figures.reached("random serializers preloaded", COUNT)
    end
  end
end
