# frozen_string_literal: true

require_relative "reading_case"

# `read` when a setter raises half-way: which objects have their old values again.
class AssigningTest < ReadingCase
  Author = Struct.new(:name, :age)
  Article = Struct.new(:title, :author, :tags) do
    undef_method :tags=
    def tags=(how)
      case how.first
      when "raise" then raise "no tags"
      when "throw" then throw :out
      when "kill" then Thread.current.kill
      end
    end
  end

  def articles
    serializer do
      attributes :title, writable: true
      has_one(:author, writable: true) { attributes :name, :age, writable: true }
      attribute :tags, writable: { as: :array }
    end
  end

  %w[raise throw kill].each do |how|
    test "a Struct inside another one has its old values again: #{how}" do
      article = Article.new("a", Author.new("b", 1))
      made, error = articles, nil
      Thread.new do
        catch(:out) do
          made.read({ title: "c", author: { name: "d", age: 2 }, tags: [how] }, into: article)
        end
      rescue RuntimeError => error
        nil
      end.join
      assert_equal ["a", Author.new("b", 1), nil], article.to_a
      assert_equal [], ToJson.assigned(error) if how == "raise"
      assert_equal how == "raise", !error.nil?
    end
  end

  test "an object with setters keeps what it got, and the error says it" do
    kept = Class.new do
      attr_reader :title, :author

      def initialize(author)
        @author = author
      end

      def title=(_)
        raise "no title"
      end
    end.new(Class.new { attr_accessor :name, :age }.new)
    error = assert_raises(RuntimeError) do
      articles.read({ title: "c", author: { name: "d" } }, into: kept)
    end
    assert_equal "d", kept.author.name
    assert_equal [:"author.name"], ToJson.assigned(error)
  end

  test "a frozen Struct raises FrozenError, and others are not touched" do
    article = Article.new("a", Author.new("b").freeze)
    assert_raises(FrozenError) do
      articles.read({ title: "c", author: { name: "d" } }, into: article)
    end
    assert_equal ["a", Author.new("b"), nil], article.to_a
    assert_raises(FrozenError) { articles.read({ title: "c" }, into: article.freeze) }
  end

  test "the same object under two names gets both" do
    made = serializer do
      has_one(:first, writable: true) { attributes :name, writable: true }
      has_one(:second, writable: true) { attributes :age, writable: true }
    end
    pair, author = Struct.new(:first, :second), Author.new("a", 1)
    made.read({ first: { name: "b" }, second: { age: 2 } }, into: pair.new(author, author))
    assert_equal ["b", 2], author.to_a
  end

  test "a setter may read again" do
    made = serializer { attributes :title, :tags, writable: true }
    holder = Class.new do
      attr_accessor :title

      define_method(:tags=) { |tags| made.read({ title: tags }, into: self) }
    end.new
    assert_equal "b", made.read({ title: "a", tags: "b" }, into: holder).title
  end

  test "objects that are built get false and nil, and a setter that is not there is named" do
    flag = Class.new { attr_accessor :on, :note }
    made = serializer do
      has_many(:flags, writable: { build: flag }) { attributes :on, :note, :size, writable: true }
    end
    holder = Struct.new(:flags)
    given = [{ on: false, note: nil }, { note: "a" }, {}]
    found = made.read({ flags: given }, into: holder.new).flags
    assert_equal [[false, nil], [nil, "a"], [nil, nil]], found.map { |one| [one.on, one.note] }
    assert_equal [2, 1, 0], found.map { |one| one.instance_variables.size }
    error = assert_raises(ToJson::Error) do
      made.read({ flags: [{ on: true, size: 1 }] }, into: holder.new)
    end
    assert_match(/cannot be assigned :size\. Define size=/, error.message)
  end

  test "a setter of a new object may raise NoMethodError itself, also of the same name" do
    raising = {
      "of something else" => -> { 5.upcase },
      "of the name that it has" => -> { Object.new.size = 5 },
      "without a receiver" => -> { raise NoMethodError, "mine" }
    }
    raising.each do |what, code|
      built = Class.new { define_method(:size=) { |_| code.call } }
      made = serializer do
        has_one(:part, writable: { build: built }) { attributes :size, writable: true }
      end
      error = assert_raises(NoMethodError, what) do
        made.read({ part: { size: 1 } }, into: Struct.new(:part).new)
      end
      refute_match(/cannot be assigned/, error.message)
    end
  end

  test "a private setter of a new object is none" do
    built = Class.new { private(attr_writer(:size)) }
    made = serializer do
      has_one(:part, writable: { build: built }) { attributes :size, writable: true }
    end
    error = assert_raises(ToJson::Error) do
      made.read({ part: { size: 1 } }, into: Struct.new(:part).new)
    end
    assert_match(/cannot be assigned :size\. Define size=/, error.message)
  end

  Photo = Struct.new(:url)
  Song = Struct.new(:length)
  Pin = Struct.new(:subject)

  def pins(**options)
    types = { Photo => "PhotoSerializer", Song => "SongSerializer" }
    made = serializer do
      has_one :subject, serializer: types, writable: options.empty? ? true : options
    end
    { PhotoSerializer: :url, SongSerializer: :length }.each do |name, field|
      Blog.const_set(name, Class.new(ToJson::Serializer) { attributes field, writable: true })
    end
    made
  end

  test "the object that is there stays of its type" do
    made, photo = pins, Photo.new("/1")
    pin = Pin.new(photo)
    photo_name, song_name = [Photo, Song].map { |one| one.name }
    made.read({ subject: { type: photo_name, url: "/2" } }, into: pin)
    assert_same photo, pin.subject
    assert_equal "/2", photo.url
    error = assert_problems(["/subject/type", :choice]) do
      made.read({ subject: { type: song_name, length: 3 } }, into: pin)
    end
    assert_match(/takes "#{photo_name}", the type of the object that is there; got "#{song_name}"/,
                 error.message)
    assert_equal "/2", pin.subject.url
    assert_nil made.read({ subject: nil }, into: pin).subject
    assert_equal({ length: 3, type: song_name },
                 made.read({ subject: { type: song_name, length: 3 } }, into: pin).subject)
  end

  test "an object of another type is built anew where build: says how, and type= is not called" do
    kinds = { Photo.name => Photo, Song.name => Song }
    made = pins(build: ->(given) { kinds.fetch(given.delete(:type)).new(*given.values) })
    pin = Pin.new(Photo.new("/1"))
    made.read({ subject: { type: Song.name, length: 3 } }, into: pin)
    assert_equal Song.new(3), pin.subject
    sti = Class.new(Photo) { attr_writer :type }
    pin = Pin.new(sti.new("/1"))
    made.read({ subject: { type: Photo.name, url: "/2" } }, into: pin)
    assert_equal [sti, "/2"], [pin.subject.class, pin.subject.url]
    refute pin.subject.instance_variable_defined?(:@type)
  end
end
