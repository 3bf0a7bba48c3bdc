# frozen_string_literal: true

# bin/bench --against: two trees of the gem, here two small files, in one run: instructions by
# callgrind, objects, what is broken, what is new.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/harness/against"
  require_relative "../support/bench_run"
  require_relative "../support/figures"

  class BenchmarkAgainstTest < ToJsonTest
    # A row of countings, [before, after] each: figures, or why there are none.
    def row(*pairs)
      Bench::AgainstRow.new("one", "table", "contender").tap do |row|
        pairs.each do |pair|
          %i[before after].zip(pair) do |side, found|
            found.is_a?(String) ? row.add(side, nil, found) : row.add(side, found, nil)
          end
        end
      end
    end

    # The same of instructions alone.
    def counted(*pairs)
      row(*pairs.map { |pair| pair.map { |count| { "instructions" => count } } })
    end

    # Figures before and after beside what exceeds.
    EXCESS = [
      [{ "instructions" => 1000.0, "objects" => 2.0, "allocated" => 400.0 },
       { "instructions" => 1030.0, "objects" => 2.0, "allocated" => 413.0 }, []],
      [{ "instructions" => 1000.0, "objects" => 2.0, "allocated" => 400.0 },
       { "instructions" => 1031.0, "objects" => 2.0, "allocated" => 400.0 }, %w[instructions]],
      [{ "instructions" => 1000.0, "objects" => 2.0, "allocated" => 400.0 },
       { "instructions" => 500.0, "objects" => 2.1, "allocated" => 450.0 }, %w[objects allocated]],
      [{ "instructions" => 1000.0, "objects" => 2.0, "allocated" => nil },
       { "instructions" => nil, "objects" => 1.0, "allocated" => 450.0 }, []]
    ].freeze

    test "what exceeds is more than 3 % of instructions or bytes, or any object more" do
      EXCESS.each do |before, after, metrics|
        assert_equal(metrics, row([before, after]).excess.map(&:first))
      end
    end

    test "what cannot run now is broken if it ran before; what the older commit lacks is not " \
         "judged" do
      assert(row([{}, "NoMethodError"]).broken?)
      new = row(["NoMethodError", { "instructions" => 5.0 }])
      assert_equal([false, []], [new.broken?, new.excess])
    end

    test "of what is counted again the least of this tree stands" do
      counting = { "instructions" => 95.0, "objects" => 0.5 }
      again = row([{ "instructions" => 100.0 }, { "instructions" => 110.0 }],
                  ["the worker ended", { "instructions" => nil }],
                  [counting, { "instructions" => 91.0, "objects" => 0.4 }])
      assert_equal([95.0, 91.0, 0.4],
                   [again.figure(:before, "instructions"), again.figure(:after, "instructions"),
                    again.figure(:after, "objects")])
      assert_empty(again.excess)
    end

    test "the older tree's middle stands: one counting that finds less does not make what is the " \
         "same exceed" do
      pairs = [[416_314.6, 444_786.6], [444_583.0, 444_583.0]]
      assert_equal(%w[instructions], counted(*pairs).excess.map(&:first),
                   "two of two may be either")
      again = counted(*pairs, [444_590.0, 444_583.0])
      assert_equal([444_583.0, []], [again.figure(:before, "instructions"), again.excess])
    end

    test "what asks for more each time exceeds, however often it is counted" do
      again = counted([100.0, 108.0], [104.0, 104.5], [100.0, 104.1], [100.0, 112.0])
      assert_equal([["instructions", 100.0, 104.1]], again.excess)
    end

    test "what broke once and runs again is not broken" do
      figures = { "instructions" => 100.0 }
      pairs = [[figures, "the worker ended"]] * 2
      assert(row(*pairs).broken?)
      again = row(*pairs, [figures, figures])
      refute(again.broken?)
      assert_equal(100.0, again.figure(:after, "instructions"))
    end

    if Project.tracked # the trees of other Rubies in CI are no git checkouts
      test "a commit that is not there is refused" do
        error = assert_raises(ArgumentError) { Bench::Against.tree("no-such-commit") }
        assert_equal("there is no commit no-such-commit", error.message)
      end

      test "a commit of the same lib and ext needs no counting" do
        refute(Bench::Against.same?("4b825dc642cb6eb9a060e54bf8d69288fbee4904"), "the empty tree")
        changed, = Open3.capture2("git", "-C", Project::ROOT, "status", "--porcelain", "lib", "ext")
        assert_equal(changed.empty?, Bench::Against.same?("HEAD"))
      end
    end

    SCENARIO = <<~RUBY
      Bench.scenario 99, "two", "two trees" do
        table "numbers" do
          data { [1, 2] }
          contender "same", :ours, code: "ToJson.same(v)"
          contender "dearer", :ours, code: "ToJson.dearer(v)"
          contender "new", :ours, code: "ToJson.fresh(v)"
          contender "gone", :ours, code: "ToJson.gone(v)"
          contender "not ours", :hand, code: "v.to_s"
        end
      end
    RUBY
    SAME = "module ToJson\n  def self.same(v) = 20.times { v.to_s }\n"
    TREES = { before: "#{SAME}  def self.dearer(v) = 20.times { v.to_s }\n  def self.gone(v) = " \
                      "v\nend\n",
              after:
                  "#{SAME}  def self.dearer(v) = 30.times { v.to_s }\n  def self.fresh(v) = " \
                  "v\nend\n" }.freeze

    # The running Ruby with the tree in that directory.
    Stage = Struct.new(:version, :directory, :probe) do
      def command(flags)
        [RbConfig.ruby, *flags, "-I", directory, "-I", probe,
         File.join(Project::ROOT, "benchmark/worker/main.rb")]
      end
      def environment = { "RUBYOPT" => nil, "LD_PRELOAD" => File.join(probe, "probe.so") }
      def peers = {}
      def missing_reason(_peer) = nil
    end

    # [is nothing worse?, what was printed]
    def compare
      Dir.mktmpdir do |directory|
        Bench::Callgrind.prepare(stage = Bench::Stage.new(RbConfig.ruby))
        setups = TREES.to_h do |side, text|
          tree = File.join(directory, side.to_s)
          FileUtils.mkdir_p(tree)
          File.write(File.join(tree, "to_json.rb"), text)
          [side, Bench::Setup.new(Stage.new(RUBY_VERSION, tree, stage.compiled), yjit: false)]
        end
        path = File.join(directory, "scenario.rb")
        File.write(path, SCENARIO)
        scenario, output = Bench::Scenario.load_file(path), StringIO.new
        sound = BenchRun.silently do
          Bench::Against.new([[scenario, scenario.tables.first]], setups[:before], setups[:after],
                             output: output).run
        end
        [sound, output.string]
      end
    end

    # Half a minute of valgrind (nil where there is none), which is left to the CI.
    if Figures.full? && system("valgrind", "--version", out: File::NULL, err: File::NULL)
      test "two trees are counted in one run: what is the same has the same instructions, what " \
           "costs more is told" do
        sound, text = compare
        refute(sound)
        lines = text.lines.to_h { |line| [line[/\Atwo, numbers: (\w+)/, 1], line] }
        before, after = lines["same"].scan(/[\d.]+/).first(2).map(&:to_f)
        assert_operator(before, :>, 2000)
        assert_in_delta(before, after, before * 0.02, text)
        assert_match(/20\.00 → 20\.00/, lines["same"])
        assert_match(/20\.00 → 30\.00 \+50\.0 %.*MORE/, lines["dearer"])
        assert_match(/before: NoMethodError/, lines["new"])
        figures = /instructions \d+.* → \d+.*, objects 20.0 → 30.0, allocated/
        assert_match(/^MORE: two, numbers: dearer: #{figures}/, text)
        assert_match(/^BROKEN: two, numbers: gone: NoMethodError/, text)
        assert_equal(4, lines.size - lines.count { |name, _| name.nil? })
        assert_match(/^4 contenders, 2 in both; instructions \+\d+/, text)
      end
    end
  end
end
