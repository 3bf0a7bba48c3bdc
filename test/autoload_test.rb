# frozen_string_literal: true

# What `require "to_json"` leaves for later, who loads it, and that nobody misses it: each script
# runs in a Ruby of its own.

require_relative "test_helper"
require "open3"
require "tmpdir"

class AutoloadTest < ToJsonTest
  LIBRARY = File.join(Project::ROOT, "lib")
  RACTOR_VALUE = File.expand_path("support/ractor_value", __dir__)
  NATIVE = File.dirname($LOADED_FEATURES.grep(%r{/to_json\.so\z}).first)

  # What no start may load: the groups. What belongs to a group is read with it.
  CACHING = %w[cache_batches cache_store cached_plan closure content digest instructions
               keys/cache_key keys/context_key keys/object_key keys/part_keys load part_cache
               prefetch rules_content signature]
              .map { |name| "caching/#{name}" }.freeze
  GROUPS =
    { caching: CACHING, **%i[reading json_api hal].to_h do |room|
      files = Dir.children(File.join(LIBRARY, "to_json", room.to_s))
      [room, files.map { |name| "#{room}/#{name.delete_suffix(".rb")}" }]
    end }.freeze
  LATER = GROUPS.values.flatten.sort.freeze
  # What HAL takes from JSON:API.
  SHARED = "json_api/document_serializer"

  HEAD = <<~RUBY
    require "to_json"
    require #{RACTOR_VALUE.inspect}
    def later
      loaded = $LOADED_FEATURES.filter_map { |path| path[%r{/lib/to_json/(.+)\\.rb\\z}, 1] }
      loaded.&(#{LATER.inspect}).sort
    end
    def elsewhere(*given, &block)
      $VERBOSE = nil
      Ractor.new(*given, &block).value
    end
    User = Struct.new(:id, :name)
  RUBY

  # The lines that a Ruby of its own prints. Without RubyGems, whose start takes as long as ours.
  def ruby(script, *options, gems: options.any?)
    options << LibraryCoverage::CHILDREN if defined?(LibraryCoverage)
    options << "--disable=gems" unless gems
    environment = { "RUBYOPT" => options.join(" "), "RUBYLIB" => nil, "BUNDLER_SETUP" => nil,
                    "TO_JSON_NATIVE" => NATIVE }
    out,
    status = Open3.capture2e(environment, RbConfig.ruby, "-w", "-I#{LIBRARY}", "-e", HEAD + script)
    assert(status.success?, out)
    out.lines(chomp: true)
  end

  test "after eager_load!, cached documents call no require, which waits for RubyGems' lock" do
    assert_equal(['{"id":1}'] * 2, ruby(<<~RUBY, gems: true))
      class CachedSerializer < ToJson::Serializer
        attributes :id
        cache key: ->(user) { ["a" * 300, user.id] }, store: {}
      end
      ToJson.eager_load!
      CachedSerializer.compile!
      class Object
        def require(name) = raise(LoadError, name)
      end
      2.times { puts CachedSerializer.json!(User.new(1)) }
    RUBY
  end

  test "a start with declarations, documents, lines and text into an IO loads none of what comes " \
       "later" do
    assert_equal(["[]"], ruby(<<~RUBY))
      class UserSerializer < ToJson::Serializer
        attributes :id, :name
        attribute :size, writable: true, if: -> { false }
        has_many :posts, only: "id", if: -> { false }
        view(:full) { attribute(:shout) { |user| user.name.upcase } }
      end
      class OwnSerializer < ToJson::Serializer
        def serialize(user) = put(:id, user.id)
      end
      ann = User.new(1, "Ann")
      UserSerializer.explain
      [UserSerializer.json!(ann, view: :full), UserSerializer.json!([ann], only: "id"),
       OwnSerializer.json!(ann), OwnSerializer.new(ann).to_h]
      [ToJson.generate([ann.to_h]), ToJson.json { |j| j.put :a, 1 }, UserSerializer.ndjson([ann]),
       UserSerializer.stream(ann).each { |part| part }]
      ToJson.generate([1], into: ToJson::Buffer.new)
      p later
    RUBY
  end

  test "ToJson.eager_load! and ToJson.compile! load all of it, and once" do
    again = "count = $LOADED_FEATURES.size; p ToJson.eager_load!, $LOADED_FEATURES.size - count"
    assert_equal([LATER.inspect, "nil", "0"], ruby("ToJson.eager_load!; p later; #{again}"))
    assert_equal([LATER.inspect], ruby("ToJson.compile!; p later"))
  end

  if Without.library?("active_support")
    test "Rails' eager_load loads all of it where to_json/active_support is required" do
      script =
        'require "to_json/active_support"; p later; ' \
        "ActiveSupport.run_load_hooks(:before_eager_load, Object.new); p later"
      assert_equal(["[]", LATER.inspect], ruby(script, "-rbundler/setup"))
    end
  end

  test "its constants are there before it is: listed, and defined; one reads its whole group" do
    assert_equal(["true", '"constant"', "[]", '"ToJson::CacheStore"', CACHING.inspect],
                 ruby(<<~RUBY))
      p ToJson.constants.include?(:CacheKey), defined?(ToJson::Compiler::PartCache), later
      p ToJson::CacheStore.name, later
    RUBY
  end

  # Each is the first use of a group.
  {
    "cache" => [:caching, "Class.new(ToJson::Serializer) { cache(store: {}) }.name"],
    "a store" => [:caching, "(ToJson.cache_store = {})"],
    "a digest" => [:caching, "UserSerializer.digest.class"],
    "parse" => [:reading, "UserSerializer.parse('{\"id\":1}')"],
    "parse_ndjson" => [:reading, "UserSerializer.parse_ndjson('{\"id\":1}') { |found| p found }"],
    "read" => [:reading, "UserSerializer.read('{\"id\":1}', into: User.new)"],
    "permit" => [:reading, "begin UserSerializer.permit({}); rescue ToJson::Error; end"],
    "expect" => [:reading, "begin UserSerializer.expect({}); rescue ToJson::Error; end"],
    "compiling what reads" => [:reading, "UserSerializer.compile!.positive?"],
    "json_api!" => [:json_api, "UserSerializer.json_api!(User.new(1))"],
    "json_api_stream" => [:json_api, "UserSerializer.json_api_stream(User.new(1)).each.to_a"],
    "json_api_ndjson" => [:json_api, "UserSerializer.json_api_ndjson([User.new(1)])"],
    "validate" => [:json_api, "ToJson::JsonApi.validate('{\"data\":null}')"],
    "errors!" => [:json_api, "ToJson::JsonApi.errors!({ code: \"late\" })"],
    "hal!" => [:hal, "UserSerializer.hal!(User.new(1))"],
    "hal! of a list, whose relation JSON:API names" =>
      [:json_api, "UserSerializer.hal!([User.new(1)])"],
    "parsing JSON:API" =>
      [:json_api,
       "UserSerializer.parse('{\"data\":{\"type\":\"users\"}}', envelope: :json_api)"],
    "parsing relationships of JSON:API" =>
      [:json_api,
       "Class.new(ToJson::Serializer) { has_one :boss, serializer: UserSerializer, writable: " \
       "true; type :as }.parse('{\"data\":{\"type\":\"as\"}}')"],
    "parsing associations of several types" =>
      [:json_api,
       "Class.new(ToJson::Serializer) { has_one :boss, serializer: { User => UserSerializer }, " \
       "writable: true }.parse('{\"boss\":{\"type\":\"user\"}}')"]
  }.each do |name, (group, call)|
    # See docs/internals/decisions/0013-first-use.md for what Ruby does otherwise.
    test "a Timeout waits while a thread reads the files for #{name}, or waits for them" do
      lines = ruby(<<~RUBY)
        require "json"
        require "timeout"
        class UserSerializer < ToJson::Serializer
          attribute :id, as: :integer, writable: true
        end
        within = Queue.new
        go_on = Queue.new
        reading = TracePoint.new(:class) do |point|
          next unless point.path.include?("/to_json/#{group}/")
          next if point.path.include?("#{SHARED}")
          reading.disable
          within << true
          go_on.pop
        end
        use = -> { #{call} }
        reading.enable
        threads = Array.new(3) do |i|
          thread = Thread.new do
            Thread.current.report_on_exception = false
            use.call
            Thread.handle_interrupt(Object => :immediate) { Thread.pass }
            :returned
          rescue Timeout::Error
            :timeout
          end
          i.zero? ? within.pop : (Thread.pass until thread.stop?)
          thread
        end
        threads.first(2).each { |thread| thread.raise(Timeout::Error) }
        sleep 0.02
        p threads.map(&:alive?)
        go_on << true
        p threads.map { |thread| thread.join(20) ? thread.value : :hangs }
        p use.call
        p (#{GROUPS.fetch(group).inspect} - later)
      RUBY
      assert_includes(lines, [true, true, true].inspect)
      assert_includes(lines, %i[timeout timeout returned].inspect)
      assert_equal("[]", lines.last)
    end
  end

  test "what is loaded compiles in a signal handler, and what is compiled writes in another " \
       "Ractor" do
    found = ['{"id":1}', '{"id":1}', '[{"id":1}]', "$.id"].inspect
    assert_equal([found] * 2, ruby(<<~'RUBY'))
      class UserSerializer < ToJson::Serializer
        attributes :id
      end
      ToJson.eager_load!
      module All
        def self.of(serializer)
          broken = Class.new { def id = raise("no") }.new
          one = User.new(1, "Ann")
          [serializer.json!(one), serializer.json!(one), serializer.json!([one]),
           begin serializer.json!(broken) rescue ToJson.location($!) end]
        end
      end
      trap(:USR1) { $found = All.of(UserSerializer) }
      Process.kill(:USR1, $$)
      sleep 0.01 until $found
      p $found
      p elsewhere(UserSerializer) { |serializer| All.of(serializer) }
    RUBY
  end

  test "threads that are the first to need it wait for each other" do
    assert_equal(['["{\\"id\\":1}"]', "[]"], ruby(<<~RUBY))
      class UserSerializer < ToJson::Serializer
        attributes :id, :name
        has_one :boss, serializer: ->(_) { UserSerializer }, if: :boss?
        cache key: :id
        def boss?(_) = false
      end
      # Ruby 3.1 warns where threads meet in these: of digest's own autoload, and of a circular
      # require of strscan.so.
      require "digest/sha2"
      require "strscan"
      ToJson.cache_store = {}
      gate = Queue.new
      threads = Array.new(8) do |i|
        Thread.new do
          gate.pop
          ToJson.eager_load! if i.zero?
          UserSerializer.json!(User.new(1, "Ann"), only: :id)
        end
      end
      threads.size.times { gate << true }
      p threads.map(&:value).uniq
      p threads.select(&:alive?)
    RUBY
  end

  # Each is the first thing that the process does with the library, in another Ractor.
  {
    "generate" => 'ToJson.generate([1, { "a" => nil, b: :c }]) + ToJson.pretty_generate([])',
    "every dialect" =>
      "%i[standard strict json json2 oj oj_strict rails].map { |name| ToJson.generate([1.5, " \
      "\"<\"], dialect: name) }.tally.values.sum",
    "the block forms" =>
      "ToJson.json { |j| j.put(:a) { j.array 1, 2 } } + ToJson::Serializer.ndjson([1, 2]) { |n| " \
      "put :n, n }",
    "a serialize" =>
      "OwnSerializer.json!(User.new(1, \"Ann\")) + OwnSerializer.new(User.new(2, " \
      "\"Bo\")).to_h.inspect",
    "calls by the dozen" => "Array.new(200) { |i| OwnSerializer.json!(User.new(i, \"Ann\")) }.size",
    "a Coder" => "ToJson::Coder.new { |value| value.to_s }.dump([1..2])",
    "a Buffer" => "ToJson.generate([1], into: ToJson::Buffer.new).to_s",
    "a stream" =>
      "[ToJson.stream([1]), OwnSerializer.stream(User.new(1, 2)), " \
      "OwnSerializer.stream([User.new(1, 2)], format: :ndjson)]" \
      ".map { |stream| stream.each.to_a.join }",
    "lines" =>
      "ToJson.ndjson([1, 2]) + OwnSerializer.ndjson([User.new(1, 2)], on_error: :skip) + " \
      "ToJson.generate(ToJson::Fragment.new(\"[1]\"))",
    "a misspelt option" => "begin ToJson.generate(1, htlm_safe: true) rescue $!.class end",
    "what has no form" => "begin ToJson.generate(Object.new) rescue $!.class end",
    "a serialize that is defined there" => "OwnSerializer.json!(User.new(1, \"Ann\"))"
  }.each do |name, call|
    test "another Ractor may be the first to use #{name}" do
      first, second, loaded = ruby(<<~RUBY)
        class OwnSerializer < ToJson::Serializer
          def serialize(user) = put(:id, user.id)
        end
        p elsewhere { #{call} }
        p((#{call}))
        p later
      RUBY
      assert_equal(second, first)
      assert_equal("[]", loaded)
    end
  end

  test "another Ractor can load nothing, and is told so" do
    assert_equal(['"ToJson.eager_load!: only the main Ractor can load files. Call it there ' \
                  'before you start other Ractors."',
                  '"ToJson.compile! works only in the main Ractor. Call it there first."'],
                 ruby(<<~RUBY))
                   class ASerializer < ToJson::Serializer
                     attributes :id
                   end
                   p elsewhere { begin ToJson.eager_load! rescue $!.message end }
                   p elsewhere { begin ToJson.compile! rescue $!.message end }
                 RUBY
  end

  {
    "validate" => 'ToJson::JsonApi.validate("{}").class',
    "errors!" => 'ToJson::JsonApi.errors!({ code: "late" })',
    "parse_ndjson" => 'ASerializer.parse_ndjson("").class'
  }.each do |name, call|
    test "another Ractor that cannot load what #{name} needs is told so" do
      said, loaded = ruby(<<~RUBY)
        class ASerializer < ToJson::Serializer
          attribute :id, writable: true
        end
        p elsewhere { begin #{call} rescue $!.class.name + ": " + $!.message end }
        ToJson.compile!
        p elsewhere { #{call} }
      RUBY
      refused = /\A"ToJson::Error: ToJson::\S+ cannot be loaded in this Ractor\. Call ToJson\./
      assert(said == loaded || refused.match?(said), said)
      refute_match(/Error:/, loaded)
    end
  end

  # The error said that ToJson.compile! helps. That loads no library of others.
  test "another Ractor that cannot load a library is told so" do
    said, loaded = Dir.mktmpdir do |directory|
      path = File.join(directory, "json.rb")
      File.write(path, "module JSON; State = Struct.new(:options, :depth); end")
      ruby(<<~RUBY)
        Object.autoload(:JSON, #{path.inspect})
        Own = Class.new { def to_json(*) = "1" }
        ToJson.compile!
        p elsewhere { begin ToJson.generate([Own.new], dialect: :json) rescue $!.message end }
        JSON.name
        p elsewhere { ToJson.generate([Own.new], dialect: :json) }
      RUBY
    end
    refused = "$[0]: JSON::State cannot be loaded in this Ractor. Load it in the main Ractor first."
    assert_includes ['"[1]"', refused.inspect], said
    assert_equal '"[1]"', loaded
  end

  # The same with what the main one has compiled, by the class: ToJson.compile! would load all.
  {
    "cached objects" => ["attributes :id; cache key: :id", "User.new(1, 2)"],
    "cached associations" =>
      ["has_one(:name, cache: { key: :id }, serializer: ->(_) { \"PartSerializer\" })",
       "User.new(1, User.new(2, \"Bo\"))"],
    "objects with cached parts" =>
      ["attributes :id; has_many :name, serializer: \"PartSerializer\"",
       "User.new(1, [User.new(2, \"Bo\")])"],
    "what the value tells" =>
      ["attributes :id; has_one(:name, serializer: ->(_) { \"PartSerializer\" })",
       "User.new(1, User.new(2, \"Bo\"))"],
    "what is looked up" => ["has_many :name", "User.new(1, [Part.new(2, \"Bo\")])"],
    "as:" =>
      ["attribute :id, as: :string; attribute :name, as: :date", "User.new(1r, Time.at(0).utc)"],
    "views" =>
      ["attributes :id; view(:full) { attribute(:name) { |user| user.name.size } }",
       "User.new(1, [3])"],
    "a serialize and declared fields" =>
      ["attributes :id; def serialize(user) = super", "User.new(1, 2)"],
    "narrowed associations" =>
      ["has_one :name, serializer: \"PartSerializer\", only: \"id\"",
       "User.new(1, User.new(2, \"Bo\"))"]
  }.each do |name, (body, object)|
    test "another Ractor may be the first to write #{name}" do
      call =
        "[a.json!(#{object}), a.json!([#{object}]), a.json!([#{object}].each), " \
        "a.ndjson([#{object}] * 3), a.ndjson([#{object}].each, on_error: :skip), " \
        "a.stream([#{object}]).each.to_a.join, a.stream([#{object}], format: " \
        ":ndjson).each.to_a.join]"
      first, second = ruby(<<~RUBY)
        Part = Class.new(User)
        class PartSerializer < ToJson::Serializer
          attributes :id
          cache key: :id
        end
        class ASerializer < ToJson::Serializer
          #{body}
        end
        ToJson.cache_store = false
        PartSerializer.compile!
        ASerializer.compile!
        p elsewhere(ASerializer) { |a| #{call} rescue $! }
        p((a = ASerializer) && #{call})
      RUBY
      assert_equal(second, first)
    end
  end
end
