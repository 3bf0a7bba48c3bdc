# frozen_string_literal: true

# The dialect :rails is ActiveSupport::JSON.encode, byte for byte, with its settings as they are
# now.

require_relative "../support/without"

if Without.library?("active_support")
  require_relative "rails_case"

  class RailsTest < RailsCase
    # Where ActiveSupport defines as_json, with the samples that show it. A class that is missing
    # here is new to us.
    KNOWN = %w[NilClass TrueClass FalseClass Object Numeric Float Integer BigDecimal String Symbol
               Regexp Range Array Hash Enumerable Struct Data Time Date DateTime Module Exception IO
               Pathname URI::Generic IPAddr Process::Status ActiveSupport::TimeWithZone
               ActiveSupport::Duration ActiveSupport::Multibyte::Chars].freeze

    test "every class to which ActiveSupport gives an as_json is known" do
      library = Gem.loaded_specs.fetch("activesupport").full_gem_path
      ActiveSupport.eager_load!
      found = ObjectSpace.each_object(Module).select do |type|
        type.instance_methods(false).include?(:as_json) &&
          type.instance_method(:as_json).source_location&.first.to_s.start_with?(library)
      end
      assert_operator found.size, :>, 20
      found.reject! { |type| type <= Delegator } # DelegateClass passes on what it found there
      assert_empty found.filter_map(&:name) - KNOWN - %w[ActiveSupport::SafeBuffer]
    end

    test "every setting of ActiveSupport's encoder is known" do
      names = ActiveSupport::JSON::Encoding.singleton_methods(false).grep(/=\z/).map do |name|
        name.to_s.chomp("=").to_sym
      end
      assert_equal %i[escape_html_entities_in_json escape_js_separators_in_json json_encoder
                      time_precision use_standard_json_time_format],
                   (names | %i[escape_js_separators_in_json]).sort
    end

    LAYOUT = { indent: "  ", space: " ", object_nl: "\n", array_nl: "\n" }.freeze

    test "a layout, which ActiveSupport has not, changes nothing but the spaces" do
      value = { a: [1..2, { b: Time.at(0).utc }], s: Samples::Point.new([:x], {}), e: [],
                own: Samples::WithHash.new }
      text = ToJson.generate(value, dialect: :rails, **LAYOUT)
      assert_equal JSON.parse(theirs(value)), JSON.parse(text)
      assert text.start_with?("{\n  \"a\": [\n    \"1..2\",\n    {\n      \"b\": \"1970"), text
      assert_equal text, ToJson.pretty_generate(value, dialect: :rails)
    end

    test "what is nested too deep is told in the words of the json that is loaded" do
      [(1..100).inject([]) { |inner, _| [inner] },
       { a: (1..100).inject([]) { |inner, _| { b: inner } } }].each do |deep|
        due = assert_raises(JSON::NestingError) do
          ActiveSupport::JSON::Encoding::JSONGemEncoder.new.encode(deep)
        end
        got = assert_raises(JSON::NestingError) { ToJson.generate(deep, dialect: :rails) }
        assert got.message.start_with?("$"), got.message
        assert got.message.end_with?(": #{due.message}"), got.message
      end
    end

    # As `to_json` hands them to as_json; each stands for what a value may make of them.
    OPTIONS = {
      "none" =>
        nil, "empty" => {}, "prefixes" => { prefixes: ["posts"], template: "index", status: 200 },
        "only" => { only: "a" }, "only several" => { only: [:b, "a", :k, "k"] },
      "except" =>
        { except: %i[a k] }, "except a String" => { except: "k" },
        "only and except" => { only: %w[a k], except: "a" }, "only nothing" => { only: [] },
        "except nil" => { only: nil, except: nil },
      "escape" =>
        { escape: false }, "entities" => { escape_html_entities: false },
        "entities and only" => { escape_html_entities: true, only: "k" }
    }.freeze

    test "options reach every as_json, and only: and except: every Hash on the way" do
      OPTIONS.each do |what, options|
        self.class.values.each do |name, value|
          self.class.around(value).each do |where, document|
            expected = theirs(document, options)
            actual = encoded(document, options)
            assert_equal expected, actual, "#{name}, #{where}, options: #{what}"
          end
        end
      end
    end

    test "names of only: that change their list while they are looked up change nothing" do
      expected, actual = %w[theirs encoded].map do |way|
        names = []
        name = Object.new
        name.define_singleton_method(:hash) { names.replace(["k1"]) && GC.start && 5 }
        names << name << "k1"
        names.concat(Array.new(300) { |i| "key #{i}" })
        __send__(way, { "k1" => 1, "k2" => 2 }, { only: names })
      end
      assert_equal expected, actual
    end

    test "options are handed on as ActiveSupport hands them on: frozen, or a copy each" do
      seen = ->(encoder) do
        found = []
        spy = Class.new do
          define_method(:as_json) do |options = nil|
            (found << [options.frozen?, options.dup]) && "spied"
          end
        end
        encoder.new({ a: 1 }).encode([spy.new, { b: spy.new, "c" => [spy.new] }])
        encoder.new(nil).encode([spy.new, { b: spy.new }])
        found
      end
      assert_equal seen.call(ActiveSupport::JSON::Encoding.const_get(:JSONGemEncoder)),
                   seen.call(ToJson::ActiveSupportEncoder)
    end

    # Whose as_json is taken for ActiveSupport's only while it is.
    PATCHED = { Float =>
                  1.5, Time => Time.at(0).utc, Date => Date.new(2026, 1, 2),
                  BigDecimal => BigDecimal("1.5"),
                  ActiveSupport::TimeWithZone => Time.at(0).in_time_zone("UTC"), String => "text",
                Integer =>
                  3, Symbol => :sym, NilClass => nil, TrueClass => true, FalseClass => false,
                  Array => [1], Hash => { a: 1 }, Struct => Samples::Point.new(1, 2),
                  Object => Object.new,
                Samples::Point =>
                  Samples::Point.new(3, 4), Range => 1..2, Enumerable => Set[1] }.freeze

    # [the class, whether we are as ActiveSupport], each time something has changed; in a process of
    # its own, as no module can be taken out.
    def self.patched(type, sample)
      documents = [[sample], { k: sample, "l" => [{ m: sample }] },
                   Samples::Point.new(sample, [sample])]
      compare = lambda do
        documents.flat_map do |document|
          [nil, { only: %w[k l m] }].map do |options|
            [RailsCase.theirs(document, options), RailsCase.encoded(document, options)]
          end
        end
      end
      found = [compare.call]
      own = type.method_defined?(:as_json, false) ? type.instance_method(:as_json) : nil
      type.send(:remove_method, :as_json) if own
      type.define_method(:as_json) { |_options = nil| "defined" }
      found << compare.call
      type.send(:remove_method, :as_json)
      type.define_method(:as_json, own) if own
      found << compare.call
      switch = [true]
      type
        .prepend(
          Module.new do
            define_method(:as_json) { |options = nil| switch[0] ? "prepended" : super(options) }
          end
        )
      found << compare.call
      switch[0] = false
      found << compare.call
    end

    def in_a_process_of_its_own
      reader, writer = IO.pipe(binmode: true)
      child = fork do
        writer << Marshal.dump(yield)
        writer.close
        LibraryCoverage.leave(ENV.fetch("TO_JSON_COVERAGE_INTO")) if defined?(LibraryCoverage)
        exit!(0)
      end
      writer.close
      Marshal.load(reader.read)
    ensure
      Process.wait(child)
    end

    PATCHED.each do |type, sample|
      test "an as_json that somebody puts into #{type} is called, and no longer when it is gone" do
        changes = in_a_process_of_its_own { self.class.patched(type, sample) }
        changes.each_with_index do |documents, change|
          documents.each do |expected, actual|
            assert_equal expected, actual, %w[before defined gone prepended off][change]
          end
        end
        unless type == Integer || type == Struct || type == Object || type == Enumerable
          assert_includes changes[1].to_s, "defined"
        end
      end
    end

    SETTINGS.each do |what, settings|
      test "every value is written as ActiveSupport writes it #{what}" do
        with_settings(settings) do
          self.class.values.each do |name, value|
            self.class.around(value).each do |where, document|
              assert_rails(document, "#{name}, #{where}")
            end
          end
        end
      end
    end
  end
end
