# frozen_string_literal: true

# The opt-in hook to_json/json: under either line of the json gem its methods answer as they did,
# and what it does not serve is json's.

require_relative "../test_helper"
require_relative "../support/library_process"
require_relative "../support/own_process"
require_relative "json_outcome"
require "open3"
require "rbconfig"

unless Without.banned?("json")
  require "stringio"
  require "to_json/json"

  ToJson::JsonGenerate.uninstall

  class JsonHookTest < ToJsonTest
    LINES = { "2." => "Gemfile", "3." => "test/dialects/Gemfile" }.freeze

    LINES.each do |version, gemfile|
      test "JSON.generate, pretty_generate and dump of json #{version}x say what they said, for " \
           "every option and every kind of value" do
        answer = LibraryProcess.new(gemfile, "../dialects/json_hook_process.rb").answer
        assert answer[:version].start_with?(version), "json #{answer[:version]} is not #{version}x"
        assert_operator answer[:checked], :>, 10_000
        assert_operator answer[:served], :>, answer[:checked] / 2, "most calls are ours"
        assert_empty answer[:differences].first(20), "#{answer[:differences].size} differences"
      end
    end

    # Within this process, where Ruby counts what ran: what the block gives with the hook is what it
    # gives without.
    def same_with_hook
      due = JsonOutcome.of { yield }
      ToJson::JsonGenerate.install
      JsonOutcome.of { yield }.tap do |got|
        assert due.same?(got), "due #{due.inspect}, got #{got.inspect}"
      end
    ensure
      ToJson::JsonGenerate.uninstall
    end

    endless = [].tap { |list| list << list }
    CALLS = {
      "a document" =>
        -> { JSON.generate({ a: [1.5, nil] }) },
        "usual options" =>
          -> {
            JSON.generate({ a: [0.0 / 0] }, indent: " ", allow_nan: true, space: nil,
                          max_nesting: 9)
          },
      "the same again" =>
        -> { JSON.generate({ a: 1 }, indent: " ", allow_nan: true, space: nil, max_nesting: 9) },
        "no limit" => -> { JSON.generate([1], max_nesting: false) },
      "unknown options" =>
        -> { JSON.generate([1], unknown: 1) },
        "a State" => -> { JSON.generate([1], JSON::State.new(array_nl: " ")) },
        "an error" => -> { JSON.generate([0.0 / 0]) },
        "an endless structure" => -> { JSON.generate(endless) },
      "a pretty document" =>
        -> { JSON.pretty_generate({ a: [1, {}] }) },
        "pretty options" => -> { JSON.pretty_generate({ a: [1, {}] }, space: "  ") },
        "pretty, a State" => -> { JSON.pretty_generate([1], JSON::State.new) },
      "pretty, an error" =>
        -> { JSON.pretty_generate(["\xff"]) }, "a dump" => -> { JSON.dump([0.0 / 0]) },
        "a dump into an IO" => -> { JSON.dump([1], StringIO.new).string },
      "a dump into what has one" =>
        -> { JSON.dump([1], Struct.new(:to_io).new(StringIO.new)).string },
        "a dump with a limit" => -> { JSON.dump([[1]], 1) },
        "a dump with nothing but a limit" => -> { JSON.dump([[1]], nil, 1) },
      "a dump with options" => -> { JSON.dump([[1]], space: " ") },
      "a dump into what has no flush" =>
        -> { JSON.dump([1], Struct.new(:text) { def write(text) = self.text = text }.new) },
        "a dump into what is no IO" => -> { JSON.dump([[1]], :no) },
      "a dump that fails" => -> { JSON.dump(["\xff"]) }
    }.freeze

    CALLS.each do |what, call|
      test("#{what}: the same with the hook and without") { same_with_hook(&call) }
    end

    test "what nothing limits and does not end is an error within this process too" do
      endless = [].tap { |list| list << list }
      ToJson::JsonGenerate.install
      assert_raises(ArgumentError) { JSON.dump(endless) }
      [:generate, :pretty_generate].each do |name|
        assert_raises(JSON::NestingError, name) do
          JSON.public_send(name, endless, max_nesting: nil)
        end
      end
    ensure
      ToJson::JsonGenerate.uninstall
    end

    # Each calls one of json's methods for what is below it.
    REPLIES = {
      generate: ->(hash) { JSON.generate(hash) },
      pretty_generate: ->(hash) { JSON.pretty_generate(hash) },
      dump: ->(hash) { JSON.dump(hash) },
      "an error of its own" => ->(hash) do
        JSON.generate(hash)
      rescue JSON::GeneratorError
        raise JSON::GeneratorError.new("its own", nil)
      end,
      "ToJson at each second level" => ->(hash) do
        next JSON.generate(hash) if hash[:level].odd?

        ToJson.generate(hash, dialect: JSON::VERSION.to_i >= 3 ? :json : :json2)
      end
    }.freeze

    REPLIES.each do |what, text|
      test "a wrong text below many to_json: each is called once more at most (#{what})" do
        calls = 0
        type = Struct.new(:level, :text, :reply) do
          define_method(:to_json) { |*| (calls += 1) && text.call(to_h) }
        end
        top = (1..10).inject(type.new(0, "\xff", nil)) { |reply, n| type.new(n, "fine", reply) }
        same_with_hook { JSON.generate([top]) }
        assert_operator calls, :<=, 2 * 11 + 2, "with the hook and without"
      end
    end

    test "more sets of options than are kept and nothing to serve, within this process too" do
      ToJson::JsonGenerate.install
      (1..40).each do |n|
        assert_equal "[\n#{"x" * n}1\n]", JSON.generate([1], indent: "x" * n, array_nl: "\n")
      end
      verbose, $VERBOSE = $VERBOSE, false
      JSON.state = Class.new(JSON.generator::State)
      _, words = capture_io { ToJson::JsonGenerate.install }
      assert_match(/to_json\/json serves nothing: json #{JSON::VERSION}/, words)
    ensure
      OwnWarnings.seen.reject! { |message| message.include?("to_json/json serves nothing") }
      $VERBOSE = verbose
      JSON.state = JSON.generator::State
      ToJson::JsonGenerate.uninstall
    end

    test "another generator and another State are seen, within this process too" do
      own = JSON.generator
      ToJson::JsonGenerate.install
      JSON.state = Class.new(own::State)
      assert_empty ToJson::JsonGenerate.served
      JSON.state = own::State
      assert_equal %i[generate pretty_generate dump], ToJson::JsonGenerate.served
      JSON.generator = own
      assert_equal %i[generate pretty_generate dump], ToJson::JsonGenerate.served
      JSON.define_singleton_method(:of_json_hook_test) { nil }
      assert_equal %i[generate pretty_generate dump], ToJson::JsonGenerate.served
      JSON._dump_default_options[:indent] = " "
      assert_equal '{ "a":1}', JSON.dump({ a: 1 })
    ensure
      JSON._dump_default_options.delete(:indent)
      JSON.singleton_class.send(:remove_method, :of_json_hook_test)
      JSON.state = own::State
      ToJson::JsonGenerate.uninstall
    end

    # What the lines of Ruby print in a process of its own, that has json 2.x.
    def lines_of(script)
      script = "require 'stringio'; require 'to_json/json'; H = ToJson::JsonGenerate\n#{script}"
      library = $LOAD_PATH.find { |path| File.file?(File.join(path, "to_json.rb")) }
      text, errors,
      status = Open3.capture3(*PlainRuby.start, "-W0", "-I", library,
                              "-r#{OwnProcess::RACTOR_VALUE}", "-e", script)
      assert status.success?, errors
      text.lines(chomp: true)
    end

    COUNTED = <<~'RUBY'
      def served
        calls = 0
        counting = TracePoint.new(:c_call) do |event|
          calls += 1 if event.self == ToJson && /generate/.match?(event.method_id)
        end
        counting.enable { yield }
        calls
      end
    RUBY

    test "it comes and goes" do
      assert_equal ["1", "0", "1", "true", "true", "[]", "[:generate, :pretty_generate, :dump]"],
                   lines_of(<<~RUBY)
        #{COUNTED}
        p served { JSON.generate([1]) }
        H.uninstall
        p served { JSON.generate([1]); JSON.dump([1]); JSON.pretty_generate([1]) }
        H.install
        p served { JSON.generate([1]) }, H.install.equal?(H), H.uninstall.equal?(H), H.served
        H.install
        p H.served
      RUBY
    end

    test "a State, a limit, unusual options and changed defaults of dump stay json's" do
      assert_equal(["0"] * 9 + ["1", "1", "1"], lines_of(<<~RUBY))
        #{COUNTED}
        p served { JSON.generate([1], JSON::State.new) }
        p served { JSON.dump([1], 3) }
        p served { JSON.dump([1], indent: " ") }
        p served { JSON.generate([1], { "indent" => " " }) }
        p served { JSON.generate([1], depth: 1) }
        p served { JSON.generate([1], as_json: ->(v, _) { v }) }
        p served { JSON.generate([1], Class.new(Hash)[indent: " "]) }
        JSON.dump_default_options[:indent] = " "
        p served { JSON.dump([1]) }
        JSON.dump_default_options.delete(:indent)
        JSON.dump_default_options[:max_nesting] = 3
        p served { JSON.dump([1]) }
        JSON.dump_default_options[:max_nesting] = false
        p served { JSON.dump([1]) }
        p served { JSON.generate([1], {}) }
        p served { JSON.generate([1], indent: " ", space: nil, allow_nan: true, max_nesting: 0) }
      RUBY
    end

    test "options are kept by what they say, not by who they are" do
      assert_equal(['"[\n_1]"', '"[\n.1]"', '"[\n_1]"', "40"], lines_of(<<~'RUBY'))
        indent = +"_"
        options = { indent: indent, array_nl: "\n" }
        p JSON.generate([1], options).sub(/\n\]/, "]")
        indent.replace(".")
        p JSON.generate([1], options).sub(/\n\]/, "]")
        p JSON.generate([1], indent: "_", array_nl: "\n").sub(/\n\]/, "]")
        p (1..40).count { |n|
          JSON.generate([1], indent: "x" * n, array_nl: "\n") == "[\n#{"x" * n}1\n]"
        }
      RUBY
    end

    test "a text of options that another thread changes while Rules are made of it" do
      assert_equal(['"[\n_1]"', '"[\n.1]"', '"[\n_1]"'], lines_of(<<~'RUBY'))
        INDENT = +"_"
        ToJson::Rules.prepend(Module.new { def with(**) = super.tap { INDENT.replace(".") } })
        p JSON.generate([1], indent: INDENT, array_nl: "\n").sub(/\n\]/, "]")
        p JSON.generate([1], indent: ".", array_nl: "\n").sub(/\n\]/, "]")
        p JSON.generate([1], indent: "_", array_nl: "\n").sub(/\n\]/, "]")
      RUBY
    end

    test "another generator, another State and a method that somebody replaces take over, before " \
         "or later" do
      assert_equal ["[]", "[:generate, :pretty_generate, :dump]", "[]",
                    "[:generate, :pretty_generate, :dump]", "[:pretty_generate, :dump]", '"mine"',
                    "[:pretty_generate]"], lines_of(<<~'RUBY')
        own = JSON.generator
        other = Module.new { const_set(:State, Class.new(own::State)) }
        JSON.generator = other
        p H.served
        JSON.generator = own
        p H.served
        JSON.state = other::State
        p H.served
        JSON.state = own::State
        p H.served
        def JSON.generate(*) = "mine"
        p H.served, JSON.generate(1)
        H.uninstall
        def JSON.dump(*) = "mine"
        H.install
        p H.served
      RUBY
    end

    test "what stands before JSON's methods already is not passed by" do
      assert_equal ["[:pretty_generate, :dump]", '"[1]!"'], lines_of(<<~'RUBY').last(2)
        H.uninstall
        require "rbconfig"
        exec RbConfig.ruby, "-W0", "-I", $LOAD_PATH.first, "-e", <<~'SCRIPT'
          require "json"
          JSON.singleton_class.prepend(Module.new { def generate(*) = "#{super}!" })
          require "to_json/json"
          p ToJson::JsonGenerate.served, JSON.generate([1])
        SCRIPT
      RUBY
    end

    test "an IO gets the document in one write and is flushed; what fails before, json writes" do
      assert_equal ['["[1,[2]]", :flush]', "true", '"[NaN]"', "true"], lines_of(<<~'RUBY')
        io = Class.new { def calls = @calls ||= []
                         def write(text) = calls << text
                         def flush = calls << :flush }.new
        same = JSON.dump([1, [2]], io).equal?(io)
        p io.calls, same
        wrapped = Struct.new(:to_io).new(StringIO.new)
        p JSON.dump([0.0 / 0], wrapped).string
        p((JSON.dump(["\xff"], StringIO.new) rescue $!.instance_of?(JSON::GeneratorError)))
      RUBY
    end

    test "a structure that contains itself is an error also where nothing limits the depth" do
      assert_equal %w[ArgumentError JSON::NestingError JSON::NestingError], lines_of(<<~'RUBY')
        endless = [].tap { |a| a << { a: a } }
        calls = [-> { JSON.dump(endless) }, -> { JSON.generate(endless, max_nesting: 0) },
                 -> { JSON.generate(endless) }]
        calls.each { |call| puts((call.call rescue $!.class)) }
      RUBY
    end

    test "other Ractors are served, with options too" do
      assert_equal ['["[1]", "{\n \"a\":1}", "[NaN]"]'], lines_of(<<~'RUBY')
        ractor = Ractor.new do
          [JSON.generate([1]),
           JSON.generate({ a: 1 }, indent: " ", object_nl: "\n").sub("\n}", "}"),
           JSON.generate([0.0 / 0], allow_nan: true)]
        end
        p ractor.value
      RUBY
    end

    # json's test_generate_json of JSON::GenericObject, whose superclass some Rubies have as a gem.
    test "a class in json's own module keeps its own to_json" do
      assert_equal ['{"json_class":"G","a":1}', '{"json_class":"G","a":1}', '["own"]', "[1]"],
                   lines_of(<<~'RUBY')
        module JSON
          class Generic
            def as_json(*) = { "json_class" => "G" }.merge({ "a" => 1 })
            def to_json(*given) = as_json.to_json(*given)
          end
          class Named
            def to_s = "own"
          end
        end
        puts JSON.generate(JSON::Generic.new), ToJson.generate(JSON::Generic.new)
        puts JSON.generate([JSON::Named.new])
        puts(defined?(JSON::Fragment) ? ToJson.generate(JSON::Fragment.new("[1]")) : "[1]")
      RUBY
    end

    # json's test_broken_bignum.
    test "an Integer#to_s that somebody replaced writes large Integers, as there" do
      due = ["[18446744073709551616,5]", "[big,5]", "TypeError", '{"a":[big]}']
      assert_equal due + [due[1]], lines_of(<<~'RUBY')
        puts JSON.generate([2**64, 5])
        Integer.define_method(:to_s) { |*| "big" }
        puts JSON.generate([2**64, 5])
        Integer.define_method(:to_s) { |*| nil }
        puts((JSON.generate([2**64]) rescue $!.class.name))
        Integer.define_method(:to_s) { |*| "big" }
        puts JSON.generate({ a: [2**64] })
        H.uninstall
        puts JSON.generate([2**64, 5])
      RUBY
    end

    test "ToJson.default_rules change nothing of it" do
      assert_equal ["[\"<\"]", '["<"]'], lines_of(<<~'RUBY')
        ToJson.default_rules = { html_safe: true }
        puts JSON.generate(["<"]), JSON.generate(["<"], max_nesting: 5)
      RUBY
    end

    test "a json of another line is left alone, with a warning" do
      library = $LOAD_PATH.find { |path| File.file?(File.join(path, "to_json.rb")) }
      script =
        'require "json"; JSON.send(:remove_const, :VERSION); JSON::VERSION = "2.9.1"; require ' \
        '"to_json/json"; p ToJson::JsonGenerate.served, JSON.generate([1])'
      text, errors, = Open3.capture3(*PlainRuby.start, "-I", library, "-e", script)
      assert_equal "[]\n\"[1]\"\n", text
      assert_match(/to_json\/json serves nothing: json 2\.9\.1 is not of a line that it knows/,
                   errors)
    end

    # json 2.6, which Ruby 3.1 brings, takes no fourth argument.
    test "a dump that is left to a json without options there gets what the caller gave" do
      out = IO.popen([*PlainRuby.start, "-I#{File.join(Project::ROOT, "lib")}", "-e",
                      <<~'RUBY'], &:read)
        require "json"
        narrow = Module.new { def dump(value, io = nil, limit = nil) = super(value, io, limit) }
        JSON.singleton_class.prepend(narrow)
        require "to_json/json"
        print JSON.dump([[1]], nil, 5), JSON.dump([[1]], 5), JSON.dump([2])
      RUBY
      assert_equal "[[1]][[1]][2]", out
    end
  end
end
