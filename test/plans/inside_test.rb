# frozen_string_literal: true

require_relative "../test_helper"

# Inside tells what is inside the Units of a graph. Numbers stand for Units here.
class InsideTest < ToJsonTest
  # @param graph [Array<Array<Integer>>] the numbers directly inside each number
  # @param having [Hash{Integer => Object}]
  # @return [Array(Inside, Array<Integer>)] and the numbers that were looked at
  def inside(graph, having, *most)
    looked = []
    inside = ToJson::Compiler::Inside.new(*most) do |one|
      looked << one
      having.key?(one) ? [having[one], []] : [nil, graph[one]]
    end
    [inside, looked]
  end

  def within(graph, one, seen = [])
    return seen if seen.include?(one)

    graph[one].inject(seen << one) { |found, inner| within(graph, inner, found) }
  end

  test "each number of random graphs gets what a number inside it has" do
    random = Random.new(Minitest.seed)
    300.times do
      size = random.rand(1..12)
      graph = Array.new(size) { Array.new(random.rand(4)) { random.rand(size) } }
      having = Array.new(random.rand(3)) { random.rand(size) }.to_h { |one| [one, "has #{one}"] }
      inside, looked = inside(graph, having)
      (0...size).to_a.shuffle(random: random).each do |one|
        possible = (within(graph, one) & having.keys).map { |found| having[found] }
        assert_includes possible.empty? ? [nil] : possible, inside[one]
      end
      assert_equal looked.uniq, looked
    end
  end

  test "the nearest counts" do
    inside, = inside([[1, 2], [3], [3], []], { 2 => :near, 3 => :far })
    assert_equal :near, inside[0]
    assert_equal :far, inside[1]
  end

  test "no more are looked at for an answer than the limit says" do
    graph = Array.new(10) { |i| [i + 1] } << []
    inside, looked = inside(graph, { 10 => :has }, 4)
    assert_nil inside[0]
    assert_equal [0, 1, 2, 3], looked
    assert_nil inside[3]
    assert_equal :has, inside[8]
  end
end
