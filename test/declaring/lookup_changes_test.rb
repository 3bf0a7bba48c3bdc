# frozen_string_literal: true

require_relative "lookup_case"
require "tmpdir"
require "weakref"
require_relative "../support/own_process"

# Lookups while constants come, go and are loaded.
class LookupChangesTest < LookupCase
  test "a nearer one defined later wins, however it comes" do
    post = make("Api::V1::PostSerializer")
    user = named_top(:LookupUser)
    far = make("LookupUserSerializer")
    assert_equal far, find(post, user)
    LookupWorld::Api.module_eval("class LookupUserSerializer < ToJson::Serializer; end", __FILE__,
                                 __LINE__)
    assert_equal LookupWorld::Api::LookupUserSerializer, find(post, user)

    nearest = Class.new(ToJson::Serializer)
    # made, and has no name yet
    assert_equal LookupWorld::Api::LookupUserSerializer, find(post, user)
    LookupWorld::Api::V1.const_set(:LookupUserSerializer, nearest)
    assert_equal nearest, find(post, user)
  end

  # What a class of values leads to is kept for one document.
  test "a nearer one defined while a document is written counts from the next document on" do
    post = make("Api::PostSerializer")
    post.has_many(:all)
    user, tag = %i[LookupUser LookupTag].map { |name| named_top(name, Struct.new(:id)) }
    make("LookupUserSerializer").attributes(:id)
    test = self
    make("LookupTagSerializer").attribute(:tag) do |_|
      unless LookupWorld::Api.const_defined?(:LookupUserSerializer, false)
        test.make("Api::LookupUserSerializer").attribute(:near) { |one| one.id }
      end
      nil
    end
    holder = Struct.new(:all).new([user.new(1), tag.new(2), user.new(3)])
    [%w[id id], %w[near near]].each do |first, last|
      assert_equal(%({"all":[{"#{first}":1},{"tag":null},{"#{last}":3}]}),
                   post.json!(holder, collection: false))
    end
  end

  test "values of one class with a serialize of its own are written by it, in every document" do
    post = make("Api::PostSerializer")
    post.has_many(:all)
    user = named_top(:LookupUser, Struct.new(:id))
    make("LookupUserSerializer").define_method(:serialize) { |one| put :own, one.id }
    holder = Struct.new(:all).new([user.new(1), user.new(2)])
    2.times do
      assert_equal('{"all":[{"own":1},{"own":2}]}', post.json!(holder, collection: false))
    end
  end

  test "a class that is asked about while it is being made is not yet found, and then is" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    far = make("LookupUserSerializer")
    seen = nil
    base = Class.new(ToJson::Serializer)
    base.define_singleton_method(:inherited) do |type|
      super(type); seen = ToJson::Lookup.find(post, user.new)
    end
    near = Class.new(base)
    assert_equal far, seen
    LookupWorld::Api.const_set(:LookupUserSerializer, near)
    assert_equal near, find(post, user)
  end

  test "one that is removed is found no more; one that replaces it is" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    make("LookupUserSerializer")
    make("Api::LookupUserSerializer")
    assert_equal "Api::LookupUserSerializer", found(post, user)
    remove("Api::LookupUserSerializer")
    assert_equal "LookupUserSerializer", found(post, user)
    remove("LookupUserSerializer")
    assert_raises(ToJson::SerializerNotFound) { find(post, user) }
    again = make("Api::LookupUserSerializer")
    assert_equal again, find(post, user)
  end

  test "a serializer whose namespace was made anew looks in the new one" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    old = make("Api::LookupUserSerializer")
    assert_equal old, find(post, user)
    remove("Api")
    assert_raises(ToJson::SerializerNotFound) { find(post, user) }
    new = make("Api::LookupUserSerializer")
    assert_equal [new, false], [find(post, user), new == old]
  end

  test "what Ruby loads at first use is loaded" do
    Dir.mktmpdir do |directory|
      File.write(File.join(directory, "lookup_user_serializer.rb"),
                 "class LookupWorld::Api::LookupUserSerializer < ToJson::Serializer; end")
      File.write(File.join(directory, "lookup_chat.rb"),
                 "module LookupWorld::LookupChat; class ASerializer < ToJson::Serializer; end; end")
      post = make("Api::PostSerializer")
      LookupWorld::Api.autoload(:LookupUserSerializer,
                                File.join(directory, "lookup_user_serializer.rb"))
      LookupWorld.autoload(:LookupChat, File.join(directory, "lookup_chat.rb"))
      make("LookupUserSerializer")
      assert_equal "Api::LookupUserSerializer", found(post, named_top(:LookupUser))
      assert_equal "LookupWorld::LookupChat::ASerializer",
                   ToJson::Lookup.resolve(post, "LookupChat::ASerializer").name
    end
  end

  # Each document asks the constants again, also for what the last one found.
  def written(post, *types)
    holder = Struct.new(:one)
    types.map { |type| post.json!(holder.new(type.allocate))[/\{"at":"?(.*?)"?\}/, 1] }
  end

  def lettered(name, letter = name)
    make(name).tap { |made| made.attribute(:at) { |_| letter } }
  end

  def looking(name = "Api::V1::PostSerializer")
    make(name).tap { |post| post.has_one(:one) }
  end

  test "two documents after each change of a constant are written by what is there then" do
    post = looking
    user, tag = named_top(:LookupUser), named_top(:LookupTag)
    lettered("LookupTagSerializer", "tag")
    twice = -> { Array.new(2) { written(post, user, tag) }.flatten.uniq - ["tag"] }
    lettered("LookupUserSerializer", "far")
    assert_equal %w[far], twice.call
    lettered("Api::LookupUserSerializer", "near")
    assert_equal %w[near], twice.call
    nearest = Class.new(ToJson::Serializer) { attribute(:at) { |_| "nearest" } }
    post.const_set(:LookupUserSerializer, nearest)
    assert_equal %w[nearest], twice.call
    nearest.remove(:at)
    nearest.attribute(:at) { |_| "changed" }
    assert_equal %w[changed], twice.call
    remove("Api::V1::PostSerializer::LookupUserSerializer")
    assert_equal %w[near], twice.call
    remove("Api::LookupUserSerializer")
    make("Api::LookupUserSerializer", 42)
    assert_equal %w[far], twice.call
    remove("Api")
    assert_equal %w[far], twice.call
    lettered("Api::LookupUserSerializer", "another Api")
    assert_equal ["another Api"], twice.call
    remove("Api::LookupUserSerializer")
    remove("LookupUserSerializer")
    2.times { assert_raises(ToJson::SerializerNotFound) { written(post, user) } }
    lettered("LookupUserSerializer", "again")
    assert_equal %w[again], twice.call
  end

  test "a document loads a nearer one, and what that file changes counts at once" do
    post = looking
    user = named_top(:LookupUser)
    far = lettered("LookupUserSerializer", "far")
    written(post, user)
    Dir.mktmpdir do |directory|
      File.write(File.join(directory, "near.rb"),
                 "LookupWorld::LookupUserSerializer.remove(:at)\n" \
                 "LookupWorld::LookupUserSerializer.attribute(:at) { |_| 'loaded' }\n" \
                 "LookupWorld::Api::LookupUserSerializer = 1")
      LookupWorld::Api.autoload(:LookupUserSerializer, File.join(directory, "near.rb"))
      assert_equal %w[loaded loaded], written(post, user, user)
    end
    assert_same far, find(post, user)
  end

  test "a class that gets a name or a superclass's serializer is looked for anew" do
    base = named_top(:LookupBase)
    user = Class.new(base)
    lettered("LookupBaseSerializer", "base")
    lettered("Api::LookupBaseSerializer", "near")
    post = Class.new(looking("PostSerializer"))
    assert_equal %w[base base], written(post, base, base)
    if post.respond_to?(:set_temporary_name) # Ruby >= 3.3
      ["a post", "Api::post", "#post"].each do |name|
        post.set_temporary_name(name)
        assert_equal %w[base base], written(post, base, base), name # as one without a name
      end
    end
    LookupWorld::Api.const_set(:PostSerializer, post)
    assert_equal %w[near near], written(post, base, base)
    2.times { assert_raises(ToJson::SerializerNotFound) { written(post, user) } } # no name
    Object.const_set(:LookupUser, user)
    Object.send(:remove_const, :LookupUser)
    assert_equal %w[near near], written(post, user, user)
    lettered("LookupUserSerializer", "own")
    assert_equal %w[own own], written(post, user, user)
    base.define_singleton_method(:abstract_class?) { equal?(base) }
    remove("LookupUserSerializer")
    2.times { assert_raises(ToJson::SerializerNotFound) { written(post, user) } }
    assert_equal %w[near near], written(post, base, base) # it is asked of superclasses only
    assert_equal "Api::LookupBaseSerializer", found(post, base)
  end

  test "a serializer that declared nothing when it was found last is read again" do
    post = looking
    user = named_top(:LookupUser)
    empty = make("LookupUserSerializer")
    holder = Struct.new(:one).new(user.allocate)
    2.times { assert_equal '{"one":{}}', post.json!(holder) }
    empty.attribute(:at) { |_| 1 }
    2.times { assert_equal '{"one":{"at":1}}', post.json!(holder) }
    empty.define_method(:serialize) { |_| put :own, 2 }
    2.times { assert_equal '{"one":{"own":2}}', post.json!(holder) }
  end

  test "of the classes that documents found last few stay alive" do
    post = looking
    gone = (1..60).map do
      make("LookupUserSerializer").attributes(:at)
      user = named_top(:LookupUser, Struct.new(:at))
      assert_equal %w[null null], written(post, user, user)
      remove("LookupUserSerializer")
      WeakRef.new(user)
    end
    4.times { GC.start }
    assert_operator gone.count(&:weakref_alive?), :<=, 20, "the pool holds 8"
  end

  test "what fails while it is loaded passes through" do
    Dir.mktmpdir do |directory|
      File.write(File.join(directory, "broken.rb"), "raise IOError, 'broken'")
      post = make("PostSerializer")
      LookupWorld.autoload(:LookupUserSerializer, File.join(directory, "broken.rb"))
      assert_raises(IOError) { find(post, named_top(:LookupUser)) }
    end
  end

  # What loads the file of Api::FooSerializer in another thread => what then writes documents.
  LOADING = {
    "a thread that requires its file" => ["require FILE", "write"],
    "a thread of the parent process, as it was forked" =>
      ["Api::FooSerializer", "Process.wait(fork { write })"]
  }.freeze

  LOADING.each do |who, (load, write)|
    test "a serializer that is left to autoload is found while #{who} loads it" do
      assert_equal %({"foo":{"id":1}}\n[{"foo":{"id":1}}]\n) * 2, OwnProcess.run(<<~RUBY)
        require "tmpdir"
        Dir.mktmpdir do |directory|
          FILE = File.join(directory, "foo_serializer.rb")
          File.write(FILE, "ENTERED << true; sleep 0.2\n" \
                           "class Api::FooSerializer < ToJson::Serializer; attributes :id; end")
          ENTERED = Queue.new
          Foo, Post = Struct.new(:id, :secret), Struct.new(:foo)
          class FooSerializer < ToJson::Serializer; attributes :id, :secret; end
          module Api; end
          Api.autoload(:FooSerializer, FILE)
          class Api::NamingSerializer < ToJson::Serializer
            has_one :foo, serializer: "FooSerializer"
          end
          class Api::PostSerializer < ToJson::Serializer; has_one :foo; end
          def write
            post = Post.new(Foo.new(1, 2))
            2.times do
              puts Api::NamingSerializer.json!(post), Api::PostSerializer.json!([post])
            end
            $stdout.flush
          end
          loader = Thread.new { #{load} }
          ENTERED.pop
          #{write}
          loader.join
        end
      RUBY
    end
  end

  test "a constant that its file did not define is waited for only once" do
    assert_equal %w[0 0 0], OwnProcess.run(<<~RUBY).lines.map { |line| line[/\d/] }.drop(1)
      require "tmpdir"
      Dir.mktmpdir do |directory|
        file = File.join(directory, "nothing.rb")
        File.write(file, "")
        require file
        class FooSerializer < ToJson::Serializer; attributes :id; end
        module Api; end
        Api.autoload(:FooSerializer, file)
        class Api::PostSerializer < ToJson::Serializer; end
        Thread.new { sleep }
        CLOCK = Process.method(:clock_gettime).unbind.bind(Process)
        def Process.clock_gettime(*) = 5.0 # as a program may stub it
        4.times do
          started = CLOCK.call(Process::CLOCK_MONOTONIC)
          found = ToJson::Lookup.resolve(Api::PostSerializer, "FooSerializer")
          raise unless found == FooSerializer
          puts (CLOCK.call(Process::CLOCK_MONOTONIC) - started).floor
        end
      end
    RUBY
  end

  RELOADS = Figures.of("serializers reloaded")

  test "#{RELOADS} reloads keep no class alive" do
    post = make("Api::PostSerializer")
    count = lambda do
      4.times { GC.start }
      ObjectSpace.each_object(Class).count
    end
    before = nil
    RELOADS.times do |i|
      serializer, user = make("LookupUserSerializer"), named_top(:LookupUser)
      assert_same serializer, ToJson::Lookup.resolve(post, "LookupUserSerializer")
      assert_same serializer, find(post, user)
      remove("LookupUserSerializer")
      before = count.call if i == 100
    end
    assert_operator count.call, :<=, before + 20
    Figures.reached("serializers reloaded", RELOADS)
  end

  test "a removed serializer and a removed model are collected, also after they were found last" do
    post = make("Api::PostSerializer")
    gone = (1..20).flat_map do
      make("LookupUserSerializer")
      user = named_top(:LookupUser)
      found = find(post, user)
      remove("LookupUserSerializer")
      [found, user].map { |type| WeakRef.new(type) }
    end
    4.times { GC.start }
    alive = gone.count(&:weakref_alive?)
    assert_operator alive, :<=, 10, "the stack, and code of YJIT, may hold the last ones"
  end

  test "names without end do not fill memory" do
    post = make("PostSerializer")
    3_000.times do |i|
      assert_raises(ToJson::SerializerNotFound) { find(post, named_top(:"LookupUser#{i}")) }
    end
    assert_includes 1..1_000, ToJson::Lookup.kept
    make("LookupUser2999Serializer")
    assert_equal "LookupUser2999Serializer", found(post, named_top(:LookupUser2999))
  end

  test "threads find while others define" do
    post = make("Api::PostSerializer")
    user = named_top(:LookupUser)
    far = make("LookupUserSerializer")
    near = Class.new(ToJson::Serializer)
    finders = Array.new(3) { Thread.new { Array.new(2_000) { find(post, user) } } }
    50.times do
      LookupWorld::Api.const_set(:LookupUserSerializer, near)
      Thread.pass
      remove("Api::LookupUserSerializer")
    end
    finders.each { |thread| assert_empty thread.value - [far, near] }
  rescue NameError => error
    # Between const_defined? and const_get another thread may remove the constant, as in any Ruby.
    assert_includes error.message, "LookupUserSerializer"
  end

  test "a Ractor finds too" do
    make("Api::PostSerializer")
    make("LookupStringSerializer")
    Object.const_set(:LookupString, Class.new)
    found = silently do
      Ractor.new do
        ToJson::Lookup.find(LookupWorld::Api::PostSerializer, LookupString.new).name
      end.value
    end
    assert_equal "LookupWorld::LookupStringSerializer", found
  ensure
    Object.send(:remove_const, :LookupString)
  end
end
